package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import java.util.OptionalDouble;

/**
 * Clipping thresholds that follow a quantile of the units' norms (Andrew, Thakkar, McMahan and
 * Ramaswamy 2021). At each step, and for each clipping group, C ← C·exp(−η(b̃ − γ)). Here b̃ is the
 * share of the lot's units with a norm of at most C, taken from a noised count. C stays in [least,
 * most].
 *
 * <p><b>Formal guarantee.</b> Besides the gradient a step releases, for each group, Σ(1[‖g‖ ≤ C] −
 * ½) over the units of the same lot with Gaussian noise of deviation σ_b. A unit's term is −½, 0 or
 * ½. It is a function of the unit alone and of values that were released before. So a unit
 * contributes at most ½ to each count, as it contributes at most C to the gradient's group, and the
 * count is one more group, of multiplier 2σ_b. Relations and samplers ask no more of a group: a
 * replaced unit, or one that a fixed-size lot displaces, moves the count by 1 = 2·½, as it moves
 * the gradient by 2C. The step is one entry, a {@code JointGaussian} of all groups and all counts
 * under one sampling, of the plan's multiplier z. With G counts z⁻² = z_Δ⁻² + G·(2σ_b)⁻², which
 * leaves the gradient z_Δ = (z⁻² − G(2σ_b)⁻²)^−½. The thresholds follow from the noised counts, so
 * they cost nothing more.
 *
 * <pre>{@code
 * PrivacyPlan plan =
 *     PrivacyPlan.target(3.0, 1e-5)
 *         .lotSize(600)
 *         .epochs(20)
 *         .clip(0.1)
 *         .adaptiveClipping(AdaptiveClipping.quantile(0.5))
 *         .build();
 * }</pre>
 *
 * @param quantile γ, the share of units that are not shortened
 * @param rate η, how fast a threshold moves: a step changes it by at most about a factor e^±η
 * @param countNoise σ_b, standard deviation of the noise on a count; by default a twentieth of the
 *     expected lot
 * @param least the lowest that a threshold may fall to; above 0
 * @param most the highest that a threshold may rise to; below 1e30
 */
@PublicApi
public record AdaptiveClipping(
    double quantile, double rate, OptionalDouble countNoise, double least, double most) {
  /** The rate of the paper, which holds unless told otherwise. */
  public static final double RATE = 0.2;

  /** Room for the rounding of the split, so that a step never costs more than its multiplier. */
  private static final double ROOM = 1 + 0x1p-40;

  /** Counts that make the gradient's noise a thousand times the step's leave it nothing. */
  private static final double ALL = 1 - 1e-6;

  /** Refuses values outside their ranges. */
  public AdaptiveClipping {
    Check.that(quantile > 0 && quantile < 1, "clipping quantile", "in (0, 1)", quantile);
    Check.that(
        rate > 0 && Double.isFinite(rate), "clipping rate", "finite and greater than 0", rate);
    countNoise.ifPresent(
        sigma -> Check.that(sigma > 0 && sigma <= 0x1p30, "count noise", "in (0, 2^30]", sigma));
    Check.that(least > 0, "least threshold", "greater than 0", least);
    Check.that(
        most >= least && most < 1e30,
        "most threshold",
        "in [" + Digits.shortest(least) + ", 1e30)",
        most);
  }

  /**
   * With the paper's rate of 0.2 and its count noise, and thresholds in [1e-6, 1e6].
   *
   * @param quantile the share of units whose gradients shall not be shortened, in (0, 1)
   * @return that rule
   */
  public static AdaptiveClipping quantile(double quantile) {
    return new AdaptiveClipping(quantile, RATE, OptionalDouble.empty(), 1e-6, 1e6);
  }

  /**
   * With another learning rate of the thresholds.
   *
   * @param rate greater than 0
   * @return that rule; this one stays as it is
   */
  public AdaptiveClipping withRate(double rate) {
    return new AdaptiveClipping(quantile, rate, countNoise, least, most);
  }

  /**
   * With other noise on the counts.
   *
   * @param deviation the standard deviation of the noise on a count
   * @return that rule; this one stays as it is
   */
  public AdaptiveClipping withCountNoise(double deviation) {
    return new AdaptiveClipping(quantile, rate, OptionalDouble.of(deviation), least, most);
  }

  /**
   * With other bounds on the thresholds.
   *
   * @param least no threshold gets below it
   * @param most no threshold gets above it
   * @return that rule; this one stays as it is
   */
  public AdaptiveClipping between(double least, double most) {
    return new AdaptiveClipping(quantile, rate, countNoise, least, most);
  }

  /** The multiplier of each count, 2σ_b: its noise divided by what one unit contributes. */
  double countMultiplier(double expectedLot) {
    return 2 * countNoise.orElse(expectedLot / 20);
  }

  /**
   * z_Δ, the part of a step's multiplier that is left for all groups of the gradient together.
   * Refused where the counts alone would cost more than the step may.
   */
  double gradientMultiplier(double multiplier, int counts, double expectedLot) {
    double wanted = multiplier * ROOM;
    double countMultiplier = countMultiplier(expectedLot);
    double share = wanted / countMultiplier;
    share *= share * counts;
    Check.that(
        share <= ALL,
        "count noise",
        "greater than "
            + Digits.shortest(multiplier * Math.sqrt(counts) / 2)
            + " (half the step's noise multiplier times the root of the number of clipping groups:"
            + " the counts alone would cost more than the step may)",
        countMultiplier / 2);
    return wanted / Math.sqrt(1 - share);
  }

  /**
   * The threshold of the next step.
   *
   * @param threshold that of this step
   * @param centred the noised count Σ(1[‖g‖ ≤ C] − ½)
   * @param expectedLot how many units a lot has on average
   * @return a threshold within the bounds
   */
  public double next(double threshold, double centred, double expectedLot) {
    double below = 0.5 + centred / expectedLot;
    double moved = threshold * Math.exp(-rate * (below - quantile));
    return Math.min(most, Math.max(least, moved));
  }
}
