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
 *
 * <p>With jumps, a vector is the sum of a bulk b and rare jumps j. What is composed then is only
 * the part with at least one jump, Πx̂^count − Πb̂^count = Πb̂^count·expm1(Σ count·log1p(ĵ/b̂)):
 * its error is relative to the jumps' probability.
 */
final class Spectrum {
  private static final double UNIT = 0x1p-53;
  // Below this much mass outside the one place, logarithms pay for their time.
  private static final double QUIET = 0.2;

  private final Fft fft;
  private final boolean jumps;
  private final double[][] productRe;
  private final double[][] productIm;
  private final double[][] logRe;
  private final double[][] logIm;
  private final double[] error = new double[2];
  private final double[] jumpError = new double[2];
  private final double[] expectedJumps = new double[2];
  private final long[] place = new long[2];
  private final double[] re;
  private final double[] im;

  Spectrum(Fft fft, boolean jumps) {
    this.fft = fft;
    this.jumps = jumps;
    int n = fft.length();
    productRe = new double[2][n];
    productIm = new double[2][n];
    logRe = jumps ? new double[2][n] : null;
    logIm = jumps ? new double[2][n] : null;
    Arrays.fill(productRe[0], 1);
    Arrays.fill(productRe[1], 1);
    re = new double[n];
    im = new double[n];
  }

  /**
   * Composes {@code count} more copies of each vector; each has a total of 1 together with its
   * jumps.
   */
  void multiply(double[] a, double[] b, double[] jumpsA, double[] jumpsB, long count) {
    int n = fft.length();
    int placeA = largest(a);
    int placeB = largest(b);
    turn(a, placeA, re);
    turn(b, placeB, im);
    // The largest mass is 1 less all others.
    re[0] = 0;
    im[0] = 0;
    double totalA = Sum.of(re);
    double totalB = Sum.of(im);
    // Index arithmetic is modulo n, which divides the range of long: overflow does no harm.
    place[0] += count * placeA;
    place[1] += count * placeB;
    double jumpA = jumps ? Sum.of(jumpsA) : 0;
    double jumpB = jumps ? Sum.of(jumpsB) : 0;
    boolean quiet = totalA + totalB + jumpA + jumpB < QUIET;
    double rounding = quiet ? totalA + totalB + jumpA + jumpB : 1;
    double made =
        8 * UNIT * ((1 + Integer.numberOfTrailingZeros(n)) * norm(re, im) + rounding) * count;
    // A squared size below this is nothing when raised to the power: at most e^-45, far below any
    // error.
    double nothing = Math.exp(-90.0 / count);
    error[0] += made + 1e-19;
    error[1] += made + 1e-19;
    fft.forward(re, im);
    double[][] bulkRe = jumps ? new double[2][n] : null;
    double[][] bulkIm = jumps ? new double[2][n] : null;
    for (int k = 0; k < n; k++) {
      int minus = Fft.negated(k);
      if (minus < k) {
        continue;
      }
      double aRe = (re[k] + re[minus]) / 2 - totalA - jumpA;
      double aIm = (im[k] - im[minus]) / 2;
      double bRe = (im[k] + im[minus]) / 2 - totalB - jumpB;
      double bIm = (re[minus] - re[k]) / 2;
      raise(0, k, aRe, aIm, count, quiet, nothing);
      raise(1, k, bRe, bIm, count, quiet, nothing);
      if (jumps) {
        bulkRe[0][k] = 1 + aRe;
        bulkIm[0][k] = aIm;
        bulkRe[1][k] = 1 + bRe;
        bulkIm[1][k] = bIm;
      }
    }
    if (jumps) {
      turn(jumpsA, placeA, re);
      turn(jumpsB, placeB, im);
      double size = norm(re, im);
      expectedJumps[0] += count * jumpA;
      expectedJumps[1] += count * jumpB;
      for (int sequence = 0; sequence < 2; sequence++) {
        double jump = sequence == 0 ? jumpA : jumpB;
        // Half of a bulk transform is the least that is divided by.
        jumpError[sequence] +=
            count
                * (16 * UNIT * ((1 + Integer.numberOfTrailingZeros(n)) * size + jump)
                    + 4 * jump * made / count);
      }
      fft.forward(re, im);
      for (int k = 0; k < n; k++) {
        int minus = Fft.negated(k);
        if (minus >= k) {
          addJump(
              0,
              k,
              (re[k] + re[minus]) / 2,
              (im[k] - im[minus]) / 2,
              bulkRe[0][k],
              bulkIm[0][k],
              count);
          addJump(
              1,
              k,
              (im[k] + im[minus]) / 2,
              (re[minus] - re[k]) / 2,
              bulkRe[1][k],
              bulkIm[1][k],
              count);
        }
      }
    }
  }

  private static int largest(double[] vector) {
    int largest = 0;
    for (int i = 1; i < vector.length; i++) {
      largest = vector[i] > vector[largest] ? i : largest;
    }
    return largest;
  }

  /** Copies a vector with the given place turned to index 0. */
  private static void turn(double[] vector, int place, double[] to) {
    System.arraycopy(vector, place, to, 0, vector.length - place);
    System.arraycopy(vector, 0, to, vector.length - place, place);
  }

  /** Multiplies the product at one frequency by (1 + d)^count. */
  private void raise(
      int sequence, int k, double dRe, double dIm, long count, boolean quiet, double nothing) {
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
    if (r * r + i * i < nothing) {
      productRe[sequence][k] = 0;
      productIm[sequence][k] = 0;
      return;
    }
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

  /** Adds count·log1p(j/b) at one frequency. */
  private void addJump(
      int sequence, int k, double jRe, double jIm, double bRe, double bIm, long count) {
    double square = bRe * bRe + bIm * bIm;
    if (square < 0.25) {
      // |b̂| and |x̂| are so small that their powers (64 or more) are nothing.
      productRe[sequence][k] = 0;
      productIm[sequence][k] = 0;
      jumpError[sequence] = Math.max(jumpError[sequence], 1e-17);
      return;
    }
    double qRe = (jRe * bRe + jIm * bIm) / square;
    double qIm = (jIm * bRe - jRe * bIm) / square;
    logRe[sequence][k] += count * 0.5 * Math.log1p(Math.max(-1, 2 * qRe + qRe * qRe + qIm * qIm));
    logIm[sequence][k] += count * Math.atan2(qIm, 1 + qRe);
  }

  /**
   * The composed vectors, cyclic, turned by {@link #place}; with jumps, only the part that has one.
   */
  double[][] inverse() {
    int n = fft.length();
    if (jumps) {
      for (int sequence = 0; sequence < 2; sequence++) {
        onlyJumps(productRe[sequence], productIm[sequence], logRe[sequence], logIm[sequence]);
        double growth = Math.exp(2 * expectedJumps[sequence]);
        error[sequence] = error[sequence] * (growth - 1) + jumpError[sequence] * growth;
      }
    }
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
    double made = 8 * UNIT * (1 + Integer.numberOfTrailingZeros(n)) * norm(re, im);
    error[0] += made;
    error[1] += made;
    return new double[][] {re, im};
  }

  /** Multiplies the product by expm1 of the logarithm. */
  private static void onlyJumps(double[] pRe, double[] pIm, double[] lRe, double[] lIm) {
    for (int k = 0; k < pRe.length; k++) {
      double half = Math.sin(lIm[k] / 2);
      double eRe = Math.expm1(lRe[k]) * Math.cos(lIm[k]) - 2 * half * half;
      double eIm = Math.exp(lRe[k]) * Math.sin(lIm[k]);
      double next = pRe[k] * eRe - pIm[k] * eIm;
      pIm[k] = pRe[k] * eIm + pIm[k] * eRe;
      pRe[k] = next;
    }
  }

  /** The index that element 0 of a composed vector stands for, modulo the length. */
  long place(int sequence) {
    return place[sequence];
  }

  /** A bound on the Euclidean norm of the rounding error of a composed vector. */
  double error(int sequence) {
    return error[sequence];
  }

  private static double norm(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * x[i] + y[i] * y[i];
    }
    return Math.sqrt(sum);
  }
}
