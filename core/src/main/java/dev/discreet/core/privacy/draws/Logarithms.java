package dev.discreet.core.privacy.draws;

import java.math.BigInteger;

/** Logarithms between two bounds. */
final class Logarithms {
  private Logarithms() {}

  /** ln 2. */
  static Interval ln2(int bits) {
    return areaTangent(Interval.of(1, bits).over(3)).shifted(1);
  }

  /**
   * −ln U for a U from low·2^−digits to high·2^−digits, neither 0 nor more than one power of 2
   * apart.
   */
  static Interval minus(BigInteger low, BigInteger high, int digits, Interval ln2) {
    int bits = ln2.bits();
    int exponent = low.bitLength() - 1;
    BigInteger power = BigInteger.ONE.shiftLeft(exponent);
    // U = 2^(exponent−digits)·m with m in [1, 2], and ln m = 2·artanh((m−1)/(m+1)), which rises
    // with m.
    Interval t =
        new Interval(
            Interval.quotient(low.subtract(power).shiftLeft(bits), low.add(power)),
            Interval.quotient(power.subtract(high).shiftLeft(bits), high.add(power)).negate(),
            bits);
    return ln2.times(Interval.of(digits - exponent, bits)).minus(areaTangent(t).shifted(1));
  }

  /** artanh t = t + t³/3 + t⁵/5 + … for a t from 0 to 1/3. */
  private static Interval areaTangent(Interval t) {
    Interval square = t.times(t);
    Interval power = t;
    Interval sum = t;
    Interval term = t;
    for (int k = 3; !term.isTiny(); k += 2) {
      power = power.times(square);
      term = power.over(k);
      sum = sum.plus(term);
    }
    // Each term is at most a ninth of the one before it, so the rest is less than the last.
    return sum.widened(1);
  }
}
