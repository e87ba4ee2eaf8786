package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;

/** The mean of each window, the zeros of the rim counted. */
record AveragePoolLayer(Node node, Window window) implements ReferenceLayer {

  private interface Pair {
    void at(int input, int output);
  }

  @Override
  public double[] forward(Point at, double[] x) {
    double[] y = new double[node.output().size()];
    forEachPair((input, output) -> y[output] += x[input] / window.size());
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    double[] dx = new double[x.length];
    forEachPair((input, output) -> dx[input] += dy[output] / window.size());
    return dx;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    return forward(at, dx);
  }

  private void forEachPair(Pair pair) {
    Shape in = node.input();
    Shape out = node.output();
    for (int oy = 0; oy < out.height(); oy++) {
      for (int ox = 0; ox < out.width(); ox++) {
        for (int wy = 0; wy < window.height(); wy++) {
          for (int wx = 0; wx < window.width(); wx++) {
            int iy = oy * window.strideY() - window.padY() + wy;
            int ix = ox * window.strideX() - window.padX() + wx;
            if (iy < 0 || iy >= in.height() || ix < 0 || ix >= in.width()) {
              continue;
            }
            for (int c = 0; c < out.channels(); c++) {
              pair.at(
                  (iy * in.width() + ix) * in.channels() + c,
                  (oy * out.width() + ox) * out.channels() + c);
            }
          }
        }
      }
    }
  }
}
