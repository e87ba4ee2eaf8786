package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One unit more or less moves each group by no more than the stated sensitivity: exactly, as
 * integers, for data that tries to break it.
 */
abstract class SensitivityChecks extends EngineChecks {
  SensitivityChecks(EngineKit kit) {
    super(kit);
  }

  private static Layout layout(String network, Shape input) {
    return Network.parse(network).on(input);
  }

  /** The largest share of the sensitivity that leaving out each of the units uses. */
  private double eachGone(Trial trial, int... units) {
    ClippedSum all = trial.run(engine()).sum();
    double largest = 0;
    for (int gone : units) {
      ClippedSum less = trial.without(gone).run(engine()).sum();
      largest = Math.max(largest, Trial.assertWithin(all, less, "without unit " + gone));
    }
    return largest;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
  void holdsForRandomNetworksRulesGroupsAndDecays(int seed) {
    takesOneOf(7);
    SplittableRandom random = new SplittableRandom(seed);
    Layout layout = RandomNetworks.layout(seed);
    double decay = new double[] {0, 1e-4, 1e-2, 5}[random.nextInt(4)];
    double threshold = random.nextInt(3) == 0 ? 0.03 : random.nextDouble(0.1, 4);
    UnitRule rule =
        Trial.rule(
            layout,
            Trial.RULES.get(seed % 4),
            Trial.Groups.values()[random.nextInt(2)],
            decay,
            Trial.Decayed.values()[random.nextInt(2)]);
    Trial trial =
        Trial.of(layout, rule, Trial.examples(layout, 14, seed), Trial.thresholds(rule, threshold));
    eachGone(trial, 0, 5, 13);
    // And a unit that has several examples among such that have one.
    long[] ids = {3, 1, 4, 15, 9, 2, 6};
    int[][] members = {{0, 1, 2}, {3}, {4}, {}, {5, 6}, {7}, {8}};
    eachGone(trial.with(Units.of(ids, members)), 0, 2, 3);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1e-4, 1", "1e-2, 1", "5, 0.03", "5, 1e-3", "1e-2, 0.03"})
  void isNearlyMetAndNotUselesslyLarge(double decay, double threshold) {
    takesOneOf(5);
    Layout layout = layout("conv(5,2) tanh flatten dense(20) tanh dense(4)", new Shape(4, 4, 2));
    UnitRule rule =
        Trial.rule(layout, new ClippingRule.Flat(), Trial.Groups.EACH, decay, Trial.Decayed.ALL);
    Trial trial =
        Trial.of(
            layout, rule, Trial.examples(layout, 40, 3), Trial.thresholds(rule, threshold / 20));
    Trial wide = trial.with(Grid.of(40, 8, threshold / 20));
    double share = eachGone(wide, 0, 11, 39);
    assertTrue(share > 0.97, "the most used share is " + share);
    ClippedSum sum = wide.run(engine()).sum();
    for (int g = 0; g < rule.groups(); g++) {
      double size = sum.sensitivities()[g] / wide.thresholds()[g];
      assertTrue(size <= 1.02, "sensitivity " + size + " thresholds");
    }
  }

  @Test
  void isWithinTwoPercentForTheNamedNetworks() {
    for (String name : List.of("mnist-cnn", "cifar-cnn", "mlp(1000)")) {
      Layout layout = Network.named(name, 10).on(new Shape(32, 32, 3));
      double per = engine().unitsPerChunk(layout);
      for (double lot : new double[] {64, 600, 4096}) {
        double bound = Grid.of(lot, per, 1).sensitivity(1, 1, layout.parameters());
        assertTrue(bound <= 1.02 && bound > 0.9999, name + ", lot " + lot + ": " + bound);
      }
    }
  }

  /** All gradients point the same way and one chunk is filled to the brim. */
  @ParameterizedTest
  @CsvSource({"8, 0", "61, 0", "300, 0", "300, 1e-2", "61, 5", "1500, 0"})
  void holdsForAlignedGradientsThatFillAChunk(int most, double decay) {
    int capacity = isThorough() ? most : Math.min(most, 150);
    Layout layout = layout("dense(37) tanh dense(3)", Shape.vector(9));
    SplittableRandom random = new SplittableRandom(capacity);
    float[] inputs = new float[capacity * 9];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = i < 9 ? (float) random.nextDouble(1, 2) : inputs[i - 9];
    }
    Examples same = Examples.of(layout.input(), inputs, 1, new float[capacity]);
    for (ClippingRule clipping : Trial.RULES) {
      UnitRule rule = Trial.rule(layout, clipping, Trial.Groups.ONE, decay, Trial.Decayed.ALL);
      for (double threshold : new double[] {0.77, 0.03}) {
        if (passesOver(11)) {
          continue;
        }
        Trial trial = Trial.of(layout, rule, same, threshold);
        Trial full = trial.with(Trial.grid(1, capacity, threshold));
        eachGone(full, 0, capacity - 1);
      }
    }
  }

  @Test
  void aChunkBeyondItsCapacityIsRefused() {
    Layout layout = layout("dense(3)", Shape.vector(2));
    Trial trial =
        Trial.of(layout, UnitRule.flat(layout), Trial.examples(layout, 9, 1), 1)
            .with(Trial.grid(1, 8, 1));
    assertThrows(IllegalStateException.class, () -> trial.run(engine()));
    trial.without(0).run(engine());
  }

  /** θ = −g/λ for one of the units: its gradient and its decay cancel but for rounding. */
  @ParameterizedTest
  @CsvSource({"5, 0.03", "5, 1e-4", "1e-2, 1", "1e-2, 100", "1e-4, 1e3", "0.5, 1e-5"})
  void holdsWhereDecayCancelsTheGradient(double decay, double threshold) {
    for (String network : List.of("dense(5) loss=squared", "conv(5,1) loss=squared")) {
      Layout layout = layout(network, Shape.vector(70));
      int count = 24;
      Examples examples = cancelling(layout, count, decay);
      for (ClippingRule clipping : Trial.RULES) {
        UnitRule rule = Trial.rule(layout, clipping, Trial.Groups.ONE, decay, Trial.Decayed.ALL);
        float[] theta = solved(layout, examples, decay);
        double decayed = 0;
        for (float value : theta) {
          decayed = Math.hypot(decayed, decay * value);
        }
        // The last two are about where a member is still carried with its decay apart.
        for (double each : new double[] {threshold, decayed / 1.45, decayed / 1.55}) {
          if (passesOver(29)) {
            continue;
          }
          Trial trial = Trial.of(layout, rule, examples, each);
          eachGone(trial.with(theta), 0, 1, count - 1);
        }
      }
    }
  }

  /** Nearly equal examples, a little apart, with targets far enough off to make θ large. */
  private static Examples cancelling(Layout layout, int count, double decay) {
    SplittableRandom random = new SplittableRandom(8);
    float[] inputs = new float[count * 70];
    float[] targets = new float[count * 5];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] =
          i < 70
              ? (float) random.nextDouble(0.5, 1)
              : (float) (inputs[i % 70] * (1 + 1e-6 * random.nextDouble(-1, 1)));
    }
    for (int i = 0; i < targets.length; i++) {
      targets[i] = i < 5 ? (float) random.nextDouble(1, 2) : targets[i % 5];
    }
    return Examples.of(layout.input(), inputs, 5, targets);
  }

  /** The θ with g(θ) + λθ = 0 for example 0, by the closed form of ridge regression. */
  private static float[] solved(Layout layout, Examples examples, double decay) {
    float[] x = new float[70];
    float[] t = new float[5];
    examples.input(0, x, 0);
    examples.target(0, t, 0);
    double square = 1;
    for (float value : x) {
      square += value * value;
    }
    float[] theta = new float[layout.parameters()];
    for (int o = 0; o < 5; o++) {
      double error = -t[o] * decay / (square + decay);
      for (int k = 0; k < 70; k++) {
        theta[k * 5 + o] = (float) (-error * x[k] / decay);
      }
      theta[350 + o] = (float) (-error / decay);
    }
    return theta;
  }

  @Test
  void theCrossedOutGradientReallyCancels() {
    Layout layout = layout("dense(5) loss=squared", Shape.vector(70));
    Examples examples = cancelling(layout, 1, 5);
    UnitRule rule =
        Trial.rule(layout, new ClippingRule.Flat(), Trial.Groups.ONE, 5, Trial.Decayed.ALL);
    StepRequest request =
        new StepRequest(1, solved(layout, examples, 5), 1, SamplingKey.insecure(1));
    double[] both =
        new ReferenceEngine(layout, examples).unitGradient(rule, Units.each(1), 0, request);
    assertTrue(Trial.norm(both) < 1e-5, "left over: " + Trial.norm(both));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1e-2, 1", "5, 0.03", "0.1, 0.3"})
  void holdsForTables(double decay, double threshold) {
    Layout layout = layout("embedding(4,5) tanh dense(3)", new Shape(1, 6, 1));
    for (ClippingRule clipping : Trial.RULES) {
      for (Trial.Groups groups : List.of(Trial.Groups.ONE, Trial.Groups.EACH)) {
        if (passesOver(11)) {
          continue;
        }
        UnitRule rule = Trial.rule(layout, clipping, groups, decay, Trial.Decayed.ALL);
        Trial trial =
            Trial.of(
                layout, rule, Trial.examples(layout, 20, 2), Trial.thresholds(rule, threshold));
        eachGone(trial, 0, 8, 19);
      }
    }
  }

  /** Thresholds that are the norm itself, a last place above it and one below. */
  @ParameterizedTest
  @ValueSource(strings = {"dense(5)", "conv(5,1) flatten dense(3)", "dense(80) relu dense(3)"})
  void holdsExactlyAtTheThreshold(String network) {
    Layout layout = layout(network, Shape.vector(20));
    Examples examples = Trial.examples(layout, 6, 2);
    Trial trial = Trial.of(layout, UnitRule.flat(layout), examples, 1);
    double norm = trial.exact().norms()[2][0];
    for (double share : new double[] {1, Grid.SHRINK, 1 / Grid.SHRINK}) {
      for (double threshold :
          new double[] {norm * share, Math.nextUp(norm * share), Math.nextDown(norm * share)}) {
        for (ClippingRule clipping :
            List.of(Trial.RULES.get(0), new ClippingRule.Global(threshold))) {
          if (passesOver(17)) {
            continue;
          }
          UnitRule rule = Trial.rule(layout, clipping, Trial.Groups.ONE, 0, Trial.Decayed.ALL);
          eachGone(Trial.of(layout, rule, examples, threshold), 0, 1, 2, 3);
        }
      }
    }
  }

  /**
   * Inputs and slopes of every size that a float has: squares that vanish or overflow in single
   * precision, factors and products that are not normal numbers.
   */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 3", "5, 64", "70, 70", "130, 1", "1, 200"})
  void holdsForInputsAndSlopesOfAnySize(int inputs, int outputs) {
    SplittableRandom random = new SplittableRandom(inputs);
    for (String kind : List.of("dense", "conv")) {
      String conv = outputs + (kind.equals("conv") ? ",1" : "");
      Layout layout = layout(kind + "(" + conv + ") loss=squared", Shape.vector(inputs));
      for (double size : some(1e-38, 1e-22, 1, 1e18, 1e30, 3e38)) {
        for (double slope : some(1e-44, 1e-38, 1e-25, 1e-22, 1, 1e18, 1e25)) {
          float[] x = new float[2 * inputs];
          float[] t = new float[2 * outputs];
          for (int i = 0; i < x.length; i++) {
            x[i] = (float) (size * random.nextDouble(0.3, 1));
          }
          for (int i = 0; i < t.length; i++) {
            t[i] = (float) (slope * random.nextDouble(0.3, 1));
          }
          // One far smaller than the rest: a sum that only sees this one is a trap.
          t[t.length - 1] *= 1e-3f;
          Examples examples = Examples.of(layout.input(), x, outputs, t);
          for (ClippingRule clipping : Trial.RULES) {
            UnitRule rule = Trial.rule(layout, clipping, Trial.Groups.ONE, 0, Trial.Decayed.ALL);
            for (double threshold : some(1, 1e-6, 1e-15, 1e15)) {
              if (passesOver(211)) {
                continue;
              }
              Trial trial =
                  Trial.of(layout, rule, examples, threshold).with(new float[layout.parameters()]);
              ClippedSum both = trial.run(engine()).sum();
              ClippedSum one = trial.without(1).run(engine()).sum();
              Trial.assertWithin(
                  both,
                  one,
                  kind
                      + ", "
                      + clipping
                      + ", inputs "
                      + size
                      + ", slopes "
                      + slope
                      + ", C "
                      + threshold);
            }
          }
        }
      }
    }
  }

  /**
   * Weights apart from biases, and inputs that are hardly numbers any more: the gradient is so
   * short that its factor is large, and the factor times a steep slope must still be a number.
   */
  @ParameterizedTest
  @CsvSource({"3, 1", "64, 1", "1000, 1", "3, 1e15", "64, 1e15"})
  void holdsForTinyInputsWithSteepSlopesWhenNormalised(int outputs, double threshold) {
    Layout layout = layout("dense(" + outputs + ") loss=squared", Shape.vector(20));
    UnitRule rule =
        Trial.rule(layout, new ClippingRule.Normalised(), Trial.Groups.EACH, 0, Trial.Decayed.ALL);
    for (float size : new float[] {1e-44f, 1e-38f, 1e-25f}) {
      for (float slope : new float[] {1, 1e10f, 1e18f}) {
        if (passesOver(3)) {
          continue;
        }
        float[] x = new float[40];
        float[] t = new float[2 * outputs];
        Arrays.fill(x, 0, 20, 1);
        Arrays.fill(t, 0, outputs, 1);
        Arrays.fill(x, 20, 40, size);
        Arrays.fill(t, outputs, 2 * outputs, slope);
        Trial trial =
            Trial.of(
                    layout,
                    rule,
                    Examples.of(layout.input(), x, outputs, t),
                    Trial.thresholds(rule, threshold))
                .with(new float[layout.parameters()]);
        Trial.assertWithin(
            trial.run(engine()).sum(),
            trial.without(1).run(engine()).sum(),
            "inputs " + size + ", slopes " + slope);
      }
    }
  }

  /**
   * Confident predictions have slopes that are hardly numbers any more; normalising makes them C.
   */
  @Test
  void holdsForConfidentPredictionsWhenNormalised() {
    Layout layout = layout("conv(8,3) relu flatten dense(11)", new Shape(5, 5, 2));
    UnitRule rule =
        Trial.rule(layout, new ClippingRule.Normalised(), Trial.Groups.EACH, 0, Trial.Decayed.ALL);
    Examples examples = Trial.examples(layout, 8, 5);
    float[] labels = new float[8];
    float[] inputs = new float[8 * 50];
    float[] theta = Trial.parameters(layout, 1);
    int bias = layout.slices().get(3).offset();
    for (int e = 0; e < 8; e++) {
      examples.input(e, inputs, 50 * e);
      labels[e] = 4;
    }
    for (double margin = 20; margin < 130; margin += 3.7) {
      if (passesOver(11)) {
        continue;
      }
      theta[bias + 4] = (float) margin;
      Trial trial =
          Trial.of(
                  layout,
                  rule,
                  Examples.of(layout.input(), inputs, 1, labels),
                  Trial.thresholds(rule, 1))
              .with(theta.clone());
      eachGone(trial, 0, 7);
    }
  }

  /** Which path the others take must not depend on what the one unit is. */
  @ParameterizedTest
  @CsvSource({"0", "1e-2", "0.2"})
  void aUnitOfSeveralExamplesDoesNotTouchTheOtherChunks(double decay) {
    Layout layout = layout("dense(30) tanh dense(3)", Shape.vector(40));
    int count = 400;
    float[] inputs = new float[(count + 1) * 40];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = i < 40 ? (float) random.nextDouble(-1, 1) : inputs[i - 40];
    }
    UnitRule rule =
        Trial.rule(layout, new ClippingRule.Flat(), Trial.Groups.ONE, decay, Trial.Decayed.ALL);
    Trial trial =
        Trial.of(layout, rule, Examples.of(layout.input(), inputs, 1, new float[count + 1]), 0.5)
            .with(Trial.grid(100, 20, 0.5));
    long[] ids = new long[count];
    int[][] members = new int[count][];
    for (int i = 0; i < count; i++) {
      ids[i] = i;
      members[i] = i == 17 ? new int[] {17, count} : new int[] {i};
    }
    Trial mixed = trial.with(Units.of(ids, members));
    ClippedSum with = mixed.run(engine()).sum();
    ClippedSum without = mixed.without(17).run(engine()).sum();
    assertArrayEquals(with.sensitivities(), without.sensitivities(), "noise must not tell");
    Trial.assertWithin(with, without, "a unit of two examples");
  }

  @Test
  void aThresholdThatTheGridHasNoRoomForIsRefused() {
    Layout layout = layout("dense(3)", Shape.vector(2));
    Trial trial =
        Trial.of(layout, UnitRule.flat(layout), Trial.examples(layout, 9, 1), 1e9)
            .with(Trial.grid(2, 8, 1));
    assertThrows(IllegalArgumentException.class, () -> trial.run(engine()));
    for (double threshold : new double[] {1e-25, 1e25}) {
      Trial far = Trial.of(layout, UnitRule.flat(layout), trial.examples(), threshold);
      assertThrows(IllegalArgumentException.class, () -> far.run(engine()));
    }
  }

  @Test
  void aStepThatFailedLeavesNothingBehind() {
    Layout layout = layout("dense(3)", Shape.vector(2));
    Examples good = Trial.examples(layout, 9, 1);
    float[] labels = new float[9];
    labels[8] = -1;
    Examples bad =
        new Examples() {
          @Override
          public int size() {
            return 9;
          }

          @Override
          public Shape input() {
            return good.input();
          }

          @Override
          public int targets() {
            return 1;
          }

          @Override
          public void input(int example, float[] to, int at) {
            good.input(example, to, at);
          }

          @Override
          public void target(int example, float[] to, int at) {
            // A row that cannot be read counts as zero; a machine without memory ends the step.
            if (labels[example] < 0) {
              throw new OutOfMemoryError("of this test");
            }
            to[at] = labels[example];
          }
        };
    Trial trial = Trial.of(layout, UnitRule.flat(layout), bad, 1).with(Trial.grid(1, 20, 1));
    try (GradientSource source = trial.open(engine())) {
      assertThrows(OutOfMemoryError.class, () -> source.clippedSum(trial.request()));
      labels[8] = 0;
      ClippedSum after = Trial.copy(source.clippedSum(trial.request()));
      assertArrayEquals(trial.run(engine()).sum().integers(), after.integers());
    }
  }

  /** As many chunks as a grid may have, each adding as much as it can to the lower half sum. */
  @Test
  void theIntegersHoldTheMostChunks() {
    Layout layout = layout("dense(1) loss=squared", Shape.vector(1));
    int count = isThorough() ? 200_000 : 20_000;
    float[] x = new float[count];
    float[] t = new float[count];
    Arrays.fill(x, 1);
    Arrays.fill(t, -0.25f);
    Trial trial =
        new Trial(
            layout,
            UnitRule.flat(layout),
            Examples.of(layout.input(), x, 1, t),
            Units.each(count),
            new Grid(Grid.MOST_CHUNKS, 40, -17),
            new float[2],
            // One for which no finer grid would do.
            new double[] {64},
            0,
            1);
    ClippedSum sum = trial.run(engine()).sum();
    assertEquals(count * (1L << 15), sum.integers()[0]);
    assertEquals(count * (1L << 15), sum.integers()[1]);
  }

  @Test
  void aLargerMoveWouldBeSeen() {
    Layout layout = layout("dense(3)", Shape.vector(2));
    Trial trial = Trial.of(layout, UnitRule.flat(layout), Trial.examples(layout, 9, 1), 0.1);
    ClippedSum all = trial.run(engine()).sum();
    ClippedSum two = trial.with(Units.each(7)).run(engine()).sum();
    long[] far = all.integers().clone();
    far[3] += (long) Math.ceil(Math.scalb(all.sensitivities()[0], -all.exponent()));
    ClippedSum moved = new ClippedSum(far, all.exponent(), all.groupEnds(), all.sensitivities());
    assertThrows(AssertionError.class, () -> Trial.assertWithin(all, moved, "moved"));
    assertTrue(Trial.squaredDistance(all, two, 0).signum() > 0);
    assertEquals(9, IntStream.range(0, trial.units().count()).count());
  }
}
