package dev.discreet.audit.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CoinGuessesTest {
  private static final int PLAYERS = 2000;

  private static boolean[] coins(SplittableRandom random) {
    boolean[] in = new boolean[PLAYERS];
    for (int i = 0; i < in.length; i++) {
      in[i] = random.nextBoolean();
    }
    return in;
  }

  /** Each coin is told truly with probability e^ε/(1 + e^ε): as much as ε allows. */
  private static double[] told(boolean[] in, double epsilon, SplittableRandom random) {
    double[] scores = new double[in.length];
    for (int i = 0; i < in.length; i++) {
      boolean truly = random.nextDouble() < 1 / (1 + Math.exp(-epsilon));
      scores[i] = (in[i] == truly ? 1 : 0) + 1e-3 * random.nextDouble();
    }
    return scores;
  }

  /** A false alarm has a probability of 10⁻⁶ at most, a third of it for each ε. */
  @Test
  @Tag("statistical")
  void provesNoMoreThanIsTrueAndNotMuchLess() {
    SplittableRandom random = new SplittableRandom();
    for (double epsilon : new double[] {0.5, 1, 2}) {
      boolean[] in = coins(random);
      double proven = CoinGuesses.bound(told(in, epsilon, random), in, 0, 1e-6 / 3).epsilon();
      assertTrue(proven <= epsilon, proven + " of " + epsilon);
    }
    boolean[] in = coins(new SplittableRandom(1));
    double[] scores = told(in, 2, new SplittableRandom(2));
    assertTrue(CoinGuesses.bound(scores, in, 0, 0.05).epsilon() > 1.4);
  }

  /** The test above can fail: scores that tell more than their ε are found out. */
  @Test
  void scoresThatTellMoreProveMore() {
    boolean[] in = coins(new SplittableRandom(3));
    double[] scores = told(in, 4, new SplittableRandom(4));
    assertTrue(CoinGuesses.bound(scores, in, 0, 1e-6).epsilon() > 2);
  }

  @Test
  void guessesOfWhoIsOutCountToo() {
    SplittableRandom random = new SplittableRandom(5);
    boolean[] in = coins(random);
    double[] scores = new double[PLAYERS];
    int found = 0;
    for (int i = 0; i < PLAYERS; i++) {
      boolean clear = !in[i] && found++ < PLAYERS / 4;
      scores[i] = clear ? -1 : random.nextDouble();
    }
    assertTrue(CoinGuesses.bound(scores, in, 0, 0.05).epsilon() > 3);
  }

  @Test
  void deltaTakesAway() {
    boolean[] in = coins(new SplittableRandom(6));
    double[] scores = told(in, 3, new SplittableRandom(7));
    double pure = CoinGuesses.bound(scores, in, 0, 0.05).epsilon();
    double small = CoinGuesses.bound(scores, in, 1e-5, 0.05).epsilon();
    double large = CoinGuesses.bound(scores, in, 0.05, 0.05).epsilon();
    assertTrue(pure > small && small > large, pure + ", " + small + ", " + large);
    assertEquals(0, CoinGuesses.bound(new double[PLAYERS], in, 1e-5, 1e-6).epsilon());
  }
}
