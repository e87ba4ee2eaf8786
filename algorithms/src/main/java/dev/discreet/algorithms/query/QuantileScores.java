package dev.discreet.algorithms.query;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.draws.Scores;
import java.util.Arrays;

/**
 * How near each candidate t is to the q-quantile: minus the number of rows by which q·n lies
 * outside of [rows below t, rows up to t].
 *
 * <p>One more row adds 1−q or −q to each of (rows below t) − q·n and (rows up to t) − q·n. So a
 * unit of up to k rows moves a score by at most k·max(q, 1−q), and a replaced unit by k.
 *
 * @param candidates in rising order
 * @param found for each candidate the rows at it, then those between it and the one before
 */
record QuantileScores(double[] candidates, long[] found, long part, double sensitivity) {
  private static final int BITS = 20;
  private static final long ONE = 1L << BITS;

  /** More rows than there can be, and few enough for the scores. */
  private static final double MOST_ROWS = 0x1p39;

  static QuantileScores of(
      QueryColumn column,
      double q,
      ColumnBounds bounds,
      double[] candidates,
      Neighbouring relation) {
    // Those above all come last, since the last candidate may be a rounding below the upper bound.
    long[] found =
        column.sum(
            values -> {
              long[] places = new long[2 * candidates.length + 1];
              for (double value : values) {
                if (!Double.isNaN(value)) {
                  double moved = bounds.clamp(value) + 0.0;
                  int place = first(candidates, moved);
                  boolean at = place < candidates.length && candidates[place] == moved;
                  places[2 * place + (at || place == candidates.length ? 0 : 1)]++;
                }
              }
              return places;
            });
    long part = Values.steps(q, -BITS);
    long most = relation == Neighbouring.REPLACE_ONE ? ONE : Math.max(part, ONE - part);
    return new QuantileScores(
        candidates, found, part, Math.scalb((double) column.rowsPerUnit() * most, -BITS));
  }

  /** The first candidate that is not below a value; their number where there is none. */
  private static int first(double[] candidates, double value) {
    int low = 0;
    int high = candidates.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (candidates[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private long target() {
    return part * Arrays.stream(found).sum();
  }

  /** Of the value itself. */
  Scores ofValue() {
    long target = target();
    long[] scores = new long[candidates.length];
    long before = 0;
    for (int i = 0; i < scores.length; i++) {
      long below = before + found[2 * i + 1];
      long upTo = below + found[2 * i];
      before = upTo;
      scores[i] =
          i > 0 && candidates[i] == candidates[i - 1]
              ? scores[i - 1]
              : outside(target, below, upTo);
    }
    return new Scores(scores, -BITS, sensitivity);
  }

  private static long outside(long target, long below, long upTo) {
    return -Math.max(0, Math.max(below * ONE - target, target - upTo * ONE));
  }

  /** K: how far an end must be from the quantile, in rows. */
  private double beyond(double epsilon, double outside) {
    return Math.ceil(2 * sensitivity / epsilon * Math.log(candidates.length / outside));
  }

  /** False where so little buys no interval: then the bounds are all that is known. */
  boolean hasEnds(double epsilon, double outside) {
    return beyond(epsilon, outside) <= MOST_ROWS;
  }

  /**
   * Of an end of an interval around the quantile: how near a candidate is to K rows beyond it.
   *
   * <p><b>Why the end is on the right side.</b> Of the lower end, let rows between two candidates
   * count at the lower one, and let K rows that nobody has lie below all. Then some candidate has
   * the q·n-th row of these and scores 0: the exact quantile of the rows so moved, less K rows. One
   * above the exact quantile has at least q·n rows below it and K more that nobody has, and scores
   * −K or less. There are fewer than N of those, each is chosen with probability at most
   * e^(−εK/2Δ), and K is such that N of these are the probability given. The upper end is its
   * mirror image. Rows that nobody has are the same for all neighbours, so the sensitivity stays.
   */
  Scores ofEnd(boolean upper, double epsilon, double outside) {
    int last = candidates.length - 1;
    long beyond = (long) Math.min(MOST_ROWS, beyond(epsilon, outside));
    long target = target() + (upper ? beyond * ONE : 0);
    long[] scores = new long[candidates.length];
    long before = upper ? 0 : beyond;
    for (int i = 0; i <= last; i++) {
      long here = found[2 * i];
      if (upper) {
        here += found[2 * i + 1] + (i == last ? found[2 * i + 2] + beyond : 0);
      } else {
        here += i == last ? found[2 * i + 2] : found[2 * i + 3];
      }
      // Those that nobody has are at the very first candidate, or at the very last.
      scores[i] = outside(target, i == 0 ? 0 : before, before + here);
      before += here;
    }
    return new Scores(scores, -BITS, sensitivity);
  }
}
