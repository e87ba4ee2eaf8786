package dev.discreet.core.privacy.draws;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The chance that a key which nobody declared is shown, by how many units have it: the largest that
 * any (ε′, δ′)-private choice allows (Desfontaines, Voss, Gipson and Mandayam 2022, theorem 2), in
 * multiples of 2⁻¹²⁴.
 *
 * <p><b>Formal guarantee.</b> With π(0) = 0 and a fraction r ≤ e^ε′, each chance is at most r·π(n −
 * 1) + δ′ and at most 1 − (1 − π(n − 1) − δ′)/r. These two, and that chances rise with n, are what
 * (ε′, δ′)-privacy asks of a key that one unit more has. Each chance is computed from the one
 * before it as the draws have it, by whole numbers that are rounded down; so the inequalities hold
 * of the draws themselves. Where a neighbour differs in m keys by one unit each, the draws of m
 * keys compose to ε = mε′ and δ = mδ′, which is what {@link #mechanism} states.
 */
public final class KeyOdds {
  /** The digits of a chance; {@link ExactDraws#shows} takes them in two halves. */
  static final int BITS = 124;

  /** One, as a chance. */
  static final BigInteger ONE = BigInteger.ONE.shiftLeft(BITS);

  /** The least ε of one key: below, thousands of units are too few, and the table grows. */
  public static final double LEAST_EPSILON = 1e-3;

  /** The least δ of one key: below, its own digits would be lost. */
  public static final double LEAST_DELTA = 1e-24;

  private static final int RATIO_BITS = 200;

  private final Mechanism.ApproximateDp mechanism;
  private final List<BigInteger> chances;

  private KeyOdds(Mechanism.ApproximateDp mechanism, List<BigInteger> chances) {
    this.mechanism = mechanism;
    this.chances = chances;
  }

  /**
   * The best odds for that cost.
   *
   * @param epsilon of all keys that a neighbour can differ in
   * @param delta of all these keys
   * @param keys how many keys a neighbour can differ in, by one unit each
   */
  public static KeyOdds of(double epsilon, double delta, long keys) {
    check(epsilon, delta, keys);
    BigInteger ratio = exp(units(epsilon, RATIO_BITS).divide(BigInteger.valueOf(keys)));
    BigInteger failure = units(delta, BITS).divide(BigInteger.valueOf(keys));
    List<BigInteger> chances = new ArrayList<>(List.of(BigInteger.ZERO));
    for (BigInteger last = BigInteger.ZERO; last.compareTo(ONE) < 0; ) {
      BigInteger rising = last.multiply(ratio).shiftRight(RATIO_BITS).add(failure);
      BigInteger left = ONE.subtract(last).subtract(failure).max(BigInteger.ZERO);
      BigInteger falling = ONE.subtract(upQuotient(left.shiftLeft(RATIO_BITS), ratio));
      last = rising.min(falling);
      chances.add(last);
    }
    return new KeyOdds(new Mechanism.ApproximateDp(epsilon, delta), List.copyOf(chances));
  }

  /** Refuses a cost that is too little for so many keys, or no cost. */
  public static void check(double epsilon, double delta, long keys) {
    Check.that(keys >= 1, "keys of one unit", "at least 1", keys);
    Check.that(
        epsilon / keys >= LEAST_EPSILON && epsilon <= 1000,
        "epsilon of a selection",
        "at least " + LEAST_EPSILON + " for each of " + keys + " keys, and at most 1000",
        epsilon);
    Check.that(
        delta / keys >= LEAST_DELTA && delta < 1,
        "delta of a selection",
        "at least " + LEAST_DELTA + " for each of " + keys + " keys, and below 1",
        delta);
  }

  /** Whole units of 2^−bits, rounded down. */
  private static BigInteger units(double value, int bits) {
    return new BigDecimal(value)
        .multiply(new BigDecimal(BigInteger.ONE.shiftLeft(bits)))
        .toBigInteger();
  }

  /** At most e^x, both in units of 2^−RATIO_BITS: every term is rounded down, and the rest left. */
  private static BigInteger exp(BigInteger x) {
    BigInteger term = BigInteger.ONE.shiftLeft(RATIO_BITS);
    BigInteger sum = term;
    for (long k = 1; term.signum() > 0; k++) {
      term = term.multiply(x).shiftRight(RATIO_BITS).divide(BigInteger.valueOf(k));
      sum = sum.add(term);
    }
    return sum;
  }

  private static BigInteger upQuotient(BigInteger a, BigInteger by) {
    BigInteger[] parts = a.divideAndRemainder(by);
    return parts[1].signum() == 0 ? parts[0] : parts[0].add(BigInteger.ONE);
  }

  /** What a selection by these odds costs between neighbours. */
  public Mechanism.ApproximateDp mechanism() {
    return mechanism;
  }

  /** The least number of units of which a key is always shown. */
  public long certain() {
    return chances.size() - 1L;
  }

  /** The chance of a key that so many units have, rounded. */
  public double chance(long units) {
    return new BigDecimal(exact(units)).divide(new BigDecimal(ONE)).doubleValue();
  }

  /** The chance in units of 2^−BITS. */
  BigInteger exact(long units) {
    return chances.get((int) Math.max(0, Math.min(units, certain())));
  }
}
