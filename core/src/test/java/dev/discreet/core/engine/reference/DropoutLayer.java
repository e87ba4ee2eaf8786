package dev.discreet.core.engine.reference;

import dev.discreet.core.engine.DropoutMask;
import dev.discreet.core.nn.Layout.Node;

/** In training, the values that the mask keeps, scaled up; otherwise all of them. */
record DropoutLayer(Node node) implements ReferenceLayer {

  @Override
  public double[] forward(Point at, double[] x) {
    if (!at.training()) {
      return x;
    }
    DropoutMask mask = at.mask(node);
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = mask.keeps(i) ? x[i] * mask.scale() : 0;
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    // The layer is linear with a diagonal matrix, so its transpose is itself.
    return forward(at, dy);
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    return forward(at, dx);
  }
}
