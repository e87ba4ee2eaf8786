package dev.discreet.algorithms.cells;

import dev.discreet.accounting.Check;
import java.util.HashSet;
import java.util.List;

/**
 * One direction of a cross-table: a column, and the values of it that make cells.
 *
 * @param name of the column
 * @param labels what the values are called; declared, or selected at a charge
 */
public record CellAxis(String name, List<String> labels) {
  /** A table has no more cells than this. */
  public static final int MOST_CELLS = 1_000_000;

  /** Refuses labels that are none, too many or not distinct. */
  public CellAxis {
    labels = List.copyOf(labels);
    Check.that(
        labels.size() >= 1 && labels.size() <= MOST_CELLS,
        "values of " + name,
        "in [1, " + MOST_CELLS + "]",
        labels.size());
    Check.that(
        new HashSet<>(labels).size() == labels.size(), "values of " + name, "distinct", labels);
  }

  /**
   * How many cells a table has; the last axis changes fastest.
   *
   * @param axes of the table; none make one cell
   * @return their number
   */
  public static int cells(List<CellAxis> axes) {
    long cells = 1;
    for (CellAxis axis : axes) {
      cells *= axis.labels.size();
      Check.that(cells <= MOST_CELLS, "cells of a table", "at most " + MOST_CELLS, cells);
    }
    return (int) cells;
  }
}
