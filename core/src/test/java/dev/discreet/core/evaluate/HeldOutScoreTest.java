package dev.discreet.core.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.TwoParts;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Problems;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldOutScoreTest {
  private static final Examples TRAIN = Problems.classes(400, 1);
  private static final Examples HELD = Problems.classes(300, 2);
  private static final Mechanism SCORE = new Mechanism.Gaussian(20);

  @TempDir Path temp;

  /**
   * All units at each step: what Gaussian noise alone costs has a closed form, and takes no time.
   */
  private static PrivacyPlanBuilder noise() {
    return PrivacyPlan.noise(1).sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(8).clip(1);
  }

  private static Trainer trainer(PrivacyPlan plan) {
    return Trainer.of(Problems.LINEAR, plan).learningRate(1).engine(new Reference());
  }

  private static TestSet.Released held(double share) {
    return new TestSet.Released(HELD, Units.each(300), share);
  }

  private static Ledger ledger(Result result) {
    return ((Guaranteed) result.privacy()).ledger();
  }

  private static Predicate<Event.Released> at(long step) {
    return event -> event instanceof Event.StepDone done && done.step() == step;
  }

  @Test
  void theScoreIsReleasedOnceAtTheEndAndOnTheLedger() {
    List<Event> events = new ArrayList<>();
    PrivacyPlan plan = noise().unit("patient").oneRowEach().build();
    Result result = trainer(plan).listener(events::add).train(TRAIN, held(0.1));
    NoisyScore score = result.heldOut().orElseThrow();
    assertTrue(score.accuracy());
    assertEquals(300, score.units());
    assertEquals(20, score.noiseMultiplier());
    assertEquals(20 / 300.0, score.standardError());
    assertTrue(score.value() >= 0 && score.value() <= 1);
    assertEquals(plan.forUnits(400).ledger().plus(SCORE, 1), ledger(result));
    assertEquals(held(0.1).planned(plan).forUnits(400).ledger(), ledger(result));
    assertEquals(
        List.of(new Event.HeldOutReleased(8, score)),
        events.stream().filter(Event.HeldOutReleased.class::isInstance).toList());
    // The evaluation without noise is the operator's, and not in the result.
    assertEquals(1, events.stream().filter(Event.HeldOut.class::isInstance).count());
    assertTrue(result.evaluations().isEmpty());
    String json = result.toJson();
    assertTrue(json.contains("\"heldOutAccuracy\" : " + score.value()), json);
    assertTrue(json.contains("\"heldOutAccuracyNoise\" : " + 20 / 300.0), json);
    assertFalse(json.contains("testAccuracy"), json);
    String text = result.privacy().statement().replaceAll("\\s+", " ");
    assertTrue(text.contains("1 x Gaussian noise, multiplier 20."), text);
    assertTrue(
        text.contains("The number of held-out patients, 300, was taken as public because"), text);
    String declared = trainer(plan).train(TRAIN, held(0.1).declaring(310)).privacy().statement();
    assertTrue(
        declared
            .replaceAll("\\s+", " ")
            .contains("The number of held-out patients, 310, was declared public."),
        declared);
    assertTrue(
        text.contains(
            "Held out: The accuracy on held-out patients, one of the releases above, is "),
        text);
  }

  /** The noise is 0.2/150, and from a seed. */
  @Test
  void theScoreIsTheMeanOverUnitsByTheirDeclaredNumber() {
    int[][] members = new int[150][];
    long[] ids = new long[150];
    for (int u = 0; u < 150; u++) {
      ids[u] = u;
      members[u] = new int[] {2 * u, 2 * u + 1};
    }
    Units pairs = Units.of(ids, members);
    Trainer trainer = trainer(noise().steps(30).build()).insecureSeed(4);
    double exact =
        ((Evaluation.Classification)
                trainer.train(TRAIN, TestSet.declaredPublic(HELD)).evaluation().orElseThrow())
            .accuracy();
    assertTrue(exact > 0.8, "accuracy " + exact);
    TestSet whole = new TestSet.Released(HELD, pairs, 0.1).noise(0.2).declaring(150);
    assertEquals(exact, trainer.train(TRAIN, whole).heldOut().orElseThrow().value(), 8e-3);
    TestSet twice = new TestSet.Released(HELD, pairs, 0.1).noise(0.2).declaring(300);
    assertEquals(exact / 2, trainer.train(TRAIN, twice).heldOut().orElseThrow().value(), 8e-3);
    TestSet fewer = new TestSet.Released(HELD, pairs, 0.1).noise(0.2).declaring(10);
    assertEquals(1, trainer.train(TRAIN, fewer).heldOut().orElseThrow().value());
  }

  @Test
  void aTargetPaysForStepsAndScoreTogether() {
    PrivacyPlan plan = PrivacyPlan.target(2, 1e-5).lotSize(100).steps(20).clip(1).build();
    TestSet test = held(0.1);
    ResolvedPlan planned = test.planned(plan).forUnits(400);
    double sigma = MechanismCalibration.analyticGaussian(2, 1e-5) / Math.sqrt(0.1);
    assertEquals(List.of(new Mechanism.Gaussian(sigma)), planned.besides());
    double cost = planned.epsilon(1e-5).epsilon();
    assertTrue(cost <= 2 && cost >= 2 * 0.999, "costs " + cost);
    Result result = trainer(plan).train(TRAIN, test);
    assertEquals(planned.ledger(), ledger(result));
    assertEquals(cost, result.epsilon());
    assertEquals(sigma, result.heldOut().orElseThrow().noiseMultiplier());
    double alone = plan.forUnits(400).multiplier(0);
    assertTrue(planned.multiplier(0) > alone, "the steps have less to spend");
  }

  /** Such as the principal components that its inputs were projected on. */
  @Test
  void whatTheCallerReleasesOutOfTheBudgetIsInTheCost() throws IOException {
    Mechanism before = new Mechanism.Gaussian(4);
    PrivacyPlan plan =
        PrivacyPlan.target(2, 1e-5).lotSize(100).steps(20).clip(1).besides(before).build();
    ResolvedPlan planned = plan.forUnits(400);
    Trainer trainer = trainer(plan).checkpoints(temp.resolve("besides"), 5);
    Result result = trainer.stopWhen(at(5)).train(TRAIN, null);
    assertEquals(planned.ledger(), ledger(result));
    result = trainer.resume(TRAIN, null);
    assertEquals(planned.ledger(), ledger(result));
    assertEquals(planned.epsilon(1e-5).epsilon(), result.epsilon());
    TestSet test = held(0.1);
    assertEquals(
        test.planned(plan).forUnits(400).ledger().totals(),
        ledger(trainer(plan).train(TRAIN, test)).totals());
  }

  @Test
  void aRunThatIsStoppedReleasesItToo() {
    PrivacyPlan plan = noise().build();
    Result result = trainer(plan).stopWhen(at(3)).train(TRAIN, held(0.1));
    assertEquals(3, result.steps());
    assertTrue(result.heldOut().isPresent());
    assertEquals(plan.forUnits(400).ledger().plus(SCORE, 1), ledger(result));
  }

  @Test
  void itIsPaidForOnceHoweverOftenTheRunIsResumed() {
    Path folder = temp.resolve("run");
    PrivacyPlan plan = noise().build();
    Trainer trainer = trainer(plan).checkpoints(folder, 2);
    Result half = trainer.stopWhen(at(3)).train(TRAIN, held(0.1));
    Result again = trainer.stopWhen(event -> true).resume(TRAIN, held(0.1));
    // One step on: the score was that of another model.
    assertEquals(4, again.steps());
    assertTrue(half.heldOut().isPresent());
    assertEquals(Optional.empty(), again.heldOut());
    assertTrue(
        again.privacy().statement().contains("A score on held-out examples is one of the releases"),
        again.privacy().statement());
    Result whole = trainer.resume(TRAIN, held(0.1));
    assertEquals(8, whole.steps());
    assertEquals(Optional.empty(), whole.heldOut());
    assertEquals(plan.forUnits(400).ledger().plus(SCORE, 1).totals(), ledger(whole).totals());
  }

  @Test
  void whatWasReleasedIsKeptWithItsModel() {
    PrivacyPlan plan = noise().build();
    Trainer trainer = trainer(plan).checkpoints(temp.resolve("run"), 2);
    Result once = trainer.train(TRAIN, held(0.1));
    Result again = trainer.resume(TRAIN, held(0.1));
    assertEquals(once.heldOut(), again.heldOut());
    assertEquals(ledger(once), ledger(again));
    assertEquals(
        "besides of a resumed run must be as in the checkpoint, ["
            + SCORE
            + "]. Provided value: []",
        assertThrows(
                IllegalArgumentException.class,
                () -> trainer.resume(TRAIN, new TestSet.OperatorOnly(HELD)))
            .getMessage());
  }

  /** On a cluster, say: the sums come from there, and nothing is evaluated on the way. */
  @Test
  void rowsThatAreElsewhereHaveTheSameScore() {
    Trainer trainer = trainer(noise().build()).insecureSeed(3);
    TestSet elsewhere = new TestSet.Released(new TwoParts(units(0, 120), units(120, 300)), 0.1);
    List<Event> events = new ArrayList<>();
    Result there = trainer.listener(events::add).train(TRAIN, elsewhere);
    assertEquals(trainer.train(TRAIN, held(0.1)).heldOut(), there.heldOut());
    assertTrue(events.stream().noneMatch(Event.HeldOut.class::isInstance), events::toString);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, elsewhere::examples);
    assertEquals(
        "data of an evaluation must be rows on this machine. Provided value: TwoParts",
        refused.getMessage());
  }

  /** Rows that somebody made: what the interface allows and {@link PrivateData#of} refuses. */
  private record Made(Examples examples, Units units, Neighbouring kept) implements LocalData {
    @Override
    public void check(Neighbouring relation) {
      Check.that(relation == kept, "relation", "one that the rows keep", relation);
    }

    @Override
    public String declared(String unit) {
      return "Somebody said something of the held-out rows.";
    }
  }

  /** They are released from like the rows to train on, and what is wrong is told in time. */
  @Test
  void heldOutRowsAreCheckedAndDeclaredLikeThoseToTrainOn() throws IOException {
    Path journal = temp.resolve("charges.journal");
    Trainer trainer = trainer(noise().build()).journal(journal);
    TestSet tooMany =
        new TestSet.Released(new Made(HELD, Units.each(301), Neighbouring.ADD_REMOVE), 0.1);
    assertTrue(
        refusal(() -> trainer.train(TRAIN, tooMany))
            .startsWith("examples of the units must be below the number there is, 300."));
    TestSet badlySplit =
        new TestSet.Released(new Made(HELD, Units.each(300), Neighbouring.ZERO_OUT), 0.1);
    assertTrue(refusal(() -> trainer.train(TRAIN, badlySplit)).startsWith("relation must be"));
    assertFalse(Files.exists(journal));

    TestSet declared =
        new TestSet.Released(new Made(HELD, Units.each(300), Neighbouring.ADD_REMOVE), 0.1);
    String said = declared.released().orElseThrow().rows().declared("example");
    Guaranteed privacy = (Guaranteed) trainer.train(TRAIN, declared).privacy();
    assertTrue(privacy.statement().contains(said), privacy.statement());
    assertEquals(List.of(said), privacy.file().conditions());
    assertEquals(List.of(said), Journal.read(journal).stated().conditions());
    assertFalse(
        trainer(noise().build()).train(TRAIN, held(0.1)).privacy().statement().contains(said));
  }

  private static LocalData units(int from, int to) {
    return PrivateData.of(
        HELD,
        Units.of(
            LongStream.range(from, to).toArray(),
            IntStream.range(from, to).mapToObj(i -> new int[] {i}).toArray(int[][]::new)));
  }

  @Test
  void itIsOnTheDiskBeforeItIsComputedAndLostInACrashItStaysCharged() throws IOException {
    Path folder = temp.resolve("run");
    Path journal = folder.resolve("ledger.journal");
    PrivacyPlan plan = noise().build();
    List<Boolean> charged = new ArrayList<>();
    IntConsumer crash =
        example -> {
          charged.add(Journal.read(journal).ledger().totals().containsKey(SCORE));
          if (charged.get(charged.size() - 1)) {
            throw new OutOfMemoryError("in the middle of the release");
          }
        };
    Trainer trainer = trainer(plan).checkpoints(folder, 2);
    assertThrows(
        OutOfMemoryError.class,
        () ->
            trainer.train(
                TRAIN, new TestSet.Released(new Watched(HELD, crash), Units.each(300), 0.1)));
    assertEquals(300 + 1, charged.size(), "one evaluation, and the score's first example");
    Result result = trainer.resume(TRAIN, held(0.1));
    assertEquals(8, result.steps());
    assertEquals(Optional.empty(), result.heldOut());
    assertEquals(plan.forUnits(400).ledger().plus(SCORE, 1), ledger(result));
    try (Journal left = Journal.file(journal, Neighbouring.ADD_REMOVE)) {
      assertEquals(ledger(result), left.ledger());
    }
  }

  private record Watched(Examples all, IntConsumer watch) implements Examples {
    @Override
    public int size() {
      return all.size();
    }

    @Override
    public Shape input() {
      return all.input();
    }

    @Override
    public int targets() {
      return all.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      watch.accept(example);
      all.input(example, to, at);
    }

    @Override
    public void target(int example, float[] to, int at) {
      all.target(example, to, at);
    }
  }

  @Test
  void badRowsAreToldToTheOperatorAndStopNothing() {
    float[] labels = {0, 9, 1};
    Examples bad = Examples.of(Shape.vector(2), new float[6], 1, labels);
    List<Event> events = new ArrayList<>();
    Result result =
        trainer(noise().build())
            .listener(events::add)
            .train(TRAIN, new TestSet.Released(bad, Units.each(3), 0.1));
    assertTrue(result.heldOut().isPresent());
    assertTrue(events.contains(new Event.RefusedExamples(8, 1)), events::toString);
    Result none =
        trainer(noise().build())
            .train(TRAIN, new TestSet.Released(Problems.classes(0, 1), Units.each(0), 0.1));
    assertEquals(1, none.heldOut().orElseThrow().units(), "no rows, and the noise all the same");
  }

  @Test
  void aRegressionHasAScore() {
    Examples set = Examples.of(Shape.vector(1), new float[] {0, 1}, 1, new float[] {0.5f, 0.5f});
    Network network = Network.parse("dense(1) loss=squared");
    Result result =
        Trainer.of(network, PrivacyPlan.noise(1).lotSize(1).steps(2).clip(1).build())
            .learningRate(0.1)
            .train(set, new TestSet.Released(set, Units.each(2), 0.1));
    assertFalse(result.heldOut().orElseThrow().accuracy());
    assertTrue(result.toJson().contains("\"heldOutScore\""), result.toJson());
    assertFalse(result.toJson().contains("Accuracy"), result.toJson());
  }

  /** The noise is 0.01·1.15/400; the model stays at 0, and predicting ½ would be its variance. */
  @Test
  void aRegressionsScoreComesWithTheVarianceOfLabels() throws IOException {
    float[] labels = new float[400];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = i % 4 < 3 ? 0.5f : 0.9f;
    }
    Examples set = Examples.of(Shape.vector(1), new float[400], 1, labels);
    Network network = Network.parse("dense(1,bias=false) loss=squared");
    Trainer trainer =
        Trainer.of(network, noise().steps(2).build())
            .learningRate(0.1)
            .checkpoints(temp.resolve("number"), 1);
    TestSet test = new TestSet.Released(set, Units.each(400), 0.1).noise(0.01).declaring(400);
    NoisyScore score = trainer.train(set, test).heldOut().orElseThrow();
    assertEquals(0.03, score.labelVariance(), 1e-3);
    assertEquals(1 - 0.39, score.value(), 1e-3);
    assertEquals(1 - 0.39 / 0.03, score.rSquared(), 0.5);
    assertFalse(score.saysNothing());
    assertEquals(0.01 / 400 * Math.sqrt(1.3125), score.standardError(), 1e-12);
    assertEquals(Optional.of(score), trainer.resume(set, test).heldOut());
  }

  @Test
  void aRunWithoutPrivacyShowsAllOfItAndSaysSo() {
    PrivacyPlan plan = PrivacyPlan.nonPrivate().lotSize(100).steps(8).build();
    Result result =
        Trainer.nonPrivate(Problems.LINEAR, plan).learningRate(1).train(TRAIN, held(0.1));
    assertEquals(Optional.empty(), result.heldOut());
    assertEquals(300, result.evaluation().orElseThrow().examples());
    assertTrue(result.toJson().contains("NOT PRIVATE"));
  }

  @Test
  void refusals() {
    for (Neighbouring other : List.of(Neighbouring.REPLACE_ONE, Neighbouring.ZERO_OUT)) {
      assertEquals(
          "neighbouring of a run that releases its held-out score must be add/remove (how far one"
              + " unit moves the score is proven for that alone). Provided value: "
              + other.label(),
          refusal(() -> trainer(noise().neighbouring(other).build()).train(TRAIN, held(0.1))));
    }
    for (double share : new double[] {0, -0.1, 0.6, Double.NaN}) {
      assertTrue(refusal(() -> held(share)).startsWith("share of the budget must be in (0, 0.5]."));
    }
    for (double sigma : new double[] {0, -1, 1e9, Double.NaN}) {
      assertTrue(
          refusal(() -> held(0.1).noise(sigma))
              .startsWith("noise multiplier of the held-out score must be greater than 0"));
    }
    assertEquals(
        "declared held-out units must be at least 1. Provided value: 0",
        refusal(() -> held(0.1).declaring(0)));
    assertTrue(
        refusal(() -> new TestSet.Released(HELD, Units.each(301), 0.1))
            .startsWith("examples of the units must be below the number there is, 300."));
    PrivacyPlan alike =
        PrivacyPlan.noise(20).sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(3).clip(1).build();
    assertEquals(
        "noise multiplier of the held-out score must be another than that of a step. Provided"
            + " value: 20",
        refusal(() -> trainer(alike).train(TRAIN, held(0.1))));
    // So little may be spent that the noise would not fit its numbers.
    PrivacyPlan tiny = PrivacyPlan.target(1e-6, 1e-9).lotSize(1).steps(1).clip(1).build();
    assertTrue(
        refusal(() -> held(0.001).planned(tiny))
            .startsWith("noise multiplier of the held-out score must be"));
  }

  private static String refusal(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(IllegalArgumentException.class, call).getMessage();
  }

  @Test
  void theStatedEpsilonIsThatOfAllReleases() {
    PrivacyPlan plan = noise().build();
    double with = trainer(plan).train(TRAIN, held(0.1)).epsilon();
    double without = new PldAccountant().epsilon(plan.forUnits(400).ledger(), 1e-5).epsilon();
    assertTrue(with > without, with + " against " + without);
  }
}
