package dev.discreet.accounting;

import dev.discreet.accounting.pairs.Folded;
import dev.discreet.accounting.pairs.LossPair;

/**
 * The exact (ε, δ) of one release, from its dominating pair. Amplification by sampling is already
 * in the pair.
 */
final class SingleRelease {
  private SingleRelease() {}

  /** δ(ε) = P(L &gt; ε) − e^ε·Q(L &gt; ε), the worse direction. */
  static double delta(LossPair pair, double epsilon) {
    double forward = oneWay(pair, epsilon);
    return pair.symmetric() ? forward : Math.max(forward, oneWay(pair.reversed(), epsilon));
  }

  private static double oneWay(LossPair pair, double epsilon) {
    double q = Folded.tail(pair.q(epsilon));
    double p = Folded.tail(pair.p(epsilon));
    return Math.max(pair.infinity(), p - Math.exp(epsilon + Math.log(q)));
  }

  /** The least ε ≥ 0 at which δ(ε) ≤ delta, from above. */
  static double epsilon(LossPair pair, double delta) {
    double worst = Math.max(pair.max(), -pair.min());
    if (delta < pair.infinity() || (delta == 0 && Double.isInfinite(worst))) {
      return Double.POSITIVE_INFINITY;
    }
    double high = 1;
    while (high < worst && delta(pair, high) > delta) {
      high *= 2;
      if (high > 1e300) {
        return Double.POSITIVE_INFINITY;
      }
    }
    high = Math.min(high, worst);
    double low = 0;
    if (delta(pair, 0) <= delta) {
      return 0;
    }
    for (int i = 0; i < 100 && high - low > 1e-12 * high; i++) {
      double middle = (low + high) / 2;
      if (delta(pair, middle) > delta) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
