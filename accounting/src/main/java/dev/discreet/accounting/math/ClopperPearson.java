package dev.discreet.accounting.math;

import java.util.function.DoublePredicate;
import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * The interval of Clopper and Pearson (1934) for a probability of which only counts are known. It
 * is exact: whatever the probability is, each end lies on its right side with at least the
 * confidence that was asked for.
 *
 * @param low below the probability, but for a chance of {@code tail}
 * @param high above it, but for the same chance
 */
public record ClopperPearson(double low, double high) {

  /**
   * @param hits how often it happened
   * @param tries out of how many
   * @param tail the chance that an end is wrong: 0.025 at each end for an interval of 95%
   */
  public static ClopperPearson of(long hits, long tries, double tail) {
    require(tries >= 1, "tries", "at least 1", tries);
    require(hits >= 0 && hits <= tries, "hits", "in [0, " + tries + "]", hits);
    require(tail > 0 && tail < 0.5, "tail", "in (0, 0.5)", tail);
    double k = hits;
    double n = tries;
    // The chance of k or more hits is I_p(k, n − k + 1), that of k or fewer 1 − I_p(k + 1, n − k).
    return new ClopperPearson(
        hits == 0 ? 0 : last(p -> RegularizedBeta.value(p, k, n - k + 1) <= tail),
        hits == tries ? 1 : next(last(p -> RegularizedBeta.complement(p, k + 1, n - k) >= tail)));
  }

  /**
   * The largest probability at which something holds that holds at 0 and, from somewhere on, not.
   */
  private static double last(DoublePredicate holds) {
    double low = 0;
    double high = 1;
    for (double middle = 0.5; middle > low && middle < high; middle = (low + high) / 2) {
      if (holds.test(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double next(double probability) {
    return Math.min(1, Math.nextUp(probability));
  }

  private static void require(boolean holds, String name, String range, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + range + ". Provided value: " + value);
    }
  }
}
