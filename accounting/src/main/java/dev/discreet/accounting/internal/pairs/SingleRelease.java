package dev.discreet.accounting.internal.pairs;

/**
 * The exact (ε, δ) of one release, from its dominating pair. Amplification by sampling is already
 * in the pair.
 */
public final class SingleRelease {
  private SingleRelease() {}

  // A generous bound on the relative error of the tails. It matters where they nearly cancel.
  private static final double ERROR = 64 * 0x1p-53;

  private static final double UNDERFLOW = 1e-290;

  /** δ(ε) = P(L &gt; ε) − e^ε·Q(L &gt; ε), the worse direction, from above. */
  public static double delta(LossPair pair, double epsilon) {
    return delta(pair, epsilon, ERROR);
  }

  /** The same from below. */
  public static double deltaLower(LossPair pair, double epsilon) {
    return delta(pair, epsilon, -ERROR);
  }

  private static double delta(LossPair pair, double epsilon, double error) {
    double forward = oneWay(pair, epsilon, error);
    return pair.symmetric() ? forward : Math.max(forward, oneWay(pair.reversed(), epsilon, error));
  }

  private static double oneWay(LossPair pair, double epsilon, double error) {
    double p = FoldedProbability.tail(pair.p(epsilon));
    double tailQ = FoldedProbability.tail(pair.q(epsilon));
    // A tail that underflows has lost its digits. It lies between 0 and what L > ε allows.
    double q = tailQ < UNDERFLOW ? (error > 0 ? 0 : p) : Math.exp(epsilon + Math.log(tailQ));
    return Math.max(pair.infinity(), p - q + error * (p + q));
  }

  /** The least ε ≥ 0 at which δ(ε) ≤ delta, from above. */
  public static double epsilon(LossPair pair, double delta) {
    return epsilon(pair, delta, ERROR);
  }

  /** The same from below; 0 where Q's tails underflow. */
  public static double epsilonLower(LossPair pair, double delta) {
    double lower = epsilon(pair, delta, -ERROR);
    return lower <= 600 ? lower * (1 - 1e-11) : 0;
  }

  private static double epsilon(LossPair pair, double delta, double error) {
    double worst = Math.max(pair.max(), -pair.min());
    if (delta < pair.infinity()) {
      return Double.POSITIVE_INFINITY;
    }
    if (delta == 0) {
      return worst;
    }
    if (delta(pair, 0, error) <= delta) {
      return 0;
    }
    double high = 1;
    while (high < worst && !(delta(pair, high, error) <= delta)) {
      high *= 2;
      if (high > 1e300) {
        return Double.POSITIVE_INFINITY;
      }
    }
    high = Math.min(high, worst);
    double low = 0;
    for (int i = 0; i < 100 && high - low > 1e-12 * high; i++) {
      double middle = (low + high) / 2;
      if (delta(pair, middle, error) <= delta) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
