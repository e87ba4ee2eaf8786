package dev.discreet.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.DrawnLot;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Parts of a lot, by a twin of what the device does with them: one parameter, whose gradient is a
 * number of each row.
 */
class LotPartsTest {
  private static final int UNITS = 60;

  private final SplittableRandom random = new SplittableRandom(5);
  private final Units units = units();
  private final float[] gradient = gradients();
  private final int[] lot = IntStream.range(0, UNITS).toArray();
  private final int[] chunkEnds = {0, 3, 3, 20, 21, 21, 47, 59, 60};

  /** None, one or several examples each, and one unit with many. */
  private Units units() {
    int[][] members = new int[UNITS][];
    int next = 0;
    for (int u = 0; u < UNITS; u++) {
      int size = u == 33 ? 25 : new int[] {0, 1, 1, 1, 2, 5}[random.nextInt(6)];
      members[u] = IntStream.range(next, next + size).toArray();
      next += size;
    }
    return Units.of(IntStream.range(0, UNITS).asLongStream().toArray(), members);
  }

  private float[] gradients() {
    float[] all = new float[500];
    for (int i = 0; i < all.length; i++) {
      all[i] = (float) random.nextDouble(-1, 1);
    }
    return all;
  }

  /** Every seventh row is of no use. */
  private static int row(int example) {
    return example % 7 == 6 ? -2 : example;
  }

  /** The chunk sums as they are defined: member by member, each member's rows in order. */
  private float[] expected(boolean averaged) {
    float[] sums = new float[chunkEnds.length];
    for (int c = 0, u = 0; c < chunkEnds.length; c++) {
      for (; u < chunkEnds[c]; u++) {
        float whole = 0;
        for (int i = 0; i < units.size(u); i++) {
          whole += row(units.example(u, i)) >= 0 ? gradient[units.example(u, i)] : 0;
        }
        float share = averaged && units.size(u) > 1 ? 1f / units.size(u) : 1;
        sums[c] = Math.fma(0.7f, whole * share, sums[c]);
      }
    }
    return sums;
  }

  /** As the kernels take parts: written-out units, running sums in two buffers. */
  private float[] taken(List<LotPart> parts, int mostExamples, int mostSlots) {
    float[] found = new float[UNITS];
    float[] open = new float[2];
    float[] written = new float[mostSlots];
    int next = 0;
    for (LotPart part : parts) {
      assertTrue(part.examples <= mostExamples && part.slots <= mostSlots);
      for (int m = 0; m < part.members; m++) {
        if (part.slot[m] >= 0) {
          float whole = part.begins ? 0 : written[part.slot[m]];
          for (int e = part.first[m]; e < part.first[m] + part.count[m]; e++) {
            whole += gradient[part.row[e]];
          }
          written[part.slot[m]] = whole;
        }
      }
      for (int c = 0, m = 0; part.ends && c < part.chunks; c++) {
        float sum = c == 0 && part.openIn >= 0 ? open[part.openIn] : 0;
        for (; m < part.chunkEnd[c]; m++) {
          float value =
              part.slot[m] >= 0
                  ? written[part.slot[m]] * part.divide[m]
                  : gradient[part.row[part.first[m]]];
          sum = Math.fma(0.7f, value, sum);
        }
        if (c == part.chunks - 1 && part.openOut >= 0) {
          assertTrue(part.chunks == 1 || part.openOut != part.openIn, "a buffer that is in use");
          open[part.openOut] = sum;
        } else {
          found[next++] = sum;
        }
      }
    }
    return Arrays.copyOf(found, next);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 8, 24, 25, 26, 64, 1000})
  void giveTheSumsOfTheChunksWhateverTheirSize(int most) {
    for (boolean averaged : new boolean[] {false, true}) {
      for (boolean allWritten : new boolean[] {false, true}) {
        for (int slots : new int[] {1, 2, 1000}) {
          LotParts cut = new LotParts(most, slots, allWritten, averaged, units, LotPartsTest::row);
          float[] found = taken(cut.of(new DrawnLot(lot, new long[UNITS]), chunkEnds), most, slots);
          float[] expected = expected(averaged);
          // A chunk without members leaves nothing.
          float[] some = new float[found.length];
          int n = 0;
          for (int c = 0; c < expected.length; c++) {
            int from = c == 0 ? 0 : chunkEnds[c - 1];
            if (IntStream.range(from, chunkEnds[c]).anyMatch(this::adds)) {
              some[n++] = expected[c];
            }
          }
          assertEquals(n, found.length, "chunks");
          assertArrayEquals(some, found, "parts of " + most + " with " + slots + " slots");
          assertEquals(
              IntStream.range(0, UNITS)
                  .filter(
                      u ->
                          IntStream.range(0, units.size(u))
                              .anyMatch(i -> row(units.example(u, i)) < 0))
                  .count(),
              cut.refused());
        }
      }
    }
  }

  private boolean adds(int unit) {
    return IntStream.range(0, units.size(unit)).anyMatch(i -> row(units.example(unit, i)) >= 0);
  }
}
