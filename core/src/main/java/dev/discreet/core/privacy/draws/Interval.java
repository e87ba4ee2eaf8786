package dev.discreet.core.privacy.draws;

import java.math.BigInteger;
import java.util.OptionalLong;

/**
 * A real number of which two bounds are known, in units of 2^−bits. Every operation rounds the
 * lower bound down and the upper bound up, so that the true result lies between those of the
 * result. Both operands must have the same unit.
 */
record Interval(BigInteger low, BigInteger high, int bits) {
  static Interval of(long value, int bits) {
    BigInteger units = BigInteger.valueOf(value).shiftLeft(bits);
    return new Interval(units, units, bits);
  }

  Interval plus(Interval other) {
    return new Interval(low.add(other.low), high.add(other.high), bits);
  }

  Interval minus(Interval other) {
    return plus(other.negated());
  }

  Interval negated() {
    return new Interval(high.negate(), low.negate(), bits);
  }

  /** With bounds that are this many units further apart at both ends. */
  Interval widened(long units) {
    BigInteger by = BigInteger.valueOf(units);
    return new Interval(low.subtract(by), high.add(by), bits);
  }

  Interval times(Interval other) {
    if (low.signum() >= 0 && other.low.signum() >= 0) {
      return new Interval(low.multiply(other.low), high.multiply(other.high), bits).shifted(-bits);
    }
    BigInteger a = low.multiply(other.low);
    BigInteger b = low.multiply(other.high);
    BigInteger c = high.multiply(other.low);
    BigInteger d = high.multiply(other.high);
    return new Interval(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)), bits).shifted(-bits);
  }

  /** Times this number, exactly as the double has it; it must not be negative. */
  Interval times(double factor) {
    int exponent = Math.max(Math.getExponent(factor), Double.MIN_EXPONENT) - 52;
    BigInteger mantissa = BigInteger.valueOf((long) Math.scalb(factor, -exponent));
    return new Interval(low.multiply(mantissa), high.multiply(mantissa), bits).shifted(exponent);
  }

  /** Times 2^exponent. */
  Interval shifted(int exponent) {
    // To shift to the right rounds down, for negative numbers too.
    return new Interval(low.shiftLeft(exponent), high.negate().shiftLeft(exponent).negate(), bits);
  }

  /** Divided by a whole number above 0. */
  Interval over(long divisor) {
    BigInteger by = BigInteger.valueOf(divisor);
    return new Interval(quotient(low, by), quotient(high.negate(), by).negate(), bits);
  }

  /** The root; of a bound that roundings have put below 0, the root of 0. */
  Interval root() {
    return new Interval(
        low.max(BigInteger.ZERO).shiftLeft(bits).sqrt(),
        high.max(BigInteger.ZERO).shiftLeft(bits).sqrt().add(BigInteger.ONE),
        bits);
  }

  /** Whether it lies within one unit of 0 for certain. */
  boolean isTiny() {
    return low.abs().max(high.abs()).compareTo(BigInteger.ONE) <= 0;
  }

  /** The nearest integer, where the bounds leave no doubt about it. */
  OptionalLong rounded() {
    BigInteger half = BigInteger.ONE.shiftLeft(bits - 1);
    BigInteger nearest = low.add(half).shiftRight(bits);
    return nearest.equals(high.add(half).shiftRight(bits))
        ? OptionalLong.of(nearest.longValueExact())
        : OptionalLong.empty();
  }

  /** Rounded down; the divisor is above 0. */
  static BigInteger quotient(BigInteger a, BigInteger divisor) {
    BigInteger[] parts = a.divideAndRemainder(divisor);
    return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }
}
