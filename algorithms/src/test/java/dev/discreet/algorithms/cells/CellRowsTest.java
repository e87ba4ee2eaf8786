package dev.discreet.algorithms.cells;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.algorithms.query.QueryColumn;
import dev.discreet.core.privacy.PrivacySession;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which rows count in cells, and what is refused before they are asked of. */
class CellRowsTest {
  private static final List<CellAxis> TWO = List.of(new CellAxis("a", List.of("x", "y")));
  private static final ColumnBounds BOUNDS = new ColumnBounds(0, 10);
  private static final Protection CHEAP = new Protection.Laplace(500);

  private static CellQuestion.Quantile median(List<CellAxis> axes, int candidates, int cells) {
    return new CellQuestion.Quantile(new Query.Quantile(0.5, BOUNDS, candidates), axes, cells);
  }

  private static double[] values(CellQuestion question, CellRows rows) {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      return question.ask(session, CHEAP, () -> rows).estimates().stream()
          .mapToDouble(each -> each.value())
          .toArray();
    }
  }

  /** They would stand in for one another. */
  @Test
  void rowsOfNobodyDoNotCount() {
    CellRows rows =
        CellRows.ofUnits(
            new int[] {0, 0, 1, 0}, new int[] {-1, -1, -5, 0}, 2, 1, new double[] {1, 2, 3, 4});
    assertEquals(1, rows.size());
    assertEquals(4, rows.number(0, 0));
    QueryColumn column = QueryColumn.ofUnits(new double[] {1, 2, 3}, new int[] {-1, 0, -7}, 1);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      Query sum = new Query.Sum(BOUNDS);
      assertEquals(2, sum.ask(session, CHEAP, () -> column).value(), 0.5);
    }
  }

  /** One row must not end an answer that is paid for. */
  @Test
  void aRowInNoCellOfTheTableDoesNotCount() {
    CellRows rows = CellRows.ofRows(new int[] {1, 2, 50}, new double[] {7, 8, 9});
    double[] sums = values(new CellQuestion.Sums(new Measure.Sum(BOUNDS), TWO), rows);
    assertEquals(0, sums[0], 0.5);
    assertEquals(7, sums[1], 0.5);
    assertEquals(7, values(median(TWO, 11, 1), rows)[1], 1);
  }

  /** What is charged is charged for the cells that a unit is in. */
  @Test
  void aQuantileIsForRowsOfItsOwnBound() {
    CellRows rows = CellRows.ofUnits(new int[] {0, 1}, new int[] {0, 0}, 2, 1, new double[] {1, 2});
    String message =
        assertThrows(IllegalArgumentException.class, () -> values(median(TWO, 11, 1), rows))
            .getMessage();
    assertEquals(
        "cells per unit of the rows must be at most that of the question, 1. Provided value: 2",
        message);
    assertEquals(2, values(median(TWO, 11, 2), rows).length);
  }

  @Test
  void whatNoMemoryHoldsIsRefusedBeforeItIsPaidFor() {
    List<CellAxis> many =
        List.of(new CellAxis("a", IntStream.range(0, 40_000).mapToObj(i -> "v" + i).toList()));
    String message =
        assertThrows(IllegalArgumentException.class, () -> median(many, 10_001, 1)).getMessage();
    assertEquals(
        "candidates in all cells must be at most 16777216. Provided value: 40000 cells of 10001"
            + " candidates",
        message);
    assertTrue(median(many, 101, 1).axes().equals(many));
  }
}
