package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridTest {

  /** The sum of a chunk as an engine makes it: fused multiply-adds, then one rounding. */
  private static long[] sum(float[][] members, int without, Grid grid) {
    float[] sum = new float[members[0].length];
    for (int m = 0; m < members.length; m++) {
      if (m != without) {
        for (int i = 0; i < sum.length; i++) {
          sum[i] = Math.fma(1f, members[m][i], sum[i]);
        }
      }
    }
    long[] integers = new long[sum.length];
    for (int i = 0; i < sum.length; i++) {
      integers[i] = (long) Math.rint(Math.scalb((double) sum[i], -grid.exponent()));
      assertTrue(Math.abs(integers[i]) < 1L << 31);
    }
    return integers;
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 0.03, 1, 777})
  void aUnitMovesAChunkByNoMoreThanTheSensitivity(double threshold) {
    Random random = new Random(5);
    for (int trial = 0; trial < 60; trial++) {
      int dimensions = 1 + random.nextInt(40);
      Grid grid = Grid.of(4096, 1 + random.nextInt(64), threshold);
      float[][] members = new float[grid.capacity()][dimensions];
      boolean aligned = random.nextBoolean();
      for (float[] member : members) {
        double square = 0;
        for (int i = 0; i < dimensions; i++) {
          member[i] = (float) (aligned ? 1 + 1e-3 * random.nextGaussian() : random.nextGaussian());
          square += (double) member[i] * member[i];
        }
        double factor = threshold * Grid.SHRINK / Math.sqrt(square);
        for (int i = 0; i < dimensions; i++) {
          member[i] *= (float) factor;
        }
      }
      double sensitivity = grid.sensitivity(threshold, threshold, dimensions);
      long[] with = sum(members, -1, grid);
      long[] without = sum(members, random.nextInt(members.length), grid);
      double moved = 0;
      for (int i = 0; i < dimensions; i++) {
        moved += (double) (with[i] - without[i]) * (with[i] - without[i]);
      }
      double distance = Math.scalb(Math.sqrt(moved), grid.exponent());
      assertTrue(distance <= sensitivity, distance + " > " + sensitivity);
      // Noise is scaled to it, so it must not be much more than the threshold either.
      assertTrue(sensitivity < threshold * 1.01, sensitivity + " for " + threshold);
    }
  }

  /** The three things that the guarantee is made of, each by itself, in exact numbers. */
  private static BigDecimal promised(Grid grid, double threshold, double carried, int dimensions) {
    BigDecimal n = BigDecimal.valueOf(grid.capacity());
    // Two sums, each with an error of at most 1.004·u·C·n(n+1)/2.
    BigDecimal chain =
        new BigDecimal("1.004")
            .multiply(new BigDecimal(0x1p-24))
            .multiply(new BigDecimal(carried))
            .multiply(n)
            .multiply(n.add(BigDecimal.ONE));
    // Two roundings, each by at most half a step in every coordinate, and a thousandth of it.
    BigDecimal rounding =
        new BigDecimal("1.0009")
            .multiply(BigDecimal.valueOf(dimensions).sqrt(MathContext.DECIMAL128))
            .multiply(new BigDecimal(Math.scalb(1.0, grid.exponent())));
    return new BigDecimal(threshold).add(chain).add(rounding);
  }

  /**
   * With thresholds from far above the roundings to far below them, so that each of the three is
   * nearly all of the sum somewhere. Never below what is promised, and within a hundredth of it
   * where a chunk has more than a few members.
   */
  @Test
  void theSensitivityIsMadeOfTheThresholdTheChainAndTheRounding() {
    for (int capacity : new int[] {1, 2, 7, 64, 300, 1000, 4097, 1 << 16}) {
      for (int exponent : new int[] {-120, -60, -40, -23, -10, 0, 9, 40}) {
        for (int dimensions : new int[] {1, 2, 3, 10, 1000, 123_457, 100_000_000}) {
          for (int scale : new int[] {-45, -20, -3, 0, 2, 17, 45}) {
            for (double decay : new double[] {1, 1.5, 4}) {
              double threshold = Math.scalb(1.3, scale);
              Grid grid = new Grid(3, capacity, exponent);
              double carried = decay * threshold;
              double stated = grid.sensitivity(threshold, carried, dimensions);
              BigDecimal least = promised(grid, threshold, carried, dimensions);
              String what = grid + ", C " + threshold + ", " + dimensions + " coordinates";
              assertTrue(new BigDecimal(stated).compareTo(least) >= 0, what + ": too small");
              // (n+1)(n+2) where n(n+1) is promised is for the neighbour with one member more.
              double more = (capacity + 2.0) / capacity * 1.01;
              double chain = 1.004 * 0x1p-24 * carried * capacity * (capacity + 1.0);
              double most = least.doubleValue() * 1.01 + chain * (more - 1);
              assertTrue(stated <= most, what + ": uselessly large");
            }
          }
        }
      }
    }
  }

  /** Whatever is added, the sum of a chunk only gets worse. */
  @Test
  void theSensitivityGrowsWithEverythingButTheNumberOfChunks() {
    double base = new Grid(3, 300, -20).sensitivity(1, 1, 1000);
    assertEquals(base, new Grid(30_000, 300, -20).sensitivity(1, 1, 1000));
    assertTrue(new Grid(3, 301, -20).sensitivity(1, 1, 1000) > base);
    assertTrue(new Grid(3, 300, -19).sensitivity(1, 1, 1000) > base);
    assertTrue(new Grid(3, 300, -20).sensitivity(1, 1, 1001) > base);
    assertTrue(new Grid(3, 300, -20).sensitivity(1, 1.01, 1000) > base);
    assertTrue(new Grid(3, 300, -20).sensitivity(1.01, 1.01, 1000) > base + 0.0099);
  }

  /** A unit of k steps and a hair in every coordinate, beside one of half a step, moves k + 1. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 30, 1000, 50_000})
  void roundingMovesEveryCoordinateByAWholeStep(int dimensions) {
    for (int exponent : new int[] {-22, 0, 5}) {
      for (float steps : new float[] {1, 16}) {
        float[][] members = new float[2][dimensions];
        Arrays.fill(members[0], (float) Math.scalb(0.5, exponent));
        Arrays.fill(members[1], (float) Math.scalb(steps + 0x1p-12, exponent));
        Grid grid = new Grid(1, 2, exponent);
        long[] with = sum(members, -1, grid);
        long[] without = sum(members, 1, grid);
        double threshold = Math.scalb(Math.sqrt(dimensions) * (steps + 0x1p-12), exponent);
        double distance = Math.scalb(Math.sqrt(dimensions) * (with[0] - without[0]), exponent);
        assertEquals(steps + 1, with[0] - without[0]);
        // All of the rounding's share is used, but for a thousandth.
        double share = Math.scalb(Math.sqrt(dimensions), exponent);
        assertTrue(distance > threshold + 0.999 * share);
        assertTrue(distance <= grid.sensitivity(threshold, threshold, dimensions));
      }
    }
  }

  /** Every group's own threshold, what it carries, and as many coordinates as it has. */
  @Test
  void everyGroupOfASumHasTheSensitivityOfItsOwn() {
    Layout layout = Network.parse("dense(60) tanh dense(7)").on(Shape.vector(50));
    UnitRule rule =
        new UnitRule(new ClippingRule.Flat(), new int[] {1, 0, 0, 2}, 0, new boolean[4], true);
    Coordinates coordinates = Coordinates.of(layout, rule);
    int[] sizes = {60 + 60 * 7, 50 * 60, 7};
    double[] thresholds = {0.5, 2, 1e-3};
    double[] carried = {0.5, 3, 4e-3};
    Grid grid = new Grid(5, 900, -14);
    ClippedSum sum =
        ClippedSum.of(
            new long[coordinates.size() + 3], coordinates, rule, grid, thresholds, carried);
    for (int g = 0; g < 3; g++) {
      BigDecimal least = promised(grid, thresholds[g], carried[g], sizes[g]);
      double stated = sum.sensitivities()[g];
      assertTrue(new BigDecimal(stated).compareTo(least) >= 0, "group " + g);
      assertEquals(least.doubleValue(), stated, 0.01 * stated, "group " + g);
      assertEquals(Math.scalb(1.0, -14), sum.sensitivities()[3 + g], "a count is one step");
    }
    assertArrayEquals(new int[] {480, 3480, 3487, 3488, 3489, 3490}, sum.groupEnds());
  }

  /** A finer grid for small thresholds is as coarse as the sum of a full chunk needs, not less. */
  @Test
  void aFinerGridHasItsOwnExponentInTheSensitivity() {
    Grid grid = Grid.of(4096, 32, 8);
    ClippingRule flat = new ClippingRule.Flat();
    for (double threshold : new double[] {8, 1, 0.01}) {
      Grid finer = grid.finer(flat, new double[] {threshold, threshold / 3});
      assertEquals(grid.capacity(), finer.capacity());
      assertEquals(grid.chunks(), finer.chunks());
      assertTrue(finer.exponent() <= grid.exponent());
      double full = Math.scalb(finer.capacity() * threshold, -finer.exponent());
      assertTrue(full < 0x1p31 && full > 0x1p27, "a full chunk has " + full + " steps");
      assertTrue(
          new BigDecimal(flat.sensitivity(finer, threshold, threshold, 1_000_000))
                  .compareTo(promised(finer, threshold, threshold, 1_000_000))
              >= 0);
    }
  }

  @Test
  void chunksOfRandomLotsKeepWithinTheirCapacity() {
    SamplingKey key = SamplingKey.insecure(1);
    for (long stride : new long[] {1, 2, 10, 64, 1000, 1L << 32, 0x9E3779B97F4A7C15L}) {
      long[] ids = new long[20_000];
      int[][] examples = new int[ids.length][0];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = i * stride;
      }
      Units units = Units.of(ids, examples);
      for (int buckets : new int[] {1, 64, 1000}) {
        Grid grid = Grid.of(2000, 16, 1, buckets);
        for (int release = 0; release < 20; release++) {
          int[] members = new int[grid.chunks()];
          int[] lot = new Sampler.Poisson(0.1, ids.length).lot(key, release, units);
          for (int chunk : grid.chunks(key, units, lot, key.choices(release, units, lot))) {
            members[chunk]++;
          }
          for (int count : members) {
            assertTrue(count <= grid.capacity(), "stride " + stride + ": " + count);
          }
        }
      }
    }
  }

  /** Equally many units in each bucket but for chance, and the same bucket in every release. */
  @Test
  void aUnitStaysInItsBucket() {
    SamplingKey key = SamplingKey.insecure(1);
    Units units = Units.each(64_000);
    int[] all = IntStream.range(0, units.count()).toArray();
    Grid grid = new Grid(64 * 3, 2000, -10, 64);
    int[] first = grid.chunks(key, units, all, key.choices(0, units, all));
    int[] later = grid.chunks(key, units, all, key.choices(7, units, all));
    int[] members = new int[64];
    int moved = 0;
    for (int i = 0; i < all.length; i++) {
      assertEquals(first[i] / 3, later[i] / 3);
      moved += first[i] == later[i] ? 0 : 1;
      members[first[i] / 3]++;
    }
    assertTrue(moved > 40_000 && moved < 45_000, moved + " moved inside their buckets");
    for (int count : members) {
      assertTrue(Math.abs(count - 1000) < 200, "so many in a bucket: " + count);
    }
    assertArrayEquals(new int[] {first[5] / 3, first[9] / 3}, key.buckets(new long[] {5, 9}, 64));
  }

  @Test
  void bucketsHaveEquallyManyChunks() {
    assertEquals(64, Grid.of(100, 50, 1, 64).chunks());
    assertEquals(128, Grid.of(6_400, 51, 1, 64).chunks());
    assertEquals(0, Grid.of(1e9, 1, 1, 1000).chunks() % 1000);
    assertThrows(IllegalArgumentException.class, () -> new Grid(10, 5, 0, 3));
    assertThrows(IllegalArgumentException.class, () -> Grid.of(10, 5, 1, Grid.MOST_CHUNKS + 1));
  }

  @Test
  void aNeighbourWithOneUnitMoreFits() {
    Grid grid = Grid.of(1000, 50, 1);
    int[] members = new int[grid.chunks()];
    Units units = Units.each(1001);
    int[] all = new Sampler.FullBatch(1000).lot(null, 0, units);
    SamplingKey key = SamplingKey.insecure(1);
    for (int chunk : grid.chunks(key, units, all, key.choices(0, units, all))) {
      members[chunk]++;
    }
    for (int count : members) {
      assertTrue(count <= grid.capacity());
    }
  }

  @Test
  void refusals() {
    assertEquals(
        "threshold must be finite and greater than 0. Provided value: 0",
        assertThrows(IllegalArgumentException.class, () -> Grid.of(5, 4, 0)).getMessage());
    assertEquals(
        "chunk capacity must be in [1, 65536]. Provided value: 1011789",
        assertThrows(IllegalArgumentException.class, () -> Grid.of(1_000_000, 1e7, 1))
            .getMessage());
  }
}
