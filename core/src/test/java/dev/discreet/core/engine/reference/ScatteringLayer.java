package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;

/**
 * Features by sums that are written as the definitions are: every transform a double sum over all
 * pixels, every signal at full size until a pixel is taken from it.
 */
final class ScatteringLayer implements ReferenceLayer {
  /** Complex values on a grid, {@code height} rows of {@code width}. */
  private record Field(int height, int width, double[] re, double[] im) {
    Field(int height, int width) {
      this(height, width, new double[height * width], new double[height * width]);
    }
  }

  private final Scattering layer;
  private final Shape input;
  private final Shape output;
  private final Field[][] wavelets;
  private final Field blur;

  ScatteringLayer(Node node, Scattering layer) {
    this.layer = layer;
    this.input = node.input();
    this.output = node.output();
    int height = input.height() + 2 * layer.stride();
    int width = input.width() + 2 * layer.stride();
    this.wavelets = new Field[layer.scales()][layer.angles()];
    for (int j = 0; j < layer.scales(); j++) {
      for (int l = 0; l < layer.angles(); l++) {
        double theta =
            ((int) (layer.angles() - layer.angles() / 2.0 - 1) - l) * Math.PI / layer.angles();
        wavelets[j][l] = fourier(morlet(height, width, 0.8 * (1 << j), theta, j), -1);
      }
    }
    double wide = 0.8 * (1 << layer.scales() - 1);
    this.blur = fourier(gabor(height, width, wide, 0, 0, 1), -1);
  }

  private Field morlet(int height, int width, double sigma, double theta, int scale) {
    double slant = 4.0 / layer.angles();
    Field wave = gabor(height, width, sigma, theta, 0.75 * Math.PI / (1 << scale), slant);
    Field envelope = gabor(height, width, sigma, theta, 0, slant);
    double re = 0;
    double im = 0;
    double whole = 0;
    for (int i = 0; i < wave.re.length; i++) {
      re += wave.re[i];
      im += wave.im[i];
      whole += envelope.re[i];
    }
    for (int i = 0; i < wave.re.length; i++) {
      wave.re[i] -= re / whole * envelope.re[i];
      wave.im[i] -= im / whole * envelope.re[i];
    }
    return wave;
  }

  private static Field gabor(
      int height, int width, double sigma, double theta, double xi, double slant) {
    // The inverse covariance, turned by theta.
    double cos = Math.cos(theta);
    double sin = Math.sin(theta);
    double yy = cos * cos + slant * slant * sin * sin;
    double xx = sin * sin + slant * slant * cos * cos;
    double xy = cos * sin * (1 - slant * slant);
    Field field = new Field(height, width);
    for (int y = -2 * height; y < 3 * height; y++) {
      for (int x = -2 * width; x < 3 * width; x++) {
        double form = yy * y * y + 2 * xy * x * y + xx * x * x;
        double size = Math.exp(-form / (2 * sigma * sigma)) * slant / (2 * Math.PI * sigma * sigma);
        double phase = xi * (y * cos + x * sin);
        int i = Math.floorMod(y, height) * width + Math.floorMod(x, width);
        field.re[i] += size * Math.cos(phase);
        field.im[i] += size * Math.sin(phase);
      }
    }
    return field;
  }

  /** Along rows, and then along columns. */
  private static Field fourier(Field of, int sign) {
    Field rows = new Field(of.height, of.width);
    Field to = new Field(of.height, of.width);
    for (int y = 0; y < of.height; y++) {
      fourier(of, rows, y * of.width, 1, of.width, sign);
    }
    for (int x = 0; x < of.width; x++) {
      fourier(rows, to, x, of.width, of.height, sign);
    }
    return to;
  }

  private static void fourier(Field of, Field to, int at, int stride, int count, int sign) {
    for (int f = 0; f < count; f++) {
      for (int p = 0; p < count; p++) {
        double turn = sign * 2 * Math.PI * f * p / count;
        double cos = Math.cos(turn);
        double sin = Math.sin(turn);
        double re = of.re[at + p * stride];
        double im = of.im[at + p * stride];
        to.re[at + f * stride] += re * cos - im * sin;
        to.im[at + f * stride] += re * sin + im * cos;
      }
    }
  }

  /** What a filter leaves of a signal of that resolution, every {@code step}-th pixel of it. */
  private static Field filtered(Field signal, Field filter, int resolution, int step) {
    Field spectrum = fourier(signal, -1);
    Field product = new Field(signal.height, signal.width);
    for (int y = 0; y < signal.height; y++) {
      for (int x = 0; x < signal.width; x++) {
        double by = value(filter, y, x, signal, resolution);
        int i = y * signal.width + x;
        product.re[i] = by * spectrum.re[i] / spectrum.re.length;
        product.im[i] = by * spectrum.im[i] / spectrum.re.length;
      }
    }
    Field whole = fourier(product, 1);
    Field taken = new Field(signal.height / step, signal.width / step);
    for (int y = 0; y < taken.height; y++) {
      for (int x = 0; x < taken.width; x++) {
        taken.re[y * taken.width + x] = whole.re[y * step * whole.width + x * step];
        taken.im[y * taken.width + x] = whole.im[y * step * whole.width + x * step];
      }
    }
    return taken;
  }

  /** A filter at a frequency of a smaller grid, whose own frequencies are all that count. */
  private static double value(Field filter, int y, int x, Field small, int resolution) {
    if (resolution == 0) {
      return filter.re[y * filter.width + x];
    }
    // Half of them are negative; the grid's own middle has no place in the larger one.
    int fy = y < small.height / 2 ? y : y - small.height;
    int fx = x < small.width / 2 ? x : x - small.width;
    return filter
        .re[Math.floorMod(fy, filter.height) * filter.width + Math.floorMod(fx, filter.width)];
  }

  private static Field modulus(Field of) {
    Field to = new Field(of.height, of.width);
    for (int i = 0; i < of.re.length; i++) {
      to.re[i] = Math.hypot(of.re[i], of.im[i]);
    }
    return to;
  }

  @Override
  public double[] forward(Point at, double[] x) {
    double[] y = new double[output.size()];
    for (int c = 0; c < input.channels(); c++) {
      channel(x, c, y);
    }
    if (layer.together() > 0) {
      normalise(y);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = nearestHalf(y[i]);
    }
    return y;
  }

  private void channel(double[] x, int c, double[] y) {
    int rim = layer.stride();
    Field image = new Field(input.height() + 2 * rim, input.width() + 2 * rim);
    for (int i = 0; i < image.height; i++) {
      for (int j = 0; j < image.width; j++) {
        int row = input.height() - 1 - Math.abs(input.height() - 1 - Math.abs(i - rim));
        int column = input.width() - 1 - Math.abs(input.width() - 1 - Math.abs(j - rim));
        double value = x[(row * input.width() + column) * input.channels() + c];
        image.re[i * image.width + j] = Math.max(-8192, Math.min(8192, value));
      }
    }
    int channel = c * layer.paths();
    write(image, 0, y, channel++);
    int second = channel + layer.scales() * layer.angles();
    for (int j = 0; j < layer.scales(); j++) {
      for (Field wavelet : wavelets[j]) {
        Field first = modulus(filtered(image, wavelet, 0, 1 << j));
        write(first, j, y, channel++);
        for (int k = j + 1; k < layer.scales(); k++) {
          for (Field other : wavelets[k]) {
            write(modulus(filtered(first, other, j, 1 << k - j)), k, y, second++);
          }
        }
      }
    }
  }

  private void write(Field signal, int resolution, double[] y, int channel) {
    Field low = filtered(signal, blur, resolution, layer.stride() >> resolution);
    for (int i = 0; i < output.height(); i++) {
      for (int j = 0; j < output.width(); j++) {
        y[(i * output.width() + j) * output.channels() + channel] =
            low.re[(i + 1) * low.width + j + 1];
      }
    }
  }

  private void normalise(double[] y) {
    for (int from = 0; from < output.channels(); from += layer.together()) {
      double sum = 0;
      double squares = 0;
      int count = layer.together() * output.positions();
      for (int i = 0; i < y.length; i++) {
        boolean in = i % output.channels() / layer.together() == from / layer.together();
        sum += in ? y[i] : 0;
      }
      for (int i = 0; i < y.length; i++) {
        boolean in = i % output.channels() / layer.together() == from / layer.together();
        squares += in ? Math.pow(y[i] - sum / count, 2) : 0;
      }
      for (int i = 0; i < y.length; i++) {
        if (i % output.channels() / layer.together() == from / layer.together()) {
          y[i] = (y[i] - sum / count) / Math.sqrt(squares / count + Layer.EPSILON);
        }
      }
    }
  }

  /** Eleven significant bits, and none below 2⁻²⁴. */
  private static double nearestHalf(double value) {
    double step = Math.scalb(1.0, Math.max(-14, Math.getExponent(value)) - 10);
    return Math.rint(value / step) * step;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    return new double[x.length];
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    return new double[output.size()];
  }
}
