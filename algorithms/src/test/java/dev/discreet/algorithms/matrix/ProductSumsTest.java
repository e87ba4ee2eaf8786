package dev.discreet.algorithms.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.Units;
import java.math.BigInteger;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductSumsTest {

  private static int[][] rows(int n, int columns, long seed) {
    Random random = new Random(seed);
    int[][] rows = new int[n][columns];
    for (int[] row : rows) {
      for (int j = 0; j < columns; j++) {
        row[j] = random.nextInt(3) == 0 ? 0 : random.nextInt(2 * RowReader.ONE + 1) - RowReader.ONE;
      }
    }
    return rows;
  }

  private static RowReader reader(int[][] rows) {
    return (example, to) -> System.arraycopy(rows[example], 0, to, 0, to.length);
  }

  /** One unit's mean, by the book. */
  private static long[] slow(int[][] rows, int... examples) {
    int columns = rows[0].length;
    long[] sum = new long[columns * (columns + 1) / 2];
    int at = 0;
    for (int j = 0; j < columns; j++) {
      for (int k = j; k < columns; k++, at++) {
        for (int i : examples) {
          sum[at] += (long) rows[i][j] * rows[i][k];
        }
        sum[at] = examples.length == 0 ? 0 : sum[at] / examples.length;
      }
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "1, 1", "7, 5", "8, 4", "1000, 9", "5001, 33"})
  void sumsAreThoseOfTheBook(int n, int columns) {
    int[][] rows = rows(Math.max(1, n), columns, n);
    long[] expected = new long[ProductSums.size(columns)];
    for (int i = 0; i < n; i++) {
      add(expected, slow(rows, i));
    }
    assertArrayEquals(expected, ProductSums.of(Units.each(n), columns, reader(rows)));
  }

  private static void add(long[] to, long[] what) {
    IntStream.range(0, to.length).forEach(i -> to[i] += what[i]);
  }

  @Test
  void aUnitAddsTheMeanOfItsExamples() {
    int[][] rows = rows(9, 4, 5);
    int[][] examples = {{0, 1, 2}, {3}, {}, {4, 5, 6, 7}, {8}};
    long[] expected = new long[10];
    for (int[] unit : examples) {
      add(expected, slow(rows, unit));
    }
    Units units = Units.of(new long[] {4, 8, 1, 2, 77}, examples);
    assertArrayEquals(expected, ProductSums.of(units, 4, reader(rows)));
  }

  /** What is rounded once moves by what one unit adds, and a step for each coordinate. */
  @Test
  void roundingMovesNoMoreThanTheSensitivitySays() {
    Random random = new Random(2);
    for (int run = 0; run < 2000; run++) {
      int n = 1 + random.nextInt(6);
      double multiplier = Math.scalb(1.0, random.nextInt(40) - 16);
      long one = 1L << 30;
      long[] with = new long[n];
      long[] without = new long[n];
      double l1 = 0;
      for (int i = 0; i < n; i++) {
        with[i] = random.nextLong() >> 2 + random.nextInt(30);
        long moved = (random.nextBoolean() ? one : -one) - (run % 2 == 0 ? 0 : random.nextInt(9));
        without[i] = with[i] - moved;
        l1 += Math.abs(moved) / (double) one;
      }
      CoarseSums a = sums(with, l1, multiplier);
      CoarseSums b = sums(without, l1, multiplier);
      double apart = 0;
      for (int i = 0; i < n; i++) {
        BigInteger exact =
            BigInteger.valueOf(with[i])
                .multiply(BigInteger.valueOf(CoarseSums.PLAIN))
                .shiftRight(45 + a.exponent());
        assertEquals(exact.longValueExact(), a.integers()[i]);
        apart += Math.abs(a.integers()[i] - b.integers()[i]);
      }
      double moved = Math.scalb(apart, a.exponent());
      assertTrue(moved <= a.sensitivities()[0], moved + " moved, " + a.sensitivities()[0]);
      assertTrue(a.sensitivities()[0] <= l1 * (1 + 1e-5) || multiplier > 1000);
    }
  }

  private static CoarseSums sums(long[] values, double exact, double multiplier) {
    CoarseSums sums =
        new CoarseSums(
            Norm.L1,
            new int[] {values.length},
            new double[] {Math.max(1, exact)},
            new double[] {multiplier});
    for (long value : values) {
      sums.put(value, CoarseSums.PLAIN);
    }
    return sums;
  }

  @Test
  void theWeightIsBelowTheRootOfTwo() {
    assertTrue(
        CoarseSums.ROOT_TWO * CoarseSums.ROOT_TWO <= 2 * CoarseSums.PLAIN * CoarseSums.PLAIN);
  }

  @Test
  void refusesTooManyColumns() {
    assertThrows(
        IllegalArgumentException.class, () -> ProductSums.of(Units.each(0), 5000, (i, to) -> {}));
  }
}
