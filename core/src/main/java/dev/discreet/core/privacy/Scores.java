package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * How good each candidate of the exponential mechanism is, score = integer·2^exponent. Candidates
 * are 0, 1, …; those that follow one another with the same score are one run, so that there may be
 * many of them.
 *
 * @param integers the score of each run
 * @param ends where each run ends; the last end is the number of candidates, which must not depend
 *     on the data
 * @param sensitivity how far any candidate's score differs between neighbours <em>under the
 *     session's relation</em>: for replace-one all of it, not half
 */
public record Scores(long[] integers, int exponent, long[] ends, double sensitivity) {
  /** The most candidates; sampling takes up to as many draws. */
  public static final long MOST = 1 << 20;

  private static final long LARGEST = 1L << 61;

  public Scores {
    Check.that(integers.length >= 1, "candidates", "at least 1", 0);
    Check.that(ends.length == integers.length, "ends of runs", "as many as scores", ends.length);
    long previous = 0;
    for (int run = 0; run < ends.length; run++) {
      Check.that(ends[run] > previous, "ends of runs", "rising from 1", "others");
      previous = ends[run];
      Check.that(
          Math.abs(integers[run]) <= LARGEST && integers[run] != Long.MIN_VALUE,
          "score in grid steps",
          "in [-2^61, 2^61]",
          "another");
    }
    Check.that(previous <= MOST, "candidates", "at most " + MOST, previous);
    Check.that(Math.abs(exponent) <= 500, "grid exponent", "in [-500, 500]", exponent);
    Check.that(
        sensitivity >= 0x1p-500 && sensitivity <= 0x1p500,
        "sensitivity of a score",
        "in [2^-500, 2^500]",
        sensitivity);
  }

  /** One score for each candidate, in whole numbers. */
  public static Scores of(long[] scores, double sensitivity) {
    return new Scores(
        scores.clone(), 0, LongStream.rangeClosed(1, scores.length).toArray(), sensitivity);
  }

  long candidates() {
    return ends[ends.length - 1];
  }

  /** How many grid steps a candidate is below the best. */
  long gap(long candidate, long best) {
    int at = Arrays.binarySearch(ends, candidate);
    // An end belongs to the next run.
    return best - integers[at >= 0 ? at + 1 : -at - 1];
  }

  long best() {
    return Arrays.stream(integers).max().orElseThrow();
  }
}
