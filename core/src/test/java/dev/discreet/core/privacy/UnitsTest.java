package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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

  private static int[] examples(Units units, int unit) {
    return java.util.stream.IntStream.range(0, units.size(unit))
        .map(i -> units.example(unit, i))
        .toArray();
  }

  @Test
  void aMappingGivesEveryExampleItsOwner() {
    Units units = Units.byOwner(new long[] {7, -2, 7, 7, 5, -2});
    assertEquals(3, units.count());
    assertEquals(-2, units.id(0));
    assertArrayEquals(new int[] {1, 5}, examples(units, 0));
    assertArrayEquals(new int[] {4}, examples(units, 1));
    assertArrayEquals(new int[] {0, 2, 3}, examples(units, 2));
    assertEquals(0, Units.byOwner(new long[0]).count());
  }

  @Test
  void aUnitKeepsSoManyOfItsOwn() {
    Units units = of(new int[] {0, 2, 4, 6, 8, 10, 12}, new int[] {1}, new int[] {});
    Units bounded = units.atMost(3);
    assertArrayEquals(new int[] {0, 4, 8}, examples(bounded, 0));
    assertArrayEquals(new int[] {1}, examples(bounded, 1));
    assertEquals(0, bounded.size(2));
    assertEquals(12, bounded.id(2));
    assertArrayEquals(examples(units, 0), examples(units.atMost(7), 0));
    Units each = Units.each(4);
    assertSame(each, each.atMost(1));
    refused("examples per unit must be at least 1. Provided value: 0", () -> units.atMost(0));
  }

  /** Which of its examples a unit keeps is its own affair, whatever comes or goes elsewhere. */
  @Test
  void whatAUnitKeepsIsDecidedByItAlone() {
    long[] owners = new java.util.SplittableRandom(1).longs(500, 0, 20).toArray();
    Units units = Units.byOwner(owners).atMost(5);
    // All rows of unit 3 become one other's, and unit 9 loses one of its own.
    long[] changed = owners.clone();
    int lost = 0;
    while (changed[lost] != 9) {
      lost++;
    }
    changed[lost] = 99;
    for (int i = 0; i < changed.length; i++) {
      changed[i] = changed[i] == 3 ? 77 : changed[i];
    }
    Units after = Units.byOwner(changed).atMost(5);
    for (int unit = 0; unit < units.count(); unit++) {
      long id = units.id(unit);
      int same =
          java.util.stream.IntStream.range(0, after.count())
              .filter(i -> after.id(i) == id)
              .findFirst()
              .orElse(-1);
      if (id != 3 && id != 9) {
        assertArrayEquals(examples(units, unit), examples(after, same), "unit " + id);
      }
    }
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
