package dev.discreet.algorithms.cells;

import dev.discreet.accounting.Mechanism.AddedNoise;
import dev.discreet.algorithms.query.NoiseLaw;

/**
 * The law of the sum of independent noises of one law: that on a margin of a table. A sum of
 * Gaussian noises is Gaussian. One of m Laplace noises is a difference of two gamma numbers of
 * shape m, whose tail is a sum of m positive terms; beyond {@link #EXACT} of them, and for
 * differences of two sums, Chernoff's bound is taken, which is never too narrow.
 *
 * @param law of each
 * @param terms how many
 */
record NoiseSum(NoiseLaw law, long terms) {
  private static final long EXACT = 512;
  private static final int HALVINGS = 100;

  /** Wider than doubles are rounded. */
  private static final double WIDER = 1 + 0x1p-38;

  double deviation() {
    return Math.sqrt(terms) * law.deviation();
  }

  /** What the sum stays within with this probability. */
  double reach(double confidence) {
    if (terms == 1) {
      return law.reach(confidence);
    }
    if (law.law() == AddedNoise.Law.GAUSSIAN || terms > EXACT) {
      return reach(confidence, 1, 0);
    }
    double low = 0;
    double high = bound(1 - confidence, 1, 0) / law.scale();
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (2 * tail(middle) > 1 - confidence) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return WIDER * high * law.scale() + rounding(1);
  }

  /** What |a·X − b·Y| stays within with this probability, of two such sums. */
  double reach(double confidence, double a, double b) {
    if (terms == 1) {
      return law.reach(confidence, a, b);
    }
    if (law.law() == AddedNoise.Law.GAUSSIAN) {
      double root = Math.sqrt(terms);
      return law.reach(confidence, root * a, root * b) + rounding(a + b);
    }
    return WIDER * bound(1 - confidence, a, b) + rounding(a + b);
  }

  private double rounding(double weight) {
    return weight * terms * law.step() / 2;
  }

  /** P(S &gt; x) of a sum of Laplace noises of scale 1. */
  private double tail(double x) {
    int m = (int) terms;
    // poisson[n] is the chance of fewer than n points where x are expected.
    double[] poisson = new double[m + 1];
    double point = Math.exp(-x);
    for (int n = 1; n <= m; n++) {
      poisson[n] = poisson[n - 1] + point;
      point *= x / n;
    }
    double weight = Math.scalb(1.0, -m);
    double sum = 0;
    for (int j = 0; j < m; j++) {
      sum += weight * poisson[m - j];
      weight *= (m + j) / (2.0 * (j + 1));
    }
    return sum;
  }

  /** The least t with E e^(λ(aX − bY))·e^(−λt) at most half of {@code outside} for some λ. */
  private double bound(double outside, double a, double b) {
    double most = 1 / (Math.max(a, b) * law.scale());
    double low = 0;
    double high = most;
    for (int i = 0; i < HALVINGS; i++) {
      double left = low + (high - low) / 3;
      double right = high - (high - low) / 3;
      if (chernoff(left, outside, a, b) < chernoff(right, outside, a, b)) {
        high = right;
      } else {
        low = left;
      }
    }
    return chernoff((low + high) / 2, outside, a, b);
  }

  private double chernoff(double rate, double outside, double a, double b) {
    double moment = -terms * (log(rate * a * law.scale()) + log(rate * b * law.scale()));
    return (moment + Math.log(2 / outside)) / rate;
  }

  private static double log(double share) {
    return Math.log1p(-share * share);
  }
}
