package dev.discreet.core.engine.cpu.internal.kernels;

import org.apache.commons.numbers.gamma.Erfc;

/** The kernels in plain loops: the twin that the fast ones are held against. */
public final class ScalarKernels implements Kernels {
  static final float LOG2E = 1.44269504f;
  static final float LN2_HIGH = 0.693359375f;
  static final float LN2_LOW = -2.12194440e-4f;

  /** 1.5·2²³: adding it rounds to a whole number, which then stands in the low bits. */
  static final float ROUNDER = 0x1.8p23f;

  static final float EXP_LOW = -87;
  static final float EXP_HIGH = 88;

  /** Below this tanh comes from its series, where 1 − 2/(1 + e²ˣ) would cancel. */
  static final float TANH_SERIES = 0.4f;

  /** Length of a block that sumOfSquares adds in single precision. */
  static final int BLOCK = 2048;

  private final int lanes;

  public ScalarKernels(int lanes) {
    this.lanes = lanes;
  }

  @Override
  public int lanes() {
    return lanes;
  }

  @Override
  public void multiply(
      float[] in,
      int[] base,
      int rows,
      int[] offset,
      PackedMatrix weights,
      float[] out,
      int[] outBase,
      int outAt) {
    for (int r = 0; r < rows; r++) {
      int width;
      for (int j = 0; j < weights.columns; j += width) {
        width = weights.width(j);
        int panel = weights.panel(j);
        for (int i = 0; i < Math.min(width, weights.columns - j); i++) {
          float sum = weights.data[panel + i];
          for (int k = 0; k < weights.depth; k++) {
            sum = Math.fma(in[base[r] + offset[k]], weights.data[panel + (k + 1) * width + i], sum);
          }
          out[outAt + outBase[r] + j + i] = sum;
        }
      }
    }
  }

  @Override
  public void outer(
      float[] in,
      int[] base,
      int[] offset,
      float[] delta,
      int[] deltaBase,
      int deltaAt,
      int columns,
      int from,
      int to,
      float[] gradient,
      int at,
      int stride,
      boolean add) {
    for (int k = 0; k < offset.length; k++) {
      for (int j = 0; j < columns; j++) {
        float sum = add ? gradient[at + k * stride + j] : 0;
        for (int r = from; r < to; r++) {
          sum = Math.fma(in[base[r] + offset[k]], delta[deltaAt + deltaBase[r] + j], sum);
        }
        gradient[at + k * stride + j] = sum;
      }
    }
  }

  @Override
  public void outerRounded(
      float[] in,
      int[] base,
      int inAt,
      int depth,
      float[] delta,
      int[] deltaBase,
      int columns,
      int from,
      int to,
      float share,
      float[] parameters,
      int at,
      int stride,
      float scale,
      int[] high,
      int[] low) {
    for (int k = 0; k < depth; k++) {
      for (int j = 0; j < columns; j++) {
        int place = at + k * stride + j;
        float sum = 0;
        for (int r = from; r < to; r++) {
          sum = Math.fma(in[base[r] + inAt + k], delta[deltaBase[r] + j], sum);
        }
        drain(share == 0 ? sum : Math.fma(share, parameters[place], sum), place, scale, high, low);
      }
    }
  }

  @Override
  public void addRuns(
      float[] shares, int rows, int[] runs, int length, float[] to, int[] base, int toAt) {
    int from = 0;
    for (int r = 0; r < rows; r++) {
      for (int run : runs) {
        int at = toAt + base[r] + run;
        for (int i = 0; i < length; i++) {
          to[at + i] += shares[from++];
        }
      }
    }
  }

  @Override
  public void columnSums(float[] a, int at, int rows, int columns, float[] out, int outAt) {
    for (int j = 0; j < columns; j++) {
      float sum = 0;
      for (int r = 0; r < rows; r++) {
        sum += a[at + r * columns + j];
      }
      out[outAt + j] = sum;
    }
  }

  @Override
  public double sumOfSquares(float[] a, int from, int to) {
    double total = 0;
    float[] part = new float[4 * lanes];
    for (int block = from; block < to; block += BLOCK) {
      int end = Math.min(to, block + BLOCK);
      java.util.Arrays.fill(part, 0);
      int whole = block + (end - block) / part.length * part.length;
      for (int i = block; i < whole; i++) {
        int lane = (i - block) % part.length;
        part[lane] = Math.fma(a[i], a[i], part[lane]);
      }
      total += fold(part);
      for (int i = whole; i < end; i++) {
        total += (double) a[i] * a[i];
      }
    }
    return bound(total, to - from);
  }

  /** A sum of squares with room for those that vanished; infinite beyond single precision. */
  static double bound(double total, int length) {
    return total > Float.MAX_VALUE ? Double.POSITIVE_INFINITY : total + length * 0x1p-149;
  }

  /**
   * The sum of the partial sums, in double: four chains, since one would wait for each addition.
   */
  static double fold(float[] part) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    for (int i = 0; i < part.length; i += 4) {
      s0 += part[i];
      s1 += part[i + 1];
      s2 += part[i + 2];
      s3 += part[i + 3];
    }
    return s0 + s1 + (s2 + s3);
  }

  @Override
  public void addScaled(float factor, float[] a, int from, float[] to, int toAt, int length) {
    for (int i = 0; i < length; i++) {
      to[toAt + i] = Math.fma(factor, a[from + i], to[toAt + i]);
    }
  }

  @Override
  public void addScaledRows(
      float[] factor, int rows, float[] a, int from, int stride, float[] to, int toAt, int length) {
    for (int r = 0; r < rows; r++) {
      addScaled(factor[r], a, from + r * stride, to, toAt, length);
    }
  }

  @Override
  public void scale(float factor, float[] a, int from, int length) {
    for (int i = from; i < from + length; i++) {
      a[i] *= factor;
    }
  }

  @Override
  public void drain(float[] a, int from, int to, float scale, int[] high, int[] low) {
    for (int i = from; i < to; i++) {
      drain(a[i], i, scale, high, low);
      a[i] = 0;
    }
  }

  static void drain(float value, int place, float scale, int[] high, int[] low) {
    int bits = Float.floatToRawIntBits(ROUNDER);
    float x = value * scale;
    float upper = Math.fma(x, 0x1p-16f, ROUNDER);
    float lower = Math.fma(upper - ROUNDER, -0x1p16f, x) + ROUNDER;
    high[place] += Float.floatToRawIntBits(upper) - bits;
    low[place] += Float.floatToRawIntBits(lower) - bits;
  }

  @Override
  public void activate(PointwiseFunction f, float[] in, float[] out, int length) {
    for (int i = 0; i < length; i++) {
      out[i] = value(f, in[i]);
    }
  }

  @Override
  public void activateBack(
      PointwiseFunction f, float[] in, float[] out, float[] dOut, float[] dIn, int length) {
    for (int i = 0; i < length; i++) {
      dIn[i] = dOut[i] * slope(f, in[i], out[i]);
    }
  }

  static float value(PointwiseFunction f, float x) {
    return switch (f.kind()) {
      case LEAKY -> x > 0 ? x : f.a() * x;
      case ELU -> x > 0 ? x : Math.fma(f.a(), exp(x), -f.a());
      case GELU -> (float) (0.5 * x * Erfc.value(-x * Math.sqrt(0.5)));
      case TANH -> tanh(x);
      case SIGMOID -> Math.fma(f.a(), 1 / (1 + exp(-(f.b() * x))), -f.c());
    };
  }

  static float slope(PointwiseFunction f, float x, float y) {
    return switch (f.kind()) {
      case LEAKY -> x > 0 ? 1 : f.a();
      case ELU -> x > 0 ? 1 : y + f.a();
      case GELU ->
          (float)
              (0.5 * Erfc.value(-x * Math.sqrt(0.5))
                  + x * Math.exp(-0.5 * (double) x * x) / Math.sqrt(2 * Math.PI));
      case TANH -> Math.fma(-y, y, 1);
      case SIGMOID -> {
        float s = (y + f.c()) / f.a();
        yield f.a() * f.b() * (s * (1 - s));
      }
    };
  }

  /** eˣ within two units in the last place, x cut to where the result is a normal number. */
  static float exp(float x) {
    float cut = Math.min(EXP_HIGH, Math.max(EXP_LOW, x));
    float rounded = Math.fma(cut, LOG2E, ROUNDER);
    float n = rounded - ROUNDER;
    float r = Math.fma(-n, LN2_HIGH, cut);
    r = Math.fma(-n, LN2_LOW, r);
    float p = 1f / 5040;
    p = Math.fma(p, r, 1f / 720);
    p = Math.fma(p, r, 1f / 120);
    p = Math.fma(p, r, 1f / 24);
    p = Math.fma(p, r, 1f / 6);
    p = Math.fma(p, r, 0.5f);
    p = Math.fma(p, r, 1);
    p = Math.fma(p, r, 1);
    int bits = Float.floatToRawIntBits(rounded) - Float.floatToRawIntBits(ROUNDER);
    return p * Float.intBitsToFloat((bits + 127) << 23);
  }

  private static float tanh(float x) {
    float square = x * x;
    float p = 1382f / 155925;
    p = Math.fma(-p, square, 62f / 2835);
    p = Math.fma(p, square, -17f / 315);
    p = Math.fma(p, square, 2f / 15);
    p = Math.fma(p, square, -1f / 3);
    p = p * square;
    float series = Math.fma(p, x, x);
    float far = 1 - 2 / (1 + exp(x + x));
    return Math.abs(x) < TANH_SERIES ? series : far;
  }

  @Override
  public void maxPool(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float[] out,
      int[] winner,
      int outAt) {
    maxPool(in, inAt, taps, channels, 0, out, winner, outAt);
  }

  /** The channels from {@code first}. */
  static void maxPool(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      int first,
      float[] out,
      int[] winner,
      int outAt) {
    for (int p = 0; p < taps.positions(); p++) {
      int from = taps.start()[p];
      for (int c = first; c < channels; c++) {
        float best = in[inAt + taps.places()[from] + c];
        int tap = 0;
        for (int t = from + 1; t < taps.start()[p + 1]; t++) {
          float value = in[inAt + taps.places()[t] + c];
          if (Float.floatToRawIntBits(best - value) < 0) {
            best = value;
            tap = t - from;
          }
        }
        out[outAt + p * channels + c] = best;
        winner[outAt + p * channels + c] = tap;
      }
    }
  }

  @Override
  public void maxPoolBack(
      float[] dIn,
      int inAt,
      WindowTables.Seen seen,
      int channels,
      float[] dOut,
      int[] winner,
      int at) {
    maxPoolBack(dIn, inAt, seen, channels, 0, dOut, winner, at);
  }

  static void maxPoolBack(
      float[] dIn,
      int inAt,
      WindowTables.Seen seen,
      int channels,
      int first,
      float[] dOut,
      int[] winner,
      int at) {
    for (int i = 0; i * seen.each() < seen.tap().length; i++) {
      for (int c = first; c < channels; c++) {
        float sum = 0;
        for (int t = i * seen.each(); t < (i + 1) * seen.each(); t++) {
          int from = at + seen.position()[t] * channels + c;
          sum += winner[from] == seen.tap()[t] ? dOut[from] : 0;
        }
        dIn[inAt + i * channels + c] = sum;
      }
    }
  }

  @Override
  public void averagePool(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float share,
      float[] out,
      int outAt) {
    averagePool(in, inAt, taps, channels, 0, share, out, outAt);
  }

  static void averagePool(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      int first,
      float share,
      float[] out,
      int outAt) {
    for (int p = 0; p < taps.positions(); p++) {
      for (int c = first; c < channels; c++) {
        float sum = 0;
        for (int t = taps.start()[p]; t < taps.start()[p + 1]; t++) {
          sum += in[inAt + taps.places()[t] + c];
        }
        out[outAt + p * channels + c] = sum * share;
      }
    }
  }

  @Override
  public void averagePoolBack(
      float[] dIn,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float share,
      float[] dOut,
      int at) {
    averagePoolBack(dIn, inAt, taps, channels, 0, share, dOut, at);
  }

  static void averagePoolBack(
      float[] dIn,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      int first,
      float share,
      float[] dOut,
      int at) {
    for (int p = 0; p < taps.positions(); p++) {
      for (int t = taps.start()[p]; t < taps.start()[p + 1]; t++) {
        for (int c = first; c < channels; c++) {
          int i = inAt + taps.places()[t] + c;
          dIn[i] = Math.fma(share, dOut[at + p * channels + c], dIn[i]);
        }
      }
    }
  }
}
