package dev.discreet.audit.membership;

import dev.discreet.audit.bound.OneRunBound;
import java.util.Arrays;
import java.util.Comparator;

/**
 * What scores prove about one model, by {@link OneRunBound}: the players' coins are guessed, and a
 * private model lets no more guesses be right than its ε allows, though all are about one model.
 *
 * <p>A guess is made for the highest scores ("in"), for the lowest ("out") or for both. How many
 * guesses are made is fixed before the scores are seen: each of a few plans is judged with its
 * share of the error rate, and the best of them counts.
 */
final class CoinGuesses {
  private static final double[] SHARES = {0.01, 0.03, 0.1, 0.3};

  // Of the highest, of the lowest, and of half as many of each.
  private static final int KINDS = 3;

  private CoinGuesses() {}

  static OneRunBound bound(double[] scores, boolean[] in, double delta, double errorRate) {
    int[] order = falling(scores);
    double each = errorRate / (SHARES.length * KINDS);
    OneRunBound best = null;
    for (double share : SHARES) {
      int guesses = (int) Math.ceil(share * in.length);
      for (int kind = 0; kind < KINDS; kind++) {
        int high = kind == 0 ? guesses : kind == 1 ? 0 : guesses / 2;
        int right = right(order, in, high, guesses - high);
        OneRunBound found = OneRunBound.of(in.length, guesses, right, delta, each);
        best = best == null || found.epsilon() > best.epsilon() ? found : best;
      }
    }
    return best;
  }

  private static int[] falling(double[] scores) {
    Integer[] order = new Integer[scores.length];
    Arrays.setAll(order, i -> i);
    // Equal scores keep their order, which tells nothing of the coins.
    Arrays.sort(order, Comparator.comparingDouble((Integer i) -> scores[i]).reversed());
    return Arrays.stream(order).mapToInt(i -> i).toArray();
  }

  /** How many of the highest were in, and how many of the lowest were not. */
  private static int right(int[] order, boolean[] in, int high, int low) {
    int right = 0;
    for (int i = 0; i < high; i++) {
      right += in[order[i]] ? 1 : 0;
    }
    for (int i = order.length - low; i < order.length; i++) {
      right += in[order[i]] ? 0 : 1;
    }
    return right;
  }
}
