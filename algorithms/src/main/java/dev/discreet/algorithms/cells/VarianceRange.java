package dev.discreet.algorithms.cells;

import dev.discreet.algorithms.query.NoiseInterval;

/**
 * The variance of numbers in [0, 1] as a function of three sums over them, U = Σa², M = Σ2a(1 − a)
 * and L = Σ(1 − a)²: U/n − ((U + M/2)/n)², with n = U + M + L the number of rows.
 *
 * <p>Where the sums are only known to be in a box, the range of the variance is found exactly.
 * Where it is not negative, it falls as M rises. With M fixed it is, along U and along L, a
 * function that rises and then falls; and it has no peak inside but the largest variance of all,
 * 1/4. So the least is at a corner, and the largest at a corner, at the peak of an edge, or 1/4
 * where U = L and M = 0.
 */
final class VarianceRange {
  private VarianceRange() {}

  /** At least 0 and at most 1/4; 0 where there are no rows. */
  static double of(double upper, double middle, double lower) {
    double rows = upper + middle + lower;
    if (!(rows > 0)) {
      return 0;
    }
    double mean = (upper + middle / 2) / rows;
    return Math.max(0, Math.min(0.25, upper / rows - mean * mean));
  }

  /** The deviation to first order, at most the largest variance. */
  static double deviation(double[] sums, double noise) {
    double rows = sums[0] + sums[1] + sums[2];
    if (!(rows > 0)) {
      return 0.25;
    }
    double mean = (sums[0] + sums[1] / 2) / rows;
    double base = 2 * mean * mean - sums[0] / rows;
    double slope = Math.hypot(Math.hypot(base + 1 - 2 * mean, base - mean), base);
    return Math.min(0.25, noise * slope / rows);
  }

  /** The range where each sum is at most {@code reach} away from what is given, and not below 0. */
  static NoiseInterval within(double[] sums, double reach) {
    double[] low = new double[3];
    double[] high = new double[3];
    for (int i = 0; i < 3; i++) {
      low[i] = Math.max(0, sums[i] - reach);
      high[i] = Math.max(0, sums[i] + reach);
    }
    double least = 0.25;
    double most = 0;
    double[] uppers = {low[0], high[0]};
    double[] lowers = {low[2], high[2]};
    for (double upper : uppers) {
      for (double lower : lowers) {
        least = Math.min(least, of(upper, high[1], lower));
        most = Math.max(most, of(upper, low[1], lower));
      }
    }
    for (int i = 0; i < 2; i++) {
      most = Math.max(most, peak(uppers[i], low[1], low[2], high[2]));
      // The variance of 1 − a is that of a.
      most = Math.max(most, peak(lowers[i], low[1], low[0], high[0]));
    }
    if (low[1] == 0 && Math.max(low[0], low[2]) <= Math.min(high[0], high[2])) {
      most = 0.25;
    }
    double value = of(sums[0], sums[1], sums[2]);
    return new NoiseInterval(least, Math.max(least, most)).with(value);
  }

  /** The largest with a fixed upper sum: n = 2(U + M/2)²/U, or the nearest that is allowed. */
  private static double peak(double upper, double middle, double from, double to) {
    if (upper <= 0) {
      return 0;
    }
    double half = upper + middle / 2;
    double lower = 2 * half * half / upper - upper - middle;
    return of(upper, middle, Math.max(from, Math.min(to, lower)));
  }
}
