package dev.discreet.algorithms.cells;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.KeySelection;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that are selected, and then asked about. */
class SelectedCellsTest {
  private static final List<String> KEYS = List.of("a", "b", "c", "d");
  private static final ColumnBounds UNEVEN = new ColumnBounds(-3, 10);

  private static SortedSet<String> sorted(String... keys) {
    return new TreeSet<>(List.of(keys));
  }

  /**
   * Which rows count is decided among all keys: those of a key that is not shown are not replaced.
   */
  @Test
  void aUnitIsInItsFirstKeysWhetherTheyAreSelectedOrNot() {
    RowsByKey rows =
        RowsByKey.ofUnits(
            List.of("own", "b", "a", "b", "b", "a", "a"),
            new int[] {0, 0, 0, 0, 0, 1, 0},
            2,
            new double[] {1, 2, 4, 8, 16, 32, 64});
    assertEquals(
        "[[32.0], [2.0, 8.0]]", Arrays.deepToString(rows.in(sorted("a", "b"), 2).byCell(2)));
    assertEquals("[[32.0]]", Arrays.deepToString(rows.in(sorted("a"), 2).byCell(1)));
    assertEquals("[[4.0, 32.0, 64.0]]", Arrays.deepToString(rows.in(sorted("a"), 3).byCell(1)));
    RowsByKey alone = RowsByKey.ofRows(List.of("b", "a", "b"), new double[] {1, 2, 4});
    assertEquals(
        "[[2.0], [1.0, 4.0]]", Arrays.deepToString(alone.in(sorted("a", "b"), 1).byCell(2)));
  }

  /** All units of up to 3 rows, of which 2 keys and a row each count. */
  private static List<List<String>> units() {
    List<List<String>> units = new ArrayList<>(List.of(List.of()));
    for (int start = 0; start < units.size(); start++) {
      if (units.get(start).size() < 3) {
        for (String key : KEYS) {
          List<String> longer = new ArrayList<>(units.get(start));
          longer.add(key);
          units.add(longer);
        }
      }
    }
    return units;
  }

  private static GridVector exact(
      Measure measure,
      List<String> unit,
      boolean first,
      boolean others,
      SortedSet<String> selected,
      Norm norm,
      Neighbouring relation) {
    List<String> keys = new ArrayList<>(KEYS);
    keys.addAll(unit);
    int[] unitOf = new int[keys.size()];
    Arrays.fill(unitOf, KEYS.size(), unitOf.length, 4);
    for (int i = 0; i < KEYS.size(); i++) {
      unitOf[i] = i;
    }
    double[] numbers = new double[keys.size()];
    for (int i = KEYS.size(); i < numbers.length; i++) {
      numbers[i] = (keys.get(i).equals("a") ? first : others) ? 1e9 : -1e9;
    }
    RowsByKey rows =
        RowsByKey.ofUnits(
            keys,
            unitOf,
            1,
            Collections.nCopies(measure.columns(), numbers).toArray(double[][]::new));
    CellAxis axis = new CellAxis("key", List.copyOf(selected));
    return new CellQuestion.Sums(measure, List.of(axis))
        .exact(rows.in(selected, 2), norm, relation);
  }

  /** For every fixed set of keys, whatever the unit has of them. */
  @ParameterizedTest
  @EnumSource(Neighbouring.class)
  void noNeighbourMovesSelectedCellsFartherThanStated(Neighbouring relation) {
    for (Measure measure :
        List.of(new Measure.Count(), new Measure.Sum(UNEVEN), new Measure.Mean(UNEVEN))) {
      for (SortedSet<String> selected :
          List.of(
              sorted("a"), sorted("a", "c"), sorted("a", "b", "c"), sorted("a", "b", "c", "d"))) {
        for (Norm norm : Norm.values()) {
          List<GridVector> values =
              units().stream()
                  .flatMap(
                      unit ->
                          IntStream.range(0, 4)
                              .mapToObj(
                                  ends ->
                                      exact(
                                          measure,
                                          unit,
                                          ends % 2 == 1,
                                          ends / 2 == 1,
                                          selected,
                                          norm,
                                          relation)))
                  .toList();
          double stated = values.get(0).sensitivity();
          double worst = 0;
          for (GridVector a : values) {
            assertEquals(stated, a.sensitivity());
            for (GridVector b :
                relation == Neighbouring.REPLACE_ONE ? values : values.subList(0, 1)) {
              double moved = 0;
              for (int i = 0; i < a.integers().length; i++) {
                double by =
                    Math.abs(
                        Math.scalb((double) (a.integers()[i] - b.integers()[i]), a.exponent()));
                moved = norm == Norm.L1 ? moved + by : Math.hypot(moved, by);
              }
              worst = Math.max(worst, moved);
            }
          }
          double most = relation == Neighbouring.REPLACE_ONE ? 2 * stated : stated;
          assertTrue(
              worst <= most && worst >= most * 0.999, worst + " of " + most + ", " + measure);
        }
      }
    }
  }

  @Test
  void selectionAndMeasureAreChargedBeforeTheyRead() {
    for (Neighbouring relation : Neighbouring.values()) {
      try (PrivacySession session = PrivacySession.open(relation)) {
        SelectedCells question =
            new SelectedCells("town", new Measure.Count(), new KeySelection(4, 1e-6, 1));
        Protection laplace = new Protection.Laplace(2);
        List<String> keys = new ArrayList<>(Collections.nCopies(300, "Ulm"));
        keys.addAll(Collections.nCopies(200, "Bonn"));
        keys.add("own");
        List<Ledger> charged = new ArrayList<>();
        CellAnswer answer =
            question
                .ask(
                    session,
                    laplace,
                    () -> {
                      charged.add(session.ledger());
                      return RowsByKey.ofRows(keys);
                    })
                .orElseThrow();
        Ledger selection = Ledger.of(relation, new Mechanism.ApproximateDp(4, 1e-6), 1);
        assertEquals(List.of(selection, question.cost(laplace, relation)), charged);
        assertEquals(question.cost(laplace, relation), session.ledger());
        assertEquals(List.of("Bonn", "Ulm"), answer.axes().get(0).labels());
        assertEquals(200, answer.estimates().get(0).value(), 30);
        assertEquals(300, answer.estimates().get(1).value(), 30);
      }
    }
  }

  @Test
  void theLedgerDoesNotTellWhetherAnythingWasSelected() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      SelectedCells question =
          new SelectedCells("town", new Measure.Count(), new KeySelection(1, 1e-12, 1));
      Protection laplace = new Protection.Laplace(1);
      assertEquals(
          Optional.empty(),
          question.ask(session, laplace, () -> RowsByKey.ofRows(List.of("one", "two"))));
      assertEquals(question.cost(laplace, Neighbouring.ADD_REMOVE), session.ledger());
    }
  }
}
