package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.privacy.PrivacyPlan.Length;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacyPlan.Size;
import dev.discreet.core.privacy.overtime.NoiseOverTime;
import dev.discreet.core.schedule.Schedule;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes a {@link PrivacyPlan}. By default: Poisson lots, flat clipping and add/remove neighbours of
 * single examples.
 *
 * <pre>{@code
 * PrivacyPlanBuilder builder = PrivacyPlan.noise(1.1).samplingRate(0.01).clip(1.0);
 * PrivacyPlan plan = builder.steps(1000).build();
 * }</pre>
 */
@PublicApi
public final class PrivacyPlanBuilder {
  private NoiseAmount noise;
  private List<Double> noiseWeights = List.of();
  private Sampling sampling = Sampling.POISSON;
  private Size size;
  private Length length;
  private ClippingRule clipping;
  private List<Schedule> thresholds;
  // Null until it is set.
  private Neighbouring neighbouring;
  private String unit = "example";
  private List<Mechanism> besides = List.of();
  private Optional<AdaptiveClipping> adaptive = Optional.empty();
  private int microBatch = 1;
  private boolean oneRowEach;
  private Optional<NoiseOverTime> overTime = Optional.empty();

  PrivacyPlanBuilder(NoiseAmount noise, ClippingRule clipping) {
    this.noise = noise;
    this.clipping = clipping;
    // A run without clipping needs no threshold.
    this.thresholds = clipping.bounds() ? List.of() : List.of(Schedule.constant(1));
  }

  /**
   * How the noise of steps compares, in a plan with a target.
   *
   * @param shape a schedule of which only the ratios count
   * @return this builder
   */
  public PrivacyPlanBuilder noiseShape(Schedule shape) {
    Optional<Target> target = noise.fittedTo();
    Check.that(target.isPresent(), "noise shape", "asked for with a target only", shape);
    noise = new NoiseAmount.Fitted(target.get(), shape);
    return this;
  }

  /**
   * How the noise multipliers of the clipping groups compare. By default every coordinate gets the
   * same noise, so groups with lower thresholds have higher multipliers.
   *
   * @param weights one for each group; only their ratios count
   * @return this builder
   */
  public PrivacyPlanBuilder noiseWeights(double... weights) {
    for (double weight : weights) {
      Check.that(
          weight > 0 && Double.isFinite(weight),
          "noise weight",
          "finite and greater than 0",
          weight);
    }
    noiseWeights = Arrays.stream(weights).boxed().toList();
    return this;
  }

  /**
   * Units in a lot: on average, or exactly where the sampler draws a fixed number.
   *
   * @param units how many
   * @return this builder
   */
  public PrivacyPlanBuilder lotSize(double units) {
    size = new Size.OfUnits(units);
    return this;
  }

  /**
   * The share of all units that a lot has on average.
   *
   * @param rate in (0, 1]
   * @return this builder
   */
  public PrivacyPlanBuilder samplingRate(double rate) {
    size = new Size.Share(rate);
    return this;
  }

  /**
   * How lots are drawn; {@link Sampling#POISSON} unless given.
   *
   * @param how the way
   * @return this builder
   */
  public PrivacyPlanBuilder sampling(Sampling how) {
    sampling = how;
    if (how == Sampling.FULL_BATCH) {
      size = new Size.Share(1);
    }
    return this;
  }

  /**
   * Noise that steps share, with the cyclic lots that its proof needs. Such a run is charged whole
   * at its first step and cannot be resumed.
   *
   * @param shared how many steps share it
   * @return this builder
   */
  public PrivacyPlanBuilder noiseOverTime(NoiseOverTime shared) {
    overTime = Optional.of(shared);
    return sampling(Sampling.CYCLIC);
  }

  /**
   * How many steps the run has.
   *
   * @param steps at least 1
   * @return this builder
   */
  public PrivacyPlanBuilder steps(long steps) {
    length = new Length.Steps(steps);
    return this;
  }

  /**
   * How often the run draws every unit, on average.
   *
   * @param epochs greater than 0
   * @return this builder
   */
  public PrivacyPlanBuilder epochs(double epochs) {
    length = new Length.Epochs(epochs);
    return this;
  }

  /**
   * One threshold for the whole gradient.
   *
   * @param threshold C, greater than 0
   * @return this builder
   */
  public PrivacyPlanBuilder clip(double threshold) {
    return clip(Schedule.constant(threshold));
  }

  /**
   * A threshold that changes over steps. This costs nothing, because noise follows the threshold.
   *
   * @param threshold C at each step
   * @return this builder
   */
  public PrivacyPlanBuilder clip(Schedule threshold) {
    return clipGroups(List.of(threshold));
  }

  /**
   * A threshold for each clipping group, for example for each layer.
   *
   * @param groups C of each group
   * @return this builder
   */
  public PrivacyPlanBuilder clipGroups(double... groups) {
    return clipGroups(Arrays.stream(groups).mapToObj(Schedule::constant).toList());
  }

  /**
   * A threshold that changes over steps for each clipping group.
   *
   * @param groups C of each group, at each step
   * @return this builder
   */
  public PrivacyPlanBuilder clipGroups(List<Schedule> groups) {
    thresholds = List.copyOf(groups);
    if (!clipping.bounds()) {
      clipping = new ClippingRule.Flat();
    }
    return this;
  }

  /**
   * The same threshold for each of {@code groups} groups; together they bound the gradient by
   * {@code threshold}.
   *
   * @param threshold what the whole gradient is bounded by
   * @param groups how many there are
   * @return this builder
   */
  public PrivacyPlanBuilder clipEvenly(double threshold, int groups) {
    Check.that(groups >= 1, "clipping groups", "at least 1", groups);
    return clipGroups(
        Collections.nCopies(groups, Schedule.constant(threshold / Math.sqrt(groups))));
  }

  /**
   * Thresholds that follow a quantile of the norms, starting from the given ones. The counts are
   * paid from the same budget as the gradients. The noise of the groups keeps the weights of the
   * first thresholds.
   *
   * @param how the quantile, and how fast it is followed
   * @return this builder
   */
  public PrivacyPlanBuilder adaptiveClipping(AdaptiveClipping how) {
    adaptive = Optional.of(how);
    return this;
  }

  /**
   * How gradients are shortened; {@link ClippingRule.Flat} unless given.
   *
   * @param rule the rule
   * @return this builder
   */
  public PrivacyPlanBuilder clipping(ClippingRule rule) {
    clipping = rule;
    return this;
  }

  /**
   * Flat clipping by norms that are estimated from this many random projections: DP-SGD-JL, and
   * with Adam DP-Adam-JL. It costs more privacy than exact norms.
   *
   * @param projections how many random directions a norm is estimated from
   * @return this builder
   */
  public PrivacyPlanBuilder estimatedNorms(int projections) {
    return clipping(new ClippingRule.Estimated(projections));
  }

  /**
   * Averages about this many units and clips their mean as one. A secret key assigns units to
   * groups, and groups are drawn whole. Lot sizes and numbers remain those of units. Each unit is
   * still protected, under replace-one. Where {@link #unit} is {@link MicroBatches#UNIT}, only
   * whole groups are protected.
   *
   * @param units how many, at least 1
   * @return this builder
   */
  public PrivacyPlanBuilder microBatch(int units) {
    Check.that(units >= 1, "micro-batch", "at least 1", units);
    microBatch = units;
    return this;
  }

  /**
   * The default is add/remove; it is replace-one where units are averaged with others before
   * clipping, because a unit then moves the sum by 2C.
   *
   * @param relation what neighbouring data sets are
   * @return this builder
   */
  public PrivacyPlanBuilder neighbouring(Neighbouring relation) {
    neighbouring = relation;
    return this;
  }

  /**
   * Who is protected, as a singular noun: "example", "patient", … A noun other than "example" or
   * "row" is refused for rows that do not say whose they are, unless {@link #oneRowEach} was
   * declared.
   *
   * @param noun such as "patient"
   * @return this builder
   */
  public PrivacyPlanBuilder unit(String noun) {
    unit = noun;
    return this;
  }

  /**
   * Declares that each {@link #unit} has one row. The promise depends on it, and repeats it.
   *
   * @return this builder
   */
  public PrivacyPlanBuilder oneRowEach() {
    oneRowEach = true;
    return this;
  }

  /**
   * Another release that the caller makes once, from the same budget. The cost of the run includes
   * it.
   *
   * @param release what the caller releases
   * @return this builder
   */
  public PrivacyPlanBuilder besides(Mechanism release) {
    besides = Stream.concat(besides.stream(), Stream.of(release)).toList();
    return this;
  }

  /** {@return the plan, where what was given goes together; else it is refused} */
  public PrivacyPlan build() {
    Check.that(size != null, "lot size", "given (lotSize, samplingRate or full batch)", "none");
    Check.that(length != null, "length of the run", "given (steps or epochs)", "none");
    Check.that(!thresholds.isEmpty(), "clipping threshold", "given (clip)", "none");
    Check.that(
        sampling != Sampling.FULL_BATCH || size.equals(new Size.Share(1)),
        "lot size of a full batch",
        "all units",
        size);
    Neighbouring relation = neighbouring;
    if (relation == null) {
      boolean averaged = microBatch > 1 && !MicroBatches.UNIT.equals(unit);
      relation = averaged ? Neighbouring.REPLACE_ONE : Neighbouring.ADD_REMOVE;
    }
    PrivacyPlan plan =
        new PrivacyPlan(
            noise,
            shares(),
            sampling,
            size,
            length,
            clipping,
            thresholds,
            relation,
            unit,
            besides,
            adaptive,
            microBatch,
            oneRowEach,
            overTime);
    // Settings that do not depend on the number of units are checked here, not only when it is
    // known.
    NoiseAmount amount = noise.isPrivate() ? new NoiseAmount.Given(noise.shape()) : noise;
    new PrivacyPlan(
            amount,
            plan.noiseShares(),
            sampling,
            new Size.Share(1),
            new Length.Steps(1),
            clipping,
            thresholds,
            relation,
            unit,
            besides,
            // Whether the noise can be split is known only together with the noise and the lot.
            adaptive.map(some -> some.withCountNoise(0x1p30)),
            microBatch,
            oneRowEach,
            overTime)
        .forUnits(microBatch);
    plan.protects();
    return plan;
  }

  /** Weights scaled so that Σ shares⁻² = 1. The noise of all groups together is then the step's. */
  private List<Double> shares() {
    if (thresholds.size() == 1) {
      return List.of(1.0);
    }
    List<Double> weights =
        noiseWeights.isEmpty()
            ? thresholds.stream().map(threshold -> 1 / threshold.at(0)).toList()
            : noiseWeights;
    Check.that(
        weights.size() == thresholds.size(),
        "noise weights",
        "one for each of " + thresholds.size() + " clipping groups",
        weights.size());
    double scale = Math.sqrt(weights.stream().mapToDouble(w -> 1 / (w * w)).sum());
    return weights.stream().map(w -> w * scale).toList();
  }
}
