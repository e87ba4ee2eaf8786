package dev.discreet.audit.canary;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.bound.EpsilonLowerBound;
import dev.discreet.audit.bound.GaussianFit;
import dev.discreet.audit.bound.OneRunBound;
import dev.discreet.audit.bound.SampledGaussianFit;
import dev.discreet.audit.bound.ScoreSample;
import dev.discreet.audit.canary.CanaryAudit.Finding;
import dev.discreet.audit.canary.CanaryAudit.Scores;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.draws.Dice;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Listener;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.recipe.setup.TrainingSetup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Trains a recipe again and again, with canaries that are in by the toss of a coin, and says what
 * its releases give away about the coins.
 *
 * <p>A canary that is not in is left out under add/remove, and cannot be used (so that it counts as
 * zero) under zero-out. Under replace-one, its mirror image is in its place.
 */
public final class TrainingAudit {
  // How many ways to judge there are: each gets its share of the error.
  private static final int FINDINGS = 8;
  // One step's noise is in the scores of all canaries, and a canary's gradient may lie along
  // another's.
  private static final String INDEPENDENT = "scores are independent of each other";
  // Of all canaries, those whose coins are guessed, most conspicuous ones first.
  private static final double[] GUESSED = {0.125, 0.5, 1};

  private final TrainingSetup setup;
  private final ResolvedPlan plan;
  private final Trainer trainer;
  private final LocalData rows;
  private final List<Canary> canaries;
  private final double claimed;
  private final double delta;
  private final List<double[]> stepsWith = new ArrayList<>();
  private final List<double[]> stepsWithout = new ArrayList<>();
  private final DoubleStream.Builder runsWith = DoubleStream.builder();
  private final DoubleStream.Builder runsWithout = DoubleStream.builder();

  private TrainingAudit(TrainingSetup setup, int canaries) {
    this.setup = setup;
    this.plan = setup.plan();
    Guarantee cost =
        Optional.of(setup)
            .filter(each -> !each.startsNotPrivate())
            .flatMap(each -> each.prepared(each.trainer()).cost())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "recipe to audit must be that of a private run with secret keys. Provided"
                            + " value: one that promises nothing"));
    this.claimed = cost.epsilon();
    this.delta = cost.delta();
    this.rows = LocalData.required(setup.data().train(), "an audit");
    this.canaries = CanaryMaker.make(rows.examples(), setup.data().task(), canaries);
    this.trainer =
        setup
            .started(setup.trainer(), line -> {}, () -> false)
            .declaredUnits(setup.units())
            .evaluateEvery(Long.MAX_VALUE);
  }

  /**
   * Audits.
   *
   * @param setup what to train; it must set no file to write
   * @param runs how often, at least 1
   * @param canaries how many, at least 32
   * @param confidence of all findings together
   * @param progress hears a line after each run
   */
  public static CanaryAudit of(
      TrainingSetup setup, int runs, int canaries, double confidence, Consumer<String> progress) {
    Check.that(runs >= 1, "runs", "at least 1", runs);
    // With fewer, the coins might leave too few on one side to judge by.
    Check.that(canaries >= 32, "canaries", "at least 32", canaries);
    Check.that(
        !setup.plan().unit().equals(MicroBatches.UNIT),
        "unit of an audited run",
        "one that a canary can be",
        setup.plan().unit());
    Check.that(confidence > 0 && confidence < 1, "confidence", "in (0, 1)", confidence);
    TrainingAudit audit = new TrainingAudit(setup, canaries);
    Dice coins = Randomness.secure().dice("canaries");
    double errorRate = (1 - confidence) / FINDINGS;
    List<Finding> findings = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      boolean[] in = new boolean[canaries];
      for (int i = 0; i < canaries; i++) {
        in[i] = coins.chance(1, 2);
      }
      Seen seen = audit.train(in);
      if (run == 0) {
        findings.add(audit.oneRun("one run, every release", seen.sums, in, errorRate));
        findings.add(audit.oneRun("one run, its model", seen.losses, in, errorRate));
      }
      progress.accept("run " + (run + 1) + " of " + runs);
    }
    return audit.judged(findings, runs, confidence, errorRate);
  }

  /** What an adversary makes of one run: of each canary, a sum of scores and how its loss fell. */
  private record Seen(double[] sums, double[] losses) {}

  private Seen train(boolean[] in) {
    List<Canary> present = new ArrayList<>();
    for (int i = 0; i < in.length; i++) {
      Canary each = canaries.get(i);
      switch (plan.neighbouring()) {
        case ADD_REMOVE -> {
          if (in[i]) {
            present.add(each);
          }
        }
        case ZERO_OUT -> present.add(in[i] ? each : unusable(each));
        case REPLACE_ONE -> present.add(in[i] ? each : mirrored(each));
      }
    }
    double[] sums = new double[in.length];
    try (CanaryScorer scorer =
        new CanaryScorer(setup.layout(), setup.frozen(), plan, setup.engine(), rows, canaries)) {
      float[][] start = new float[1][];
      ReleaseTap tap =
          new ReleaseTap(
              rows.input(),
              (step, theta, gradient) -> {
                start[0] = start[0] == null ? theta.clone() : start[0];
                add(scorer.of(step, theta, gradient), in, sums);
              });
      Listener thresholds =
          event -> {
            if (event instanceof Event.ThresholdsMoved moved) {
              scorer.thresholds(moved.thresholds());
            }
          };
      Result result =
          trainer
              .transform(tap)
              .prepare(CanaryRows.of(rows, present), setup.test(), plan)
              .start(thresholds);
      for (int i = 0; i < in.length; i++) {
        (in[i] ? runsWith : runsWithout).add(sums[i]);
      }
      return new Seen(sums, scorer.lossFallen(start[0], result.model().parameters()));
    }
  }

  private void add(double[] scores, boolean[] in, double[] sums) {
    stepsWith.add(
        IntStream.range(0, in.length).filter(i -> in[i]).mapToDouble(i -> scores[i]).toArray());
    stepsWithout.add(
        IntStream.range(0, in.length).filter(i -> !in[i]).mapToDouble(i -> scores[i]).toArray());
    for (int i = 0; i < in.length; i++) {
      sums[i] += scores[i];
    }
  }

  private static Canary unusable(Canary canary) {
    float[] inputs = new float[canary.inputs().length];
    Arrays.fill(inputs, Float.NaN);
    return new Canary(inputs, canary.targets());
  }

  private static Canary mirrored(Canary canary) {
    float[] inputs = canary.inputs().clone();
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = -inputs[i];
    }
    return new Canary(inputs, canary.targets());
  }

  private CanaryAudit judged(
      List<Finding> findings, int runs, double confidence, double errorRate) {
    Scores steps = new Scores(flat(stepsWith), flat(stepsWithout));
    Scores whole = new Scores(runsWith.build().toArray(), runsWithout.build().toArray());
    refuseConstant(whole);
    List<String> leftOut = new ArrayList<>();
    // Steps can be judged together where all of them are charged alike, and by themselves. What is
    // released besides is no step.
    if (plan.sampler().stepsPerCharge() > 1) {
      leftOut.add("single steps: several steps are one charge");
    } else if (plan.ledger(plan.steps()).entries().size() > 1) {
      leftOut.add("single steps: not all of them have the same noise");
    } else {
      List<Finding> fits = fitted(steps, errorRate);
      if (fits.isEmpty()) {
        leftOut.add("single steps, fitted: they are no sampled Gaussians by their claim");
      }
      findings.addAll(fits);
      boolean refuted =
          ClaimedCurve.of(Ledger.of(plan.neighbouring(), plan.mechanism(0), 1))
              .refutedBy(new ScoreSample(steps.with(), steps.without()), errorRate);
      findings.add(new Finding("single steps, against their claim", INDEPENDENT, 0, refuted));
    }
    ScoreSample sample = new ScoreSample(whole.with(), whole.without());
    double lower = EpsilonLowerBound.of(sample, delta, errorRate).epsilon();
    boolean refuted = ClaimedCurve.of(plan.ledger()).refutedBy(sample, errorRate);
    findings.add(new Finding("whole runs", INDEPENDENT, lower, refuted || lower > claimed));
    double fitted = GaussianFit.of(sample, errorRate).epsilon(delta);
    findings.add(
        new Finding(
            "whole runs, fitted",
            INDEPENDENT + ", and a whole run is nearly a Gaussian",
            fitted,
            false));
    return new CanaryAudit(
        plan.ledger(),
        claimed,
        delta,
        confidence,
        runs,
        canaries.size(),
        findings,
        leftOut,
        steps,
        whole);
  }

  /** Scores that are all equal tell nothing of anyone: then the audit is broken, not passed. */
  private static void refuseConstant(Scores scores) {
    Check.that(
        DoubleStream.concat(Arrays.stream(scores.with()), Arrays.stream(scores.without()))
                .distinct()
                .count()
            > 1,
        "scores of canaries",
        "more than one value (is every parameter frozen?)",
        scores.with()[0]);
  }

  /** Steps as sampled Gaussians, composed; not where a mirror image is in the place of a canary. */
  private List<Finding> fitted(Scores steps, double errorRate) {
    OptionalDouble rate = rate(plan.mechanism(0));
    if (rate.isEmpty() || plan.neighbouring() == Neighbouring.REPLACE_ONE) {
      return List.of();
    }
    double q = rate.getAsDouble();
    double cut = SampledGaussianFit.of(steps.with(), steps.without(), q, errorRate).mu();
    double means = SampledGaussianFit.muByMeans(steps.with(), steps.without(), q, errorRate);
    return List.of(
        composed(
            "single steps, fitted at a cut and composed",
            INDEPENDENT + ", and steps are Gaussians, sampled as claimed",
            cut),
        composed(
            "single steps, fitted by their likelihood and composed",
            INDEPENDENT + " and normal, and steps are Gaussians, sampled as claimed",
            means));
  }

  private Finding composed(String method, String assumes, double mu) {
    double moved = plan.mechanism(0) instanceof Mechanism.FixedSizeSampled ? 2 : 1;
    double noise = moved / mu / plan.multiplier(0);
    double epsilon =
        mu == 0 ? 0 : new PldAccountant().epsilon(plan.ledgerAtNoise(noise), delta).epsilonLower();
    return new Finding(method, assumes, epsilon, noise < 1);
  }

  private static OptionalDouble rate(Mechanism step) {
    if (step instanceof Mechanism.Sampled sampled) {
      return rate(sampled.inner()).isPresent()
          ? OptionalDouble.of(sampled.rate())
          : OptionalDouble.empty();
    }
    return step instanceof Mechanism.Gaussian || step instanceof Mechanism.JointGaussian
        ? OptionalDouble.of(1)
        : OptionalDouble.empty();
  }

  private Finding oneRun(String method, double[] scores, boolean[] in, double errorRate) {
    int[] order =
        IntStream.range(0, scores.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -scores[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    double best = 0;
    for (double share : GUESSED) {
      int half = (int) (share * scores.length / 2);
      int right = 0;
      for (int i = 0; i < half; i++) {
        right += (in[order[i]] ? 1 : 0) + (in[order[scores.length - 1 - i]] ? 0 : 1);
      }
      best =
          Math.max(
              best,
              OneRunBound.of(scores.length, 2 * half, right, delta, errorRate / GUESSED.length)
                  .epsilon());
    }
    return new Finding(method, Finding.NOTHING, best, best > claimed);
  }

  private static double[] flat(List<double[]> parts) {
    return parts.stream().flatMapToDouble(Arrays::stream).toArray();
  }
}
