package dev.discreet.core.privacy.draws;

import dev.discreet.accounting.Check;

/**
 * How good each candidate 0, 1, … of the exponential mechanism is, score = integer·2^exponent. The
 * number of candidates must not depend on the data.
 *
 * @param sensitivity how far any candidate's score differs between neighbours <em>under the
 *     session's relation</em>: for replace-one the whole difference, not half
 */
public record Scores(long[] integers, int exponent, double sensitivity) {
  /** The most candidates; a choice takes up to about as many draws. */
  public static final int MOST = 1 << 20;

  private static final long LARGEST = 1L << 61;

  public Scores {
    Check.that(
        integers.length >= 1 && integers.length <= MOST,
        "candidates",
        "in [1, " + MOST + "]",
        integers.length);
    for (long score : integers) {
      Check.that(
          score >= -LARGEST && score <= LARGEST,
          "score in grid steps",
          "in [-2^61, 2^61]",
          "another");
    }
    Check.that(Math.abs(exponent) <= 500, "grid exponent", "in [-500, 500]", exponent);
    Check.that(
        sensitivity >= 0x1p-500 && sensitivity <= 0x1p500,
        "sensitivity of a score",
        "in [2^-500, 2^500]",
        sensitivity);
  }

  /** Scores that are whole numbers. */
  public static Scores of(long[] scores, double sensitivity) {
    return new Scores(scores, 0, sensitivity);
  }
}
