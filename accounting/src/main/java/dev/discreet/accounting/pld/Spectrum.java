package dev.discreet.accounting.pld;

import java.util.Arrays;

/**
 * Two probability vectors composed side by side: packed into one complex transform, raised to
 * powers and multiplied at each frequency, and unpacked by one inverse. Keeps a bound on the
 * rounding error that this makes.
 *
 * <p>A release that mostly says nothing has almost all its mass at one place. Written as 1 + d with
 * d the transform of the rest, less its total, its power is exp(count·log1p(d)), and the error is
 * relative to the rest instead of to 1. Others are raised by squaring.
 */
final class Spectrum {
  private static final double UNIT = 0x1p-53;
  // Below this much mass outside the one place, logarithms pay for their time.
  private static final double QUIET = 0.2;

  private final Fft fft;
  private final double[][] productRe;
  private final double[][] productIm;
  private final double[] error = new double[2];
  private final long[] place = new long[2];
  private final double[] re;
  private final double[] im;

  Spectrum(Fft fft) {
    this.fft = fft;
    int n = fft.length();
    productRe = new double[2][n];
    productIm = new double[2][n];
    Arrays.fill(productRe[0], 1);
    Arrays.fill(productRe[1], 1);
    re = new double[n];
    im = new double[n];
  }

  /**
   * Composes {@code count} more copies of each vector; their totals are 1. The vectors are used up.
   */
  void multiply(double[] a, double[] b, long count) {
    int n = fft.length();
    double totalA = take(a, 0, count, re);
    double totalB = take(b, 1, count, im);
    boolean quiet = totalA + totalB < QUIET;
    double size = Math.sqrt(squares(re) + squares(im));
    double rounding = quiet ? totalA + totalB : 1;
    double made = 4 * UNIT * ((1 + Integer.numberOfTrailingZeros(n)) * size + rounding) * count;
    error[0] += made;
    error[1] += made;
    fft.forward(re, im);
    for (int k = 0; k < n; k++) {
      int minus = Fft.negated(k);
      if (minus >= k) {
        raise(0, k, (re[k] + re[minus]) / 2 - totalA, (im[k] - im[minus]) / 2, count, quiet);
        raise(1, k, (im[k] + im[minus]) / 2 - totalB, (re[minus] - re[k]) / 2, count, quiet);
      }
    }
  }

  /**
   * Copies a vector with its largest mass turned to index 0 and taken out; returns the total of the
   * rest.
   */
  private double take(double[] vector, int sequence, long count, double[] to) {
    int n = fft.length();
    int largest = 0;
    for (int i = 1; i < n; i++) {
      largest = vector[i] > vector[largest] ? i : largest;
    }
    double rest = 0;
    for (int i = 1; i < n; i++) {
      to[i] = vector[(largest + i) & (n - 1)];
      rest += to[i];
    }
    to[0] = 0;
    // Index arithmetic is modulo n, which divides the range of long: overflow does no harm.
    place[sequence] += count * largest;
    return rest;
  }

  /** Multiplies the product at one frequency by (1 + d)^count. */
  private void raise(int sequence, int k, double dRe, double dIm, long count, boolean quiet) {
    double accRe = productRe[sequence][k];
    double accIm = productIm[sequence][k];
    if (quiet) {
      double size =
          Math.exp(count * 0.5 * Math.log1p(Math.max(-1, 2 * dRe + dRe * dRe + dIm * dIm)));
      double angle = count * Math.atan2(dIm, 1 + dRe);
      double r = size * Math.cos(angle);
      double i = size * Math.sin(angle);
      productRe[sequence][k] = accRe * r - accIm * i;
      productIm[sequence][k] = accRe * i + accIm * r;
      return;
    }
    double r = 1 + dRe;
    double i = dIm;
    for (long left = count; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        double next = accRe * r - accIm * i;
        accIm = accRe * i + accIm * r;
        accRe = next;
      }
      double next = r * r - i * i;
      i = 2 * r * i;
      r = next;
    }
    productRe[sequence][k] = accRe;
    productIm[sequence][k] = accIm;
  }

  /** The composed vectors, cyclic, turned by {@link #place}. */
  double[][] inverse() {
    int n = fft.length();
    for (int k = 0; k < n; k++) {
      int minus = Fft.negated(k);
      if (minus < k) {
        continue;
      }
      double ar = productRe[0][k] / n;
      double ai = productIm[0][k] / n;
      double br = productRe[1][k] / n;
      double bi = productIm[1][k] / n;
      re[k] = ar - bi;
      im[k] = ai + br;
      re[minus] = ar + bi;
      im[minus] = br - ai;
    }
    fft.inverse(re, im);
    double made = 4 * UNIT * (1 + Integer.numberOfTrailingZeros(n));
    error[0] += made * Math.sqrt(squares(re));
    error[1] += made * Math.sqrt(squares(im));
    return new double[][] {re, im};
  }

  /** The index that element 0 of a composed vector stands for, modulo the length. */
  long place(int sequence) {
    return place[sequence];
  }

  /** A bound on the Euclidean norm of the rounding error of a composed vector. */
  double error(int sequence) {
    return error[sequence];
  }

  private static double squares(double[] x) {
    double sum = 0;
    for (double value : x) {
      sum += value * value;
    }
    return sum;
  }
}
