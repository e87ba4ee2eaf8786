package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.DoubleStream;

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

  // Where the rows are: sums over them are all that is asked.
  private final Function<ValueSum, long[]> sums;
  private final int rows;
  private final int rowsPerUnit;
  private final boolean units;

  private QueryColumn(Function<ValueSum, long[]> sums, int rows, int rowsPerUnit, boolean units) {
    this.sums = sums;
    this.rows = rows;
    this.rowsPerUnit = rowsPerUnit;
    this.units = units;
  }

  private QueryColumn(double[] values, int rowsPerUnit, boolean units) {
    this(sum -> sum.over(values), values.length, rowsPerUnit, units);
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
   * @param unitOf the number of the unit that each row belongs to, from 0; a row of a number below
   *     0 is nobody's, and does not count
   * @param rowsPerUnit how many rows of a unit count
   */
  public static QueryColumn ofUnits(double[] values, int[] unitOf, int rowsPerUnit) {
    checkRowsPerUnit(rowsPerUnit);
    Check.that(unitOf.length == values.length, "units of rows", "as many as values", unitOf.length);
    int[] rows = new int[Arrays.stream(unitOf).max().orElse(-1) + 1];
    double[] kept = new double[values.length];
    int size = 0;
    for (int i = 0; i < values.length; i++) {
      if (unitOf[i] >= 0 && Double.isFinite(values[i]) && rows[unitOf[i]] < rowsPerUnit) {
        rows[unitOf[i]]++;
        kept[size++] = values[i];
      }
    }
    return new QueryColumn(Arrays.copyOf(kept, size), rowsPerUnit, true);
  }

  /**
   * Numbers that may be elsewhere, such as on a cluster: only sums over units come from there.
   *
   * @param data each example is a {@link WrittenNumber}; one that is no finite number is a missing
   *     value
   * @param rowsPerUnit how many rows of a unit count: evenly spread over its own
   * @return the column
   */
  public static QueryColumn ofData(PrivateData data, int rowsPerUnit) {
    checkRowsPerUnit(rowsPerUnit);
    Check.that(
        data.input().size() == WrittenNumber.SIZE,
        "numbers of an example",
        "" + WrittenNumber.SIZE,
        data.input().size());
    PrivateData few = data.atMost(rowsPerUnit);
    return new QueryColumn(
        sum -> few.sum((examples, units) -> sum.over(numbers(examples, units, rowsPerUnit))),
        0,
        rowsPerUnit,
        true);
  }

  private static double[] numbers(Examples examples, Units units, int rowsPerUnit) {
    DoubleStream.Builder kept = DoubleStream.builder();
    float[] written = new float[WrittenNumber.SIZE];
    for (int unit = 0; unit < units.count(); unit++) {
      int rows = 0;
      for (int i = 0; i < units.size(unit) && rows < rowsPerUnit; i++) {
        double value;
        try {
          examples.input(units.example(unit, i), written, 0);
          value = WrittenNumber.read(written, 0);
        } catch (RuntimeException e) {
          value = Double.NaN; // A row that cannot be read has no number.
        }
        if (Double.isFinite(value)) {
          kept.add(value);
          rows++;
        }
      }
    }
    return kept.build().toArray();
  }

  /**
   * Numbers of which at most so many are one unit's.
   *
   * @param values finite
   * @param rowsPerUnit how many rows of a unit are among them at most
   * @return the column
   */
  public static QueryColumn ofBounded(double[] values, int rowsPerUnit) {
    checkRowsPerUnit(rowsPerUnit);
    return new QueryColumn(values, rowsPerUnit, true);
  }

  static void checkRowsPerUnit(long rows) {
    Check.that(rows >= 1 && rows <= MOST_ROWS, "rows per unit", "in [1, " + MOST_ROWS + "]", rows);
  }

  private static double orMissing(double value) {
    return Double.isFinite(value) ? value : Double.NaN;
  }

  /** A sum over the values that count. */
  long[] sum(ValueSum sum) {
    return sums.apply(sum);
  }

  /** How many rows there are, missing ones too, where each is a unit; that may be known then. */
  int rows() {
    return rows;
  }

  int rowsPerUnit() {
    return rowsPerUnit;
  }

  /** Whether a unit may have several rows, and therefore also none. */
  boolean hasUnits() {
    return units;
  }
}
