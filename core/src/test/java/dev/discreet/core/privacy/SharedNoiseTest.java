package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.privacy.overtime.NoiseOverTime;
import dev.discreet.core.privacy.overtime.SharedNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SharedNoiseTest {
  private static final int ONE = 1 << SharedNoise.BITS;

  private static SharedNoise random(SplittableRandom random, int steps, int period, int bands) {
    List<Integer> coefficients = new ArrayList<>(List.of(ONE));
    for (int j = 1; j < bands; j++) {
      coefficients.add(random.nextInt(ONE + 1));
    }
    return new SharedNoise(coefficients, steps, period);
  }

  private static double[][] matrix(SharedNoise noise, int steps) {
    double[][] c = new double[steps][steps];
    for (int t = 0; t < steps; t++) {
      for (int j = 0; j < Math.min(noise.bands(), t + 1); j++) {
        c[t][t - j] = noise.coefficients().get(j) / (double) ONE;
      }
    }
    return c;
  }

  /**
   * How far one unit moves all rows at most: every first step, and every choice of a gradient among
   * −1, 0 and 1 at each step that it takes part in.
   */
  private static double furthest(double[][] c, int period) {
    int steps = c.length;
    double most = 0;
    for (int first = 0; first < period; first++) {
      List<Integer> part = new ArrayList<>();
      for (int t = first; t < steps; t += period) {
        part.add(t);
      }
      for (int code = 0; code < Math.pow(3, part.size()); code++) {
        double sum = 0;
        for (double[] row : c) {
          double moved = 0;
          int left = code;
          for (int t : part) {
            moved += (left % 3 - 1) * row[t];
            left /= 3;
          }
          sum += moved * moved;
        }
        most = Math.max(most, Math.sqrt(sum));
      }
    }
    return most;
  }

  @Test
  void theSensitivityIsTheFurthestThatAnyUnitMovesAllRows() {
    SplittableRandom random = new SplittableRandom(1);
    for (int steps : new int[] {1, 5, 12}) {
      for (int period = 2; period <= steps; period++) {
        for (int bands = 1; bands <= steps; bands++) {
          SharedNoise noise = random(random, steps, period, bands);
          double furthest = furthest(matrix(noise, steps), period);
          double charged = noise.sensitivity() * Math.sqrt(noise.charges());
          String what = steps + " steps, period " + period + ", " + bands + " bands";
          assertTrue(charged >= furthest, what);
          if (bands > period) {
            assertEquals(furthest, charged, 1e-9, what);
          }
          // The last columns are charged as if they were whole.
          assertTrue(bands > period || noise.charges() == 1 || charged <= 2 * furthest, what);
        }
      }
    }
  }

  /** What the proof of amplification needs: each row has at most one of a unit's steps in it. */
  @Test
  void apartColumnsShareNoRow() {
    SplittableRandom random = new SplittableRandom(2);
    for (int bands = 1; bands <= 4; bands++) {
      SharedNoise noise = random(random, 17, 4, bands);
      assertEquals(5, noise.charges());
      double[][] c = matrix(noise, 17);
      for (int first = 0; first < 4; first++) {
        for (double[] row : c) {
          int touched = 0;
          for (int t = first; t < 17; t += 4) {
            touched += row[t] != 0 ? 1 : 0;
          }
          assertTrue(touched <= 1);
        }
      }
      for (int column = 0; column < 17; column++) {
        double squares = 0;
        for (double[] row : c) {
          squares += row[column] * row[column];
        }
        assertTrue(Math.sqrt(squares) <= noise.sensitivity());
      }
    }
    assertEquals(1, random(random, 17, 4, 5).charges());
  }

  /**
   * The proof in numbers: what is released is what is decoded from u = round(C·x + z), the Gaussian
   * mechanism on rows of C·x, to the last bit.
   */
  @Test
  void whatIsReleasedIsAFunctionOfTheGaussianMechanism() {
    int size = 500;
    int[] ends = {100, size};
    double[] deviations = {3000.7, 0.9};
    SplittableRandom random = new SplittableRandom(3);
    for (int bands : new int[] {1, 2, 5, 16}) {
      int steps = 40;
      SharedNoise shared = random(random, steps, 20, bands);
      Noise noise = Randomness.insecure(4).noise();
      Noise.Shared running = noise.shared(shared, steps);
      long[][] x = new long[steps][];
      long[][] decoded = new long[steps][size];
      for (int t = 0; t < steps; t++) {
        x[t] = random.longs(size, -1L << 45, 1L << 45).toArray();
        long[] released = new long[size];
        running.begin();
        running.add(7 + t, x[t], -20, ends, deviations, released);
        assertEquals(t + 1, running.next());
        // u in 64ths: exact integers, and the noise of the Gaussian mechanism on them.
        long[] u = new long[size];
        for (int j = 0; j < Math.min(bands, t + 1); j++) {
          for (int i = 0; i < size; i++) {
            u[i] += shared.coefficients().get(j) * x[t - j][i];
          }
        }
        Randomness.insecure(4)
            .noise()
            .add(
                7 + t,
                u,
                ends,
                new double[] {
                  ONE * (3000.7 * shared.sensitivity()), ONE * (0.9 * shared.sensitivity())
                },
                u);
        for (int i = 0; i < size; i++) {
          long sum = u[i];
          for (int j = 1; j < Math.min(bands, t + 1); j++) {
            sum -= shared.coefficients().get(j) * decoded[t - j][i];
          }
          decoded[t][i] = Math.floorDiv(sum + ONE / 2, ONE);
        }
        assertArrayEquals(decoded[t], released, bands + " bands, step " + t);
      }
    }
  }

  private static double squares(double[] values) {
    return Arrays.stream(values).map(x -> x * x).sum();
  }

  private static double[][] inverse(SharedNoise noise, int steps) {
    double[][] c = matrix(noise, steps);
    double[][] inverse = new double[steps][steps];
    for (int s = 0; s < steps; s++) {
      for (int t = s; t < steps; t++) {
        double sum = t == s ? 1 : 0;
        for (int j = s; j < t; j++) {
          sum -= c[t][j] * inverse[j][s];
        }
        inverse[t][s] = sum;
      }
    }
    return inverse;
  }

  /** Noise of each step, in deviations of z. */
  private static double[][] noise(SharedNoise shared, int steps, int size, double deviation) {
    Noise.Shared running = Randomness.secure().noise().shared(shared, steps);
    double[][] found = new double[steps][size];
    for (int t = 0; t < steps; t++) {
      long[] to = new long[size];
      running.begin();
      running.add(t, new long[size], -20, new int[] {size}, new double[] {deviation}, to);
      for (int i = 0; i < size; i++) {
        found[t][i] = to[i] / (deviation * shared.sensitivity());
      }
    }
    return found;
  }

  private static void assertCovariance(double[][] noise, double[][] inverse) {
    int steps = noise.length;
    int size = noise[0].length;
    for (int s = 0; s < steps; s++) {
      for (int t = s; t < steps; t++) {
        double expected = 0;
        double own = 0;
        double other = 0;
        for (int j = 0; j < steps; j++) {
          expected += inverse[s][j] * inverse[t][j];
          own += inverse[s][j] * inverse[s][j];
          other += inverse[t][j] * inverse[t][j];
        }
        double sum = 0;
        for (int i = 0; i < size; i++) {
          sum += noise[s][i] * noise[t][i];
        }
        // Of two normals with these variances and covariance.
        double deviation = Math.sqrt(size * (own * other + expected * expected));
        Alarm.normal("covariance of " + s + ", " + t, size * expected, deviation, sum);
      }
    }
  }

  @Test
  @Tag("statistical")
  void releasedNoiseHasTheCovarianceOfTheInverse() {
    SharedNoise shared = SharedNoise.of(NoiseOverTime.banded(5), 14, 5);
    double[][] inverse = inverse(shared, 14);
    double[][] noise = noise(shared, 14, 40_000, 1e5);
    assertCovariance(noise, inverse);
    for (int t = 0; t < 14; t++) {
      assertEquals(Math.sqrt(squares(inverse[t])), shared.spread(t), 1e-12);
    }
    SharedNoise none = SharedNoise.of(NoiseOverTime.banded(1), 14, 5);
    double[][] independent = noise(none, 14, 40_000, 1e5);
    assertThrows(AssertionError.class, () -> assertCovariance(independent, inverse));
  }

  @Test
  @Tag("statistical")
  void sumsOfGradientsAreAsExactAsIsSaid() {
    int steps = 60;
    int size = 20_000;
    SharedNoise shared = SharedNoise.of(NoiseOverTime.banded(20), steps, 20);
    double[][] noise = noise(shared, steps, size, 1e5);
    double[] sums = new double[size];
    double squares = 0;
    for (double[] step : noise) {
      for (int i = 0; i < size; i++) {
        sums[i] += step[i];
        squares += sums[i] * sums[i];
      }
    }
    double mean = Math.sqrt(squares / size / (steps * (steps + 1) / 2.0));
    // Σ over steps of one coordinate has at most the spread of one χ² variable of its mean.
    assertEquals(shared.error(), mean, 6.2 * shared.error() / Math.sqrt(2.0 * size));
    assertTrue(shared.error() < 0.5);
  }

  @Test
  void stepsOfOneRunAreAlike() {
    SharedNoise shared = SharedNoise.of(NoiseOverTime.banded(3), 9, 3);
    Noise.Shared running = Randomness.insecure(1).noise().shared(shared, 9);
    running.begin();
    int[] ends = {4};
    running.add(1, new long[4], -20, ends, new double[] {5}, new long[4]);
    running.begin();
    assertEquals(
        "value of a step with noise over time must be of the same grid, groups and sensitivities as"
            + " those before. Provided value: another",
        assertThrows(
                IllegalArgumentException.class,
                () -> running.add(2, new long[4], -20, ends, new double[] {6}, new long[4]))
            .getMessage());
    assertEquals(9, running.next(), "the run is over");
  }

  @Test
  void refusals() {
    for (List<Integer> wrong :
        List.of(List.<Integer>of(), List.of(ONE - 1), List.of(ONE, -1), List.of(ONE, ONE + 1))) {
      assertThrows(IllegalArgumentException.class, () -> new SharedNoise(wrong, 10, 3));
    }
    assertEquals(
        "bands of noise over time must be in [1, 4096]. Provided value: 0",
        assertThrows(IllegalArgumentException.class, () -> NoiseOverTime.banded(0)).getMessage());
    assertEquals(
        "noise over time must be banded(B), with B in [1, 4096]. Provided value: tree",
        assertThrows(IllegalArgumentException.class, () -> NoiseOverTime.parse("tree"))
            .getMessage());
    assertEquals(NoiseOverTime.banded(12), NoiseOverTime.parse(" banded(12) "));
    assertEquals(
        "bands of noise over time must be at most 335 in a run of 100000 steps, to be found in"
            + " time. Provided value: 336",
        assertThrows(
                IllegalArgumentException.class,
                () -> SharedNoise.of(NoiseOverTime.banded(336), 100_000, 500))
            .getMessage());
  }
}
