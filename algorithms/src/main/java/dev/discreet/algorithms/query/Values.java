package dev.discreet.algorithms.query;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.draws.Scores;
import java.io.Serializable;
import java.util.Arrays;
import java.util.function.DoublePredicate;

/**
 * The exact answers with their sensitivities, to which a session adds its noise.
 *
 * <p>Every row is turned into integers by itself and these are added. So sensitivities are those of
 * integers, and no sum loses anything. A vector's sensitivity C is how far adding or removing a
 * unit moves it. Under replace-one it is <em>half</em> of how far a neighbour moves it, because the
 * ledger doubles it there. So a value in [low, high] has C = max(|low|, |high|) where a unit may be
 * added or removed, and (high − low)/2 where it may only change.
 */
final class Values {
  private static final int QUANTILE_BITS = 20;

  private Values() {}

  /** Which values count. */
  interface Counted extends DoublePredicate, Serializable {}

  /** The number of rows with a number for which {@code counted} is true. */
  static GridVector count(QueryColumn column, Counted counted, Norm norm, Neighbouring relation) {
    long[] count =
        column.sum(
            values ->
                new long[] {
                  Arrays.stream(values).filter(v -> !Double.isNaN(v) && counted.test(v)).count()
                });
    // A unit's count is between 0 and k, so replacing the unit moves it by k, which is 2C.
    double sensitivity =
        relation == Neighbouring.REPLACE_ONE ? column.rowsPerUnit() / 2.0 : column.rowsPerUnit();
    return new GridVector(count, 0, norm, sensitivity);
  }

  /** A sum; {@code offset} was subtracted from each row. */
  record Centred(GridVector value, double offset) {}

  /**
   * The exponent of a grid with about 2²² steps to a bound. Sums stay below 2^63 for 2^39 units,
   * and noise of 2^36 steps is then a multiplier of 2^13.
   */
  private static int exponent(double bound) {
    return Math.getExponent(bound) - 22;
  }

  /**
   * The sum of values moved into the bounds.
   *
   * <p>Where rows may only be replaced, everyone knows their number. Values are then counted from
   * the middle of the bounds, and a missing value counts as the middle. Elsewhere a missing value
   * adds nothing.
   */
  static Centred sum(QueryColumn column, ColumnBounds bounds, Norm norm, Neighbouring relation) {
    boolean replaced = relation == Neighbouring.REPLACE_ONE;
    boolean fixedRows = replaced && !column.hasUnits();
    double offset = fixedRows ? bounds.middle() : 0;
    double low = bounds.low() - offset;
    double high = bounds.high() - offset;
    long k = column.rowsPerUnit();
    int exponent = exponent(k * Math.max(Math.abs(low), Math.abs(high)));
    long lowest = steps(low, exponent);
    long highest = steps(high, exponent);
    long[] all =
        column.sum(
            values -> {
              long sum = 0;
              for (double value : values) {
                // Rounding keeps the order of values, so a rounded difference stays between those
                // of the bounds.
                sum += Double.isNaN(value) ? 0 : steps(bounds.clamp(value) - offset, exponent);
              }
              return new long[] {sum};
            });
    double most;
    if (fixedRows) {
      most = (highest - lowest) / 2.0;
    } else if (replaced) {
      // A unit has 0 to k rows.
      most = k * (Math.max(highest, 0) - Math.min(lowest, 0)) / 2.0;
    } else {
      most = k * Math.max(Math.abs(lowest), Math.abs(highest));
    }
    return new Centred(new GridVector(all, exponent, norm, Math.scalb(most, exponent)), offset);
  }

  /**
   * The counts from which a mean is computed. Let a be a row's place between the bounds. The row
   * adds a to the count of the upper bound and 1 − a to that of the lower one; the mean is low +
   * width·Σa/Σ1. Adding or removing a row moves the two counts together by at most 1 in ℓ₁. A sum
   * of centred values and a count would move by 2.
   *
   * <p>Where rows may only be replaced, their number is known, and Σa is enough; a missing value
   * then counts as the middle.
   */
  static GridVector shares(
      QueryColumn column, ColumnBounds bounds, Norm norm, Neighbouring relation) {
    boolean replaced = relation == Neighbouring.REPLACE_ONE;
    boolean fixedRows = replaced && !column.hasUnits();
    int k = column.rowsPerUnit();
    int exponent = exponent(k);
    long one = 1L << -exponent;
    long[] sums =
        column.sum(
            values -> {
              long upper = 0;
              long rows = 0;
              for (double value : values) {
                if (!Double.isNaN(value)) {
                  double place = (bounds.clamp(value) - bounds.low()) / bounds.width();
                  upper += Math.min(one, steps(place, exponent));
                  rows++;
                } else if (fixedRows) {
                  upper += one / 2;
                  rows++;
                }
              }
              return new long[] {upper, rows};
            });
    long upper = sums[0];
    long rows = sums[1];
    if (fixedRows) {
      return new GridVector(new long[] {upper}, exponent, norm, 0.5);
    }
    // Two units differ by up to 2k in ℓ₁ and √2·k in ℓ₂.
    return new GridVector(
        new long[] {upper, rows * one - upper}, exponent, norm, corners(k, norm, replaced));
  }

  /** The number of rows in each bin. */
  static GridVector histogram(QueryColumn column, Bins bins, Norm norm, Neighbouring relation) {
    int size = bins.names().size();
    long[] counts =
        column.sum(
            values -> {
              long[] found = new long[size];
              for (double value : values) {
                int bin = Double.isNaN(value) ? -1 : bins.of(value);
                if (bin >= 0) {
                  found[bin]++;
                }
              }
              return found;
            });
    boolean replaced = relation == Neighbouring.REPLACE_ONE;
    return new GridVector(counts, 0, norm, corners(column.rowsPerUnit(), norm, replaced));
  }

  /**
   * C of a unit that adds to several coordinates, up to k in all and never below 0. Two such units
   * are at most 2k apart in ℓ₁, and √2·k in ℓ₂.
   */
  private static double corners(int k, Norm norm, boolean replaced) {
    return replaced && norm == Norm.L2 ? Math.nextUp(Math.nextUp(k * Math.sqrt(0.5))) : k;
  }

  /**
   * How near each candidate t is to the q-quantile: minus the number of rows by which q·n lies
   * outside of [rows below t, rows up to t].
   *
   * <p>One more row adds 1−q or −q to each of (rows below t) − q·n and (rows up to t) − q·n. So a
   * unit of up to k rows moves a score by at most k·max(q, 1−q), and a replaced unit by k.
   *
   * @param candidates in rising order
   */
  static Scores quantile(
      QueryColumn column,
      double q,
      ColumnBounds bounds,
      double[] candidates,
      Neighbouring relation) {
    // For each candidate, the rows at it, and those between it and the one before; then those above
    // all, since the last candidate may be a rounding below the upper bound.
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
    long one = 1L << QUANTILE_BITS;
    long part = steps(q, -QUANTILE_BITS);
    long target = part * Arrays.stream(found).sum();
    long[] scores = new long[candidates.length];
    long before = 0;
    for (int i = 0; i < scores.length; i++) {
      long below = before + found[2 * i + 1];
      long upTo = below + found[2 * i];
      before = upTo;
      scores[i] =
          i > 0 && candidates[i] == candidates[i - 1]
              ? scores[i - 1]
              : -Math.max(0, Math.max(below * one - target, target - upTo * one));
    }
    long most = relation == Neighbouring.REPLACE_ONE ? one : Math.max(part, one - part);
    return new Scores(
        scores, -QUANTILE_BITS, Math.scalb((double) column.rowsPerUnit() * most, -QUANTILE_BITS));
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

  private static long steps(double value, int exponent) {
    return Math.round(Math.scalb(value, -exponent));
  }
}
