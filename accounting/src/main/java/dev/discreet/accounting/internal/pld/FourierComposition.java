package dev.discreet.accounting.internal.pld;

import dev.discreet.accounting.math.CompensatedSum;
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
 * the part with at least one jump, Πx̂^count − Πb̂^count: its error is relative to the jumps'
 * probability.
 */
final class FourierComposition {
  private static final double UNIT = 0x1p-53;
  // Where less mass than this lies outside the one place, logarithms are worth their time.
  private static final double QUIET = 0.2;

  private final Fft fft;
  private final boolean jumps;
  private final double[][] productRe;
  private final double[][] productIm;
  private final double[][] jumpRe;
  private final double[][] jumpIm;
  private final double[] error = new double[2];
  private final double[] jumpError = new double[2];
  private final double[] expectedJumps = new double[2];
  private final long[] place = new long[2];
  // A bound on the error at each frequency: where the product is small, so is its error.
  private final double[][] errors;
  private double growth;
  private double faint;
  private final double[] re;
  private final double[] im;

  FourierComposition(Fft fft, boolean jumps) {
    this.fft = fft;
    this.jumps = jumps;
    int n = fft.length();
    productRe = new double[2][n];
    productIm = new double[2][n];
    errors = jumps ? null : new double[2][n];
    jumpRe = jumps ? new double[2][n] : productRe;
    jumpIm = jumps ? new double[2][n] : productIm;
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
    double totalA = CompensatedSum.of(re);
    double totalB = CompensatedSum.of(im);
    // Index arithmetic is modulo n, which divides the range of long: overflow does no harm.
    place[0] += count * placeA;
    place[1] += count * placeB;
    double jumpA = jumps ? CompensatedSum.of(jumpsA) : 0;
    double jumpB = jumps ? CompensatedSum.of(jumpsB) : 0;
    boolean quiet = !jumps && totalA + totalB < QUIET;
    // Of unpacking, and of one release's share in the power. By squaring: unpacking is off by 5.1u,
    // and the power by √5·u for each factor. By logarithms, with |d| ≤ 2·total ≤ 0.4: 4.2u·total
    // and, of logarithm, angle and their products, 32u·total.
    double rounding = UNIT * (quiet ? 40 * (totalA + totalB) : 8);
    // The error of the exponential, sine, cosine and the last product, once for all releases.
    double once = quiet ? 8 * UNIT : 0;
    double made = (fft.error() * norm(re, im) + rounding) * count + once;
    // The largest error of one frequency of one release.
    double each = fft.error() * (totalA + totalB) + rounding + once / count;
    growth += 4 * count * each;
    // A squared size below this is nothing when raised to the power: at most e^-45, far below any
    // error.
    double nothing = Math.exp(-90.0 / count);
    faint += 1e-19;
    error[0] += made + 1e-19;
    error[1] += made + 1e-19;
    fft.forward(re, im);
    double[] bulkRe = jumps ? re.clone() : re;
    double[] bulkIm = jumps ? im.clone() : im;
    if (jumps) {
      turn(jumpsA, placeA, re);
      turn(jumpsB, placeB, im);
      double size = norm(re, im);
      addJumpError(0, jumpA, size, made, count);
      addJumpError(1, jumpB, size, made, count);
      fft.forward(re, im);
    }
    for (int k = 0; k < n; k++) {
      int minus = Fft.negated(k);
      if (minus < k) {
        continue;
      }
      double aRe = (bulkRe[k] + bulkRe[minus]) / 2 - totalA - jumpA;
      double aIm = (bulkIm[k] - bulkIm[minus]) / 2;
      double bRe = (bulkIm[k] + bulkIm[minus]) / 2 - totalB - jumpB;
      double bIm = (bulkRe[minus] - bulkRe[k]) / 2;
      if (jumps) {
        double jRe = (re[k] + re[minus]) / 2;
        double jIm = (im[k] - im[minus]) / 2;
        raise(0, k, 1 + aRe, aIm, jRe, jIm, count);
        jRe = (im[k] + im[minus]) / 2;
        jIm = (re[minus] - re[k]) / 2;
        raise(1, k, 1 + bRe, bIm, jRe, jIm, count);
      } else {
        raise(0, k, aRe, aIm, count, quiet, nothing, each);
        raise(1, k, bRe, bIm, count, quiet, nothing, each);
      }
    }
  }

  private void addJumpError(int sequence, double jump, double size, double made, long count) {
    expectedJumps[sequence] += count * jump;
    // Twice what transform and unpacking make, and what the errors of the bulk do to the jumps.
    jumpError[sequence] += 2 * (fft.error() * size + 8 * UNIT * jump) * count + 4 * jump * made;
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
      int sequence,
      int k,
      double dRe,
      double dIm,
      long count,
      boolean quiet,
      double nothing,
      double each) {
    double accRe = productRe[sequence][k];
    double accIm = productIm[sequence][k];
    double before = Math.sqrt(accRe * accRe + accIm * accIm);
    raise(sequence, k, dRe, dIm, count, quiet, nothing);
    accRe = productRe[sequence][k];
    accIm = productIm[sequence][k];
    double after = Math.sqrt(accRe * accRe + accIm * accIm);
    double size = Math.sqrt((1 + dRe) * (1 + dRe) + dIm * dIm);
    // δ(Πx^c) = Σ c·x^{c−1}·δx·(the other factors)
    errors[sequence][k] =
        (before > 0 ? errors[sequence][k] * after / before : errors[sequence][k])
            + count * each * (size > 0 ? after / size : before);
  }

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

  /**
   * Multiplies the product of bulk and jumps at one frequency by (b + j)^count: the part without a
   * jump by b^count, and the part with one by what the binomial theorem leaves. No difference of
   * large numbers is taken, so the part with a jump has an error relative to itself.
   */
  private void raise(
      int sequence, int k, double bRe, double bIm, double jRe, double jIm, long count) {
    double bulkRe = productRe[sequence][k];
    double bulkIm = productIm[sequence][k];
    double withRe = jumpRe[sequence][k];
    double withIm = jumpIm[sequence][k];
    for (long left = count; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        // (B + J)(b + j) − Bb = J(b + j) + Bj
        double xRe = bRe + jRe;
        double xIm = bIm + jIm;
        double next = withRe * xRe - withIm * xIm + (bulkRe * jRe - bulkIm * jIm);
        withIm = withRe * xIm + withIm * xRe + (bulkRe * jIm + bulkIm * jRe);
        withRe = next;
        next = bulkRe * bRe - bulkIm * bIm;
        bulkIm = bulkRe * bIm + bulkIm * bRe;
        bulkRe = next;
      }
      double xRe = 2 * bRe + jRe;
      double xIm = 2 * bIm + jIm;
      double next = jRe * xRe - jIm * xIm;
      jIm = jRe * xIm + jIm * xRe;
      jRe = next;
      next = bRe * bRe - bIm * bIm;
      bIm = 2 * bRe * bIm;
      bRe = next;
    }
    productRe[sequence][k] = bulkRe;
    productIm[sequence][k] = bulkIm;
    jumpRe[sequence][k] = withRe;
    jumpIm[sequence][k] = withIm;
  }

  /**
   * The composed vectors, cyclic, turned by {@link #place}; with jumps, only the part that has one.
   */
  double[][] inverse() {
    int n = fft.length();
    for (int sequence = 0; sequence < 2; sequence++) {
      if (jumps) {
        double more = Math.exp(2 * expectedJumps[sequence]);
        error[sequence] = error[sequence] * (more - 1) + jumpError[sequence] * more;
      } else {
        double byFrequency = byFrequency(errors[sequence]) * Math.exp(growth);
        error[sequence] = Math.min(error[sequence], byFrequency + faint);
      }
    }
    for (int k = 0; k < n; k++) {
      int minus = Fft.negated(k);
      if (minus < k) {
        continue;
      }
      double ar = jumpRe[0][k] / n;
      double ai = jumpIm[0][k] / n;
      double br = jumpRe[1][k] / n;
      double bi = jumpIm[1][k] / n;
      re[k] = ar - bi;
      im[k] = ai + br;
      re[minus] = ar + bi;
      im[minus] = br - ai;
    }
    fft.inverse(re, im);
    double made = (fft.error() + 2 * UNIT) * 1.001 * norm(re, im);
    error[0] += made;
    error[1] += made;
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

  /** The Euclidean norm that errors of this size at each frequency may come to. */
  private double byFrequency(double[] sizes) {
    double sum = 0;
    for (int k = 0; k < sizes.length; k++) {
      // Only one of a frequency and its negative was computed.
      int minus = Fft.negated(k);
      sum += minus < k ? 0 : sizes[k] * sizes[k] * (minus == k ? 1 : 2);
    }
    return Math.sqrt(sum / sizes.length);
  }

  private static double norm(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * x[i] + y[i] * y[i];
    }
    return Math.sqrt(sum);
  }
}
