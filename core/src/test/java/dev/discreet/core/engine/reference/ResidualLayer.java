package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layout.Node;

/** body(x) + x, or body(x) + projection(x). */
final class ResidualLayer implements ReferenceLayer {
  private final ReferenceLayer body;
  private final ReferenceLayer shortcut;

  ResidualLayer(Node node) {
    body = new Chain(node.body());
    shortcut = node.projection() == null ? new FlattenLayer() : new ConvLayer(node.projection());
  }

  @Override
  public double[] forward(Point at, double[] x) {
    return sum(body.forward(at, x), shortcut.forward(at, x));
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    return sum(body.backward(at, x, dy, gradient), shortcut.backward(at, x, dy, gradient));
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    return sum(body.tangent(at, x, v, dx), shortcut.tangent(at, x, v, dx));
  }

  private static double[] sum(double[] a, double[] b) {
    double[] sum = new double[a.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = a[i] + b[i];
    }
    return sum;
  }
}
