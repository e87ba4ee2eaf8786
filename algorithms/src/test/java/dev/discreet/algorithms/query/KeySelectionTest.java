package dev.discreet.algorithms.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.PrivacySession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

class KeySelectionTest {
  private static List<String> keys(int south, int north, String... others) {
    List<String> keys = new ArrayList<>(Collections.nCopies(south, "south"));
    keys.addAll(Collections.nCopies(north, "north"));
    keys.addAll(List.of(others));
    return keys;
  }

  @Test
  void whatManyShareIsShownAndWhatOneHasIsNot() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      KeySelection selection = new KeySelection(1, 1e-12, 1);
      SortedSet<String> shown =
          selection.ask(session, () -> UnitKeys.ofRows(keys(200, 300, "Zoe Smith")));
      assertEquals(List.of("north", "south"), List.copyOf(shown));
      assertTrue(selection.ask(session, () -> UnitKeys.ofRows(List.of())).isEmpty());
    }
  }

  @Test
  void itIsChargedOnceAndBeforeAnythingIsCounted() {
    for (Neighbouring relation : Neighbouring.values()) {
      try (PrivacySession session = PrivacySession.open(relation)) {
        KeySelection selection = new KeySelection(0.5, 1e-6, 3);
        selection.ask(
            session,
            () -> {
              assertEquals(selection.cost(relation), session.ledger());
              return UnitKeys.ofRows(keys(1, 1));
            });
        assertEquals(
            Ledger.of(relation, new Mechanism.ApproximateDp(0.5, 1e-6), 1), session.ledger());
      }
    }
  }

  @Test
  void replacedUnitsHaveTwiceAsManyKeysThatDiffer() {
    KeySelection one = new KeySelection(1, 1e-6, 1);
    KeySelection two = new KeySelection(1, 1e-6, 2);
    assertEquals(1e-6, one.chance(Neighbouring.ADD_REMOVE, 1), 1e-18);
    assertEquals(one.chance(Neighbouring.REPLACE_ONE, 12), two.chance(Neighbouring.ADD_REMOVE, 12));
    assertEquals(one.chance(Neighbouring.ZERO_OUT, 12), one.chance(Neighbouring.ADD_REMOVE, 12));
  }

  @Test
  void aUnitCountsOnceForEachOfItsFirstKeys() {
    List<String> own = new ArrayList<>(List.of("a", "a", "b", "c", "a", "d"));
    own.add(3, null);
    UnitKeys keys = UnitKeys.ofUnits(own, new int[] {0, 0, 0, 0, 0, 1, 1});
    assertEquals(Map.of("a", 2L, "b", 1L, "d", 1L), keys.units(2));
    assertEquals(Map.of("a", 2L), keys.units(1));
    assertEquals(Map.of("a", 2L, "b", 1L, "c", 1L, "d", 1L), keys.units(9));
  }

  /** Such rows have no one to protect, and many of them are no one unit either. */
  @Test
  void rowsOfNobodyCountForNone() {
    UnitKeys keys = UnitKeys.ofUnits(List.of("a", "a", "b"), new int[] {-1, 0, -1});
    assertEquals(Map.of("a", 1L), keys.units(2));
  }

  /** One unit more changes the count of at most k keys by one, whatever others there are. */
  @Test
  void noUnitMovesAnotherOne() {
    List<String> others = List.of("a", "b", "c", "a", "d", "b");
    int[] unitOf = {0, 0, 0, 1, 1, 1};
    for (int at = 0; at <= others.size(); at++) {
      List<String> more = new ArrayList<>(others);
      more.addAll(at, List.of("c", "x", "c", "d"));
      int[] units = new int[more.size()];
      for (int i = 0; i < units.length; i++) {
        units[i] = i < at ? unitOf[i] : i < at + 4 ? 2 : unitOf[i - 4];
      }
      Map<String, Long> with = UnitKeys.ofUnits(more, units).units(2);
      Map<String, Long> without = UnitKeys.ofUnits(others, unitOf).units(2);
      assertEquals(Map.of("a", 2L, "b", 1L, "d", 1L), without);
      assertEquals(Map.of("a", 2L, "b", 1L, "c", 1L, "d", 1L, "x", 1L), with);
    }
  }

  @Test
  void whatItCannotPromiseIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new KeySelection(1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new KeySelection(1, 1e-6, 0));
    assertThrows(IllegalArgumentException.class, () -> new KeySelection(0.01, 1e-6, 100));
    assertThrows(
        IllegalArgumentException.class, () -> UnitKeys.ofUnits(List.of("a"), new int[] {0, 1}));
    assertFalse(new KeySelection(1, 1e-6, 1).chance(Neighbouring.ADD_REMOVE, 0) > 0);
  }
}
