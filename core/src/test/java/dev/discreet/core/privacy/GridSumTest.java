package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GridSumTest {
  /** How far apart two releases' values are, before noise. */
  private static double distance(GridVector a, GridVector b) {
    double[] difference = new double[a.integers().length];
    Arrays.setAll(
        difference, i -> Math.scalb((double) (a.integers()[i] - b.integers()[i]), a.exponent()));
    return a.norm().of(difference);
  }

  @ParameterizedTest
  @EnumSource(Norm.class)
  void aUnitMovesTheSumByTheSensitivityAndNotByHalf(Norm norm) {
    SplittableRandom random = new SplittableRandom(3);
    // Coarse, so that rounding is a large part of it.
    for (int exponent : new int[] {-22, -6, -1}) {
      double worst = 0;
      GridSum sum = new GridSum(4, norm, 3, exponent);
      for (int i = 0; i < 2000; i++) {
        double[] unit = random.doubles(4, -1, 1).toArray();
        double factor = 3 / norm.of(unit) * (1 - 0x1p-50);
        Arrays.setAll(unit, k -> unit[k] * factor);
        GridVector before = sum.value();
        GridVector after = sum.add(unit).value();
        worst = Math.max(worst, distance(before, after));
        assertTrue(distance(before, after) <= after.sensitivity());
      }
      assertTrue(worst > sum.sensitivity() / 2, worst + " of " + sum.sensitivity());
      assertTrue(exponent > -22 || sum.sensitivity() < 3 * (1 + 1e-6));
    }
  }

  @Test
  void sumsAreExactWhateverTheirOrder() {
    double[] values = new SplittableRandom(1).doubles(10_000, -1, 1).toArray();
    GridSum forth = new GridSum(1, Norm.L1, 1);
    GridSum back = new GridSum(1, Norm.L1, 1);
    for (int i = 0; i < values.length; i++) {
      forth.add(values[i]);
      back.add(values[values.length - 1 - i]);
    }
    assertEquals(forth.value().integers()[0], back.value().integers()[0]);
    assertEquals(
        Arrays.stream(values).sum(),
        Math.scalb((double) forth.value().integers()[0], forth.value().exponent()),
        10_000 * 0x1p-23);
  }

  @Test
  void refusals() {
    GridSum sum = new GridSum(2, Norm.L1, 1);
    assertThrows(IllegalArgumentException.class, () -> sum.add(1));
    assertThrows(IllegalArgumentException.class, () -> sum.add(0.8, 0.8));
    assertThrows(IllegalArgumentException.class, () -> sum.add(Double.NaN, 0));
    new GridSum(2, Norm.L2, 1.2).add(0.8, 0.8);
    for (double wrong : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(IllegalArgumentException.class, () -> new GridSum(1, Norm.L1, wrong));
      assertThrows(
          IllegalArgumentException.class, () -> new GridVector(new long[1], 0, Norm.L1, wrong));
    }
    assertThrows(IllegalArgumentException.class, () -> new GridSum(1, Norm.L1, 1, -41));
    assertThrows(IllegalArgumentException.class, () -> Scores.of(new long[0], 1));
    assertThrows(IllegalArgumentException.class, () -> Scores.of(new long[] {1}, 0));
    assertThrows(IllegalArgumentException.class, () -> Scores.of(new long[] {Long.MIN_VALUE}, 1));
    assertThrows(IllegalArgumentException.class, () -> Scores.of(new long[Scores.MOST + 1], 1));
  }
}
