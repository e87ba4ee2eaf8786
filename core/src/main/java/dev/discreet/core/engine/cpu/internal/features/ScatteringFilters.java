package dev.discreet.core.engine.cpu.internal.features;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.PackedMatrix;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;

/**
 * What the scattering of images of one size multiplies by: Morlet wavelets in the frequency domain,
 * blurs that sample, and Fourier transforms as matrices. Images are small, and a product with a
 * matrix is what this engine does best. Resolution r has every 2^r-th pixel of the padded image.
 */
public final class ScatteringFilters {
  // Of Kymatio: the width of the Gaussian and the frequency at the first scale.
  private static final double WIDTH = 0.8;
  private static final double FREQUENCY = 0.75 * Math.PI;

  /** Periods on each side that a filter wraps around from. */
  private static final int WRAPS = 2;

  final Scattering layer;
  final Shape input;
  final Shape output;

  /** The image with its mirrored rim of {@link Scattering#stride} pixels. */
  final int height;

  final int width;

  /** By resolution: from complex values to complex ones, along a column and along a row. */
  final PackedMatrix[] inverseColumn;

  final PackedMatrix[] inverseRow;

  /** By resolution: from a row of real values, and then along a column. */
  final PackedMatrix[] forwardRow;

  final PackedMatrix[] forwardColumn;

  /** By resolution: blurs a row, or a column, and leaves the pixels of the output. */
  final PackedMatrix[] blurRow;

  final PackedMatrix[] blurColumn;

  /**
   * By the resolution of what they act on, by scale and by angle: the wavelets, each a value for a
   * frequency, those of a column together; over 4 for each halving of the resolution that follows.
   */
  private final float[][][][] wavelets;

  public ScatteringFilters(Scattering layer, Shape input, Kernels kernels) {
    int scales = layer.scales();
    this.layer = layer;
    this.input = input;
    this.output = layer.output(input);
    this.height = input.height() + 2 * layer.stride();
    this.width = input.width() + 2 * layer.stride();
    this.inverseColumn = new PackedMatrix[scales];
    this.inverseRow = new PackedMatrix[scales];
    this.forwardRow = new PackedMatrix[scales];
    this.forwardColumn = new PackedMatrix[scales];
    this.blurRow = new PackedMatrix[scales];
    this.blurColumn = new PackedMatrix[scales];
    int lanes = kernels.lanes();
    for (int r = 0; r < scales; r++) {
      inverseColumn[r] = fourier(height >> r, true, true, lanes);
      inverseRow[r] = fourier(width >> r, true, true, lanes);
      forwardRow[r] = fourier(width >> r, false, false, lanes);
      forwardColumn[r] = fourier(height >> r, true, false, lanes);
      blurRow[r] = blur(width, output.width(), r, lanes);
      blurColumn[r] = blur(height, output.height(), r, lanes);
    }
    this.wavelets = new float[scales][scales][layer.angles()][];
    for (int j = 0; j < scales; j++) {
      for (int angle = 0; angle < layer.angles(); angle++) {
        double[] whole = wavelet(j, angle);
        for (int r = 0; r <= Math.max(0, j - 1); r++) {
          wavelets[r][j][angle] = reduced(whole, r, Math.scalb(1.0, -2 * (j - r)));
        }
      }
    }
  }

  /** The wavelet of that scale and angle, for what has this resolution. */
  float[] wavelet(int resolution, int scale, int angle) {
    return wavelets[resolution][scale][angle];
  }

  // ---- matrices

  /**
   * The transform of n values, real ones or complex ones: all real parts, then all imaginary ones.
   */
  private static PackedMatrix fourier(int n, boolean complex, boolean inverse, int lanes) {
    int depth = complex ? 2 * n : n;
    float[] matrix = new float[depth * 2 * n];
    double scale = inverse ? 1.0 / n : 1;
    for (int k = 0; k < n; k++) {
      for (int m = 0; m < n; m++) {
        double turn = 2 * Math.PI * ((long) k * m % n) / n;
        float cos = (float) (scale * Math.cos(turn));
        float sin = (float) (scale * Math.sin(turn) * (inverse ? 1 : -1));
        matrix[k * 2 * n + m] = cos;
        matrix[k * 2 * n + n + m] = sin;
        if (complex) {
          matrix[(n + k) * 2 * n + m] = -sin;
          matrix[(n + k) * 2 * n + n + m] = cos;
        }
      }
    }
    return packed(matrix, depth, 2 * n, lanes);
  }

  /**
   * The largest Gaussian, with the frequencies that a resolution has, once for each pixel of the
   * output.
   */
  private PackedMatrix blur(int side, int outputs, int resolution, int lanes) {
    int n = side >> resolution;
    int step = layer.stride() >> resolution;
    double[] gaussian = gaussian(side);
    double[] kernel = new double[n];
    for (int f = 0; f < side; f++) {
      if (!isLow(f, side, resolution)) {
        continue;
      }
      double strength = 0;
      for (int x = 0; x < side; x++) {
        strength += gaussian[x] * Math.cos(2 * Math.PI * ((long) f * x % side) / side);
      }
      for (int k = 0; k < n; k++) {
        kernel[k] += strength / n * Math.cos(2 * Math.PI * ((long) f * k % n) / n);
      }
    }
    float[] matrix = new float[n * outputs];
    for (int k = 0; k < n; k++) {
      for (int p = 0; p < outputs; p++) {
        // The rim of the output is no part of it.
        matrix[k * outputs + p] = (float) kernel[Math.floorMod((p + 1) * step - k, n)];
      }
    }
    return packed(matrix, n, outputs, lanes);
  }

  /** One side of the blur: the Gaussian in the plane is a product of two. */
  private double[] gaussian(int side) {
    double sigma = Math.scalb(WIDTH, layer.scales() - 1);
    double[] values = new double[side];
    for (int x = 0; x < side; x++) {
      for (int wrap = -WRAPS; wrap <= WRAPS; wrap++) {
        double distance = (x + (double) wrap * side) / sigma;
        values[x] += Math.exp(-distance * distance / 2) / (Math.sqrt(2 * Math.PI) * sigma);
      }
    }
    return values;
  }

  private static PackedMatrix packed(float[] matrix, int depth, int columns, int lanes) {
    PackedMatrix packed = new PackedMatrix(depth, columns, lanes);
    packed.load(matrix, 0, columns, 1, 0, 1);
    return packed;
  }

  // ---- wavelets

  /** The real part of the transform of a Morlet wavelet, which has no other. Columns together. */
  private double[] wavelet(int scale, int angle) {
    int angles = layer.angles();
    double theta = ((angles - 2) / 2 - angle) * Math.PI / angles;
    double frequency = Math.scalb(FREQUENCY, -scale);
    double[][] wave = gabor(scale, theta, frequency);
    double[][] envelope = gabor(scale, theta, 0);
    // Its mean is to be 0. The sum of the imaginary parts is, but for rounding.
    double share = sum(wave[0]) / sum(envelope[0]);
    double shareImaginary = sum(wave[1]) / sum(envelope[0]);
    for (int i = 0; i < wave[0].length; i++) {
      wave[0][i] -= share * envelope[0][i];
      wave[1][i] -= shareImaginary * envelope[0][i];
    }
    return realOfFourier(wave[0], wave[1]);
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  /** A plane wave under a Gaussian that is longer across it: real and imaginary parts, by rows. */
  private double[][] gabor(int scale, double theta, double frequency) {
    double sigma = Math.scalb(WIDTH, scale);
    double slant = 4.0 / layer.angles();
    double cos = Math.cos(theta);
    double sin = Math.sin(theta);
    double[][] values = new double[2][height * width];
    for (int wrapY = -WRAPS; wrapY <= WRAPS; wrapY++) {
      for (int wrapX = -WRAPS; wrapX <= WRAPS; wrapX++) {
        for (int i = 0; i < height * width; i++) {
          double y = i / width + (double) wrapY * height;
          double x = i % width + (double) wrapX * width;
          double along = y * cos + x * sin;
          double across = slant * (x * cos - y * sin);
          double exponent = (along * along + across * across) / (2 * sigma * sigma);
          if (exponent < 700) {
            double size = Math.exp(-exponent);
            values[0][i] += size * Math.cos(frequency * along);
            values[1][i] += size * Math.sin(frequency * along);
          }
        }
      }
    }
    double scaling = slant / (2 * Math.PI * sigma * sigma);
    for (int i = 0; i < height * width; i++) {
      values[0][i] *= scaling;
      values[1][i] *= scaling;
    }
    return values;
  }

  private double[] realOfFourier(double[] real, double[] imaginary) {
    double[] rowsReal = new double[height * width];
    double[] rowsImaginary = new double[height * width];
    for (int y = 0; y < height; y++) {
      for (int fx = 0; fx < width; fx++) {
        for (int x = 0; x < width; x++) {
          double turn = 2 * Math.PI * ((long) fx * x % width) / width;
          double cos = Math.cos(turn);
          double sin = Math.sin(turn);
          int i = y * width + x;
          rowsReal[y * width + fx] += real[i] * cos + imaginary[i] * sin;
          rowsImaginary[y * width + fx] += imaginary[i] * cos - real[i] * sin;
        }
      }
    }
    double[] columns = new double[height * width];
    for (int fx = 0; fx < width; fx++) {
      for (int fy = 0; fy < height; fy++) {
        for (int y = 0; y < height; y++) {
          double turn = 2 * Math.PI * ((long) fy * y % height) / height;
          int i = y * width + fx;
          columns[fx * height + fy] +=
              rowsReal[i] * Math.cos(turn) + rowsImaginary[i] * Math.sin(turn);
        }
      }
    }
    return columns;
  }

  /** The filter for a lower resolution: frequencies that this does not have are left out. */
  private float[] reduced(double[] whole, int resolution, double factor) {
    int h = height >> resolution;
    int w = width >> resolution;
    float[] filter = new float[w * h];
    for (int fx = 0; fx < width; fx++) {
      for (int fy = 0; fy < height; fy++) {
        if (isLow(fx, width, resolution) && isLow(fy, height, resolution)) {
          filter[fx % w * h + fy % h] += (float) (factor * whole[fx * height + fy]);
        }
      }
    }
    return filter;
  }

  /** Whether a resolution has a frequency of the whole image; the upper half are negative ones. */
  private static boolean isLow(int frequency, int side, int resolution) {
    int start = side >> (resolution + 1);
    int left = side - (side >> resolution);
    return resolution == 0 || frequency < start || frequency >= start + left;
  }
}
