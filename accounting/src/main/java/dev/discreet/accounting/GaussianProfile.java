package dev.discreet.accounting;

import dev.discreet.accounting.pairs.Normal;
import java.util.function.DoubleUnaryOperator;

/**
 * The exact privacy of N(μ, 1) against N(0, 1) (Balle and Wang 2018): δ(ε) = Φ(μ/2 − ε/μ) −
 * e^ε·Φ(−μ/2 − ε/μ). Any number of unsampled Gaussian releases is one such pair with μ² = Σ
 * (sensitivity/σ)².
 */
final class GaussianProfile {
  private GaussianProfile() {}

  private static final double SMALL_MU = 1e-6;

  /** Below this the two terms are too close to be told apart; a larger μ is an upper bound. */
  static final double LEAST_MU = 1e-150;

  /** The relative error of δ, from above: the two terms cancel for small μ. */
  static double error(double mu) {
    return mu < SMALL_MU ? 1e-5 : 1e-10 + 1e-12 / mu;
  }

  static double delta(double mu, double epsilon) {
    return Math.exp(logDelta(mu, epsilon));
  }

  /**
   * With Mills' ratio R the difference is φ(a)·(R(a) − R(b)), which neither overflows nor
   * underflows.
   */
  private static double logDelta(double mu, double epsilon) {
    double a = epsilon / mu - mu / 2;
    double b = epsilon / mu + mu / 2;
    if (a < -5) {
      // The first term is near 1 and the second is not: nothing cancels.
      return Math.log(Normal.tail(a) - Math.exp(Normal.logDensity(a) + Math.log(Normal.mills(b))));
    }
    if (mu < SMALL_MU) {
      // −R′(x) = 1 − x·R(x) over the short way from a to b; the next term is of order μ².
      double middle = epsilon / mu;
      double slope = middle > 100 ? 1 / (middle * middle) : 1 - middle * Normal.mills(middle);
      return Normal.logDensity(a) + Math.log(mu * slope);
    }
    return Normal.logDensity(a) + Math.log(Normal.mills(a) - Normal.mills(b));
  }

  /** The ε ≥ 0 that goes with {@code delta}. */
  static double epsilon(double mu, double delta) {
    if (mu == 0 || logDelta(mu, 0) <= Math.log(delta)) {
      return 0;
    }
    if (delta == 0) {
      return Double.POSITIVE_INFINITY;
    }
    double logDelta = Math.log(delta);
    double high = mu * mu / 2 + mu;
    while (logDelta(mu, high) > logDelta) {
      high *= 2;
    }
    return bisect(epsilon -> logDelta(mu, epsilon) - logDelta, 0, high);
  }

  /** The largest μ that is (ε, δ)-private. */
  static double mu(double epsilon, double delta) {
    double logDelta = Math.log(delta);
    double high = 1;
    while (logDelta(high, epsilon) < logDelta && high < 1e150) {
      high *= 2;
    }
    double low = high;
    while (logDelta(low, epsilon) > logDelta && low > 1e-150) {
      low /= 2;
    }
    return bisect(mu -> logDelta - logDelta(mu, epsilon), low, high);
  }

  /** Where a falling function crosses 0, to the last bit or so. */
  private static double bisect(DoubleUnaryOperator falling, double low, double high) {
    double from = low;
    double to = high;
    while (true) {
      double middle = from + (to - from) / 2;
      if (middle <= from || middle >= to) {
        return to;
      }
      if (falling.applyAsDouble(middle) > 0) {
        from = middle;
      } else {
        to = middle;
      }
    }
  }
}
