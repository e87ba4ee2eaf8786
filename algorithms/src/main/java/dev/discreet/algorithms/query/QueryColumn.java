package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.Arrays;

/**
 * The numbers of one column, and who is protected: each row, or each unit of several rows.
 *
 * <p><b>Formal guarantee.</b> Where there are units, a unit has at most {@code rowsPerUnit} rows
 * here: the first ones of its own that have a number. Which rows these are depends on no other
 * unit.
 *
 * <pre>{@code
 * QueryColumn incomes = QueryColumn.ofRows(new double[] {31_000, 52_000, 250_000});
 * }</pre>
 */
@PublicApi
public final class QueryColumn {
  /** The largest number of rows of a unit. */
  public static final int MOST_ROWS = 1_000_000;

  private final double[] values;
  private final int rowsPerUnit;
  private final boolean units;

  private QueryColumn(double[] values, int rowsPerUnit, boolean units) {
    this.values = values;
    this.rowsPerUnit = rowsPerUnit;
    this.units = units;
  }

  /**
   * Every row is a unit of its own.
   *
   * @param values anything that is not a finite number is a missing value
   * @return the column
   */
  public static QueryColumn ofRows(double[] values) {
    return new QueryColumn(Arrays.stream(values).map(QueryColumn::orMissing).toArray(), 1, false);
  }

  /**
   * {@return the column}
   *
   * @param values one for each row; anything that is not a finite number is a missing value
   * @param unitOf the number of the unit that each row belongs to, from 0
   * @param rowsPerUnit how many rows of a unit count
   */
  public static QueryColumn ofUnits(double[] values, int[] unitOf, int rowsPerUnit) {
    checkRowsPerUnit(rowsPerUnit);
    Check.that(unitOf.length == values.length, "units of rows", "as many as values", unitOf.length);
    int[] rows = new int[Arrays.stream(unitOf).max().orElse(-1) + 1];
    double[] kept = new double[values.length];
    int size = 0;
    for (int i = 0; i < values.length; i++) {
      if (Double.isFinite(values[i]) && rows[unitOf[i]] < rowsPerUnit) {
        rows[unitOf[i]]++;
        kept[size++] = values[i];
      }
    }
    return new QueryColumn(Arrays.copyOf(kept, size), rowsPerUnit, true);
  }

  static void checkRowsPerUnit(long rows) {
    Check.that(rows >= 1 && rows <= MOST_ROWS, "rows per unit", "in [1, " + MOST_ROWS + "]", rows);
  }

  private static double orMissing(double value) {
    return Double.isFinite(value) ? value : Double.NaN;
  }

  /** The values that count; NaN for a missing one. */
  double[] values() {
    return values;
  }

  int rowsPerUnit() {
    return rowsPerUnit;
  }

  /** Whether a unit may have several rows, and therefore also none. */
  boolean hasUnits() {
    return units;
  }
}
