package dev.discreet.core.nn;

import java.io.Serializable;

/**
 * Where a layer stands in a network. As a text this is the name that PyTorch gives it in an {@code
 * nn.Sequential}: {@code 3}, or inside a residual block {@code 3.body.0} and {@code 3.projection}.
 *
 * @param place of the layer in the network, or of the residual block that it is in
 * @param inside its place in that block, such as {@code .body.0}; empty for a layer of the network
 */
public record LayerName(int place, String inside) implements Serializable {
  static LayerName of(int place) {
    return new LayerName(place, "");
  }

  LayerName body(int i) {
    return new LayerName(place, inside + ".body." + i);
  }

  LayerName projection() {
    return new LayerName(place, inside + ".projection");
  }

  /**
   * Whether it is the layer that a text names, or is inside of that.
   *
   * @param layer such as {@code 3}, {@code 3.body} or {@code 3.body.0}
   * @return whether it is in it
   */
  public boolean isIn(String layer) {
    return (this + ".").startsWith(layer + ".");
  }

  @Override
  public String toString() {
    return place + inside;
  }
}
