package dev.discreet.algorithms.tuning;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.RandomRuns;
import dev.discreet.core.privacy.draws.Dice;

/**
 * Draws a number of runs by its law, exactly. Every chance is a fraction of whole numbers, and no
 * power or logarithm is taken. So what is proven about the law is true of the program. The promise
 * of a search depends on this number staying secret, so the die must be a secret one.
 *
 * <p>A law with weights that are products, w_{k+1} = w_k·r_k with every r_k ≤ 1, is drawn by a
 * walk. At k it stops with a fixed chance. Otherwise it continues to k+1 with a chance in
 * proportion to r_k, or else begins anew.
 */
public final class RandomStopping {
  private static final long ONE = 1L << 20;
  private static final long FINE = 1L << 50;
  private static final double LARGEST = 1 << 20;

  private RandomStopping() {}

  /** K ≥ 1. */
  public static long draw(RandomRuns law, Dice dice) {
    return law.match(
        binomial -> {
          long gamma = whole("gamma", binomial.gamma(), FINE);
          return negativeBinomial(whole("eta", binomial.eta(), ONE), gamma, dice);
        },
        poisson -> poisson(whole("mu", poisson.mu(), ONE), dice));
  }

  /** The value in multiples of 1/per. */
  private static long whole(String name, double value, long per) {
    Check.that(value <= LARGEST, name + " to draw by", "at most 2^20", value);
    double cells = value * per;
    Check.that(cells == Math.rint(cells), name + " to draw by", "a multiple of 1/" + per, value);
    return (long) cells;
  }

  private static long negativeBinomial(long eta, long gamma, Dice dice) {
    if (eta <= ONE) {
      return walk(1, eta, gamma, dice);
    }
    // A sum of independent negative binomials has the sum of their η: take as many geometric ones
    // as fit, and a rest.
    long parts = (eta - 1) / ONE;
    while (true) {
      long sum = walk(0, eta - parts * ONE, gamma, dice);
      for (long i = 0; i < parts; i++) {
        while (!dice.chance(gamma, FINE)) {
          sum++;
        }
      }
      if (sum > 0) {
        return sum;
      }
    }
  }

  /** k ≥ first with weights (1−γ)^k·∏_{ℓ&lt;k}(ℓ+η)/(ℓ+1) from the first on, for η ≤ 1. */
  private static long walk(long first, long eta, long gamma, Dice dice) {
    long k = first;
    while (!dice.chance(gamma, FINE)) {
      k = dice.chance(k * ONE + eta, (k + 1) * ONE) ? k + 1 : first;
    }
    return k;
  }

  /** Drawn as a sum of n Poisson numbers of x = μ/n ≤ ½, whose weights are x^k/k!. */
  private static long poisson(long mu, Dice dice) {
    long parts = (2 * mu + ONE - 1) / ONE;
    while (true) {
      long sum = 0;
      for (long i = 0; i < parts; i++) {
        long k = 0;
        while (!dice.chance(1, 2)) {
          k = dice.chance(2 * mu, parts * ONE * (k + 1)) ? k + 1 : 0;
        }
        sum += k;
      }
      if (sum > 0) {
        return sum;
      }
    }
  }
}
