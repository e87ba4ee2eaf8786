package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import java.util.List;

/** Layers and a loss. It has no input shape yet and no parameters. */
public record Network(List<Layer> layers, Loss loss) {
  public Network {
    Check.that(!layers.isEmpty(), "layers", "at least one", "none");
    layers = List.copyOf(layers);
  }

  /** This network on that input. */
  public Layout on(Shape input) {
    return Layout.of(this, input);
  }
}
