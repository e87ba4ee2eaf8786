package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;

/**
 * A sum of units' contributions, each a vector of norm at most {@code bound}, whose sensitivity is
 * true to the last bit: contributions are rounded to the grid one by one and added as integers, so
 * no order of adding and no rounding of a running sum matters.
 *
 * <p><b>Formal guarantee.</b> A contribution has norm at most bound·(1+2⁻⁴⁰) in double precision
 * before it is rounded (what has more is refused as a mistake of the caller, who has to clip), so
 * that its true norm is at most d·2⁻⁵¹ of the bound more; rounding moves each of its d coordinates
 * by at most half of 2^exponent. Together that is {@link #sensitivity}: how far a unit more or less
 * moves the sum, and half of how far a replaced one does.
 *
 * <p>Not for several threads.
 */
public final class GridSum {
  private static final double SLACK = 1 + 0x1p-40;
  // Sums stay below 2^63 for 2^39 units; noise of 2^36 steps is then a multiplier of 2^13.
  private static final int BITS = 22;

  private final long[] integers;
  private final int exponent;
  private final Norm norm;
  private final double bound;

  /** A grid of about 2²² steps to the bound. */
  public GridSum(int size, Norm norm, double bound) {
    this(size, norm, bound, exponent(bound));
  }

  public GridSum(int size, Norm norm, double bound, int exponent) {
    Check.that(size >= 1, "coordinates of a sum", "at least 1", size);
    Check.that(
        bound >= 0x1p-900 && bound <= 0x1p900,
        "bound on a contribution",
        "in [2^-900, 2^900]",
        bound);
    Check.that(
        Math.scalb(bound, -exponent) <= 0x1p40,
        "grid exponent",
        "one that gives the bound at most 2^40 steps",
        exponent);
    this.integers = new long[size];
    this.exponent = exponent;
    this.norm = norm;
    this.bound = bound;
  }

  /** The exponent of a grid that has about 2²² steps to a bound. */
  public static int exponent(double bound) {
    return Math.getExponent(bound) - BITS;
  }

  /** Adds all that one unit contributes. */
  public GridSum add(double... contribution) {
    Check.that(
        contribution.length == integers.length,
        "contribution",
        "of " + integers.length + " coordinates",
        contribution.length);
    Check.that(
        norm.of(contribution) <= bound * SLACK,
        "norm of a contribution",
        "at most the bound " + bound + " (clip it first)",
        "more");
    for (int i = 0; i < contribution.length; i++) {
      integers[i] += Math.round(Math.scalb(contribution[i], -exponent));
    }
    return this;
  }

  /** How far one unit more or less moves the sum. */
  public double sensitivity() {
    double rounding = Math.scalb(norm.ofOnes(integers.length) / 2, exponent);
    // Once more the slack: for the rounding of this line.
    return (bound * (SLACK + 0x1p-51 * integers.length) + rounding) * SLACK;
  }

  /** What a session releases. A copy: what is added later is not in it. */
  public GridVector value() {
    return new GridVector(integers.clone(), exponent, norm, sensitivity());
  }
}
