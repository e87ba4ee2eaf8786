package dev.discreet.core.privacy.draws;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.IntToLongFunction;

/**
 * Geometric gaps the obvious way: one trial for each place, without logarithms and without
 * rounding. Place k, where all before it failed, succeeds if U &gt; (1−rate)^(k+1).
 */
public final class Trials {
  private final BigInteger rest;
  private final int places;

  public Trials(double rate) {
    this.places = Math.max(53, 53 - Math.getExponent(rate));
    this.rest =
        BigDecimal.ONE
            .subtract(new BigDecimal(rate))
            .multiply(new BigDecimal(BigInteger.ONE.shiftLeft(places)))
            .toBigIntegerExact();
  }

  /** The gap, or {@code most} where it is that long or longer. */
  public int gap(int most, long word, IntToLongFunction more) {
    for (int k = 0; k < most; k++) {
      if (isAbove(k + 1, word, more)) {
        return k;
      }
    }
    return most;
  }

  /** U &gt; (1−rate)ᵏ, told by as many digits of U as that takes. */
  boolean isAbove(int k, long word, IntToLongFunction more) {
    BigInteger power = rest.pow(k);
    BigInteger u = ExactBoxMuller.unsigned(word);
    for (int round = 1; ; round++) {
      int apart = places * k - 64 * round;
      BigInteger value = power.shiftLeft(Math.max(0, -apart));
      if (u.shiftLeft(Math.max(0, apart)).compareTo(value) >= 0) {
        return true;
      }
      if (u.add(BigInteger.ONE).shiftLeft(Math.max(0, apart)).compareTo(value) <= 0) {
        return false;
      }
      u = u.shiftLeft(64).add(ExactBoxMuller.unsigned(more.applyAsLong(round)));
    }
  }

  /** The first 64·words digits of (1−rate)ᵏ. */
  BigInteger digits(int k, int words) {
    return rest.pow(k).shiftRight(places * k - 64 * words);
  }
}
