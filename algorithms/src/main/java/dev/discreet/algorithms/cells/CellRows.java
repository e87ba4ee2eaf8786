package dev.discreet.algorithms.cells;

import dev.discreet.accounting.Check;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Rows in the cells of a table, with their numbers, and who is protected: each row, or each unit of
 * several rows.
 *
 * <p><b>Formal guarantee.</b> A unit is in at most {@code cellsPerUnit} cells here, and in each of
 * them with at most {@code rowsPerCell} rows: the first ones of its own that are in a cell and have
 * all their numbers. Which these are depends on no other unit.
 */
public final class CellRows {
  /** The most rows of one unit that count, in all its cells together. */
  public static final int MOST_ROWS = 1 << 16;

  private final int[] cells;
  private final double[][] numbers;
  private final int cellsPerUnit;
  private final int rowsPerCell;

  private CellRows(int[] cells, double[][] numbers, int cellsPerUnit, int rowsPerCell) {
    this.cells = cells;
    this.numbers = numbers;
    this.cellsPerUnit = cellsPerUnit;
    this.rowsPerCell = rowsPerCell;
  }

  /**
   * Every row is a unit of its own.
   *
   * @param cells the cell of each row, from 0; −1 for a row that is in none
   * @param columns the numbers of each row, one array a column; a row with one that is not finite
   *     does not count
   * @return the rows
   */
  public static CellRows ofRows(int[] cells, double[]... columns) {
    return of(cells, null, 1, 1, columns);
  }

  /**
   * Units of several rows.
   *
   * @param cells the cell of each row, from 0; −1 for a row that is in none
   * @param unitOf the number of the unit that each row belongs to, from 0; a row of a number below
   *     0 is nobody's, and does not count
   * @param cellsPerUnit in how many cells a unit counts
   * @param rowsPerCell how many rows of a unit count in each
   * @param columns the numbers of each row, one array a column
   * @return the rows
   */
  public static CellRows ofUnits(
      int[] cells, int[] unitOf, int cellsPerUnit, int rowsPerCell, double[]... columns) {
    Check.that(unitOf.length == cells.length, "units of rows", "as many as rows", unitOf.length);
    return of(cells, unitOf, cellsPerUnit, rowsPerCell, columns);
  }

  /**
   * Refuses bounds on a unit that are out of range.
   *
   * @param cellsPerUnit in how many cells a unit counts
   * @param rowsPerCell how many rows of a unit count in each
   */
  public static void check(long cellsPerUnit, long rowsPerCell) {
    Check.that(cellsPerUnit >= 1, "cells per unit", "at least 1", cellsPerUnit);
    Check.that(rowsPerCell >= 1, "rows per cell", "at least 1", rowsPerCell);
    Check.that(
        cellsPerUnit <= MOST_ROWS && cellsPerUnit * rowsPerCell <= MOST_ROWS,
        "rows of a unit in all its cells",
        "at most " + MOST_ROWS,
        cellsPerUnit + " cells of " + rowsPerCell + " rows");
  }

  private static CellRows of(
      int[] cells, int[] unitOf, int cellsPerUnit, int rowsPerCell, double[]... columns) {
    check(cellsPerUnit, rowsPerCell);
    for (double[] column : columns) {
      Check.that(column.length == cells.length, "numbers", "one for each row", column.length);
    }
    Map<Long, Integer> inCell = new HashMap<>();
    Map<Integer, Integer> cellsOf = new HashMap<>();
    int[] kept = new int[cells.length];
    double[][] numbers = new double[columns.length][cells.length];
    int size = 0;
    for (int i = 0; i < cells.length; i++) {
      int row = i;
      if (cells[i] < 0 || !Arrays.stream(columns).allMatch(c -> Double.isFinite(c[row]))) {
        continue;
      }
      if (unitOf != null) {
        if (unitOf[i] < 0) {
          continue;
        }
        long place = (long) unitOf[i] << Integer.SIZE | cells[i];
        int before = inCell.getOrDefault(place, 0);
        int others = cellsOf.getOrDefault(unitOf[i], 0);
        if (before == rowsPerCell || before == 0 && others == cellsPerUnit) {
          continue;
        }
        inCell.put(place, before + 1);
        cellsOf.put(unitOf[i], before == 0 ? others + 1 : others);
      }
      kept[size] = cells[i];
      for (int j = 0; j < columns.length; j++) {
        numbers[j][size] = columns[j][i];
      }
      size++;
    }
    int counted = size;
    return new CellRows(
        Arrays.copyOf(kept, counted),
        Arrays.stream(numbers).map(c -> Arrays.copyOf(c, counted)).toArray(double[][]::new),
        cellsPerUnit,
        rowsPerCell);
  }

  /**
   * Those in some of the cells, of another table. What a unit has there is a part of what it has
   * here, and rows in other cells are not made up for: the bounds on a unit stay.
   *
   * @param places the new place of each cell; −1 for one that the other table lacks
   */
  CellRows in(int[] places) {
    int[] left = IntStream.range(0, cells.length).filter(i -> places[cells[i]] >= 0).toArray();
    return new CellRows(
        Arrays.stream(left).map(i -> places[cells[i]]).toArray(),
        Arrays.stream(numbers)
            .map(column -> Arrays.stream(left).mapToDouble(i -> column[i]).toArray())
            .toArray(double[][]::new),
        cellsPerUnit,
        rowsPerCell);
  }

  int cellsPerUnit() {
    return cellsPerUnit;
  }

  int rowsPerCell() {
    return rowsPerCell;
  }

  int size() {
    return cells.length;
  }

  int cell(int row) {
    return cells[row];
  }

  double number(int column, int row) {
    return numbers[column][row];
  }

  int columns() {
    return numbers.length;
  }

  /** The numbers of one column in each of so many cells. */
  double[][] byCell(int count) {
    int[] sizes = new int[count];
    for (int cell : cells) {
      if (cell < count) {
        sizes[cell]++;
      }
    }
    double[][] found = new double[count][];
    Arrays.setAll(found, cell -> new double[sizes[cell]]);
    for (int i = cells.length - 1; i >= 0; i--) {
      if (cells[i] < count) {
        found[cells[i]][--sizes[cells[i]]] = numbers[0][i];
      }
    }
    return found;
  }
}
