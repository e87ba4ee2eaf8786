package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layer.Dense;
import dev.discreet.core.nn.Layout.Node;

/** y = xW + b. */
record DenseLayer(Node node) implements ReferenceLayer {

  @Override
  public double[] forward(Point at, double[] x) {
    double[] theta = at.parameters();
    int outputs = node.output().size();
    int weight = node.slices().get(0).offset();
    double[] y = new double[outputs];
    for (int o = 0; o < outputs; o++) {
      y[o] = hasBias() ? theta[bias() + o] : 0;
      for (int i = 0; i < x.length; i++) {
        y[o] += x[i] * theta[weight + i * outputs + o];
      }
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    double[] theta = at.parameters();
    int outputs = node.output().size();
    int weight = node.slices().get(0).offset();
    double[] dx = new double[x.length];
    for (int o = 0; o < outputs; o++) {
      if (hasBias()) {
        gradient[bias() + o] += dy[o];
      }
      for (int i = 0; i < x.length; i++) {
        gradient[weight + i * outputs + o] += x[i] * dy[o];
        dx[i] += theta[weight + i * outputs + o] * dy[o];
      }
    }
    return dx;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    double[] theta = at.parameters();
    int outputs = node.output().size();
    int weight = node.slices().get(0).offset();
    double[] dy = new double[outputs];
    for (int o = 0; o < outputs; o++) {
      dy[o] = hasBias() ? v[bias() + o] : 0;
      for (int i = 0; i < x.length; i++) {
        int w = weight + i * outputs + o;
        dy[o] += dx[i] * theta[w] + x[i] * v[w];
      }
    }
    return dy;
  }

  private boolean hasBias() {
    return ((Dense) node.layer()).bias();
  }

  private int bias() {
    return node.slices().get(1).offset();
  }
}
