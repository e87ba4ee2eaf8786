package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.ReferenceSource;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The counts beside a clipped sum: how many units stayed below the threshold. */
abstract class CountChecks extends EngineChecks {
  CountChecks(EngineKit kit) {
    super(kit);
  }

  private static final Layout LAYOUT =
      Network.parse("conv(3,2) tanh dense(4)").on(new Shape(3, 3, 2));
  private static final Units MIXED =
      Units.of(
          new long[] {3, 1, 4, 15, 9, 2, 6},
          new int[][] {{0, 1, 2}, {3}, {4}, {}, {5, 6}, {7}, {8}});

  private static Trial trial(double decay, double threshold) {
    UnitRule plain =
        Trial.rule(LAYOUT, new ClippingRule.Flat(), Trial.Groups.EACH, decay, Trial.Decayed.ALL);
    UnitRule rule =
        new UnitRule(plain.clipping(), plain.group(), plain.decay(), plain.decayed(), true);
    return Trial.of(LAYOUT, rule, Trial.examples(LAYOUT, 30, 1), Trial.thresholds(rule, threshold));
  }

  private static long[] counts(ClippedSum sum) {
    return Arrays.copyOfRange(sum.integers(), LAYOUT.parameters(), sum.integers().length);
  }

  /** Not counting by the engine's own rule: the oracle's norms in doubles, one by one. */
  private static long[] expected(Trial trial) {
    double[][] norms = trial.exact().norms();
    long[] counts = new long[trial.thresholds().length];
    for (int unit = 0; unit < norms.length; unit++) {
      for (int g = 0; g < counts.length && trial.units().size(unit) > 0; g++) {
        counts[g] += norms[unit][g] <= trial.thresholds()[g] ? 1 : -1;
      }
    }
    return counts;
  }

  @ParameterizedTest
  @CsvSource({"0, 0.3", "0, 0.05", "0.01, 0.3", "5, 1", "0, 1e-9", "0, 1e9"})
  void areThoseOfTheOracle(double decay, double threshold) {
    takesOneOf(3);
    for (Trial trial : new Trial[] {trial(decay, threshold), trial(decay, threshold).with(MIXED)}) {
      long[] expected = expected(trial);
      assertArrayEquals(expected, counts(trial.run(engine()).sum()));
      assertArrayEquals(expected, trial.exact().counts());
      Sampler all = new Sampler.FullBatch(trial.units().count());
      try (GradientSource slow =
          new ReferenceSource(
              LAYOUT, trial.examples(), trial.units(), all, trial.rule(), trial.grid())) {
        ClippedSum sum = slow.clippedSum(trial.request());
        assertArrayEquals(expected, counts(sum));
        ClippedSum fast = trial.run(engine()).sum();
        assertArrayEquals(fast.groupEnds(), sum.groupEnds());
        assertEquals(fast.exponent(), sum.exponent());
      }
    }
    long[] some = counts(trial(0, 0.3).run(engine()).sum());
    assertTrue(Arrays.stream(some).anyMatch(count -> Math.abs(count) < 30), "some of both");
  }

  /** Off by a factor of two either way, this fails: the bound holds, and it is met. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0.01, 0", "0, 0.5"})
  void aUnitMovesACountByExactlyItsSensitivity(double decay, double noise) {
    takesOneOf(3);
    for (Trial each : new Trial[] {trial(decay, 0.3), trial(decay, 0.3).with(MIXED)}) {
      Trial trial = each.withNoise(noise, 4);
      ClippedSum all = trial.run(engine()).sum();
      int groups = trial.rule().groups();
      assertEquals(2 * groups, all.sensitivities().length);
      assertEquals(all.integers().length, all.groupEnds()[2 * groups - 1]);
      double[] most = new double[2 * groups];
      for (int gone = 0; gone < trial.units().count(); gone++) {
        // The first has examples, so one that moves the counts is always tried.
        if (gone > 0 && passesOver(5)) {
          continue;
        }
        ClippedSum less = trial.without(gone).run(engine()).sum();
        Trial.assertWithin(all, less, "without unit " + gone);
        for (int g = 0; g < most.length; g++) {
          double moved = Math.sqrt(Trial.squaredDistance(all, less, g).doubleValue());
          most[g] = Math.max(most[g], Math.scalb(moved, all.exponent()));
        }
      }
      for (int g = groups; g < most.length; g++) {
        assertEquals(1, most[g] / all.sensitivities()[g]);
      }
    }
  }

  @Test
  void areTheSameHoweverTheWorkIsDivided() {
    for (double noise : new double[] {0, 0.5}) {
      Trial trial = trial(1e-2, 0.3).withNoise(noise, 4);
      long[] first = trial.run(engine()).sum().integers();
      for (Engine cut : cuts()) {
        assertArrayEquals(first, trial.run(cut).sum().integers(), cut.toString());
      }
    }
  }

  @Test
  void startAnewWithEachStep() {
    Trial trial = trial(0, 0.3);
    try (GradientSource source = trial.open(engine())) {
      long[] first = counts(source.clippedSum(trial.request()));
      assertArrayEquals(first, counts(source.clippedSum(trial.request())));
    }
  }

  /** It is then the same as a unit that is zeroed out; and no bug drives a threshold up. */
  @Test
  void aRefusedUnitCountsNeitherWay() {
    Trial good = trial(0, 1e9);
    float[] inputs = new float[30 * LAYOUT.input().size()];
    float[] labels = new float[30];
    for (int e = 0; e < 30; e++) {
      good.examples().input(e, inputs, e * LAYOUT.input().size());
      good.examples().target(e, labels, e);
    }
    inputs[7 * LAYOUT.input().size()] = Float.NaN;
    labels[12] = 99;
    Trial bad = good.with(Examples.of(LAYOUT.input(), inputs, 1, labels));
    long[] all = counts(good.run(engine()).sum());
    assertTrue(Arrays.stream(all).allMatch(count -> count == 30));
    for (double noise : new double[] {0, 1e-3}) {
      Trial.Answer answer = bad.withNoise(noise, 4).run(engine());
      assertEquals(2, answer.refused());
      assertTrue(Arrays.stream(counts(answer.sum())).allMatch(count -> count == 28));
    }
  }

  /** A run whose threshold fell far below its largest keeps its noise, and the bound is exact. */
  @Test
  void roundsLittleAtSmallThresholds() {
    Layout layout =
        Network.parse(isThorough() ? "dense(400) tanh dense(100)" : "dense(80) tanh dense(20)")
            .on(Shape.vector(50));
    UnitRule flat = UnitRule.flat(layout);
    UnitRule rule = new UnitRule(flat.clipping(), flat.group(), 0, flat.decayed(), true);
    Grid wide = Grid.of(20, 8, 1e6);
    for (double threshold : new double[] {1e6, 1, 1e-3, 1e-6}) {
      if (passesOver(3)) {
        continue;
      }
      Trial trial = Trial.of(layout, rule, Trial.examples(layout, 20, 3), threshold).with(wide);
      ClippedSum all = trial.run(engine()).sum();
      double size = all.sensitivities()[0] / threshold;
      assertTrue(size > 1 && size < 1.02, "sensitivity of " + size + " thresholds");
      for (int gone : new int[] {0, 9, 19}) {
        Trial.assertWithin(all, trial.without(gone).run(engine()).sum(), "at " + threshold);
      }
    }
  }
}
