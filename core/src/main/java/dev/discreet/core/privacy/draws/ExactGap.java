package dev.discreet.core.privacy.draws;

import java.math.BigInteger;
import java.util.function.IntToLongFunction;

/**
 * Geometric gaps without any error: the slow twin of {@link Gaps}, which asks it where double
 * precision cannot decide. Some digits of U put ln U/ln(1−rate) between two bounds, both computed
 * with integers alone. Where these have the same whole part, so has the quotient, whatever the
 * further digits are. Elsewhere more digits are taken, as often as needed.
 */
final class ExactGap {
  /** Bounds are computed with this many bits more than U has digits. */
  private static final int GUARD = 64;

  private ExactGap() {}

  /**
   * The gap.
   *
   * @param rate in (0, 1)
   * @param most what a longer gap is cut to
   * @param word the first 64 digits of U
   * @param more 64 further digits for each round from 1
   */
  static int of(double rate, int most, long word, IntToLongFunction more) {
    // The double is mantissa·2^−places exactly.
    int places = 52 - Math.max(Math.getExponent(rate), Double.MIN_EXPONENT);
    BigInteger mantissa = BigInteger.valueOf((long) Math.scalb(rate, places));
    BigInteger rest = BigInteger.ONE.shiftLeft(places).subtract(mantissa);
    BigInteger u = ExactBoxMuller.unsigned(word);
    for (int round = 0; ; round++) {
      if (round > 0) {
        u = u.shiftLeft(64).add(ExactBoxMuller.unsigned(more.applyAsLong(round)));
      }
      int digits = 64 * (round + 1);
      // A small rate has a slope about as small, and as many bits more.
      Interval ln2 = Logarithms.ln2(digits + places + GUARD);
      Interval slope = Logarithms.minus(rest, rest, places, ln2);
      BigInteger next = u.add(BigInteger.ONE);
      BigInteger low = Logarithms.minus(next, next, digits, ln2).low().max(BigInteger.ZERO);
      BigInteger atLeast = low.divide(slope.high());
      if (atLeast.compareTo(BigInteger.valueOf(most)) >= 0) {
        return most;
      }
      if (u.signum() > 0) {
        BigInteger high = Logarithms.minus(u, u, digits, ln2).high();
        if (atLeast.equals(high.divide(slope.low()))) {
          return atLeast.intValueExact();
        }
      }
    }
  }
}
