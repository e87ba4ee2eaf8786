package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.calibration.Calibration;
import dev.discreet.core.schedule.Schedule;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run is to be, before the number of units is known. {@link #forUnits} makes a {@link
 * ResolvedPlan} of it, and only that can run.
 *
 * <pre>{@code
 * PrivacyPlan plan = PrivacyPlan.target(3.0, 1e-5).lotSize(600).epochs(20).clip(1.0).build();
 * }</pre>
 *
 * @param noise the noise multiplier, or the target (ε, δ) that it is calibrated to
 * @param noiseShares each group's noise multiplier relative to the step's
 * @param sampling how lots are drawn
 * @param size how many units a lot has, on average
 * @param length how many steps or epochs
 * @param clipping how a gradient is made no longer than its threshold
 * @param thresholds one for each clipping group
 * @param neighbouring in what two data sets differ that must look alike
 * @param unit who is protected, as a singular noun
 * @param besides what is released once each, besides the steps and out of the same budget
 * @param adaptive how thresholds follow the norms, if they do; {@code thresholds} are then the
 *     first
 * @param microBatch how many units are averaged before they are clipped; 1 for each by itself
 * @param oneRowEach whether it was declared that each unit has one row
 */
@PublicApi
public record PrivacyPlan(
    NoiseAmount noise,
    List<Double> noiseShares,
    Sampling sampling,
    Size size,
    Length length,
    ClippingRule clipping,
    List<Schedule> thresholds,
    Neighbouring neighbouring,
    String unit,
    List<Mechanism> besides,
    Optional<AdaptiveClipping> adaptive,
    int microBatch,
    boolean oneRowEach) {

  /** How lots are drawn. */
  public enum Sampling {
    /** Every unit joins a lot by a coin flip of its own. */
    POISSON,
    /** A lot is a given number of units, drawn without replacement. */
    FIXED_SIZE,
    /** Every lot is all units. */
    FULL_BATCH,
    /** Each epoch deals all units out to its lots, in a secret order. */
    SHUFFLED_EPOCHS;

    private Sampler of(double lot, long units) {
      return switch (this) {
        case POISSON -> new Sampler.Poisson(lot / units, units);
        case FIXED_SIZE -> new Sampler.FixedSize(Math.max(1, Math.round(lot)), units);
        case FULL_BATCH -> new Sampler.FullBatch(units);
        case SHUFFLED_EPOCHS ->
            new Sampler.ShuffledEpochs(Math.max(1, Math.round(units / lot)), units);
      };
    }
  }

  /** How large a lot is, on average. */
  public sealed interface Size {
    /**
     * Of how many units a lot is, on average, where there are so many in all.
     *
     * @param units how many there are in all
     * @return units in a lot
     */
    double of(long units);

    /**
     * A number of units, whatever there are in all.
     *
     * @param units units in a lot, on average
     */
    record OfUnits(double units) implements Size {
      /** Refuses a number that is not above 0. */
      public OfUnits {
        Check.that(
            units > 0 && Double.isFinite(units), "lot size", "finite and greater than 0", units);
      }

      @Override
      public double of(long all) {
        return units;
      }
    }

    /**
     * A share of all units.
     *
     * @param rate the share, in (0, 1]
     */
    record Share(double rate) implements Size {
      /** Refuses a share outside (0, 1]. */
      public Share {
        Check.that(rate > 0 && rate <= 1, "sampling rate", "in (0, 1]", rate);
      }

      @Override
      public double of(long units) {
        return rate * units;
      }
    }
  }

  /** How long the run is. */
  public sealed interface Length {
    /**
     * How many steps that are, where so many draw every unit once on average.
     *
     * @param perEpoch steps that draw every unit once on average
     * @return the number of steps
     */
    long steps(double perEpoch);

    /**
     * A number of steps.
     *
     * @param steps at least 1
     */
    record Steps(long steps) implements Length {
      /** Refuses less than one step. */
      public Steps {
        Check.that(steps >= 1, "steps", "at least 1", steps);
      }

      @Override
      public long steps(double perEpoch) {
        return steps;
      }
    }

    /**
     * As many steps as are needed to draw every unit this often, on average.
     *
     * @param epochs how often, finite and above 0; need not be whole
     */
    record Epochs(double epochs) implements Length {
      /** Refuses a number that is not above 0. */
      public Epochs {
        Check.that(
            epochs > 0 && Double.isFinite(epochs), "epochs", "finite and greater than 0", epochs);
      }

      @Override
      public long steps(double perEpoch) {
        return Math.max(1, Math.round(epochs * perEpoch));
      }
    }
  }

  /** Copies the lists. */
  public PrivacyPlan {
    noiseShares = List.copyOf(noiseShares);
    thresholds = List.copyOf(thresholds);
    besides = List.copyOf(besides);
  }

  /**
   * Noise such that the run costs at most (ε, δ), and at least 99.9% of that ε.
   *
   * @param epsilon the ε that the run may cost
   * @param delta the δ at which it is read
   * @return a builder for the rest
   */
  public static Builder target(double epsilon, double delta) {
    return new Builder(
        new NoiseAmount.Fitted(new Target(epsilon, delta), Schedule.constant(1)),
        new ClippingRule.Flat());
  }

  /**
   * Noise of standard deviation {@code multiplier} times the threshold.
   *
   * @param multiplier σ
   * @return a builder for the rest
   */
  public static Builder noise(double multiplier) {
    return noise(Schedule.constant(multiplier));
  }

  /**
   * Noise that changes over steps.
   *
   * @param multiplier σ at each step
   * @return a builder for the rest
   */
  public static Builder noise(Schedule multiplier) {
    return new Builder(new NoiseAmount.Given(multiplier), new ClippingRule.Flat());
  }

  /**
   * No noise and, by default, no clipping: this protects no one.
   *
   * @return a builder for the rest
   */
  public static Builder nonPrivate() {
    return new Builder(new NoiseAmount.Nothing(), new ClippingRule.None());
  }

  /**
   * The plan for a declared, public number of units, with its sampling rate, number of steps and
   * noise. With a target this asks the pld accountant for the noise, which takes some tenths of a
   * second.
   *
   * <p><b>Formal guarantee.</b> With a target, consider the resolved plan's ledger, including what
   * is released besides the steps. At the target's δ, its ε as certified by the pld accountant is
   * at most the target's ε.
   *
   * @param units how many there are
   * @return the plan in numbers
   */
  public ResolvedPlan forUnits(long units) {
    return forUnits(units, Optional.empty());
  }

  /**
   * Refuses a plan in numbers that is not this one for so many units, or whose noise costs more
   * than the target allows. The noise is not looked for again.
   *
   * @param found what {@link #forUnits} gave before
   * @param units how many there are
   * @return what {@code found} costs at the target's δ; empty without a target
   */
  public Optional<Guarantee> checkResolved(ResolvedPlan found, long units) {
    Check.that(
        found.equals(forUnits(units, Optional.of(found.noise()))),
        "resolved plan",
        "that of this plan for " + units + " units, with what its test set costs",
        found);
    Optional<Guarantee> cost = found.target().map(target -> found.epsilon(target.delta()));
    cost.ifPresent(
        each ->
            Check.that(
                each.epsilon() <= found.target().get().epsilon(),
                "epsilon of the resolved plan",
                "at most the target's, " + Digits.exact(found.target().get().epsilon()),
                each.epsilon()));
    return cost;
  }

  /**
   * @param found noise that was fitted before, and is not to be looked for again
   */
  private ResolvedPlan forUnits(long units, Optional<Schedule> found) {
    Check.that(units >= 1, "units", "at least 1", units);
    double lot = size.of(units);
    Check.that(lot <= units, "lot size", "at most the number of units, " + units, lot);
    Optional<MicroBatches> batches =
        microBatch == 1 ? Optional.empty() : Optional.of(new MicroBatches(microBatch, units));
    long drawn = batches.map(MicroBatches::groups).orElse(units);
    Sampler sampler =
        sampling.of(drawn == units ? lot : Math.min(drawn, lot / units * drawn), drawn);
    long steps = length.steps(drawn / sampler.expectedLot());
    Schedule shape = noise.shape();
    if (noise.fittedTo().isEmpty()) {
      double least = shape.least(0, steps - 1);
      Check.that(
          least > 0 || !noise.isPrivate(),
          "noise multiplier",
          "greater than 0 (a run without noise is asked for by name: nonPrivate)",
          least);
      return resolved(sampler, steps, shape, Optional.empty(), adaptive, batches);
    }
    Target target = noise.fittedTo().get();
    if (found.isPresent()) {
      return resolved(sampler, steps, found.get(), Optional.of(target), adaptive, batches);
    }
    // The counts of adaptive clipping are part of a step's multiplier, so the noise is found
    // without them. Whether it can be split is checked once, for the noise that is found.
    Calibration calibration =
        Calibration.noiseMultiplier(
            new PldAccountant(),
            target.epsilon(),
            target.delta(),
            factor ->
                resolved(
                        sampler,
                        steps,
                        shape.times(factor),
                        Optional.of(target),
                        Optional.empty(),
                        batches)
                    .ledger());
    return resolved(
        sampler, steps, shape.times(calibration.value()), Optional.of(target), adaptive, batches);
  }

  /**
   * This plan with one more release besides its steps. With a target, less is left for the steps.
   *
   * @param release what the caller releases once
   * @return that plan; this one stays as it is
   */
  public PrivacyPlan besides(Mechanism release) {
    return new PrivacyPlan(
        noise,
        noiseShares,
        sampling,
        size,
        length,
        clipping,
        thresholds,
        neighbouring,
        unit,
        Stream.concat(besides.stream(), Stream.of(release)).toList(),
        adaptive,
        microBatch,
        oneRowEach);
  }

  /**
   * Whom the plan protects, with what was declared about the units.
   *
   * @return the unit
   */
  public PrivacyUnit protects() {
    return new PrivacyUnit(unit, oneRowEach);
  }

  private ResolvedPlan resolved(
      Sampler sampler,
      long steps,
      Schedule multiplier,
      Optional<Target> target,
      Optional<AdaptiveClipping> adaptive,
      Optional<MicroBatches> batches) {
    return new ResolvedPlan(
        sampler,
        steps,
        clipping,
        thresholds,
        multiplier,
        noiseShares,
        neighbouring,
        unit,
        target,
        besides,
        adaptive,
        batches);
  }

  /** By default: Poisson lots, flat clipping and add/remove neighbours of single examples. */
  public static final class Builder {
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

    private Builder(NoiseAmount noise, ClippingRule clipping) {
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
    public Builder noiseShape(Schedule shape) {
      Optional<Target> target = noise.fittedTo();
      Check.that(target.isPresent(), "noise shape", "asked for with a target only", shape);
      noise = new NoiseAmount.Fitted(target.get(), shape);
      return this;
    }

    /**
     * How the noise multipliers of the clipping groups compare. By default every coordinate gets
     * the same noise, so groups with lower thresholds have higher multipliers.
     *
     * @param weights one for each group; only their ratios count
     * @return this builder
     */
    public Builder noiseWeights(double... weights) {
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
    public Builder lotSize(double units) {
      size = new Size.OfUnits(units);
      return this;
    }

    /**
     * The share of all units that a lot has on average.
     *
     * @param rate in (0, 1]
     * @return this builder
     */
    public Builder samplingRate(double rate) {
      size = new Size.Share(rate);
      return this;
    }

    /**
     * How lots are drawn; {@link Sampling#POISSON} unless given.
     *
     * @param how the way
     * @return this builder
     */
    public Builder sampling(Sampling how) {
      sampling = how;
      if (how == Sampling.FULL_BATCH) {
        size = new Size.Share(1);
      }
      return this;
    }

    /**
     * How many steps the run has.
     *
     * @param steps at least 1
     * @return this builder
     */
    public Builder steps(long steps) {
      length = new Length.Steps(steps);
      return this;
    }

    /**
     * How often the run draws every unit, on average.
     *
     * @param epochs greater than 0
     * @return this builder
     */
    public Builder epochs(double epochs) {
      length = new Length.Epochs(epochs);
      return this;
    }

    /**
     * One threshold for the whole gradient.
     *
     * @param threshold C, greater than 0
     * @return this builder
     */
    public Builder clip(double threshold) {
      return clip(Schedule.constant(threshold));
    }

    /**
     * A threshold that changes over steps. This costs nothing, because noise follows the threshold.
     *
     * @param threshold C at each step
     * @return this builder
     */
    public Builder clip(Schedule threshold) {
      return clipGroups(List.of(threshold));
    }

    /**
     * A threshold for each clipping group, for example for each layer.
     *
     * @param groups C of each group
     * @return this builder
     */
    public Builder clipGroups(double... groups) {
      return clipGroups(Arrays.stream(groups).mapToObj(Schedule::constant).toList());
    }

    /**
     * A threshold that changes over steps for each clipping group.
     *
     * @param groups C of each group, at each step
     * @return this builder
     */
    public Builder clipGroups(List<Schedule> groups) {
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
    public Builder clipEvenly(double threshold, int groups) {
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
    public Builder adaptiveClipping(AdaptiveClipping how) {
      adaptive = Optional.of(how);
      return this;
    }

    /**
     * How gradients are shortened; {@link ClippingRule.Flat} unless given.
     *
     * @param rule the rule
     * @return this builder
     */
    public Builder clipping(ClippingRule rule) {
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
    public Builder estimatedNorms(int projections) {
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
    public Builder microBatch(int units) {
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
    public Builder neighbouring(Neighbouring relation) {
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
    public Builder unit(String noun) {
      unit = noun;
      return this;
    }

    /**
     * Declares that each {@link #unit} has one row. The promise depends on it, and repeats it.
     *
     * @return this builder
     */
    public Builder oneRowEach() {
      oneRowEach = true;
      return this;
    }

    /**
     * Another release that the caller makes once, from the same budget. The cost of the run
     * includes it.
     *
     * @param release what the caller releases
     * @return this builder
     */
    public Builder besides(Mechanism release) {
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
              oneRowEach);
      // Settings that do not depend on the number of units are checked here, not only when it is
      // known.
      NoiseAmount amount = noise.isPrivate() ? new NoiseAmount.Given(noise.shape()) : noise;
      new PrivacyPlan(
              amount,
              plan.noiseShares,
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
              oneRowEach)
          .forUnits(microBatch);
      plan.protects();
      return plan;
    }

    /**
     * Weights scaled so that Σ shares⁻² = 1. The noise of all groups together is then the step's.
     */
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
}
