package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.Normal;
import java.util.function.DoubleUnaryOperator;

/**
 * The exact privacy of N(μ, 1) against N(0, 1) (Balle and Wang 2018): δ(ε) = Φ(μ/2 − ε/μ) −
 * e^ε·Φ(−μ/2 − ε/μ). Any number of unsampled Gaussian releases is one such pair with μ² = Σ
 * (sensitivity/σ)².
 */
public final class GaussianProfile {
  private GaussianProfile() {}

  private static final double SMALL_MU = 0.05;

  /** Below this the two terms are too close to be told apart; a larger μ is an upper bound. */
  public static final double LEAST_MU = 1e-150;

  /** The relative error of δ, from above. */
  public static final double ERROR = 1e-10;

  public static double delta(double mu, double epsilon) {
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
      // The two cancel; −R′ = 1 − x·R(x), integrated from a to b by Gauss's rule of three nodes.
      double middle = epsilon / mu;
      double reach = mu / 2 * Math.sqrt(0.6);
      double slope =
          (5 * slope(middle - reach) + 8 * slope(middle) + 5 * slope(middle + reach)) / 18;
      return Normal.logDensity(a) + Math.log(mu * slope);
    }
    return Normal.logDensity(a) + Math.log(Normal.mills(a) - Normal.mills(b));
  }

  /** log(1 − δ): a sum, in which nothing cancels. */
  private static double logRest(double mu, double epsilon) {
    double a = epsilon / mu - mu / 2;
    double b = epsilon / mu + mu / 2;
    return Math.log(Normal.tail(-a) + Math.exp(Normal.logDensity(a) + Math.log(Normal.mills(b))));
  }

  private static double slope(double x) {
    return x > 100 ? 1 / (x * x) : 1 - x * Normal.mills(x);
  }

  /** The ε ≥ 0 that goes with {@code delta}. */
  public static double epsilon(double mu, double delta) {
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
  public static double mu(double epsilon, double delta) {
    double logDelta = Math.log(delta);
    double logRest = Math.log1p(-delta);
    // A δ near 1 keeps its digits only in 1 − δ.
    DoubleUnaryOperator falling =
        delta > 0.5 ? mu -> logRest(mu, epsilon) - logRest : mu -> logDelta - logDelta(mu, epsilon);
    double high = 1;
    while (falling.applyAsDouble(high) > 0 && high < 1e150) {
      high *= 2;
    }
    double low = high;
    while (falling.applyAsDouble(low) < 0) {
      low /= 2;
      if (low < 1e-300) {
        return 0;
      }
    }
    return bisect(falling, low, high);
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
