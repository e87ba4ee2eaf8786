package dev.discreet.accounting.theorems;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.TheoremAccountant;
import dev.discreet.accounting.math.Minimum;

/**
 * The composition and amplification theorems themselves, as formulas of (ε, δ), and what the seed
 * documents make of them.
 */
public final class CompositionTheorems {
  private CompositionTheorems() {}

  /**
   * Strong composition (Dwork, Rothblum and Vadhan 2010): {@code steps} releases, each (ε,
   * δ)-private, are together (this, steps·δ + {@code slack})-private.
   */
  public static double strong(double epsilon, long steps, double slack) {
    return TheoremAccountant.strong(
        steps * epsilon * epsilon, steps * epsilon * Math.expm1(epsilon), slack);
  }

  /**
   * Amplification by sampling a fraction q: ln(1 + q(e^ε − 1)), at qδ (Balle, Barthe and Gaboardi
   * 2018).
   */
  public static double amplified(double epsilon, double rate) {
    Check.in(rate, 0, 1, "sampling rate");
    if (rate == 0) {
      return 0;
    }
    return epsilon > 700 ? epsilon + Math.log(rate) : Math.log1p(rate * Math.expm1(epsilon));
  }

  /**
   * ε₀ = √(2 ln(1.25/δ))/σ, the classical Gaussian bound turned round; it is a theorem only where
   * the result is below 1.
   */
  public static double classicalEpsilon(double noiseMultiplier, double delta) {
    // With a δ of 1.25 or more, everything is private.
    return delta >= 1.25 ? 0 : Math.sqrt(2 * Math.log(1.25 / delta)) / noiseMultiplier;
  }

  /**
   * Seeds 001 and 004's strong composition for DP-SGD: classical ε₀ scaled by q, δ split evenly
   * between the steps and the slack. <b>Not a guarantee</b>: q·ε₀ is below the true amplified ε,
   * and ε₀ may be above 1.
   */
  public static double strongOfSeeds(
      double noiseMultiplier, double rate, long steps, double delta) {
    if (rate == 0) {
      return 0;
    }
    double perStep = delta / (2 * rate * steps);
    return strong(rate * classicalEpsilon(noiseMultiplier, perStep), steps, delta / 2);
  }

  /** The same with the valid amplification and the best split of δ, still with the classical ε₀. */
  public static double strongClassical(
      double noiseMultiplier, double rate, long steps, double delta) {
    if (rate == 0) {
      return 0;
    }
    return Minimum.overShare(
        share -> {
          double perStep = (1 - share) * delta / (rate * steps);
          return strong(
              amplified(classicalEpsilon(noiseMultiplier, perStep), rate), steps, share * delta);
        });
  }

  /**
   * Seed 001's theorem 4.4, q·ε·√(T·log(1/δ)), with the logarithm of the given base. <b>Not a
   * guarantee.</b>
   */
  public static double strongOfSeed001(
      double epsilon, double rate, long steps, double delta, double logBase) {
    return rate * epsilon * Math.sqrt(steps * Math.log(1 / delta) / Math.log(logBase));
  }

  /**
   * Seed 001's theorem 4.5, q·ε·√T: an order of growth printed as if it were a bound. <b>Not a
   * guarantee.</b>
   */
  public static double momentsOfSeed001(double epsilon, double rate, long steps) {
    return rate * epsilon * Math.sqrt(steps);
  }
}
