package dev.discreet.algorithms.matrix;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.BoundedValue;
import dev.discreet.core.privacy.Norm;

/**
 * Exact sums of products. When all were added, they are rounded once to the grid on which the
 * session adds its noise.
 *
 * <p><b>Formal guarantee.</b> Two numbers that lie x steps apart have floors less than x + 1 steps
 * apart. So a unit that moves the exact sums of a group by at most Δ moves the rounded ones by at
 * most Δ and one step for each coordinate. {@link #sensitivities} says exactly this. Rounding is
 * done in whole numbers, without error.
 */
public final class CoarseSums implements BoundedValue {
  /**
   * Slightly less than √2: 46340/2¹⁵. A product of weight √2 stands for both elements of a
   * symmetric pair.
   */
  public static final long ROOT_TWO = 46340;

  /** The weight 1. */
  public static final long PLAIN = 1 << 15;

  /** The largest noise multiplier. */
  public static final double MOST_NOISE = 0x1p24;

  private final long[] integers;
  private final int exponent;
  private final Norm norm;
  private final int[] groupEnds;
  private final double[] exact;
  private int filled;

  /**
   * @param groupEnds where each group of coordinates ends
   * @param exact how far one unit moves the exact sums of each group; at least 1
   * @param noiseMultipliers of each group: wide noise needs a coarser grid
   */
  public CoarseSums(Norm norm, int[] groupEnds, double[] exact, double[] noiseMultipliers) {
    int least = Integer.MAX_VALUE;
    int widest = Integer.MIN_VALUE;
    for (int g = 0; g < exact.length; g++) {
      Check.that(exact[g] >= 1 && exact[g] <= 0x1p26, "sensitivity", "in [1, 2^26]", exact[g]);
      Check.that(
          noiseMultipliers[g] > 0 && noiseMultipliers[g] <= MOST_NOISE,
          "noise multiplier",
          "greater than 0 and at most 2^24",
          noiseMultipliers[g]);
      least = Math.min(least, Math.getExponent(exact[g]));
      widest = Math.max(widest, Math.getExponent(exact[g] * noiseMultipliers[g]));
    }
    // Rounding is a small part of the sensitivity, and the session can make noise of 2^36 steps.
    this.exponent = Math.max(least - 24, widest - 34);
    this.norm = norm;
    this.groupEnds = groupEnds.clone();
    this.exact = exact.clone();
    this.integers = new long[groupEnds[groupEnds.length - 1]];
  }

  /**
   * Sets the next coordinate.
   *
   * @param sum in products of {@link RowReader#ONE}
   * @param weight {@link #PLAIN} or {@link #ROOT_TWO}, with 15 bits after the point
   */
  public void put(long sum, long weight) {
    // The product can reach 2^77, so its two halves are shifted together.
    int shift = 45 + exponent;
    long high = Math.multiplyHigh(sum, weight);
    integers[filled++] = high << (64 - shift) | sum * weight >>> shift;
  }

  /** Sets a number that is not a sum of products; it is rounded down like the others. */
  public void put(double value) {
    integers[filled++] = (long) Math.floor(Math.scalb(value, -exponent));
  }

  @Override
  public long[] integers() {
    Check.that(filled == integers.length, "coordinates", "" + integers.length, filled);
    return integers;
  }

  @Override
  public int exponent() {
    return exponent;
  }

  @Override
  public int[] groupEnds() {
    return groupEnds.clone();
  }

  @Override
  public double[] sensitivities() {
    double[] all = new double[exact.length];
    for (int g = 0; g < all.length; g++) {
      double n = groupEnds[g] - (g == 0 ? 0 : groupEnds[g - 1]);
      double steps = norm == Norm.L1 ? n : Math.sqrt(n);
      // The factor is more than doubles can lose in these lines.
      all[g] = (exact[g] + Math.scalb(steps, exponent)) * (1 + 0x1p-45);
    }
    return all;
  }

  @Override
  public Norm norm() {
    return norm;
  }
}
