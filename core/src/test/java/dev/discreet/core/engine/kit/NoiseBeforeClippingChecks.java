package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

abstract class NoiseBeforeClippingChecks extends EngineChecks {
  NoiseBeforeClippingChecks(EngineKit kit) {
    super(kit);
  }

  private static final Layout LAYOUT =
      Network.parse("conv(3,2) tanh dense(4)").on(new Shape(3, 3, 2));

  private static Trial trial(double decay, double threshold) {
    UnitRule rule =
        Trial.rule(LAYOUT, new ClippingRule.Flat(), Trial.Groups.EACH, decay, Trial.Decayed.ALL);
    return Trial.of(LAYOUT, rule, Trial.examples(LAYOUT, 10, 1), Trial.thresholds(rule, threshold));
  }

  @Test
  void theBoundHoldsAndIsNotLoosened() {
    for (double noise : new double[] {1e-3, 1, 1e6}) {
      for (double decay : new double[] {0, 5}) {
        if (passesOver(5)) {
          continue;
        }
        Trial trial = trial(decay, 0.3).withNoise(noise, 4);
        ClippedSum all = trial.run(engine()).sum();
        for (int gone : new int[] {0, 4, 9}) {
          Trial.assertWithin(all, trial.without(gone).run(engine()).sum(), "noise " + noise);
        }
        assertTrue(all.sensitivities()[0] < 1.001 * trial.thresholds()[0]);
      }
    }
  }

  @Test
  void isTheSameForTheSameReleaseHoweverTheWorkIsDivided() {
    Trial trial = trial(1e-2, 0.3).withNoise(0.5, 4);
    long[] first = trial.run(engine()).sum().integers();
    for (Engine cut : cuts()) {
      assertArrayEquals(first, trial.run(cut).sum().integers(), cut.toString());
    }
    assertFalse(Arrays.equals(first, trial.withNoise(0.5, 5).run(engine()).sum().integers()));
  }

  /**
   * Nothing is clipped here, so each sum less the exact one is ten units' noise. Mean and variance
   * over 400 releases of about 80 coordinates: six standard errors, a false alarm below 1e-8.
   */
  @Test
  @Tag("statistical")
  void isUnbiasedAndOfTheStatedSize() {
    takesOneOf(Integer.MAX_VALUE);
    double[] exact = trial(0, 1e4).exact().sum();
    int releases = 400;
    double sum = 0;
    double squares = 0;
    int n = 0;
    for (int release = 0; release < releases; release++) {
      Trial noisy = trial(0, 1e4).withNoise(0.5, release);
      double[] found = noisy.run(engine()).values(LAYOUT.parameters());
      for (int i = 0; i < found.length; i++) {
        double d = (found[i] - exact[i]) / (0.5 * Math.sqrt(10));
        sum += d;
        squares += d * d;
        n++;
      }
    }
    assertEquals(0, sum / n, 6 / Math.sqrt(n));
    assertEquals(1, squares / n, 6 * Math.sqrt(2.0 / n));
  }

  /**
   * No two units of one release, and no unit in two releases near each other, share their noise.
   */
  @Test
  void noiseIsNotSharedBetweenUnitsOrReleases() {
    int half = isBrief() ? 4 : 40;
    double[][] noise = new double[2 * half][];
    for (int i = 0; i < noise.length; i++) {
      int release = 1 + i / half;
      int unit = i % half;
      Trial one =
          trial(0, 1e4).with(Units.of(new long[] {unit}, new int[][] {{0}})).withNoise(1, release);
      noise[i] = one.run(engine()).values(LAYOUT.parameters());
      for (int j = 0; j < i; j++) {
        assertFalse(
            Math.abs(noise[i][0] - noise[j][0]) < 1e-3
                && Math.abs(noise[i][1] - noise[j][1]) < 1e-3,
            "release "
                + release
                + ", unit "
                + unit
                + " is release "
                + (1 + j / half)
                + ", unit "
                + j % half);
      }
    }
  }
}
