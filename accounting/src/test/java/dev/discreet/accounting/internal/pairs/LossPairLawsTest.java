package dev.discreet.accounting.internal.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every pair must satisfy for connect-the-dots and its optimistic twin to be bounds. */
class LossPairLawsTest {
  private static final String PAIRS = "dev.discreet.accounting.internal.pairs.Pairs#all";

  /** Rising places among the knots, which no atom is at. */
  private static double[] randomGrid(LossPair pair, long seed) {
    Random random = new Random(seed);
    double[] knots = pair.knots();
    double[] grid =
        random
            .doubles(200)
            .map(
                u -> {
                  double at = u * (knots.length - 1);
                  int i = (int) at;
                  return knots[i] + (at - i) * (knots[i + 1] - knots[i]);
                })
            .sorted()
            .distinct()
            .toArray();
    return grid;
  }

  @ParameterizedTest
  @MethodSource(PAIRS)
  void massesSumToOne(LossPair pair) {
    double[] grid = randomGrid(pair, 1);
    double p =
        FoldedProbability.head(pair.p(grid[0]))
            + FoldedProbability.tail(pair.p(grid[grid.length - 1]));
    double q =
        FoldedProbability.head(pair.q(grid[0]))
            + FoldedProbability.tail(pair.q(grid[grid.length - 1]));
    for (int i = 0; i + 1 < grid.length; i++) {
      double massP = FoldedProbability.mass(pair.p(grid[i]), pair.p(grid[i + 1]));
      double massQ = FoldedProbability.mass(pair.q(grid[i]), pair.q(grid[i + 1]));
      assertTrue(massP >= -1e-15 && massQ >= -1e-15, "at " + grid[i]);
      p += massP;
      q += massQ;
    }
    assertEquals(1, p, 1e-12);
    assertEquals(1, q, 1e-12);
  }

  /** dQ = e^−L·dP: the ratio of a cell's masses lies in the cell. */
  @ParameterizedTest
  @MethodSource(PAIRS)
  void ratiosLieInTheirCells(LossPair pair) {
    double[] grid = randomGrid(pair, 2);
    int cells = 0;
    for (int i = 0; i + 1 < grid.length; i++) {
      double massP = FoldedProbability.mass(pair.p(grid[i]), pair.p(grid[i + 1]));
      double massQ = FoldedProbability.mass(pair.q(grid[i]), pair.q(grid[i + 1]));
      // Where a mass is the small difference of two large numbers its digits are lost.
      double coarse = 1e-16 * Math.max(1e-300, smaller(pair.p(grid[i]), pair.p(grid[i + 1])));
      double coarseQ = 1e-16 * Math.max(1e-300, smaller(pair.q(grid[i]), pair.q(grid[i + 1])));
      if (massP > 1e-280 && massQ > 1e-280 && massP > 1e4 * coarse && massQ > 1e4 * coarseQ) {
        double loss = Math.log(massP) - Math.log(massQ);
        double slack = 4 * (coarse / massP + coarseQ / massQ) + 1e-12 * (1 + Math.abs(loss));
        assertTrue(
            loss >= grid[i] - slack && loss <= grid[i + 1] + slack,
            loss + " is outside of [" + grid[i] + ", " + grid[i + 1] + "]");
        cells++;
      }
    }
    assertTrue(cells >= Math.min(20, pair.knots().length / 10), "checked only " + cells);
  }

  private static double smaller(double foldedLow, double foldedHigh) {
    return Math.max(Math.abs(foldedLow), Math.abs(foldedHigh));
  }

  @ParameterizedTest
  @MethodSource(PAIRS)
  void nothingLiesOutsideOfTheSupport(LossPair pair) {
    if (Double.isFinite(pair.max())) {
      assertEquals(
          pair.infinity(),
          FoldedProbability.tail(pair.p(pair.max())),
          1e-13,
          "P above the maximum");
      assertEquals(0, FoldedProbability.tail(pair.q(pair.max())), 1e-13, "Q above the maximum");
    }
    if (Double.isFinite(pair.min())) {
      double below = pair.min() - 1e-9 * (1 + Math.abs(pair.min()));
      assertEquals(0, FoldedProbability.head(pair.p(below)), 1e-13, "P below the minimum");
      assertEquals(
          pair.minusInfinity(),
          FoldedProbability.head(pair.q(below)),
          1e-13,
          "Q below the minimum");
    }
    double far = 1e6;
    assertEquals(pair.infinity(), FoldedProbability.tail(pair.p(far)), 1e-13);
    assertEquals(pair.minusInfinity(), FoldedProbability.head(pair.q(-far)), 1e-13);
    assertEquals(0, FoldedProbability.tail(pair.q(far)), 1e-13);
    assertEquals(0, FoldedProbability.head(pair.p(-far)), 1e-13);
  }

  /** E_Q[1] and E_Q[e^L] = P's finite mass. */
  @ParameterizedTest
  @MethodSource(PAIRS)
  void expectationsOfOneAndOfTheRatio(LossPair pair) {
    assertEquals(1 - pair.minusInfinity(), Math.exp(pair.logExpectQ(l -> 0, 0)), 1e-10);
    assertEquals(1 - pair.infinity(), Math.exp(pair.logExpectQ(l -> l, 1)), 1e-10);
  }

  /** Expectations over stretches are what the folded law says. */
  @ParameterizedTest
  @MethodSource(PAIRS)
  void expectationsOverStretches(LossPair pair) {
    double[] grid = randomGrid(pair, 3);
    for (int i = 0; i + 20 < grid.length; i += 20) {
      double low = grid[i];
      double high = grid[i + 20];
      double expected = FoldedProbability.mass(pair.q(low), pair.q(high));
      double found = Math.exp(pair.logExpectQ(l -> 0, 0, low, high));
      assertEquals(expected, found, 1e-10, "(" + low + ", " + high + "]");
    }
  }

  @ParameterizedTest
  @MethodSource(PAIRS)
  void knotsRiseAndHoldTheMass(LossPair pair) {
    double[] knots = pair.knots();
    assertTrue(knots.length >= 2);
    for (int i = 0; i + 1 < knots.length; i++) {
      assertTrue(knots[i] < knots[i + 1], "at " + i + ": " + knots[i] + ", " + knots[i + 1]);
    }
    assertFalse(Arrays.stream(knots).anyMatch(Double::isNaN));
    assertEquals(0, FoldedProbability.head(pair.p(knots[0])), 1e-12);
    assertEquals(pair.infinity(), FoldedProbability.tail(pair.p(knots[knots.length - 1])), 1e-12);
  }

  @ParameterizedTest
  @MethodSource(PAIRS)
  void reversing(LossPair pair) {
    LossPair reversed = pair.reversed();
    LossPair twice = reversed.reversed();
    double[] grid = randomGrid(pair, 4);
    for (double l : grid) {
      assertEquals(pair.p(l), twice.p(l));
      assertEquals(pair.q(l), twice.q(l));
      // P(L < l) is the reversed Q's mass above −l, also where there is an atom.
      double below = Math.nextDown(l);
      assertEquals(
          FoldedProbability.head(pair.p(below)), FoldedProbability.tail(reversed.q(-l)), 1e-12);
      assertEquals(
          FoldedProbability.tail(pair.q(below)), FoldedProbability.head(reversed.p(-l)), 1e-12);
    }
    assertEquals(pair.max(), -reversed.min());
    assertEquals(pair.min(), -reversed.max());
    assertEquals(pair.infinity(), reversed.minusInfinity());
    assertEquals(pair.minusInfinity(), reversed.infinity());
  }

  /** Giving up tails only makes the pair worse, and by no more than was allowed. */
  @ParameterizedTest
  @MethodSource(PAIRS)
  void truncating(LossPair pair) {
    LossPair shorter = pair.truncated(1e-4);
    assertTrue(shorter.infinity() <= pair.infinity() + 1e-4);
    assertTrue(shorter.infinity() >= pair.infinity());
    for (double epsilon : new double[] {-1, -0.1, 0, 0.1, 1, 3}) {
      assertTrue(divergence(shorter, epsilon) >= divergence(pair, epsilon) - 1e-12);
    }
  }

  private static double divergence(LossPair pair, double epsilon) {
    return FoldedProbability.tail(pair.p(epsilon))
        - Math.exp(epsilon) * FoldedProbability.tail(pair.q(epsilon));
  }
}
