package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
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
      Grid grid = Grid.of(2000, 16, 1);
      for (int release = 0; release < 20; release++) {
        int[] members = new int[grid.chunks()];
        int[] lot = new Sampler.Poisson(0.1, ids.length).lot(key, release, units);
        for (long choice : key.choices(release, units, lot)) {
          members[grid.chunk(choice)]++;
        }
        for (int count : members) {
          assertTrue(count <= grid.capacity(), "stride " + stride + ": " + count);
        }
      }
    }
  }

  @Test
  void aNeighbourWithOneUnitMoreFits() {
    Grid grid = Grid.of(1000, 50, 1);
    int[] members = new int[grid.chunks()];
    Units units = Units.each(1001);
    int[] all = new Sampler.FullBatch(1000).lot(null, 0, units);
    for (long choice : SamplingKey.insecure(1).choices(0, units, all)) {
      members[grid.chunk(choice)]++;
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
