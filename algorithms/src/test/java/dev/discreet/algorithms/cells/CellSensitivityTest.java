package dev.discreet.algorithms.cells;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The stated sensitivities are the most that any neighbour of a small table moves it. */
class CellSensitivityTest {
  private static final CellAxis TWO = new CellAxis("a", List.of("x", "y"));
  private static final CellAxis THREE = new CellAxis("c", List.of("i", "j", "k"));
  private static final CellAxis FOUR = new CellAxis("b", List.of("p", "q", "r", "s"));
  private static final ColumnBounds UNEVEN = new ColumnBounds(-3, 10);
  private static final ColumnBounds POSITIVE = new ColumnBounds(20, 100);
  private static final ColumnBounds NEGATIVE = new ColumnBounds(-7, -2);
  private static final ColumnBounds FROM_ZERO = new ColumnBounds(0, 4);

  /** A row of one unit: its cell, and as many numbers as a measure may want. */
  private record Row(int unit, int cell, double first, double second) {}

  private static CellRows rows(List<Row> rows, Measure measure, int cells, int each) {
    double[][] numbers = {
      rows.stream().mapToDouble(Row::first).toArray(),
      rows.stream().mapToDouble(Row::second).toArray()
    };
    return CellRows.ofUnits(
        rows.stream().mapToInt(Row::cell).toArray(),
        rows.stream().mapToInt(Row::unit).toArray(),
        cells,
        each,
        Arrays.copyOf(numbers, measure.columns()));
  }

  static Stream<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (Measure measure :
        List.of(
            new Measure.Count(),
            new Measure.Sum(UNEVEN),
            new Measure.Sum(POSITIVE),
            new Measure.Sum(NEGATIVE),
            new Measure.Mean(UNEVEN),
            new Measure.Variance(POSITIVE),
            new Measure.Ratio(UNEVEN, FROM_ZERO),
            new Measure.Ratio(POSITIVE, POSITIVE))) {
      for (Neighbouring relation : Neighbouring.values()) {
        for (Norm norm : Norm.values()) {
          for (int cells : new int[] {1, 2}) {
            for (int each : new int[] {1, 2}) {
              cases.add(Arguments.of(measure, relation, norm, List.of(FOUR), cells, each));
              cases.add(Arguments.of(measure, relation, norm, List.of(THREE), cells, each));
              cases.add(Arguments.of(measure, relation, norm, List.of(TWO), cells, each));
              cases.add(Arguments.of(measure, relation, norm, List.of(), 1, each));
            }
          }
        }
      }
    }
    return cases.stream();
  }

  /**
   * What a unit can be: in any cells that count, at the ends of the bounds in each. One row more in
   * each cell, and one cell more, do not count.
   */
  private static List<List<Row>> units(Measure measure, int table, int cells, int each) {
    double[] none = {0};
    double[] ends = {-1e9, 1e9};
    List<List<Row>> units = new ArrayList<>(List.of(List.of()));
    for (int start = 0; start < units.size(); start++) {
      List<Row> shorter = units.get(start);
      int in = shorter.size() / (each + 1);
      int from = in == 0 ? 0 : shorter.get(shorter.size() - 1).cell() + 1;
      for (int cell = from; cell < table && in < cells; cell++) {
        for (double first : measure.columns() > 0 ? ends : none) {
          for (double second : measure.columns() > 1 ? ends : none) {
            Row row = new Row(1, cell, first, second);
            units.add(
                Stream.concat(shorter.stream(), Collections.nCopies(each + 1, row).stream())
                    .toList());
          }
        }
      }
    }
    return units.stream()
        .map(
            unit ->
                unit.size() < cells * (each + 1) || cells == table
                    ? unit
                    : Stream.concat(unit.stream(), Stream.of(oneMore(unit, table))).toList())
        .toList();
  }

  private static Row oneMore(List<Row> unit, int table) {
    int free =
        IntStream.range(0, table)
            .filter(cell -> unit.stream().noneMatch(row -> row.cell() == cell))
            .findFirst()
            .orElseThrow();
    return new Row(1, free, 1e9, 1e9);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void noNeighbourMovesItFartherAndOneAsFar(
      Measure measure, Neighbouring relation, Norm norm, List<CellAxis> axes, int cells, int each) {
    CellQuestion.Sums question = new CellQuestion.Sums(measure, axes);
    int table = CellAxis.cells(axes);
    List<List<Row>> units = units(measure, table, cells, each);
    List<GridVector> values =
        units.stream()
            .map(unit -> question.exact(table(unit, measure, cells, each), norm, relation))
            .toList();
    double stated = values.get(0).sensitivity();
    double worst = 0;
    for (GridVector a : values) {
      assertEquals(stated, a.sensitivity());
      for (GridVector b : relation == Neighbouring.REPLACE_ONE ? values : values.subList(0, 1)) {
        double moved = 0;
        for (int i = 0; i < a.integers().length; i++) {
          double by =
              Math.abs(Math.scalb((double) (a.integers()[i] - b.integers()[i]), a.exponent()));
          moved = norm == Norm.L1 ? moved + by : Math.hypot(moved, by);
        }
        worst = Math.max(worst, moved);
      }
    }
    double most = relation == Neighbouring.REPLACE_ONE ? 2 * stated : stated;
    assertTrue(worst <= most, worst + " of " + most);
    assertTrue(worst >= most * 0.999, worst + " of " + most);
  }

  /** The unit beside two that stay. */
  private static CellRows table(List<Row> unit, Measure measure, int cells, int each) {
    List<Row> all = new ArrayList<>(List.of(new Row(0, 0, 1, 1)));
    all.addAll(unit);
    all.add(new Row(2, 0, 30, 3));
    return rows(all, measure, cells, each);
  }

  @Test
  void aUnitIsInItsFirstCellsWithItsFirstRows() {
    int[] cells = {3, 1, 3, 3, -1, 0, 1, 2};
    int[] units = {0, 0, 0, 0, 0, 0, 0, 1};
    double[] numbers = {1, Double.NaN, 2, 4, 8, 16, 32, 64};
    double[][] found = CellRows.ofUnits(cells, units, 2, 2, numbers).byCell(4);
    assertEquals(
        "[[16.0], [], [64.0], [1.0, 2.0]]", Arrays.deepToString(found), "cell 1 comes third");
    double[][] alone = CellRows.ofRows(cells, numbers).byCell(4);
    assertEquals("[[16.0], [32.0], [64.0], [1.0, 2.0, 4.0]]", Arrays.deepToString(alone));
  }

  @Test
  void whatNoTableCanHaveIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new CellAxis("a", List.of()));
    assertThrows(IllegalArgumentException.class, () -> new CellAxis("a", List.of("x", "x")));
    assertThrows(IllegalArgumentException.class, () -> CellRows.check(0, 1));
    assertThrows(IllegalArgumentException.class, () -> CellRows.check(1, 0));
    assertThrows(IllegalArgumentException.class, () -> CellRows.check(300, 300));
    assertThrows(IllegalArgumentException.class, () -> new Measure.Ratio(UNEVEN, UNEVEN));
    CellAxis wide =
        new CellAxis("w", Stream.iterate(0, i -> i + 1).limit(1001).map(i -> "" + i).toList());
    assertThrows(IllegalArgumentException.class, () -> CellAxis.cells(List.of(wide, wide)));
    assertEquals(8, CellAxis.cells(List.of(TWO, FOUR)));
  }
}
