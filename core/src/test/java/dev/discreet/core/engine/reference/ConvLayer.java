package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layer.Conv;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.Arrays;

/** A convolution by its definition: a loop over output, window and input channel. */
record ConvLayer(Node node) implements ReferenceLayer {

  /** What is done for each product of an input value and a weight. */
  private interface Product {
    void at(int input, int weight, int output);
  }

  @Override
  public double[] forward(Point at, double[] x) {
    double[] weights = weights(at);
    double[] y = new double[node.output().size()];
    if (conv().bias()) {
      for (int i = 0; i < y.length; i++) {
        y[i] = at.parameters()[bias() + i % conv().outputs()];
      }
    }
    forEachProduct((input, weight, output) -> y[output] += x[input] * weights[weight]);
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    double[] weights = weights(at);
    double[] dx = new double[x.length];
    double[] dw = new double[weights.length];
    forEachProduct(
        (input, weight, output) -> {
          dx[input] += weights[weight] * dy[output];
          dw[weight] += x[input] * dy[output];
        });
    double[] own = conv().standardised() ? throughStandardising(at, dw) : dw;
    double[] unit = conv().standardised() ? standardised(at) : dw;
    for (int i = 0; conv().standardised() && i < dw.length; i++) {
      gradient[gain() + i % conv().outputs()] += dw[i] * unit[i];
    }
    for (int i = 0; i < own.length; i++) {
      gradient[weight() + i] += own[i];
    }
    if (conv().bias()) {
      for (int i = 0; i < dy.length; i++) {
        gradient[bias() + i % conv().outputs()] += dy[i];
      }
    }
    return dx;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    double[] weights = weights(at);
    double[] own = Arrays.copyOfRange(v, weight(), node.slices().get(0).end());
    // The derivative of standardising is a symmetric matrix, so the way there is the way back.
    double[] dw = conv().standardised() ? throughStandardising(at, own) : own;
    double[] unit = conv().standardised() ? standardised(at) : own;
    for (int i = 0; conv().standardised() && i < dw.length; i++) {
      dw[i] += unit[i] * v[gain() + i % conv().outputs()];
    }
    double[] dy = new double[node.output().size()];
    for (int i = 0; conv().bias() && i < dy.length; i++) {
      dy[i] = v[bias() + i % conv().outputs()];
    }
    forEachProduct(
        (input, weight, output) ->
            dy[output] += dx[input] * weights[weight] + x[input] * dw[weight]);
    return dy;
  }

  private void forEachProduct(Product product) {
    Shape in = node.input();
    Shape out = node.output();
    Window window = conv().window();
    int insPerGroup = in.channels() / conv().groups();
    int outsPerGroup = out.channels() / conv().groups();
    for (int oy = 0; oy < out.height(); oy++) {
      for (int ox = 0; ox < out.width(); ox++) {
        for (int wy = 0; wy < window.height(); wy++) {
          for (int wx = 0; wx < window.width(); wx++) {
            int iy = oy * window.strideY() - window.padY() + wy;
            int ix = ox * window.strideX() - window.padX() + wx;
            if (iy < 0 || iy >= in.height() || ix < 0 || ix >= in.width()) {
              continue;
            }
            for (int o = 0; o < out.channels(); o++) {
              int firstIn = o / outsPerGroup * insPerGroup;
              for (int c = 0; c < insPerGroup; c++) {
                product.at(
                    (iy * in.width() + ix) * in.channels() + firstIn + c,
                    ((wy * window.width() + wx) * insPerGroup + c) * out.channels() + o,
                    (oy * out.width() + ox) * out.channels() + o);
              }
            }
          }
        }
      }
    }
  }

  /** The weights that multiply the input, standardised where that was asked for. */
  private double[] weights(Point at) {
    if (!conv().standardised()) {
      return Arrays.copyOfRange(at.parameters(), weight(), node.slices().get(0).end());
    }
    double[] weights = standardised(at);
    for (int i = 0; i < weights.length; i++) {
      weights[i] *= at.parameters()[gain() + i % conv().outputs()];
    }
    return weights;
  }

  /** Of mean 0 and length 1 for each output. */
  private double[] standardised(Point at) {
    double[] raw = Arrays.copyOfRange(at.parameters(), weight(), node.slices().get(0).end());
    int outputs = conv().outputs();
    double[] weights = new double[raw.length];
    for (int o = 0; o < outputs; o++) {
      double mean = mean(raw, o);
      double length = length(raw, o, mean);
      for (int i = o; i < raw.length; i += outputs) {
        weights[i] = (raw[i] - mean) / length;
      }
    }
    return weights;
  }

  /**
   * The derivative by the raw weights v from that by gain·w, where w = (v − mean)/length: gain·(dw
   * − mean(dw) − w⟨w, dw⟩)/length.
   */
  private double[] throughStandardising(Point at, double[] dw) {
    double[] w = standardised(at);
    double[] raw = Arrays.copyOfRange(at.parameters(), weight(), node.slices().get(0).end());
    int outputs = conv().outputs();
    double[] dv = new double[dw.length];
    for (int o = 0; o < outputs; o++) {
      double length = length(raw, o, mean(raw, o));
      double meanOfDw = mean(dw, o);
      double along = 0;
      for (int i = o; i < dw.length; i += outputs) {
        along += w[i] * dw[i];
      }
      for (int i = o; i < dw.length; i += outputs) {
        double gain = at.parameters()[gain() + o];
        dv[i] = gain * (dw[i] - meanOfDw - w[i] * along) / length;
      }
    }
    return dv;
  }

  private double mean(double[] values, int output) {
    double sum = 0;
    for (int i = output; i < values.length; i += conv().outputs()) {
      sum += values[i];
    }
    return sum / (values.length / conv().outputs());
  }

  /** √(Σ(v − mean)² + ε) over the weights of one output. */
  private double length(double[] raw, int output, double mean) {
    double sum = Layer.EPSILON;
    for (int i = output; i < raw.length; i += conv().outputs()) {
      sum += (raw[i] - mean) * (raw[i] - mean);
    }
    return Math.sqrt(sum);
  }

  private Conv conv() {
    return (Conv) node.layer();
  }

  private int weight() {
    return node.slices().get(0).offset();
  }

  private int gain() {
    return node.slices().get(node.slices().size() - 1).offset();
  }

  private int bias() {
    return node.slices().get(1).offset();
  }
}
