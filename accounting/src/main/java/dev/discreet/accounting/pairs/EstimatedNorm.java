package dev.discreet.accounting.pairs;

import dev.discreet.accounting.Mechanism;
import org.apache.commons.numbers.gamma.RegularizedGamma;

/**
 * Gaussian noise on members clipped by a norm that r random projections estimated. A member's true
 * norm after clipping is at most C·s with s = √(r/χ²ᵣ), whatever the member; the projections, and
 * so s, are given to the attacker.
 *
 * <p>s is cut into strata. A stratum's upper end bounds it from above (a larger shift can be turned
 * into a smaller one by scaling and adding noise), its lower end from below; beyond the last
 * stratum everything is revealed.
 */
final class EstimatedNorm {
  // Most strata lie where the mass is; the rest reach out to where everything may as well be
  // revealed.
  private static final int INNER = 400;
  private static final int STRATA = 600;
  private static final double COMMON = 1e-6;
  private static final double REVEALED = 1e-30;

  private EstimatedNorm() {}

  static Domination domination(
      Mechanism.EstimatedNormGaussian mechanism, Domination.Sampling sampling) {
    int r = mechanism.projections();
    // Evenly in the logarithm of s, in two stretches.
    // The lowest stratum takes every smaller s for its upper end: that is the promise of
    // leastScale.
    double low = Math.max(mechanism.leastScale(), scaleAbove(r, 1 - COMMON));
    double middle = scaleAbove(r, COMMON);
    double high = scaleAbove(r, REVEALED);
    double[] weights = new double[STRATA + 2];
    LossPair[] upper = new LossPair[STRATA + 2];
    LossPair[] lower = new LossPair[STRATA + 2];
    double from = 0;
    for (int i = 0; i <= STRATA; i++) {
      double to =
          i <= INNER
              ? low * Math.pow(middle / low, (double) i / INNER)
              : middle * Math.pow(high / middle, (double) (i - INNER) / (STRATA - INNER));
      weights[i] = Math.max(0, i == 0 ? headAt(r, to) : tailAt(r, from) - tailAt(r, to));
      upper[i] = new GaussianPair(to / mechanism.noiseMultiplier());
      lower[i] =
          i == 0
              ? DiscretePair.approximate(0, 0)
              : new GaussianPair(from / mechanism.noiseMultiplier());
      from = to;
    }
    weights[STRATA + 1] = tailAt(r, high);
    upper[STRATA + 1] = DiscretePair.approximate(0, 1);
    lower[STRATA + 1] = new GaussianPair(high / mechanism.noiseMultiplier());
    // s does not depend on the unit's presence, so sampling the mixture is the mixture of the
    // sampled.
    return new Domination(
        sampling.apply(new MixturePair(weights, upper)),
        sampling.apply(new MixturePair(weights, lower)),
        "");
  }

  /** P(s > scale) = P(χ²ᵣ < r/scale²). */
  private static double tailAt(int r, double scale) {
    return RegularizedGamma.P.value(r / 2.0, r / (2 * scale * scale));
  }

  private static double headAt(int r, double scale) {
    return RegularizedGamma.Q.value(r / 2.0, r / (2 * scale * scale));
  }

  private static double scaleAbove(int r, double tail) {
    double low = 1e-6;
    double high = 1e30;
    for (int i = 0; i < 200 && high / low > 1 + 1e-9; i++) {
      double middle = Math.sqrt(low * high);
      if (tailAt(r, middle) > tail) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
