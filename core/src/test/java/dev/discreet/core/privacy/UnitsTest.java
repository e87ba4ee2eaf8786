package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class UnitsTest {
  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  private static Units of(int[]... examples) {
    long[] ids = new long[examples.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = 10 + i;
    }
    return Units.of(ids, examples);
  }

  @Test
  void anExampleHasOneUnit() {
    refused(
        "example must be in one unit only. Provided value: 7",
        () -> of(new int[] {3, 7}, new int[] {}, new int[] {1, 7}));
    refused(
        "index of an example must be at least 0. Provided value: -1",
        () -> of(new int[] {3}, new int[] {-1}));
    // Twice in its own unit it is still one unit's.
    Units units = of(new int[] {7, 7}, new int[] {}, new int[] {0, 3});
    assertEquals(2, units.size(0));
    assertEquals(0, units.size(1));
    assertEquals(3, units.example(2, 1));
    assertEquals(12, units.id(2));
  }

  @Test
  void examplesAreThoseThatThereAre() {
    Units units = of(new int[] {7}, new int[] {0});
    units.check(8);
    refused(
        "examples of the units must be below the number there is, 7. Provided value: 7",
        () -> units.check(7));
    of().check(0);
    of(new int[] {}).check(0);
    Units.each(0).check(0);
    Units.each(5).check(5);
    assertThrows(IllegalArgumentException.class, () -> Units.each(5).check(4));
  }

  @Test
  void placesWithoutAUnitAreAddedOnce() {
    Units units = of(new int[] {7}, new int[] {0});
    Units padded = units.padded(5);
    assertEquals(5, padded.count());
    assertEquals(
        5, java.util.stream.IntStream.range(0, 5).mapToLong(padded::id).distinct().count());
    assertEquals(0, padded.size(4));
    assertSame(padded, units.padded(5), "and not at every step");
    assertEquals(6, units.padded(6).count());
    assertSame(units, units.padded(1));
  }

  @Test
  void countsLeaveRoomForALastBatch() {
    int most = (int) ((1L << 31) - 4096);
    new Sampler.FullBatch(most);
    Units.each(most);
    assertThrows(IllegalArgumentException.class, () -> new Sampler.FullBatch(most + 1L));
    assertThrows(IllegalArgumentException.class, () -> new Sampler.Poisson(0.1, most + 1L));
    assertThrows(IllegalArgumentException.class, () -> Units.each(most + 1));
  }
}
