package dev.discreet.algorithms.query;

import dev.discreet.accounting.PublicApi;

/**
 * A double as an example of three floats, each a whole number of at most 22 bits, so that nothing
 * is rounded: rows elsewhere have floats.
 *
 * <pre>{@code
 * float[] example = new float[WrittenNumber.SIZE];
 * WrittenNumber.write(31_000.01, example, 0);
 * }</pre>
 */
@PublicApi
public final class WrittenNumber {
  /** How many floats a number takes. */
  public static final int SIZE = 3;

  private static final int BITS = 22;
  private static final long PART = (1L << BITS) - 1;

  private WrittenNumber() {}

  /**
   * Writes a number.
   *
   * @param value any
   * @param to receives the floats
   * @param at where the first goes
   */
  public static void write(double value, float[] to, int at) {
    long bits = Double.doubleToLongBits(value);
    for (int i = 0; i < SIZE; i++) {
      to[at + i] = bits >>> BITS * (SIZE - 1 - i) & PART;
    }
  }

  /** The number that was written. */
  static double read(float[] from, int at) {
    long bits = 0;
    for (int i = 0; i < SIZE; i++) {
      bits = bits << BITS | (long) from[at + i] & PART;
    }
    return Double.longBitsToDouble(bits);
  }
}
