package dev.discreet.core.engine.reference;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Layer.Embedding;
import dev.discreet.core.nn.Layout.Node;

/** Each value becomes a row of the table. A token that occurs twice gets both gradients. */
record EmbeddingLayer(Node node) implements ReferenceLayer {

  @Override
  public double[] forward(Point at, double[] x) {
    int size = embedding().size();
    double[] y = new double[x.length * size];
    for (int i = 0; i < x.length; i++) {
      System.arraycopy(at.parameters(), row(x[i]), y, i * size, size);
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    int size = embedding().size();
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < size; j++) {
        gradient[row(x[i]) + j] += dy[i * size + j];
      }
    }
    return new double[x.length];
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    int size = embedding().size();
    double[] dy = new double[x.length * size];
    for (int i = 0; i < x.length; i++) {
      System.arraycopy(v, row(x[i]), dy, i * size, size);
    }
    return dy;
  }

  private int row(double token) {
    int vocabulary = embedding().vocabulary();
    Check.that(
        token >= 0 && token < vocabulary && token == Math.rint(token),
        "token of " + node.layer(),
        "a whole number in [0, " + (vocabulary - 1) + "]",
        token);
    return node.slices().get(0).offset() + (int) token * embedding().size();
  }

  private Embedding embedding() {
    return (Embedding) node.layer();
  }
}
