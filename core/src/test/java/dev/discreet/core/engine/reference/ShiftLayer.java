package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layout.Node;

/** y = x + b. */
record ShiftLayer(Node node) implements ReferenceLayer {

  private int bias() {
    return node.slices().get(0).offset();
  }

  @Override
  public double[] forward(Point at, double[] x) {
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = x[i] + at.parameters()[bias() + i];
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    for (int i = 0; i < x.length; i++) {
      gradient[bias() + i] += dy[i];
    }
    return dy;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    double[] moved = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      moved[i] = dx[i] + v[bias() + i];
    }
    return moved;
  }
}
