package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layout.Node;
import java.util.List;

/** Layers one after another. */
final class Chain implements ReferenceLayer {
  private final List<ReferenceLayer> layers;

  Chain(List<Node> nodes) {
    layers = nodes.stream().map(ReferenceLayer::of).toList();
  }

  @Override
  public double[] forward(Point at, double[] x) {
    double[] y = x;
    for (ReferenceLayer layer : layers) {
      y = layer.forward(at, y);
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    double[][] inputs = new double[layers.size()][];
    double[] y = x;
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = y;
      y = layers.get(i).forward(at, y);
    }
    double[] d = dy;
    for (int i = inputs.length - 1; i >= 0; i--) {
      d = layers.get(i).backward(at, inputs[i], d, gradient);
    }
    return d;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    double[] y = x;
    double[] dy = dx;
    for (ReferenceLayer layer : layers) {
      dy = layer.tangent(at, y, v, dy);
      y = layer.forward(at, y);
    }
    return dy;
  }
}
