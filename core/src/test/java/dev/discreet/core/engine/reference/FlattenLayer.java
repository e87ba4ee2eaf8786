package dev.discreet.core.engine.reference;

/** The values stay where they are. */
record FlattenLayer() implements ReferenceLayer {

  @Override
  public double[] forward(Point at, double[] x) {
    return x;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    return dy;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    return dx;
  }
}
