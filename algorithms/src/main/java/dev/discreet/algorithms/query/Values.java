package dev.discreet.algorithms.query;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
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

  static long steps(double value, int exponent) {
    return Math.round(Math.scalb(value, -exponent));
  }
}
