package dev.discreet.algorithms.matrix;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Σ over units of x·xᵀ for rows x of whole numbers: the upper triangle, row by row, exact. A unit
 * with several examples adds the mean of their products, with each coordinate rounded towards zero.
 * So, in every norm, it adds no more than its worst single example would. A unit without examples
 * adds nothing.
 *
 * <p>Exact means that the order of adding does not matter, whatever the threads do: adding or
 * removing a unit moves the sums by exactly what that unit adds. Products are at most 2³⁰. So a
 * double adds 2²² of them without rounding, faster than a long does, and a long adds 2³².
 */
public final class ProductSums {
  /** The largest number of columns: the triangle, once for each thread, has to fit into memory. */
  public static final int MOST_COLUMNS = 4096;

  private static final int TOGETHER = 8;
  private static final int BEFORE_ROUNDING = 1 << 22;

  private final RowReader rows;
  private final int columns;
  private final long[] total;

  private ProductSums(RowReader rows, int columns) {
    this.rows = rows;
    this.columns = columns;
    this.total = new long[size(columns)];
  }

  public static long[] of(Units units, int columns, RowReader rows) {
    Check.that(
        columns >= 1 && columns <= MOST_COLUMNS,
        "columns",
        "in [1, " + MOST_COLUMNS + "]",
        columns);
    ProductSums sums = new ProductSums(rows, columns);
    int parts =
        Math.min(Runtime.getRuntime().availableProcessors(), 1 + units.count() / (16 * TOGETHER));
    IntStream.range(0, parts)
        .parallel()
        .forEach(
            part ->
                sums.add(
                    units,
                    (int) ((long) part * units.count() / parts),
                    (int) ((part + 1L) * units.count() / parts)));
    return sums.total;
  }

  /** The number of elements of a triangle. */
  public static int size(int columns) {
    return columns * (columns + 1) / 2;
  }

  /**
   * Where row j of a triangle would have its column 0. Element (j, k) with j ≤ k is k places
   * further.
   */
  public static int row(int columns, int j) {
    return j * (2 * columns - j - 1) / 2;
  }

  private void add(Units units, int from, int to) {
    double[] sum = new double[total.length];
    double[][] batch = new double[TOGETHER][columns];
    int[] row = new int[columns];
    int filled = 0;
    int batches = 0;
    for (int unit = from; unit < to; unit++) {
      if (units.size(unit) != 1) {
        addMean(units, unit);
        continue;
      }
      read(units.example(unit, 0), row);
      for (int i = 0; i < columns; i++) {
        batch[filled][i] = row[i];
      }
      if (++filled == TOGETHER) {
        addProducts(batch, sum);
        filled = 0;
        if (++batches == BEFORE_ROUNDING / TOGETHER) {
          flush(sum);
          batches = 0;
        }
      }
    }
    Arrays.stream(batch).skip(filled).forEach(left -> Arrays.fill(left, 0));
    addProducts(batch, sum);
    flush(sum);
  }

  private void read(int example, int[] row) {
    Arrays.fill(row, 0);
    rows.read(example, row);
  }

  /** Adds eight rows at a time, so that a sum is loaded and stored once for eight products. */
  private void addProducts(double[][] x, double[] sum) {
    for (int j = 0; j < columns; j++) {
      double a = x[0][j];
      double b = x[1][j];
      double c = x[2][j];
      double d = x[3][j];
      double e = x[4][j];
      double f = x[5][j];
      double g = x[6][j];
      double h = x[7][j];
      if (a == 0 && b == 0 && c == 0 && d == 0 && e == 0 && f == 0 && g == 0 && h == 0) {
        continue;
      }
      double[] x0 = x[0];
      double[] x1 = x[1];
      double[] x2 = x[2];
      double[] x3 = x[3];
      double[] x4 = x[4];
      double[] x5 = x[5];
      double[] x6 = x[6];
      double[] x7 = x[7];
      int at = row(columns, j);
      for (int k = j; k < columns; k++) {
        sum[at + k] +=
            ((a * x0[k] + b * x1[k]) + (c * x2[k] + d * x3[k]))
                + ((e * x4[k] + f * x5[k]) + (g * x6[k] + h * x7[k]));
      }
    }
  }

  private void addMean(Units units, int unit) {
    int size = units.size(unit);
    if (size == 0) {
      return;
    }
    long[] sum = new long[total.length];
    int[] row = new int[columns];
    for (int i = 0; i < size; i++) {
      read(units.example(unit, i), row);
      for (int j = 0; j < columns; j++) {
        int at = row(columns, j);
        for (int k = j; row[j] != 0 && k < columns; k++) {
          sum[at + k] += (long) row[j] * row[k];
        }
      }
    }
    synchronized (total) {
      for (int i = 0; i < sum.length; i++) {
        total[i] += sum[i] / size;
      }
    }
  }

  private void flush(double[] sum) {
    synchronized (total) {
      for (int i = 0; i < sum.length; i++) {
        total[i] += (long) sum[i];
      }
    }
    Arrays.fill(sum, 0);
  }
}
