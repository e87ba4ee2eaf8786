package dev.discreet.accounting.internal.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.math.LogSum;
import dev.discreet.accounting.math.Normal;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Folded probabilities keep their digits in both tails. */
class FoldedProbabilityTest {

  @ParameterizedTest
  @CsvSource({"0.3, 0.7", "0.7, 0.3", "1e-300, 1", "1, 1e-300", "0.5, 0.5", "0, 1", "1, 0"})
  void tailAndHeadComeBack(double tail, double head) {
    double folded = FoldedProbability.of(tail, head);
    assertEquals(tail, FoldedProbability.tail(folded), 1e-16);
    assertEquals(head, FoldedProbability.head(folded), 1e-16);
    if (tail < head) {
      assertEquals(tail, FoldedProbability.tail(folded));
    } else if (head < tail) {
      assertEquals(head, FoldedProbability.head(folded));
    }
  }

  @Test
  void zeroHasTwoSides() {
    assertEquals(0, FoldedProbability.tail(0.0));
    assertEquals(1, FoldedProbability.head(0.0));
    assertEquals(1, FoldedProbability.tail(-0.0));
    assertEquals(0, FoldedProbability.head(-0.0));
    assertEquals(1, FoldedProbability.mass(-0.0, 0.0));
    assertEquals(0, FoldedProbability.mass(0.0, 0.0));
    assertEquals(0, FoldedProbability.mass(-0.0, -0.0));
  }

  @ParameterizedTest
  @CsvSource({
    // both in the upper tail, both in the lower, one on each side
    "1e-20, 4e-21, 6e-21",
    "-1e-30, -5e-30, 4e-30",
    "-0.2, 0.3, 0.5",
    "-0.0, 1e-9, 0.999999999",
  })
  void masses(double low, double high, double mass) {
    assertEquals(mass, FoldedProbability.mass(low, high), 1e-15 * mass);
  }

  /** Far out on either side the mass of a cell has full relative precision. */
  @Test
  void normalCellsInBothTails() {
    for (double z = 1; z < 37; z += 0.7) {
      double expected = Normal.tail(z) - Normal.tail(z + 0.1);
      double above = FoldedProbability.mass(Normal.folded(z), Normal.folded(z + 0.1));
      double below = FoldedProbability.mass(Normal.folded(-z - 0.1), Normal.folded(-z));
      assertEquals(expected, above, 1e-13 * expected);
      assertEquals(expected, below, 1e-13 * expected);
      assertTrue(expected > 0);
    }
  }

  @Test
  void normalDistribution() {
    NormalDistribution oracle = NormalDistribution.of(0, 1);
    for (double z = -38; z <= 38; z += 0.37) {
      double tail = oracle.survivalProbability(z);
      assertEquals(tail, Normal.tail(z), 1e-13 * tail);
      assertEquals(oracle.logDensity(z), Normal.logDensity(z), 1e-13 * (1 + z * z));
      if (z > -5 && z < 35) {
        assertEquals(tail / oracle.density(z), Normal.mills(z), 1e-12 * Normal.mills(z));
      }
      assertEquals(tail, FoldedProbability.tail(Normal.folded(z)), 1e-15);
      if (tail > 1e-300 && tail < 0.999) {
        assertEquals(z, Normal.tailQuantile(tail), 1e-12 * (1 + Math.abs(z)));
      }
    }
  }

  @Test
  void logSums() {
    LogSum sum = new LogSum();
    assertEquals(Double.NEGATIVE_INFINITY, sum.log());
    sum.add(Math.log(2), 3);
    sum.add(Math.log(5));
    assertEquals(Math.log(11), sum.log(), 1e-15);
    sum.add(20_000);
    assertEquals(20_000, sum.log(), 1e-12);
    sum.add(-20_000);
    assertEquals(20_000, sum.log(), 1e-12);
  }

  /** A term without weight counts for nothing, however large it is. */
  @Test
  void logSumsIgnoreWhatHasNoWeight() {
    LogSum sum = new LogSum();
    sum.add(1000, 0);
    sum.add(10, 1);
    assertEquals(10, sum.log(), 1e-12);
    LogSum empty = new LogSum();
    empty.add(Double.NEGATIVE_INFINITY, 1);
    empty.add(3, 0);
    assertEquals(Double.NEGATIVE_INFINITY, empty.log());
  }
}
