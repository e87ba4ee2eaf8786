package dev.discreet.core.privacy.draws;

import dev.discreet.accounting.Check;
import java.util.function.IntToLongFunction;

/**
 * How many places are passed over before the next success, where each place succeeds with
 * probability {@code rate} and independently of the others: ⌊ln U/ln(1−rate)⌋ with a uniform U.
 *
 * <p><b>Formal guarantee.</b> Given ideal bits, P(gap ≥ k) is exactly (1−rate)ᵏ for every k, with
 * the rate that the double has. U has infinitely many binary digits. Its first 64 decide in double
 * precision, with a bound on the error of the quotient and on what further digits can change; where
 * that bound leaves two gaps possible, {@link ExactGap} is asked, which has no error. The proof of
 * the bound is in docs/trust.md.
 */
public final class Gaps {
  /**
   * A quotient x is wrong by at most ERROR·x + (ROUNDED + UNSEEN/u)/slope: the roundings of the
   * formula, that of u, and the digits that were not looked at.
   */
  private static final double ERROR = 0x1p-49;

  private static final double ROUNDED = 0x1p-52;
  private static final double UNSEEN = 0x1p-63;

  private final double rate;
  private final double slope;

  /**
   * @param rate in (0, 1)
   */
  public Gaps(double rate) {
    Check.that(rate > 0 && rate < 1, "rate", "in (0, 1)", rate);
    this.rate = rate;
    this.slope = -Math.log1p(-rate);
  }

  /**
   * The gap of one uniform number.
   *
   * @param most at least 0
   * @param word the first 64 digits of U
   * @param more 64 further digits for each round from 1
   * @return {@code most} where the gap is that long or longer
   */
  public int next(int most, long word, IntToLongFunction more) {
    double u = BoxMuller.uniform(word);
    double x = -BoxMuller.log(u) / slope;
    double error = ERROR * x + (ROUNDED + UNSEEN / u) / slope;
    double low = Math.floor(Math.max(0, x - error));
    if (low >= most) {
      return most;
    }
    // False as well where u is 0 or the slope so small that a bound is infinite or not a number.
    return low == Math.floor(x + error) ? (int) low : ExactGap.of(rate, most, word, more);
  }
}
