package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;

/**
 * The largest of each window; of equal ones the first in reading order, which gets the gradient.
 */
record MaxPoolLayer(Node node, Window window) implements ReferenceLayer {

  @Override
  public double[] forward(Point at, double[] x) {
    int[] winner = winners(x);
    double[] y = new double[winner.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = x[winner[i]];
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    int[] winner = winners(x);
    double[] dx = new double[x.length];
    for (int i = 0; i < dy.length; i++) {
      dx[winner[i]] += dy[i];
    }
    return dx;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    int[] winner = winners(x);
    double[] dy = new double[winner.length];
    for (int i = 0; i < dy.length; i++) {
      dy[i] = dx[winner[i]];
    }
    return dy;
  }

  /** For each output, the index of the input it is. NaN wins, so that it is not hidden. */
  private int[] winners(double[] x) {
    Shape in = node.input();
    Shape out = node.output();
    int[] winner = new int[out.size()];
    for (int oy = 0; oy < out.height(); oy++) {
      for (int ox = 0; ox < out.width(); ox++) {
        for (int c = 0; c < out.channels(); c++) {
          int best = -1;
          for (int wy = 0; wy < window.height(); wy++) {
            for (int wx = 0; wx < window.width(); wx++) {
              int iy = oy * window.strideY() - window.padY() + wy;
              int ix = ox * window.strideX() - window.padX() + wx;
              if (iy < 0 || iy >= in.height() || ix < 0 || ix >= in.width()) {
                continue;
              }
              int i = (iy * in.width() + ix) * in.channels() + c;
              if (best < 0 || x[i] > x[best] || Double.isNaN(x[i])) {
                best = i;
              }
            }
          }
          winner[(oy * out.width() + ox) * out.channels() + c] = best;
        }
      }
    }
    return winner;
  }
}
