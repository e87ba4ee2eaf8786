package dev.discreet.core.privacy.draws;

import dev.discreet.accounting.Check;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * Draws whose probabilities are exact, from integers alone (Canonne, Kamath and Steinke 2020,
 * algorithms 1 and 2). No logarithm is taken and nothing is rounded, so what is proven about the
 * distribution is true of the program.
 *
 * <p>How long a draw takes depends on what is drawn.
 */
public final class ExactDraws {
  private static final int UNIT_BITS = 62;
  private static final BigInteger BELOW_UNIT =
      BigInteger.ONE.shiftLeft(UNIT_BITS).subtract(BigInteger.ONE);

  private final Dice dice;

  public ExactDraws(Dice dice) {
    this.dice = dice;
  }

  /** True with the chance that a key has which so many units have. */
  public boolean shows(KeyOdds odds, long units) {
    return below(odds.exact(units));
  }

  /** True with probability part/2¹²⁴. */
  private boolean below(BigInteger part) {
    if (part.equals(KeyOdds.ONE)) {
      return true;
    }
    long upper = part.shiftRight(UNIT_BITS).longValue();
    long drawn = dice.below(1L << UNIT_BITS);
    return drawn == upper
        ? dice.below(1L << UNIT_BITS) < part.and(BELOW_UNIT).longValue()
        : drawn < upper;
  }

  /** True with probability exp(−numerator/denominator). */
  boolean exp(long numerator, long denominator) {
    return exp(numerator / denominator, numerator % denominator, denominator);
  }

  /** True with probability exp(−whole − numerator/denominator), the fraction below 1. */
  boolean exp(long whole, long numerator, long denominator) {
    for (long i = 0; i < whole; i++) {
      if (!expOfFraction(1, 1)) {
        return false;
      }
    }
    return expOfFraction(numerator, denominator);
  }

  /**
   * exp(−x) = Σ (−x)ᵏ/k! is the probability that the first k whose draw of probability x/k fails is
   * odd.
   */
  private boolean expOfFraction(long numerator, long denominator) {
    long k = 1;
    while (dice.chance(numerator, denominator) && dice.chance(1, k)) {
      k++;
    }
    return (k & 1) == 1;
  }

  /** g ≥ 0 with probability proportional to exp(−g·2^shift/scale). */
  private long geometric(long scale, int shift) {
    long part;
    do {
      part = dice.below(scale);
    } while (!exp(part, scale));
    long whole = 0;
    // The product fits as long as fewer than 8,000 draws of probability 1/e succeed in a row.
    while (expOfFraction(1, 1)) {
      whole++;
    }
    return part + whole * scale >> shift;
  }

  /** Laplace noise rounded to integers, of a scale that is an exact fraction. */
  public record Laplace(long scale, int shift) {
    /**
     * The scale in grid steps, or up to 2⁻³⁰ of it more. A larger scale costs less privacy than
     * stated.
     */
    public static Laplace of(BigDecimal steps) {
      double about = steps.doubleValue();
      Check.that(
          about >= 0x1p-20 && about <= 0x1p50,
          "Laplace noise in grid steps",
          "in [2^-20, 2^50]",
          about);
      int shift = Math.max(0, 31 - Math.getExponent(about));
      return new Laplace(
          steps
              .multiply(new BigDecimal(Math.scalb(1.0, shift)))
              .setScale(0, RoundingMode.CEILING)
              .longValueExact(),
          shift);
    }
  }

  /**
   * The nearest integer to N, which is Laplace of scale b = scale/2^shift. |N| is above ½ with
   * probability exp(−1/(2b)). The number of whole steps beyond is geometric.
   */
  public long rounded(Laplace law) {
    if (!exp(1L << law.shift, 2 * law.scale)) {
      return 0;
    }
    long distance = 1 + geometric(law.scale, law.shift);
    return dice.chance(1, 2) ? distance : -distance;
  }

  /**
   * A candidate with probability proportional to exp(ε·score/(2Δ)), by rejection. The ε that is
   * used may be smaller by at most 2Δ·2⁻⁶² a grid step, which costs less privacy than stated.
   */
  public int choose(Scores scores, double epsilon) {
    // ε/(2Δ) of one grid step, in multiples of 2⁻⁶².
    BigInteger rate =
        new BigDecimal(epsilon)
            .multiply(new BigDecimal(Math.scalb(1.0, UNIT_BITS - 1 + scores.exponent())))
            .divide(new BigDecimal(scores.sensitivity()), 0, RoundingMode.FLOOR)
            .toBigInteger();
    long[] integers = scores.integers();
    long best = Arrays.stream(integers).max().orElseThrow();
    while (true) {
      int candidate = (int) dice.below(integers.length);
      BigInteger loss = rate.multiply(BigInteger.valueOf(best - integers[candidate]));
      BigInteger whole = loss.shiftRight(UNIT_BITS);
      // A draw with more whole steps than a long counts practically always fails.
      if (exp(
          whole.bitLength() < Long.SIZE ? whole.longValue() : Long.MAX_VALUE,
          loss.and(BELOW_UNIT).longValue(),
          1L << UNIT_BITS)) {
        return candidate;
      }
    }
  }
}
