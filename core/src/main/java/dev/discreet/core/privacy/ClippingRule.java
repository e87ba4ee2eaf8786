package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * How a unit's gradient is scaled so that what enters the sum is bounded by a threshold.
 *
 * <p><b>Formal guarantee.</b> For every rule but {@link None}, factor(norm, C)·norm ≤ C for all
 * norms ≥ 0, up to one rounding each of the quotient and the product, for which {@link Grid#SHRINK}
 * leaves room. A non-finite norm never reaches a rule: such a unit contributes zero.
 *
 * <pre>{@code
 * PrivacyPlan plan =
 *     PrivacyPlan.target(3.0, 1e-5)
 *         .lotSize(600)
 *         .epochs(20)
 *         .clip(1.0)
 *         .clipping(new ClippingRule.Automatic(0.01))
 *         .build();
 * }</pre>
 */
@PublicApi
public sealed interface ClippingRule extends Serializable {

  /**
   * The factor by which the gradient is multiplied.
   *
   * @param norm of a unit's gradient
   * @param threshold C
   * @return at least 0
   */
  double factor(double norm, double threshold);

  /**
   * The largest factor that any norm gets; may be infinite.
   *
   * @param threshold C
   * @return greater than 0
   */
  double largestFactor(double threshold);

  /**
   * Whether what a unit adds to the sum is bounded at all.
   *
   * @return false where nobody is protected
   */
  boolean bounds();

  /**
   * Whether gradients are shortened from the threshold on, and stay as they are below it.
   *
   * @return whether the threshold is where shortening begins
   */
  boolean shortensAtThreshold();

  /**
   * The largest length of a member of the sum, in thresholds.
   *
   * @return a number of thresholds; may be infinite
   */
  double most();

  /**
   * How norms are estimated; empty where they are exact.
   *
   * @return the estimate, or nothing
   */
  Optional<Estimated> estimated();

  /**
   * How far adding or removing one unit moves a group's sum on the grid.
   *
   * @param grid the integers that sums are rounded to
   * @param threshold C of the group
   * @param carried the largest norm that a member has while it is added
   * @param dimensions how many coordinates the group has
   * @return the distance, roundings included
   */
  double sensitivity(Grid grid, double threshold, double carried, int dimensions);

  /**
   * What one release costs before sampling.
   *
   * @param multipliers the noise multipliers of the groups and of the counts beside them
   * @return the mechanism to charge
   */
  Mechanism mechanism(List<Double> multipliers);

  /** A rule that goes by the exact norm and leaves no member of the sum longer than C. */
  sealed interface ByExactNorm extends ClippingRule {
    @Override
    default boolean bounds() {
      return true;
    }

    @Override
    default double most() {
      return 1;
    }

    @Override
    default Optional<Estimated> estimated() {
      return Optional.empty();
    }

    @Override
    default double sensitivity(Grid grid, double threshold, double carried, int dimensions) {
      return grid.sensitivity(threshold, carried, dimensions);
    }

    @Override
    default Mechanism mechanism(List<Double> multipliers) {
      return gaussian(multipliers);
    }
  }

  /** Shortened to C when longer: Abadi et al. 2016. */
  record Flat() implements ByExactNorm {
    @Override
    public double factor(double norm, double threshold) {
      return norm <= threshold ? 1 : within(threshold / norm);
    }

    @Override
    public boolean shortensAtThreshold() {
      return true;
    }

    @Override
    public double largestFactor(double threshold) {
      return 1;
    }
  }

  /**
   * C/(‖g‖ + γ): Bu et al. 2023, AUTO-S.
   *
   * @param gamma γ, above 0: a gradient much shorter than γ stays short
   */
  record Automatic(double gamma) implements ByExactNorm {
    /** Refuses a γ that is not above 0. */
    public Automatic {
      Check.positive(gamma, "gamma");
    }

    @Override
    public double factor(double norm, double threshold) {
      return within(threshold / (norm + gamma));
    }

    @Override
    public boolean shortensAtThreshold() {
      return false;
    }

    @Override
    public double largestFactor(double threshold) {
      return threshold / gamma;
    }
  }

  /**
   * C/(‖g‖ + r/(‖g‖ + r)): Xia et al. 2023, DP-PSAC. A gradient of length near 0 is multiplied by
   * C, and not by C/γ as with {@link Automatic}: what is nearly learnt counts little.
   *
   * <p>It keeps to C: r/(n + r) is above 0 for every n ≥ 0, so n·C/(n + r/(n + r)) is below C.
   *
   * @param r above 0: how early gradients get less than length C, as they grow shorter
   */
  record PerSample(double r) implements ByExactNorm {
    /** Refuses an r that is not above 0. */
    public PerSample {
      Check.that(r > 0 && Double.isFinite(r), "r", "finite and greater than 0", r);
    }

    @Override
    public double factor(double norm, double threshold) {
      return within(threshold / (norm + r / (norm + r)));
    }

    @Override
    public boolean shortensAtThreshold() {
      return false;
    }

    /** At norm √r − r, where the denominator has its only minimum; at 0 where that is below 0. */
    @Override
    public double largestFactor(double threshold) {
      return threshold / (r < 1 ? 2 * Math.sqrt(r) - r : 1);
    }
  }

  /** Every gradient gets length C; a zero gradient stays zero. */
  record Normalised() implements ByExactNorm {
    @Override
    public double factor(double norm, double threshold) {
      return norm > 0 ? within(threshold / norm) : 0;
    }

    @Override
    public boolean shortensAtThreshold() {
      return false;
    }

    @Override
    public double largestFactor(double threshold) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /**
   * Dropped above the fixed cutoff Z, otherwise scaled by C/Z: Bu et al. 2021, global clipping.
   *
   * @param cutoff Z, above 0: the largest norm that is kept
   */
  record Global(double cutoff) implements ByExactNorm {
    /** Refuses a cutoff that is not above 0. */
    public Global {
      Check.that(
          cutoff > 0 && Double.isFinite(cutoff), "cutoff", "finite and greater than 0", cutoff);
    }

    @Override
    public double factor(double norm, double threshold) {
      return norm <= cutoff ? within(threshold / cutoff) : 0;
    }

    @Override
    public boolean shortensAtThreshold() {
      return false;
    }

    @Override
    public double largestFactor(double threshold) {
      return threshold / cutoff;
    }
  }

  /**
   * Like {@link Flat}, but by a norm M = ‖Vg‖/√r that is <em>estimated</em> from r directions v₁ …
   * vᵣ of the parameter space: Bu et al. 2021, DP-SGD-JL.
   *
   * <p><b>Formal guarantee.</b> The directions are drawn afresh for each release from secret bits
   * that decide nothing else ({@link SamplingKey#direction}). So they do not depend on the data, on
   * θ or on the lot, and ‖Vg‖²/‖g‖² has the law of χ²ᵣ for every gradient g of a unit. What enters
   * the sum is g·min(1, C/M), no longer than C·s with s = √(r/χ²ᵣ). The sensitivity is random, the
   * release is {@link dev.discreet.accounting.Mechanism.EstimatedNormGaussian}, and afterwards
   * everyone may know the directions. Members are cut at {@link #MOST} thresholds by their true
   * norm. This only shortens them, and it bounds the roundings of sums. The roundings do not shrink
   * with s. Therefore {@link #sensitivity} is such that a unit moves the sum by at most max(s,
   * leastScale) times it, and accountants use that maximum in place of s.
   *
   * @param projections r: more of them take more time and estimate better
   */
  record Estimated(int projections) implements ClippingRule {
    /** Longest member of a sum, in thresholds. */
    public static final double MOST = 4;

    /** Refuses a number of projections that is too small or too large. */
    public Estimated {
      Check.that(
          projections >= 1 && projections <= SamplingKey.DIRECTIONS,
          "projections",
          "in [1, " + SamplingKey.DIRECTIONS + "]",
          projections);
    }

    /**
     * @param norm the estimate, or a larger value
     */
    @Override
    public double factor(double norm, double threshold) {
      return new Flat().factor(norm, threshold);
    }

    /**
     * The factor of a unit whose true norm is known to be at most {@code longest}.
     *
     * @param norm the estimate, or a larger value
     * @param longest what the true norm is at most
     * @param threshold C
     * @return at least 0
     */
    public double factor(double norm, double longest, double threshold) {
      double most = longest > 0 ? MOST * threshold / longest : Double.POSITIVE_INFINITY;
      return within(Math.min(factor(norm, threshold), most));
    }

    @Override
    public boolean shortensAtThreshold() {
      return false;
    }

    @Override
    public double largestFactor(double threshold) {
      return 1;
    }

    @Override
    public double most() {
      return MOST;
    }

    /**
     * With roundings ρ a unit moves the sum by at most Cs + ρ, which is at most (C + ρ/l)·max(s, l)
     * for every l.
     */
    @Override
    public double sensitivity(Grid grid, double threshold, double carried, int dimensions) {
      double rounding = grid.sensitivity(threshold, MOST * carried, dimensions) - threshold;
      return threshold + rounding / mechanism(1).leastScale();
    }

    @Override
    public boolean bounds() {
      return true;
    }

    @Override
    public Optional<Estimated> estimated() {
      return Optional.of(this);
    }

    /**
     * Of one group: the errors of several have no joint bound, and plans of several are refused.
     */
    @Override
    public Mechanism mechanism(List<Double> multipliers) {
      Check.that(multipliers.size() == 1, "noise multipliers", "1", multipliers.size());
      return mechanism(multipliers.get(0));
    }

    /**
     * What a release costs.
     *
     * @param noiseMultiplier σ
     * @return the mechanism to charge
     */
    public Mechanism.EstimatedNormGaussian mechanism(double noiseMultiplier) {
      return new Mechanism.EstimatedNormGaussian(noiseMultiplier, projections);
    }
  }

  /** No bound at all: only in a run that is non-private by name. */
  record None() implements ClippingRule {
    @Override
    public double factor(double norm, double threshold) {
      return 1;
    }

    @Override
    public boolean shortensAtThreshold() {
      return false;
    }

    @Override
    public double largestFactor(double threshold) {
      return 1;
    }

    @Override
    public boolean bounds() {
      return false;
    }

    @Override
    public double most() {
      return 1;
    }

    @Override
    public Optional<Estimated> estimated() {
      return Optional.empty();
    }

    @Override
    public double sensitivity(Grid grid, double threshold, double carried, int dimensions) {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public Mechanism mechanism(List<Double> multipliers) {
      return gaussian(multipliers);
    }
  }

  private static Mechanism gaussian(List<Double> multipliers) {
    return multipliers.size() == 1
        ? new Mechanism.Gaussian(multipliers.get(0))
        : new Mechanism.JointGaussian(multipliers);
  }

  /**
   * Keeps factors in the range that single precision holds to 24 bits. A gradient so short that it
   * would need a larger factor stays shorter than C; one so long that it would need a smaller
   * factor is dropped.
   */
  private static double within(double factor) {
    return factor < 0x1p-100 ? 0 : Math.min(factor, 0x1p100);
  }
}
