package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.overtime.SharedNoise;
import dev.discreet.core.schedule.Schedule;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * Everything on which a run's guarantee depends, with nothing left open. Ledger entries are derived
 * from it, and {@link PrivacySession} takes the noise from the same entries, so what is accounted
 * is what runs.
 *
 * <p><b>Formal guarantee.</b> If each step t releases a sum over the sampler's lot in which a unit
 * moves group g by at most {@code thresholds(t)[g]}, with Gaussian noise of {@code
 * multipliers(t)[g]} times that, then the first n steps are as private as {@code ledger(n)} says.
 * The ledger does not depend on thresholds, because noise is relative to them. With adaptive
 * clipping a step also releases a count for each group. A unit moves it by at most ½, and it has
 * noise of {@code countMultiplier()} times that. With noise over time the multipliers are those of
 * the fresh noise of a step, and the first n steps are charged as the whole run: {@link
 * SharedNoise}.
 *
 * @param thresholds of each clipping group; with adaptive clipping, those of the first step
 * @param noise the multiplier of all groups of a step together; it is kept constant over a 64th of
 *     the run at a time, so that the ledger stays short
 * @param noiseShares each group's multiplier relative to the step's
 * @param unit who is protected, as a singular noun
 * @param target what the noise was fitted to, if it was
 * @param besides what is released once each, besides the steps
 * @param adaptive how thresholds follow the norms, if they do
 * @param microBatches how units are averaged before clipping, if they are; the sampler then draws
 *     the groups, and a unit of the guarantee above is a group
 * @param overTime the noise that steps share, if they do
 */
public record ResolvedPlan(
    Sampler sampler,
    long steps,
    ClippingRule clipping,
    List<Schedule> thresholds,
    Schedule noise,
    List<Double> noiseShares,
    Neighbouring neighbouring,
    String unit,
    Optional<Target> target,
    List<Mechanism> besides,
    Optional<AdaptiveClipping> adaptive,
    Optional<MicroBatches> microBatches,
    Optional<SharedNoise> overTime) {
  private static final long LEVELS = 64;

  public ResolvedPlan {
    Check.that(sampler != null, "sampler", "given", null);
    Check.that(steps >= 1 && steps <= 1L << 40, "steps", "in [1, 2^40]", steps);
    Check.that(clipping != null, "clipping rule", "given", null);
    Check.that(noise != null, "noise", "given", null);
    Check.that(
        neighbouring != null, "neighbouring", "one of add/remove, replace-one, zero-out", null);
    Check.that(unit != null && !unit.isBlank(), "privacy unit", "a noun", unit);
    sampler.check(neighbouring);
    thresholds = List.copyOf(thresholds);
    noiseShares = List.copyOf(noiseShares);
    besides = List.copyOf(besides);
    Check.that(!thresholds.isEmpty(), "clipping groups", "at least 1", 0);
    for (Schedule threshold : thresholds) {
      double least = threshold.least(0, steps - 1);
      Check.that(least > 0, "clipping threshold", "greater than 0 at every step", least);
      double largest = threshold.largest(0, steps - 1);
      Check.that(largest < 1e30, "clipping threshold", "below 1e30 at every step", largest);
    }
    Check.that(
        noiseShares.size() == thresholds.size(),
        "noise shares",
        "one for each of " + thresholds.size() + " clipping groups",
        noiseShares.size());
    noiseShares.forEach(
        share ->
            Check.that(
                share > 0 && Double.isFinite(share),
                "noise share",
                "finite and greater than 0",
                share));
    double least = noise.least(0, steps - 1);
    double largest = noise.largest(0, steps - 1);
    boolean none = least == 0 && largest == 0;
    Check.that(
        none || (least > 0 && Double.isFinite(largest)),
        "noise multiplier",
        "finite and greater than 0 at every step, or 0 at all of them",
        least);
    Check.that(
        none || clipping.bounds(),
        "clipping rule",
        "one that bounds a unit's contribution",
        clipping);
    if (clipping.estimated().isPresent()) {
      checkEstimated(none, thresholds.size(), sampler, neighbouring, adaptive);
    }
    Check.that(
        !none || target.isEmpty(), "target", "absent in a run without noise", target.orElse(null));
    if (microBatches.isPresent()) {
      checkMicroBatches(microBatches.get(), sampler, clipping, neighbouring, unit);
    }
    if (overTime.isPresent()) {
      checkOverTime(none, noise, clipping, thresholds, microBatches, adaptive);
      Check.that(
          sampler instanceof Sampler.Cyclic,
          "sampler of noise over time",
          "cyclic, by which a unit keeps its steps",
          sampler);
      Sampler.Cyclic cyclic = (Sampler.Cyclic) sampler;
      overTime.get().check(steps, cyclic.parts(), cyclic.rate());
    }
    if (adaptive.isPresent()) {
      checkAdaptive(adaptive.get(), clipping, thresholds);
      // The largest multiplier is the hardest to split.
      adaptive.get().gradientMultiplier(largest, thresholds.size(), sampler.expectedLot());
    }
  }

  /** A plan with fixed thresholds in which each unit is clipped by itself. */
  public ResolvedPlan(
      Sampler sampler,
      long steps,
      ClippingRule clipping,
      List<Schedule> thresholds,
      Schedule noise,
      List<Double> noiseShares,
      Neighbouring neighbouring,
      String unit,
      Optional<Target> target,
      List<Mechanism> besides) {
    this(
        sampler,
        steps,
        clipping,
        thresholds,
        noise,
        noiseShares,
        neighbouring,
        unit,
        target,
        besides,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static void checkMicroBatches(
      MicroBatches batches,
      Sampler sampler,
      ClippingRule clipping,
      Neighbouring neighbouring,
      String unit) {
    Check.that(
        sampler.units() == batches.groups(),
        "units of the sampler",
        "the micro-batches, " + batches.groups(),
        sampler.units());
    Check.that(
        clipping.bounds(),
        "micro-batch",
        "1 in a run without clipping, where it would change nothing",
        batches.size());
    Check.that(
        clipping.estimated().isEmpty(),
        "micro-batch",
        "1 with estimated norms (a norm is estimated of one example)",
        batches.size());
    Check.that(
        neighbouring == Neighbouring.REPLACE_ONE || unit.equals(MicroBatches.UNIT),
        "neighbouring of micro-batches",
        "replace-one (a unit more, less or other turns its micro-batch's mean from +C to -C at"
            + " worst), or else the unit "
            + MicroBatches.UNIT,
        neighbouring.label() + " of one " + unit);
  }

  /** Allows only what is proven for noise that steps share. */
  private static void checkOverTime(
      boolean none,
      Schedule noise,
      ClippingRule clipping,
      List<Schedule> thresholds,
      Optional<MicroBatches> microBatches,
      Optional<AdaptiveClipping> adaptive) {
    Check.that(!none, "noise over time", "asked for in private runs only", "a run without noise");
    Check.that(
        noise instanceof Schedule.Constant,
        "noise multiplier of noise over time",
        "the same at all steps",
        noise);
    Check.that(
        adaptive.isEmpty() && thresholds.stream().allMatch(Schedule.Constant.class::isInstance),
        "clipping thresholds of noise over time",
        "the same at all steps (what a unit moves is added up over them)",
        adaptive.isPresent() ? "adaptive clipping" : thresholds);
    Check.that(
        clipping.estimated().isEmpty(),
        "clipping of noise over time",
        "one with a fixed sensitivity",
        clipping);
    Check.that(
        microBatches.isEmpty(),
        "micro-batch of a run with noise over time",
        "1 (its proof is for units that keep their steps by themselves)",
        microBatches.map(MicroBatches::size).orElse(1));
  }

  /** Allows only what is proven for a random sensitivity: one unit, one group, one sum. */
  private static void checkEstimated(
      boolean none,
      int groups,
      Sampler sampler,
      Neighbouring neighbouring,
      Optional<AdaptiveClipping> adaptive) {
    Check.that(!none, "estimated norms", "asked for in private runs only", "a run without noise");
    Check.that(
        groups == 1,
        "clipping groups with estimated norms",
        "1 (their errors in several groups have no joint bound)",
        groups);
    Check.that(
        sampler.drawsEachByItself(),
        "sampler with estimated norms",
        "Poisson or full batch (a displaced unit has an error of its own)",
        sampler);
    Check.that(
        neighbouring != Neighbouring.REPLACE_ONE,
        "neighbouring with estimated norms",
        "add/remove or zero-out (two replaced units have errors of their own)",
        neighbouring.label());
    Check.that(
        adaptive.isEmpty(),
        "thresholds with estimated norms",
        "fixed (a count beside a sum of random sensitivity is not accounted for)",
        "adaptive clipping");
  }

  private static void checkAdaptive(
      AdaptiveClipping adaptive, ClippingRule clipping, List<Schedule> thresholds) {
    Check.that(
        clipping.shortensAtThreshold(),
        "clipping rule of adaptive clipping",
        "flat (the others do not shorten at the threshold)",
        clipping);
    for (Schedule threshold : thresholds) {
      Check.that(
          threshold instanceof Schedule.Constant,
          "first threshold of adaptive clipping",
          "one number",
          threshold);
      double first = threshold.at(0);
      Check.that(
          first >= adaptive.least() && first <= adaptive.most(),
          "first threshold of adaptive clipping",
          "in " + Digits.numbersIn(List.of(adaptive.least(), adaptive.most())),
          first);
    }
  }

  /** False for a run without noise, which is non-private by name. */
  public boolean isPrivate() {
    return noise.largest(0, steps - 1) > 0;
  }

  /** The number by which sums are divided: public, and never the size of the drawn lot. */
  public double expectedLot() {
    return sampler.expectedLot();
  }

  /** The declared, public number of units; with micro-batches, of the units in them. */
  public long declaredUnits() {
    return microBatches.map(MicroBatches::units).orElse(sampler.units());
  }

  /** The public number of units that the guarantee is about: single units, or micro-batches. */
  public long publicNumber() {
    return unit().equals(MicroBatches.UNIT) ? sampler.units() : declaredUnits();
  }

  /** How many units a lot has on average; with micro-batches, the units in them. */
  public double expectedUnits() {
    return microBatches
        .map(batches -> expectedLot() / batches.groups() * batches.units())
        .orElse(expectedLot());
  }

  /**
   * How many units a lot has on average if there are {@code count} units instead of the declared
   * number.
   */
  public double lotOf(long count) {
    return microBatches.isEmpty() ? sampler.lotOf(count) : expectedLot();
  }

  /** How often a unit is drawn in the run, on average. */
  public double epochs() {
    return steps * (expectedLot() / sampler.units());
  }

  public int groups() {
    return thresholds.size();
  }

  /** The clipping threshold of each group at a step; with adaptive clipping, at the first step. */
  public double[] thresholds(long step) {
    return thresholds.stream().mapToDouble(threshold -> threshold.at(step)).toArray();
  }

  /** The largest threshold of any group at any step. */
  public double largestThreshold() {
    return adaptive.isPresent()
        ? adaptive.get().most()
        : thresholds.stream().mapToDouble(t -> t.largest(0, steps - 1)).max().orElseThrow();
  }

  /** The grid of this plan's sums, with chunks of about {@code perChunk} members. */
  public Grid grid(double perChunk) {
    return grid(perChunk, 1);
  }

  /** The same for units that lie in so many buckets. */
  public Grid grid(double perChunk, int buckets) {
    return Grid.of(expectedLot(), perChunk, clipping.most() * largestThreshold(), buckets);
  }

  /** Refuses noise over time that is too large to be drawn, before it is charged. */
  public void checkNoise(Grid grid) {
    if (overTime.isPresent()) {
      double largest = Arrays.stream(multipliers(0)).max().orElseThrow() * largestThreshold();
      // The sensitivity is a little more than the threshold.
      double steps = 2 * Math.scalb(largest, SharedNoise.BITS - grid.exponent());
      Check.that(
          steps <= Noise.LARGEST,
          "noise multiplier of a run with noise over time",
          "at most "
              + Digits.shortest(multiplier(0) * Noise.LARGEST / steps)
              + ", for which its sums have digits",
          multiplier(0));
    }
  }

  /** The noise multiplier of everything that a step releases: this is what the accounting sees. */
  public double multiplier(long step) {
    checkStep(step);
    long hold = hold();
    return noise.at(step / hold * hold);
  }

  /**
   * How many steps keep one multiplier. These are whole charges, so that one entry holds for its
   * steps.
   */
  private long hold() {
    long together = sampler.stepsPerCharge();
    return noise instanceof Schedule.Constant
        ? Math.max(steps, together)
        : together * ((steps + LEVELS * together - 1) / (LEVELS * together));
  }

  /** Each group's noise multiplier at a step: standard deviation ÷ threshold. */
  public double[] multipliers(long step) {
    double joint = multiplier(step);
    double multiplier =
        adaptive
            .map(split -> split.gradientMultiplier(joint, groups(), expectedLot()))
            .orElse(joint);
    return noiseShares.stream().mapToDouble(share -> share * multiplier).toArray();
  }

  /**
   * The deviation of a step's noise on each group: relative to threshold, and to {@code
   * multipliers(step)} where steps share noise.
   */
  public double[] deviations(long step) {
    double spread = overTime.map(shared -> shared.spread(step)).orElse(1.0);
    return Arrays.stream(multipliers(step)).map(each -> each * spread).toArray();
  }

  /**
   * The multiplier of independent noise that leaves the sums of gradients over the run as exact as
   * this plan's noise leaves them; the step's own where steps share none.
   */
  public double comparableMultiplier(long step) {
    return multiplier(step) * overTime.map(SharedNoise::error).orElse(1.0);
  }

  /** How many counts a step releases beside its sum: one for each group, or none. */
  public int counts() {
    return adaptive.isPresent() ? groups() : 0;
  }

  /**
   * The noise multiplier of each count of adaptive clipping: standard deviation ÷ ½. It is 0 in a
   * run without noise.
   */
  public double countMultiplier() {
    return isPrivate() && adaptive.isPresent() ? adaptive.get().countMultiplier(expectedLot()) : 0;
  }

  /**
   * The ledger entry of a step. Where {@link Sampler#stepsPerCharge} is more than 1, one such entry
   * pays for all steps of the epoch; with noise over time, {@link SharedNoise#charges} of them pay
   * for the run.
   */
  public Mechanism mechanism(long step) {
    double moved = overTime.map(SharedNoise::sensitivity).orElse(1.0);
    DoubleStream gradient = Arrays.stream(multipliers(step)).map(each -> each / moved);
    DoubleStream counts = DoubleStream.generate(this::countMultiplier).limit(counts());
    return sampler.sampled(
        clipping.mechanism(DoubleStream.concat(gradient, counts).boxed().toList()));
  }

  /** What the whole run costs: its steps, and what is released besides. */
  public Ledger ledger() {
    return ledgerUpTo(steps);
  }

  /** What a run costs that ends after so many steps, with what is released besides. */
  public Ledger ledgerUpTo(long done) {
    Ledger ledger = ledger(done);
    for (Mechanism release : besides) {
      ledger = ledger.plus(release, 1);
    }
    return ledger;
  }

  /** What the whole run would cost with so many times its noise on the steps. */
  public Ledger ledgerAtNoise(double factor) {
    // The counts of adaptive clipping are part of a step's multiplier, so they cost nothing more.
    return new ResolvedPlan(
            sampler,
            steps,
            clipping,
            thresholds,
            noise.times(factor),
            noiseShares,
            neighbouring,
            unit,
            target,
            besides,
            Optional.empty(),
            microBatches,
            overTime)
        .ledger();
  }

  /**
   * What the first {@code done} steps cost; an epoch that was begun is charged whole, and so is a
   * run with noise over time.
   */
  public Ledger ledger(long done) {
    Check.that(done >= 0 && done <= steps, "steps done", "in [0, " + steps + "]", done);
    if (overTime.isPresent() && done > 0) {
      return Ledger.of(neighbouring, mechanism(0), overTime.get().charges());
    }
    long together = sampler.stepsPerCharge();
    long hold = hold();
    Ledger ledger = Ledger.empty(neighbouring);
    for (long step = 0; step < done; step += hold) {
      long held = Math.min(hold, done - step);
      ledger = ledger.plus(mechanism(step), (held + together - 1) / together);
    }
    return ledger;
  }

  /** What the whole run costs, certified. */
  public Guarantee epsilon(double delta) {
    return new PldAccountant().epsilon(ledger(), delta);
  }

  /**
   * How many charges to reserve at a step. They are equal, and at most a hundredth of the run,
   * because a crash may over-report by that much.
   */
  long equalCharges(long step) {
    long hold = hold();
    long left = Math.min(steps, step / hold * hold + hold) - step;
    long together = sampler.stepsPerCharge();
    return Math.max(1, Math.min(left / together, steps / together / 100));
  }

  private void checkStep(long step) {
    Check.that(step >= 0 && step < steps, "step", "in [0, " + steps + ")", step);
  }
}
