package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;

/**
 * How a unit's gradient of some norm is scaled so that what enters the sum is bounded by a
 * threshold.
 *
 * <p><b>Formal guarantee.</b> For every rule but {@link None}, factor(norm, C)·norm ≤ C for all
 * norms ≥ 0, up to one rounding each of the quotient and the product, for which {@link Grid#SHRINK}
 * leaves room. A non-finite norm never reaches a rule: such a unit contributes zero.
 */
public sealed interface ClippingRule {

  /** What the gradient is multiplied by. */
  double factor(double norm, double threshold);

  /** The largest factor that any norm gets; may be infinite. */
  double largestFactor(double threshold);

  /** Shortened to C when longer: Abadi et al. 2016. */
  record Flat() implements ClippingRule {
    @Override
    public double factor(double norm, double threshold) {
      return norm <= threshold ? 1 : within(threshold / norm);
    }

    @Override
    public double largestFactor(double threshold) {
      return 1;
    }
  }

  /** C/(‖g‖ + γ): Bu et al. 2023, AUTO-S. */
  record Automatic(double gamma) implements ClippingRule {
    public Automatic {
      Check.positive(gamma, "gamma");
    }

    @Override
    public double factor(double norm, double threshold) {
      return within(threshold / (norm + gamma));
    }

    @Override
    public double largestFactor(double threshold) {
      return threshold / gamma;
    }
  }

  /** Every gradient gets length C; a zero gradient stays zero. */
  record Normalised() implements ClippingRule {
    @Override
    public double factor(double norm, double threshold) {
      return norm > 0 ? within(threshold / norm) : 0;
    }

    @Override
    public double largestFactor(double threshold) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /** Dropped above the fixed cutoff Z, else scaled by C/Z: Bu et al. 2021, global clipping. */
  record Global(double cutoff) implements ClippingRule {
    public Global {
      Check.that(
          cutoff > 0 && Double.isFinite(cutoff), "cutoff", "finite and greater than 0", cutoff);
    }

    @Override
    public double factor(double norm, double threshold) {
      return norm <= cutoff ? within(threshold / cutoff) : 0;
    }

    @Override
    public double largestFactor(double threshold) {
      return threshold / cutoff;
    }
  }

  /** No bound at all: only in a run that is non-private by name. */
  record None() implements ClippingRule {
    @Override
    public double factor(double norm, double threshold) {
      return 1;
    }

    @Override
    public double largestFactor(double threshold) {
      return 1;
    }
  }

  /**
   * Factors stay where single precision holds them to 24 bits too. A gradient so short that it
   * would need a larger one stays shorter than C; one so long that it would need a smaller one is
   * dropped.
   */
  private static double within(double factor) {
    return factor < 0x1p-100 ? 0 : Math.min(factor, 0x1p100);
  }
}
