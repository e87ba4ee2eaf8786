package dev.discreet.core.privacy.draws;

import java.math.BigInteger;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * Rounded normal numbers without any error: the slow twin of {@link BoxMuller}, which asks it where
 * double precision cannot decide. docs/trust.md has the proof.
 *
 * <p>U and V are uniform in (0, 1) and have infinitely many binary digits. The pair is round(s·r·a)
 * and round(s·r·b), with r = √(−2·ln U) and (a, b) the point of the unit circle that V and two
 * single bits choose. So r·a and r·b are independent standard normal numbers. Some digits of U and
 * V put s·r·a between two bounds. Where these have the same nearest integer, so has s·r·a, whatever
 * the further digits are. Elsewhere more digits are taken, as often as needed.
 */
final class ExactBoxMuller {
  /** Bounds are computed with this many bits more than U has digits. */
  private static final int GUARD = 32;

  private static final Constants FIRST = Constants.of(64 + GUARD);

  private ExactBoxMuller() {}

  /** ln 2 and π/2. */
  private record Constants(Interval ln2, Interval rightAngle) {
    static Constants of(int bits) {
      Interval fifth = arctangent(5, bits).shifted(4);
      Interval small = arctangent(239, bits).shifted(2);
      return new Constants(
          Logarithms.ln2(bits),
          // Machin 1706: π = 16·arctan(1/5) − 4·arctan(1/239).
          fifth.minus(small).shifted(-1));
    }
  }

  /**
   * Both numbers of a pair.
   *
   * @param first the first 64 digits of U
   * @param angle the first 62 digits of V, then a bit that swaps the two numbers, then one that
   *     turns the sign of the cosine
   * @param more 64 further digits of U and 64 of V, for each round from 1
   * @param to receives the two integers
   */
  static void pair(double deviation, long first, long angle, IntFunction<long[]> more, long[] to) {
    BigInteger u = unsigned(first);
    BigInteger v = unsigned(angle >>> 2);
    boolean decided = false;
    for (int round = 0; !decided; round++) {
      if (round > 0) {
        long[] words = more.apply(round);
        u = u.shiftLeft(64).add(unsigned(words[0]));
        v = v.shiftLeft(64).add(unsigned(words[1]));
      }
      decided = u.signum() > 0 && decide(deviation, u, v, 64 * (round + 1), to);
    }
    to[0] = (angle & 1) == 1 ? -to[0] : to[0];
    if ((angle & 2) == 2) {
      long swapped = to[0];
      to[0] = to[1];
      to[1] = swapped;
    }
  }

  /** The numbers with the cosine and with the sine; false where the digits do not suffice. */
  static boolean decide(double deviation, BigInteger u, BigInteger v, int digits, long[] to) {
    int bits = digits + GUARD;
    Constants constants = bits == 64 + GUARD ? FIRST : Constants.of(bits);
    Interval exponential =
        Logarithms.minus(u, u.add(BigInteger.ONE), digits, constants.ln2).shifted(1);
    Interval radius = exponential.root().times(deviation);
    // V has two digits less than U.
    Interval x =
        new Interval(v, v.add(BigInteger.ONE), bits)
            .shifted(bits - (digits - 2))
            .minus(Interval.of(1, bits).shifted(-1))
            .times(constants.rightAngle);
    Interval square = x.times(x);
    OptionalLong cosine = radius.times(alternating(Interval.of(1, bits), square, 1)).rounded();
    OptionalLong sine = radius.times(alternating(x, square, 2)).rounded();
    if (cosine.isEmpty() || sine.isEmpty()) {
      return false;
    }
    to[0] = cosine.getAsLong();
    to[1] = sine.getAsLong();
    return true;
  }

  /** arctan(1/n) = 1/n − 1/(3n³) + 1/(5n⁵) − …; the rest is less than the last term. */
  private static Interval arctangent(int n, int bits) {
    Interval power = Interval.of(1, bits).over(n);
    Interval sum = power;
    Interval term = power;
    for (int k = 3; !term.isTiny(); k += 2) {
      power = power.over(n).over(n).negated();
      term = power.over(k);
      sum = sum.plus(term);
    }
    return sum.widened(1);
  }

  /**
   * first·(1 − x²/(k(k+1)) + x⁴/(k(k+1)(k+2)(k+3)) − …): cos x for first = 1 and k = 1, sin x for
   * first = x and k = 2. As x² &lt; 1, the rest is less than the last term.
   */
  private static Interval alternating(Interval first, Interval square, int k) {
    Interval sum = first;
    Interval term = first;
    for (int i = k; !term.isTiny(); i += 2) {
      term = term.times(square).over((long) i * (i + 1)).negated();
      sum = sum.plus(term);
    }
    return sum.widened(1);
  }

  static BigInteger unsigned(long word) {
    BigInteger signed = BigInteger.valueOf(word);
    return word >= 0 ? signed : signed.add(BigInteger.ONE.shiftLeft(64));
  }
}
