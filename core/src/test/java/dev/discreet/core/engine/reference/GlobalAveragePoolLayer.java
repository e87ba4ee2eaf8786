package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layout.Node;

/** The mean over all positions. */
record GlobalAveragePoolLayer(Node node) implements ReferenceLayer {

  @Override
  public double[] forward(Point at, double[] x) {
    double[] y = new double[node.input().channels()];
    for (int i = 0; i < x.length; i++) {
      y[i % y.length] += x[i] / node.input().positions();
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    double[] dx = new double[x.length];
    for (int i = 0; i < dx.length; i++) {
      dx[i] = dy[i % dy.length] / node.input().positions();
    }
    return dx;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    return forward(at, dx);
  }
}
