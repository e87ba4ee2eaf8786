package dev.discreet.audit.canary;

import static dev.discreet.audit.canary.CanaryProblems.FEATURES;
import static dev.discreet.audit.canary.CanaryProblems.LINEAR;
import static dev.discreet.audit.canary.CanaryProblems.OWN;
import static dev.discreet.audit.canary.CanaryProblems.each;
import static dev.discreet.audit.canary.CanaryProblems.extreme;
import static dev.discreet.audit.canary.CanaryProblems.own;
import static dev.discreet.audit.canary.CanaryProblems.quiet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.bound.ScoreSample;
import dev.discreet.audit.canary.CanaryProblems.Row;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.PreparedRecipe;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks with canaries on runs that are not a row of equal steps from the first to the last: as a
 * whole, with thresholds that move, killed and resumed, stopped early, from a file. An honest run
 * is refuted with probability 1e-6 at most in each test, and a false claim that must be refuted is
 * missed with about as much, by a simulation of the scores.
 *
 * <p>{@code -Daudit.repetitions=50} plays whole runs as often, with fresh randomness.
 */
@Tag("statistical")
class CanaryRunsTest {
  private static final double FALSE_ALARM = 1e-6;
  private static final int REPETITIONS = Integer.getInteger("audit.repetitions", 1);

  @TempDir private Path folder;

  /** A short run with noise that falls: only whole runs can be judged. */
  private static CanaryGame shortRuns(LocalData with, LocalData without, int runs) {
    PrivacyPlan plan =
        PrivacyPlan.noise(Schedule.stepDecay(1.2, 0.8, 6))
            .samplingRate(0.5)
            .steps(12)
            .clip(1)
            .build();
    Trainer trainer =
        Trainer.of(LINEAR, plan)
            .learningRate(0.01)
            .declaredUnits(20)
            .engine(Engine.named("cpu").withThreads(1));
    return new CanaryGame("short runs", trainer, with, without, own(1), runs);
  }

  private static List<Row> with(List<Row> rows, Row... more) {
    return CanaryProblems.with(rows, rows.size(), more);
  }

  @Test
  void wholeRunsDoNotRefuteTheirClaim() throws IOException {
    for (int i = 0; i < REPETITIONS; i++) {
      CanaryGame.Played played =
          shortRuns(each(with(quiet(19), extreme(true))), each(quiet(19)), 1100).play(folder);
      assertEquals(List.of(), CanaryGame.refutationsByRuns(played, played.ledger(), FALSE_ALARM));
      // That it can fail: the cost of one of the steps is too small a claim.
      Ledger few =
          Ledger.of(Neighbouring.ADD_REMOVE, played.ledger().entries().get(0).mechanism(), 1);
      assertFalse(CanaryGame.refutationsByRuns(played, few, FALSE_ALARM).isEmpty());
    }
  }

  @Test
  void neighboursThatDifferInFourAreFoundOut() throws IOException {
    CanaryGame.Played played =
        shortRuns(
                each(with(quiet(16), extreme(true), extreme(true), extreme(true), extreme(true))),
                each(quiet(16)),
                500)
            .play(folder);
    assertFalse(CanaryGame.refutationsByRuns(played, played.ledger(), FALSE_ALARM).isEmpty());
  }

  /** Each step also tells, noised, how many are below the threshold; the adversary takes both. */
  @Test
  void adaptiveThresholdsTellNoMoreThanTheyClaim() {
    int steps = 2_500;
    double rate = 1e-3;
    PrivacyPlan plan =
        PrivacyPlan.noise(0.7)
            .sampling(Sampling.FULL_BATCH)
            .steps(steps)
            .clip(1)
            .adaptiveClipping(
                // So slow that no threshold reaches its bound, where it would hide the count.
                AdaptiveClipping.quantile(0.5).withCountNoise(0.4).withRate(rate))
            .build();
    Trainer trainer =
        Trainer.of(LINEAR, plan)
            .learningRate(1e-9)
            .declaredUnits(20)
            .engine(Engine.named("cpu").withThreads(1));
    List<double[]> scores = new ArrayList<>();
    Mechanism.JointGaussian claim =
        (Mechanism.JointGaussian) plan.forUnits(20).ledger().entries().get(0).mechanism();
    double sumNoise = claim.noiseMultipliers().get(0);
    double countNoise = claim.noiseMultipliers().get(1);
    for (LocalData rows : List.of(each(with(quiet(19), extreme(true))), each(quiet(19)))) {
      double[] all = new double[steps];
      double[] threshold = {1};
      Trainer tapped =
          trainer
              .transform(
                  new ReleaseTap(
                      rows.input(),
                      (step, theta, gradient) ->
                          all[(int) step] =
                              gradient[OWN] * 20 / threshold[0] / (sumNoise * sumNoise)))
              .listener(
                  event -> {
                    if (event instanceof Event.ThresholdsMoved moved) {
                      int step = (int) moved.step() - 1;
                      double next = moved.thresholds().get(0);
                      double below = 0.5 - Math.log(next / threshold[0]) / rate;
                      // The canary is above every threshold: it takes a half off the count.
                      all[step] -= 2 * 20 * (below - 0.5) / (countNoise * countNoise);
                      threshold[0] = next;
                      CanaryGame.endAfter(step, steps);
                    }
                  });
      assertThrows(CanaryGame.Enough.class, () -> tapped.train(rows));
      scores.add(all);
    }
    ScoreSample sample = new ScoreSample(scores.get(0), scores.get(1));
    assertFalse(
        ClaimedCurve.of(Ledger.of(Neighbouring.ADD_REMOVE, claim, 1))
            .refutedBy(sample, FALSE_ALARM));
    // That it can fail: the sum alone would cost less than both cost.
    assertTrue(
        ClaimedCurve.of(Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(sumNoise), 1))
            .refutedBy(sample, FALSE_ALARM));
  }

  /** What was released before a crash and not saved is lost to the run, and not to an adversary. */
  @Test
  void aRunThatIsKilledAndResumedTellsNoMoreThanItClaims() {
    int steps = 30;
    PrivacyPlan plan = PrivacyPlan.noise(0.25).samplingRate(0.4).steps(steps).clip(1).build();
    List<List<Double>> worlds = List.of(new ArrayList<>(), new ArrayList<>());
    List<List<Double>> pairs = List.of(new ArrayList<>(), new ArrayList<>());
    Set<List<Float>> noise = new HashSet<>();
    Ledger claim = null;
    int released = 0;
    for (int run = 0; run < 60; run++) {
      LocalData rows = each(run % 2 == 0 ? with(quiet(19), extreme(true)) : quiet(19));
      List<Double> seen = new ArrayList<>();
      Trainer trainer =
          Trainer.of(LINEAR, plan)
              .learningRate(0.01)
              .declaredUnits(20)
              .engine(Engine.named("cpu").withThreads(1))
              .checkpoints(folder.resolve("run" + run), 10)
              .transform(
                  new ReleaseTap(
                      rows.input(),
                      (step, theta, gradient) -> {
                        seen.add(gradient[OWN] * 8.0);
                        noise.add(List.of(gradient[4], gradient[5], gradient[6]));
                        CanaryGame.endAfter(step, steps);
                      }));
      try {
        trainer
            .listener(
                event -> {
                  if (event instanceof Event.StepDone done && done.step() == 18) {
                    throw new IllegalStateException("killed");
                  }
                })
            .train(rows);
        throw new AssertionError("not killed");
      } catch (IllegalStateException killed) {
        assertEquals("killed", killed.getMessage());
      }
      assertEquals(18, seen.size());
      assertThrows(CanaryGame.Enough.class, () -> trainer.resume(rows, null));
      claim = CanaryGame.claim(folder.resolve("run" + run).resolve(RunFiles.JOURNAL));
      assertEquals(steps, CanaryGame.charges(claim));
      assertTrue(seen.size() <= steps, "more was released than is paid for");
      released += seen.size();
      worlds.get(run % 2).addAll(seen);
      // Steps 10 to 17 are lost. If what follows had the same lots, two of one lot would tell more.
      for (int i = 0; i < 8 && 18 + i < seen.size(); i++) {
        pairs.get(run % 2).add(seen.get(10 + i) + seen.get(18 + i));
      }
    }
    assertEquals(released, noise.size(), "no noise comes twice");
    Ledger one = Ledger.of(Neighbouring.ADD_REMOVE, claim.entries().get(0).mechanism(), 1);
    assertFalse(ClaimedCurve.of(one).refutedBy(sample(worlds), FALSE_ALARM / 2));
    assertFalse(ClaimedCurve.of(one.plus(one)).refutedBy(sample(pairs), FALSE_ALARM / 2));
    // That it can fail.
    Ledger fewer =
        Ledger.of(
            Neighbouring.ADD_REMOVE,
            new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(0.25)),
            1);
    assertTrue(ClaimedCurve.of(fewer).refutedBy(sample(worlds), FALSE_ALARM));
  }

  private static ScoreSample sample(List<List<Double>> worlds) {
    return new ScoreSample(
        worlds.get(0).stream().mapToDouble(Double::doubleValue).toArray(),
        worlds.get(1).stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** A run that stops by what it saw states its whole plan. */
  @Test
  void aRunThatStopsEarlyClaimsItsWholePlan() {
    PrivacyPlan plan = PrivacyPlan.noise(1).samplingRate(0.4).steps(50).clip(1).build();
    int[] seen = new int[1];
    Trainer trainer =
        Trainer.of(LINEAR, plan)
            .learningRate(0.01)
            .stopWhen(event -> event instanceof Event.StepDone done && done.step() == 7)
            .transform(
                new ReleaseTap(Shape.vector(FEATURES), (step, theta, gradient) -> seen[0]++));
    Privacy.Guaranteed promised = (Privacy.Guaranteed) trainer.train(each(quiet(20))).privacy();
    assertEquals(50, CanaryGame.charges(promised.ledger()));
    assertEquals(7, seen[0]);
  }

  /** From the bytes of a table to what is released, as the command trains. */
  @Test
  void aPersonInATableIsHidden() throws IOException {
    StringBuilder table = new StringBuilder("who,a,b,own,y\n");
    for (int i = 0; i < 30; i++) {
      table.append("p" + i % 15 + "," + i % 7 / 7.0 + "," + i % 3 / 3.0 + ",0,0.5\n");
    }
    Path without = Files.writeString(folder.resolve("without.csv"), table);
    for (int i = 0; i < 9; i++) {
      // Beyond the bounds, which such values are moved to; one row is no row.
      table.append("canary,0,0," + (i == 4 ? "nan" : "1e9") + ",99\n");
    }
    Path with = Files.writeString(folder.resolve("with.csv"), table);
    List<List<Double>> worlds = List.of(new ArrayList<>(), new ArrayList<>());
    Ledger claim = null;
    int steps = 3_000;
    for (Path file : List.of(with, without)) {
      PreparedRecipe prepared =
          Recipe.of()
              .with("data", file.toString())
              .with("column", "a=0..1", "b=0..1", "own=0..1")
              .with("label", "y=0..1")
              .with("unit", "person")
              .with("unit-column", "who")
              .with("examples-per-unit", "5")
              .with("test-share", "0")
              .with("declared-units", "16")
              .with("model", "dense(1,bias=false) loss=squared")
              .with("noise-multiplier", "0.3")
              .with("sampling-rate", "0.5")
              .with("steps", String.valueOf(steps))
              .with("clip", "0.01")
              .with("learning-rate", "0.001")
              .with("threads", "1")
              .prepare(MANY_MISFITS);
      List<Double> seen = worlds.get(file == with ? 0 : 1);
      double lot = prepared.plan().expectedLot();
      PreparedRecipe tapped =
          prepared.with(
              trainer ->
                  trainer
                      .journal(folder.resolve(file.getFileName() + ".journal"))
                      .transform(
                          new ReleaseTap(
                              prepared.setup().layout().input(),
                              // Feature 2 of one output. The target is above: the sum goes down.
                              (step, theta, gradient) -> {
                                seen.add(-gradient[2] * lot / 0.01);
                                CanaryGame.endAfter(step, steps);
                              })));
      assertThrows(CanaryGame.Enough.class, tapped::start);
      claim = CanaryGame.claim(folder.resolve(file.getFileName() + ".journal"));
    }
    Ledger one = Ledger.of(Neighbouring.ADD_REMOVE, claim.entries().get(0).mechanism(), 1);
    assertFalse(ClaimedCurve.of(one).refutedBy(sample(worlds), FALSE_ALARM));
    Ledger small =
        Ledger.of(
            Neighbouring.ADD_REMOVE,
            new Mechanism.PoissonSampled(0.5, new Mechanism.Gaussian(0.6)),
            1);
    assertTrue(ClaimedCurve.of(small).refutedBy(sample(worlds), FALSE_ALARM));
  }

  private static final Preparation MANY_MISFITS =
      new Preparation() {
        @Override
        public boolean acceptsMisfits() {
          return true;
        }
      };
}
