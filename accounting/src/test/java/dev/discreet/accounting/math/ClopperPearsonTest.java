package dev.discreet.accounting.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.commons.statistics.distribution.BetaDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClopperPearsonTest {
  @ParameterizedTest
  @CsvSource({"10, 12, 0.025", "1, 12, 0.025", "3, 200000, 0.025", "150000, 200000, 0.005"})
  void theEndsAreQuantilesOfBetaDistributions(long hits, long tries, double tail) {
    ClopperPearson found = ClopperPearson.of(hits, tries, tail);
    double low = BetaDistribution.of(hits, tries - hits + 1.0).inverseCumulativeProbability(tail);
    double high = BetaDistribution.of(hits + 1.0, tries - hits).inverseSurvivalProbability(tail);
    assertEquals(low, found.low(), 1e-7 * low);
    assertEquals(high, found.high(), 1e-7 * high);
    assertTrue(found.low() < (double) hits / tries && (double) hits / tries < found.high());
  }

  @Test
  void allOrNoneLeavesOneEndOpen() {
    assertEquals(0, ClopperPearson.of(0, 12, 0.025).low());
    assertEquals(1 - Math.pow(0.025, 1 / 12.0), ClopperPearson.of(0, 12, 0.025).high(), 1e-12);
    assertEquals(1, ClopperPearson.of(12, 12, 0.025).high());
    assertEquals(Math.pow(0.025, 1 / 12.0), ClopperPearson.of(12, 12, 0.025).low(), 1e-12);
  }

  @Test
  void impossibleCountsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> ClopperPearson.of(0, 0, 0.025));
    assertThrows(IllegalArgumentException.class, () -> ClopperPearson.of(13, 12, 0.025));
    assertThrows(IllegalArgumentException.class, () -> ClopperPearson.of(-1, 12, 0.025));
    assertThrows(IllegalArgumentException.class, () -> ClopperPearson.of(1, 12, 0));
  }
}
