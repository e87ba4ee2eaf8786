package dev.discreet.algorithms.centre;

import dev.discreet.algorithms.matrix.RowReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Σ over units of their features, in steps of 1/{@link RowReader#ONE} of a length: exact, so that
 * the order of adding does not matter.
 *
 * <p>Each row is divided by that length, shortened to length 1 where it is longer, and rounded
 * towards zero. A unit with several examples adds the mean of their rows, rounded towards zero, so
 * it moves the sum by at most 1. An example that cannot be used is a row of zeros, and a unit
 * without examples adds nothing.
 */
final class FeatureSums {
  /** More than doubles can lose in a norm and a quotient. */
  private static final double SHRINK = 1 - 0x1p-40;

  private FeatureSums() {}

  static long[] of(Examples features, Units units, double length) {
    int parts = Math.min(Runtime.getRuntime().availableProcessors(), 1 + units.count() / 64);
    return IntStream.range(0, parts)
        .parallel()
        .mapToObj(
            part ->
                part(
                    features,
                    units,
                    (int) ((long) part * units.count() / parts),
                    (int) ((part + 1L) * units.count() / parts),
                    length))
        .reduce(new long[features.input().size()], FeatureSums::plus);
  }

  private static long[] plus(long[] one, long[] other) {
    long[] both = new long[one.length];
    Arrays.setAll(both, i -> one[i] + other[i]);
    return both;
  }

  private static long[] part(Examples features, Units units, int from, int to, double length) {
    int d = features.input().size();
    long[] sum = new long[d];
    float[] row = new float[d];
    long[] own = new long[d];
    for (int unit = from; unit < to; unit++) {
      int size = units.size(unit);
      Arrays.fill(own, 0);
      for (int i = 0; i < size; i++) {
        add(features, units.example(unit, i), row, length, own);
      }
      for (int i = 0; size > 0 && i < d; i++) {
        sum[i] += own[i] / size;
      }
    }
    return sum;
  }

  private static void add(Examples features, int example, float[] row, double length, long[] sum) {
    try {
      features.input(example, row, 0);
    } catch (RuntimeException e) {
      return;
    }
    double squares = 0;
    for (float value : row) {
      squares += (double) value * value;
    }
    if (squares > 0 && squares < Double.POSITIVE_INFINITY) {
      double scale = RowReader.ONE * SHRINK / Math.max(length, Math.sqrt(squares));
      for (int i = 0; i < row.length; i++) {
        sum[i] += (long) (row[i] * scale);
      }
    }
  }
}
