package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.NoiseAmount;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.Units;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that cannot be used count as zero, and tell of themselves to the operator only. */
class UnusableRowsTest {
  private static final Examples TRAIN = Problems.classes(400, 1);

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
  void aBadRowThatIsHeldOutCostsItsEvaluationAndNotTheModel() {
    Trainer trainer = trainer(noise(1).steps(8).build()).evaluateEvery(5);
    for (Examples bad : List.of(labelled(0, 2), labelled(0, Float.NaN), Problems.classes(0, 1))) {
      List<Event> events = new ArrayList<>();
      Result result = trainer.listener(events::add).train(TRAIN, new TestSet.OperatorOnly(bad));
      assertEquals(8, result.steps());
      assertArrayEquals(trainer.train(TRAIN).model().parameters(), result.model().parameters());
      assertEquals(
          List.of(8L),
          events.stream().filter(Event.NotEvaluated.class::isInstance).map(Event::step).toList());
      assertFalse(events.stream().anyMatch(Event.HeldOut.class::isInstance));
    }
    List<Event> events = new ArrayList<>();
    trainer.listener(events::add).train(TRAIN, new TestSet.OperatorOnly(labelled(0, 2)));
    assertTrue(
        events.contains(
            new Event.NotEvaluated(
                8, "example 1: label must be a whole number in [0, 1]. Provided value: 2")),
        events::toString);
  }

  @Test
  void aBadRowThatIsPublicIsRefusedBeforeTheFirstStep(@TempDir Path temp) {
    List<Event> events = new ArrayList<>();
    Trainer trainer = trainer(noise(1).build()).listener(events::add);
    Path folder = temp.resolve("run");
    assertEquals(
        "example 1: label must be a whole number in [0, 1]. Provided value: 0.5",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    trainer
                        .checkpoints(folder, 1)
                        .train(TRAIN, TestSet.declaredPublic(labelled(1, 0.5f))))
            .getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> trainer.train(TRAIN, TestSet.declaredPublic(Problems.classes(0, 1))));
    assertEquals(List.of(), events);
    assertFalse(Files.exists(folder), "nothing is left behind");
  }

  private static Examples labelled(float... labels) {
    return Examples.of(Shape.vector(2), new float[2 * labels.length], 1, labels);
  }

  @Test
  void aUnitWithANonFiniteGradientCountsAsZeroAndReachesTheOperatorOnly() {
    float[] inputs = {Float.NaN, 1, 1, 1};
    Examples set = Examples.of(Shape.vector(2), inputs, 1, new float[] {0, 1});
    List<Event> events = new ArrayList<>();
    PrivacyPlan plan =
        PrivacyPlan.noise(1).sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(1).clip(1).build();
    Result result = trainer(plan).listener(events::add).train(set);
    assertTrue(events.contains(new Event.RefusedUnits(1, 1, 2)));
    for (float value : result.model().parameters()) {
      assertTrue(Float.isFinite(value));
    }
  }

  /** Row 0 cannot be read, row 1 has a label that is none; the others are as they were. */
  private static Examples torn(Examples whole) {
    return new Examples() {
      @Override
      public int size() {
        return whole.size();
      }

      @Override
      public Shape input() {
        return whole.input();
      }

      @Override
      public int targets() {
        return whole.targets();
      }

      @Override
      public void input(int example, float[] to, int at) {
        if (example == 0) {
          throw new IllegalStateException("a row that cannot be read");
        }
        whole.input(example, to, at);
      }

      @Override
      public void target(int example, float[] to, int at) {
        whole.target(example, to, at);
        to[at] = example == 1 ? 99 : to[at];
      }
    };
  }

  @Test
  void aRowThatCannotBeUsedCountsAsZeroInRunsOfEveryKind() {
    Examples set = torn(Problems.classes(20, 1));
    Units others = Units.each(20);
    for (PrivacyPlanBuilder builder :
        List.of(
            PrivacyPlan.noise(1).clip(1),
            PrivacyPlan.nonPrivate().clip(1),
            PrivacyPlan.nonPrivate())) {
      PrivacyPlan plan = builder.sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(2).build();
      List<Event> events = new ArrayList<>();
      Trainer trainer =
          (plan.noise() instanceof NoiseAmount.Nothing
                  ? Trainer.nonPrivate(Problems.LINEAR, plan)
                  : Trainer.of(Problems.LINEAR, plan))
              .learningRate(0.1)
              .insecureSeed(1)
              .weightDecay(new WeightDecay.BeforeClipping(0.1, false));
      Result result = trainer.listener(events::add).train(set, others, null);
      assertTrue(events.contains(new Event.RefusedUnits(2, 4, 40)), events::toString);
      // As units that have nothing.
      int[][] members = new int[20][];
      Arrays.setAll(members, i -> i < 2 ? new int[0] : new int[] {i});
      Units empty = Units.of(LongStream.range(0, 20).toArray(), members);
      assertArrayEquals(
          trainer.train(set, empty, null).model().parameters(), result.model().parameters(), 1e-6f);
    }
  }
}
