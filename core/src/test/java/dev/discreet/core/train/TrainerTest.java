package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.schedule.Schedule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TrainerTest {
  private static final Examples TRAIN = Problems.classes(400, 1);

  private static final TestSet TEST = TestSet.declaredPublic(Problems.classes(200, 2));

  private static PrivacyPlanBuilder noise(double multiplier) {
    return PrivacyPlan.noise(multiplier).lotSize(100).steps(40).clip(1);
  }

  private static Trainer trainer(PrivacyPlan plan) {
    return Trainer.of(Problems.LINEAR, plan)
        .learningRate(1)
        .insecureSeed(7)
        .engine(new Reference());
  }

  @Test
  void learnsWithinItsBudgetAndSaysWhatItCost() {
    PrivacyPlan plan = PrivacyPlan.target(4, 1e-5).lotSize(100).epochs(10).clip(1).build();
    Result result = trainer(plan).train(TRAIN, TEST);
    Classification last = (Classification) result.evaluation().orElseThrow();
    assertTrue(last.accuracy() > 0.9, () -> "accuracy " + last.accuracy());
    Guaranteed privacy = (Guaranteed) result.privacy();
    assertEquals(plan.forUnits(400).ledger(), privacy.ledger());
    assertTrue(privacy.guarantee().epsilon() <= 4);
    assertTrue(privacy.guarantee().epsilon() > 3.99);
    assertEquals(1e-5, privacy.guarantee().delta());
    assertEquals(40, result.steps());
    assertEquals(10, result.evaluations().size());
    assertEquals("dense(2)", result.provenance().configuration().texts().get("network"));
  }

  @Test
  void anInsecureRunSaysSoEverywhereAndPromisesNothing() {
    Result result = trainer(noise(2).build()).train(TRAIN);
    assertTrue(result.privacy().statement().startsWith("INSECURE"));
    assertTrue(result.toJson().indexOf("INSECURE") < result.toJson().indexOf("epsilon"));
    for (String promise : List.of("epsilon", "epsilonLower", "delta")) {
      assertFalse(result.toJson().contains("\"" + promise + "\""), promise);
      assertTrue(result.toJson().contains("\"" + promise + "WithSecretKeys\""), promise);
    }
    assertTrue(result.privacy().toString().startsWith("INSECURE"));
    String text = result.toString();
    assertTrue(text.startsWith("Result[privacy=INSECURE"), text);
    assertTrue(result.provenance().seeds().text().startsWith("insecure"));
    assertEquals(Double.POSITIVE_INFINITY, result.epsilon());
  }

  @Test
  void aSecureRunPromisesAndDiffersEachTime() {
    Trainer secure =
        Trainer.of(Problems.LINEAR, noise(2).steps(3).build())
            .learningRate(1)
            .engine(new Reference());
    Result first = secure.train(TRAIN);
    assertTrue(first.privacy().statement().startsWith("PRIVACY STATEMENT"));
    assertEquals(((Guaranteed) first.privacy()).guarantee().epsilon(), first.epsilon());
    assertFalse(
        Arrays.equals(first.model().parameters(), secure.train(TRAIN).model().parameters()));
  }

  @Test
  void theNumberOfUnitsIsSaidToBePublic() {
    Trainer trainer = trainer(noise(2).unit("patient").oneRowEach().steps(2).build());
    String counted = trainer.delta(1 / 401.0).train(TRAIN).privacy().statement();
    assertTrue(
        counted
            .replace("\n  ", " ")
            .contains(
                "\n\nPublic: The number of patients, 400, was taken as public because none was"
                    + " declared (declare one with --declared-units, or in Java declaredUnits).\n"),
        counted);
    assertFalse(counted.contains("declared public"), counted);
    assertFalse(counted.contains("not small"), counted);
    String declared =
        trainer.declaredUnits(500).delta(1 / 500.0).train(TRAIN).privacy().statement();
    assertTrue(declared.contains("The number of patients, 500, was declared public."), declared);
    assertTrue(declared.contains("WEAK PROMISE: delta is above 1/(10 x 500)"), declared);
    String tested = trainer.train(TRAIN, TEST).privacy().statement().replace("\n  ", " ");
    assertTrue(tested.contains("examples that were declared public. They are not prot"), tested);
  }

  @Test
  void epochsEndAtTheirLastStepHoweverTheRateIsRounded() {
    // 1/49·49 is below 1.
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(1).epochs(3).clip(1).build();
    List<Event> ends = new ArrayList<>();
    trainer(plan)
        .listener(
            event -> {
              if (event instanceof Event.EpochDone) {
                ends.add(event);
              }
            })
        .train(Problems.classes(49, 1));
    assertEquals(
        List.of(
            new Event.EpochDone(49, 1), new Event.EpochDone(98, 2), new Event.EpochDone(147, 3)),
        ends);
  }

  @Test
  void unitsOfExamplesThatAreNotThereAreRefused() {
    Units units = Units.of(new long[] {1}, new int[][] {{400}});
    assertEquals(
        "examples of the units must be below the number there is, 400. Provided value: 400",
        assertThrows(
                IllegalArgumentException.class,
                () -> trainer(noise(1).lotSize(1).build()).train(TRAIN, units, null))
            .getMessage());
  }

  @Test
  void theSameSeedGivesTheSameModelAndAnotherAnother() {
    Trainer trainer = trainer(noise(1).build());
    float[] once = trainer.train(TRAIN).model().parameters();
    assertArrayEquals(once, trainer.train(TRAIN).model().parameters());
    assertFalse(Arrays.equals(once, trainer.insecureSeed(8).train(TRAIN).model().parameters()));
  }

  @Test
  void aStoppedRunIsEvaluatedWhereItStopped() {
    Result result =
        trainer(noise(1).build())
            .stopWhen(event -> event instanceof Event.StepDone done && done.step() == 13)
            .train(TRAIN, TEST);
    assertEquals(13, result.steps());
    List<Event.Evaluated> all = result.evaluations();
    assertEquals(13, all.get(all.size() - 1).step());
  }

  @Test
  void aNonPrivateRunIsAskedForByNameAndSaysSoFirst() {
    PrivacyPlan none = PrivacyPlan.nonPrivate().lotSize(100).epochs(20).build();
    assertThrows(IllegalArgumentException.class, () -> trainer(none));
    assertThrows(
        IllegalArgumentException.class,
        () -> Trainer.nonPrivate(Problems.LINEAR, noise(1).build()));
    Result result =
        Trainer.nonPrivate(Problems.LINEAR, none)
            .learningRate(1)
            .insecureSeed(1)
            .train(TRAIN, TEST);
    assertTrue(result.privacy().statement().startsWith("NOT PRIVATE"));
    assertTrue(result.toString().startsWith("Result[privacy=NOT PRIVATE"), result.toString());
    assertTrue(result.model().privacy().contains("INSECURE"), "and seeded");
    assertTrue(result.toJson().stripLeading().startsWith("{\n  \"privacy\" : \"NOT PRIVATE"));
    assertEquals(Double.POSITIVE_INFINITY, result.epsilon());
    assertTrue(((Classification) result.evaluation().orElseThrow()).accuracy() > 0.95);
  }

  /** Lots that outgrow what their sensitivity was proven for would end a run that is half paid. */
  @Test
  void farMoreUnitsThanDeclaredAreRefusedBeforeAnythingIsSpent(@TempDir Path temp) {
    PrivacyPlan plan = noise(1).sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(3).build();
    Path folder = temp.resolve("run");
    Trainer few = trainer(plan).declaredUnits(10).checkpoints(folder, 1);
    Throwable refused =
        assertThrows(IllegalArgumentException.class, () -> few.train(Problems.classes(90, 1)));
    assertTrue(refused.getMessage().startsWith("declared units must be near"), refused::getMessage);
    assertTrue(Files.notExists(folder));
    assertEquals(3, trainer(plan).declaredUnits(10).train(Problems.classes(20, 1)).steps());
  }

  @Test
  void emptyLotsAreStepsOfNoise() {
    List<Double> norms = new ArrayList<>();
    Result result =
        trainer(noise(1).steps(5).build())
            .declaredUnits(400)
            .listener(
                event -> {
                  if (event instanceof Event.StepDone done) {
                    norms.add(done.noisyGradientNorm());
                  }
                })
            .train(Problems.classes(0, 1));
    assertEquals(5, ((Guaranteed) result.privacy()).ledger().entries().get(0).count());
    assertEquals(5, norms.size());
    assertTrue(norms.stream().allMatch(norm -> norm > 0));
  }

  @Test
  void frozenLayersKeepTheirParameters() {
    Network network = Network.parse("dense(3) tanh dense(2)");
    Trainer trainer =
        Trainer.of(network, noise(1).steps(4).build())
            .learningRate(1)
            .insecureSeed(3)
            .initialiser(Initialiser.HE_NORMAL, 5)
            .weightDecay(new WeightDecay.Decoupled(0.1, false))
            .ema(0.9)
            .freeze("0");
    Result result = trainer.train(TRAIN);
    var layout = result.model().layout();
    float[] start = layout.initial(Initialiser.HE_NORMAL, 5);
    float[] end = result.model().parameters();
    int border = layout.slices().get(2).offset();
    for (int i = 0; i < end.length; i++) {
      if (i < border) {
        assertEquals(start[i], end[i]);
      } else {
        assertNotEquals(start[i], end[i]);
      }
    }
    assertThrows(IllegalArgumentException.class, () -> trainer.freeze("1").train(TRAIN));
    assertThrows(IllegalArgumentException.class, () -> trainer.freeze("0", "2").train(TRAIN));
  }

  @Test
  void clippingGroupsAreTheLayersOrAsNamed() {
    Network network = Network.parse("dense(3) tanh dense(2)");
    PrivacyPlan plan = noise(1).steps(4).clipGroups(0.5, 2.0).build();
    Trainer trainer = Trainer.of(network, plan).learningRate(1).insecureSeed(3);
    Result result = trainer.train(TRAIN);
    assertEquals("[0, 0, 1, 1]", result.provenance().configuration().texts().get("clippingGroups"));
    assertEquals(plan.forUnits(400).ledger(), ((Guaranteed) result.privacy()).ledger());
    Result swapped = trainer.clippingGroups(List.of(List.of("2"), List.of("0"))).train(TRAIN);
    assertEquals(
        "[1, 1, 0, 0]", swapped.provenance().configuration().texts().get("clippingGroups"));
    assertThrows(
        IllegalArgumentException.class,
        () -> trainer.clippingGroups(List.of(List.of("0"))).train(TRAIN));
    assertThrows(
        IllegalArgumentException.class,
        () -> Trainer.of(Problems.LINEAR, plan).learningRate(1).train(TRAIN));
  }

  @Test
  void listenersHearReleasedAndOperatorsValuesApart() {
    List<Event> events = new ArrayList<>();
    Result result =
        trainer(noise(1).steps(8).build())
            .evaluateEvery(3)
            .listener(events::add)
            .train(TRAIN, Units.each(400), new TestSet.OperatorOnly(Problems.classes(50, 3)));
    assertEquals(8, events.stream().filter(Event.StepDone.class::isInstance).count());
    assertEquals(1, events.stream().filter(Event.Timing.class::isInstance).count());
    assertEquals(2, events.stream().filter(Event.EpochDone.class::isInstance).count());
    assertEquals(
        List.of(8L),
        events.stream().filter(Event.HeldOut.class::isInstance).map(Event::step).toList());
    assertTrue(result.evaluations().isEmpty(), "held-out rows are in no result");
    assertFalse(result.toJson().contains("testLoss"));
  }

  /** All of a step's time is said to be some part of it, on the way or at the end. */
  @Test
  void theTimeOfAStepIsTheTimeOfItsParts() {
    Set<StepPhase> common =
        Set.of(
            StepPhase.CHARGE,
            StepPhase.WEIGHTS,
            StepPhase.LOT,
            StepPhase.GRADIENTS,
            StepPhase.GATHER,
            StepPhase.MEAN,
            StepPhase.UPDATE);
    PrivacyPlan plain = PrivacyPlan.nonPrivate().lotSize(100).steps(8).build();
    for (Trainer each :
        List.of(
            trainer(noise(1).steps(8).build()),
            trainer(noise(1).steps(8).build()).watchPrivate(),
            Trainer.nonPrivate(Problems.LINEAR, plain).learningRate(0.1))) {
      List<Event.Timing> times = new ArrayList<>();
      each.engine(Engine.standard().withThreads(2))
          .listener(
              event -> {
                if (event instanceof Event.Timing timing) {
                  times.add(timing);
                }
              })
          .train(TRAIN);
      for (Event.Timing timing : times) {
        Set<StepPhase> told = new HashSet<>(timing.phases().keySet());
        assertTrue(told.containsAll(common), told::toString);
        double parts = timing.phases().values().stream().mapToDouble(part -> part).sum();
        assertEquals(timing.seconds(), parts, 1e-9, timing::toString);
      }
      assertEquals(8, times.stream().mapToLong(Event.Timing::steps).sum());
    }
  }

  @Test
  void theLearningRateFollowsItsSchedule() {
    List<Double> rates = new ArrayList<>();
    trainer(noise(1).steps(6).build())
        .learningRate(Schedule.linear(1, 0.2, 4).warmUp(2))
        .listener(
            event -> {
              if (event instanceof Event.StepDone done) {
                rates.add(done.learningRate());
              }
            })
        .train(TRAIN);
    double[] expected = {0.5, 0.8, 0.6, 0.4, 0.2, 0.2};
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], rates.get(i), 1e-12);
    }
  }

  static Stream<Optimizer> optimizers() {
    return Stream.of(
        new Optimizer.Momentum(0.9),
        new Optimizer.Nesterov(0.9),
        new Optimizer.Adam(),
        new Optimizer.AdamW(0.01),
        new Optimizer.DpAdam(1e-3));
  }

  @ParameterizedTest
  @MethodSource("optimizers")
  void learnsWithEveryOptimizer(Optimizer optimizer) {
    Result result =
        trainer(noise(0.5).build())
            .optimizer(optimizer)
            .learningRate(Schedule.cosine(0.2, 0, 40).warmUp(5))
            .ema(0.9)
            .train(TRAIN, TEST);
    assertTrue(((Classification) result.evaluation().orElseThrow()).accuracy() > 0.85);
  }

  @Test
  void decoupledDecaySettlesWhereOnlyThresholdAndRateDecideAndDecayBeforeClippingDoesNot() {
    // Seed 000, section 3.2: R = 1, λ = 0.5, η = 0.1, 100 steps without noise.
    assertEquals(
        2 * (1 - Math.pow(0.95, 100)), extreme(new WeightDecay.Decoupled(0.5, false)), 1e-3);
    assertEquals(3.8 / 1.5, extreme(new WeightDecay.BeforeClipping(0.5, false)), 1e-3);
    assertEquals(3.8, extreme(new WeightDecay.None()), 1e-2);
  }

  private static double extreme(WeightDecay decay) {
    PrivacyPlan plan =
        PrivacyPlan.nonPrivate()
            .clip(1)
            .sampling(PrivacyPlan.Sampling.FULL_BATCH)
            .steps(100)
            .build();
    return Trainer.nonPrivate(Network.parse("dense(1,bias=false) loss=squared"), plan)
        .learningRate(0.1)
        .initialiser(Initialiser.ZEROS, 0)
        .weightDecay(decay)
        .train(Problems.extreme(4))
        .model()
        .parameters()[0];
  }

  @Test
  void decayWithoutClippingIsThePenalty() {
    PrivacyPlan plan =
        PrivacyPlan.nonPrivate().sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(200).build();
    double theta =
        Trainer.nonPrivate(Network.parse("dense(1,bias=false) loss=squared"), plan)
            .learningRate(0.1)
            .weightDecay(new WeightDecay.BeforeClipping(0.5, true))
            .train(Problems.extreme(4))
            .model()
            .parameters()[0];
    assertEquals(3.8 / 1.5, theta, 1e-4);
  }

  @Test
  void refusesWhatDoesNotFitTogether() {
    Trainer trainer = trainer(noise(1).build());
    assertThrows(
        IllegalArgumentException.class,
        () -> Trainer.of(Problems.LINEAR, noise(1).build()).train(TRAIN),
        "no learning rate");
    assertThrows(
        IllegalArgumentException.class,
        () ->
            trainer
                .optimizer(new Optimizer.AdamW(0.1))
                .weightDecay(new WeightDecay.Decoupled(0.1, false))
                .train(TRAIN));
    assertThrows(
        IllegalArgumentException.class,
        () -> trainer.train(TRAIN, TestSet.declaredPublic(Problems.extreme(3))));
    assertThrows(
        IllegalArgumentException.class,
        () -> trainer.startFromPublic(new float[3], "zeros").train(TRAIN));
    assertThrows(IllegalArgumentException.class, () -> trainer.ema(1));
    Network dropped = Network.parse("residual(dropout(0.5)) dense(2)");
    PrivacyPlan plain = PrivacyPlan.nonPrivate().lotSize(10).steps(1).build();
    assertThrows(
        IllegalArgumentException.class,
        () -> Trainer.nonPrivate(dropped, plain).learningRate(1).train(TRAIN));
    assertThrows(IllegalArgumentException.class, () -> trainer.learningRate(-1).train(TRAIN));
    assertThrows(
        IllegalArgumentException.class, () -> trainer.resume(TRAIN, Units.each(400), null));
  }

  /** Micro-batches from end to end: accounted at twice the threshold, and said so. */
  @Test
  void aRunWithMicroBatchesSaysWhatOneExampleMoves() {
    PrivacyPlan plan =
        PrivacyPlan.target(4, 1e-5).lotSize(100).epochs(10).clip(1).microBatch(2).build();
    Result result = trainer(plan).train(TRAIN, TEST);
    Classification last = (Classification) result.evaluation().orElseThrow();
    assertTrue(last.accuracy() > 0.8, () -> "accuracy " + last.accuracy());
    Guaranteed privacy = (Guaranteed) result.privacy();
    assertEquals(plan.forUnits(400).ledger(), privacy.ledger());
    assertEquals(dev.discreet.accounting.Neighbouring.REPLACE_ONE, privacy.ledger().neighbouring());
    assertTrue(privacy.guarantee().epsilon() <= 4);
    String text = result.privacy().statement().replace("\n  ", " ");
    assertTrue(
        text.contains("400, is the one there is, which replace-one does not protect."), text);
    assertTrue(text.contains("200 micro-batches of about 2"), text);
    assertTrue(text.contains("at most twice the threshold"), text);
    assertEquals(
        "MicroBatches[size=2, units=400]",
        result.provenance().configuration().texts().get("microBatches"));
    PrivacyPlan whole = noise(2).microBatch(2).unit("micro-batch group").build();
    String groups = trainer(whole).train(TRAIN).privacy().statement().replace("\n  ", " ");
    assertTrue(
        groups.contains("The number of micro-batch groups, 200, was taken as public"), groups);
    assertTrue(groups.contains("promised less"), groups);
    TestSet released = new TestSet.Released(TRAIN, Units.each(TRAIN.size()), 0.05);
    assertThrows(IllegalArgumentException.class, () -> trainer(plan).train(TRAIN, released));
    assertThrows(IllegalArgumentException.class, () -> trainer(whole).train(TRAIN, released));
  }

  /** What is said of public rows goes into the result. */
  @Test
  void publicRowsToTestOnAreNoneOfThoseToTrainOn() {
    TestSet same = TestSet.declaredPublic(TRAIN);
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(50).steps(1).clip(1).build();
    Trainer trainer = Trainer.of(Problems.LINEAR, plan).learningRate(1);
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> trainer.train(TRAIN, same))
            .getMessage()
            .startsWith("public examples must be none of the private ones"));
    assertTrue(trainer.train(TRAIN, TestSet.allPublished(TRAIN)).evaluation().isPresent());
    assertTrue(trainer.publicRowsAreOtherPeople().train(TRAIN, same).evaluation().isPresent());
    PrivacyPlan open = PrivacyPlan.nonPrivate().lotSize(50).steps(1).build();
    Result shown = Trainer.nonPrivate(Problems.LINEAR, open).learningRate(1).train(TRAIN, same);
    assertTrue(shown.evaluation().isPresent());
  }
}
