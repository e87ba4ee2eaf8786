package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.privacy.overtime.NoiseOverTime;
import dev.discreet.core.privacy.overtime.SharedNoise;
import dev.discreet.core.schedule.Schedule;
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
 * @param noise the noise multiplier, or the target that it is calibrated to
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
 * @param overTime the noise that steps share, if they do
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
    boolean oneRowEach,
    Optional<NoiseOverTime> overTime) {

  /** How lots are drawn. */
  public enum Sampling {
    /** Every unit joins a lot by a coin flip of its own. */
    POISSON,
    /** A lot is a given number of units, drawn without replacement. */
    FIXED_SIZE,
    /** Every lot is all units. */
    FULL_BATCH,
    /** Each epoch deals all units out to its lots, in a secret order. */
    SHUFFLED_EPOCHS,
    /** Each unit belongs to one part for the whole run, and lots are drawn from part after part. */
    CYCLIC;

    private Sampler of(double lot, long units, int parts) {
      return switch (this) {
        case POISSON -> new Sampler.Poisson(lot / units, units);
        case FIXED_SIZE -> new Sampler.FixedSize(Math.max(1, Math.round(lot)), units);
        case FULL_BATCH -> new Sampler.FullBatch(units);
        case SHUFFLED_EPOCHS ->
            new Sampler.ShuffledEpochs(Math.max(1, Math.round(units / lot)), units);
        case CYCLIC ->
            new Sampler.Cyclic(
                parts, parts == wholeParts(lot, units) ? 1 : lot * parts / units, units);
      };
    }
  }

  /** Of how many lots all units are. */
  private static long wholeParts(double lot, long units) {
    return Math.min(units, Math.max(1, Math.round(units / lot)));
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
  public static PrivacyPlanBuilder target(double epsilon, double delta) {
    return target(new Target.OfEpsilon(epsilon, delta));
  }

  /**
   * Noise such that the run costs at most what the target says, and nearly that.
   *
   * @param target what the run may cost
   * @return a builder for the rest
   */
  public static PrivacyPlanBuilder target(Target target) {
    return new PrivacyPlanBuilder(
        new NoiseAmount.Fitted(target, Schedule.constant(1)), new ClippingRule.Flat());
  }

  /**
   * Noise of standard deviation {@code multiplier} times the threshold.
   *
   * @param multiplier σ
   * @return a builder for the rest
   */
  public static PrivacyPlanBuilder noise(double multiplier) {
    return noise(Schedule.constant(multiplier));
  }

  /**
   * Noise that changes over steps.
   *
   * @param multiplier σ at each step
   * @return a builder for the rest
   */
  public static PrivacyPlanBuilder noise(Schedule multiplier) {
    return new PrivacyPlanBuilder(new NoiseAmount.Given(multiplier), new ClippingRule.Flat());
  }

  /**
   * No noise and, by default, no clipping: this protects no one.
   *
   * @return a builder for the rest
   */
  public static PrivacyPlanBuilder nonPrivate() {
    return new PrivacyPlanBuilder(new NoiseAmount.Nothing(), new ClippingRule.None());
  }

  /**
   * The plan for a declared, public number of units, with its sampling rate, number of steps and
   * noise. With a target this asks the pld accountant for the noise, which takes some tenths of a
   * second.
   *
   * <p><b>Formal guarantee.</b> With a target, consider the resolved plan's ledger, including what
   * is released besides the steps. At the target's δ, its ε as certified by the pld accountant is
   * at most the target's ε; where the target is a share of a ceiling, the share that the ledger
   * takes is at most that one.
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
    cost.ifPresent(each -> found.target().get().check(found.ledger(), each));
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
    double places = drawn == units ? lot : Math.min(drawn, lot / units * drawn);
    Sampler sampler = sampling.of(places, drawn, parts(places, drawn));
    long steps = length.steps(drawn / sampler.expectedLot());
    Optional<SharedNoise> shared =
        overTime.map(wanted -> SharedNoise.of(wanted, steps, parts(places, drawn)));
    Schedule shape = noise.shape();
    if (noise.fittedTo().isEmpty()) {
      double least = shape.least(0, steps - 1);
      Check.that(
          least > 0 || !noise.isPrivate(),
          "noise multiplier",
          "greater than 0 (a run without noise is asked for by name: nonPrivate)",
          least);
      return resolved(sampler, steps, shape, Optional.empty(), adaptive, batches, shared);
    }
    Target target = noise.fittedTo().get();
    if (found.isPresent()) {
      return resolved(sampler, steps, found.get(), Optional.of(target), adaptive, batches, shared);
    }
    // The counts of adaptive clipping are part of a step's multiplier, so the noise is found
    // without them. Whether it can be split is checked once, for the noise that is found.
    double factorFound =
        target.noiseMultiplier(
            new PldAccountant(),
            factor ->
                resolved(
                        sampler,
                        steps,
                        shape.times(factor),
                        Optional.of(target),
                        Optional.empty(),
                        batches,
                        shared)
                    .ledger());
    return resolved(
        sampler, steps, shape.times(factorFound), Optional.of(target), adaptive, batches, shared);
  }

  /**
   * How many parts a cyclic sampler has. With noise over time these are as many as its bands, so
   * that each lot is a small sample of a large part; without, or where only that is proven, each
   * lot is a whole part.
   */
  private int parts(double lot, long units) {
    long whole = wholeParts(lot, units);
    boolean sampled = overTime.isPresent() && neighbouring != Neighbouring.REPLACE_ONE;
    return Math.toIntExact(sampled ? Math.min(whole, overTime.get().bands()) : whole);
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
        oneRowEach,
        overTime);
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
      Optional<MicroBatches> batches,
      Optional<SharedNoise> shared) {
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
        batches,
        shared);
  }
}
