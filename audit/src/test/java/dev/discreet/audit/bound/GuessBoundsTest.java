package dev.discreet.audit.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounds of given counts, against published figures and 30-digit arithmetic. */
class GuessBoundsTest {

  /** Jagielski, Ullman and Oprea 2020: 500 runs on each side never prove more than 4.54 at 99%. */
  @Test
  void perfectGuessesProveThePublishedMost() {
    GuessCounts perfect = new GuessCounts(500, 500, 0, 500);
    assertEquals(4.54, EpsilonLowerBound.of(perfect, 0, 0.01).epsilon(), 0.005);
    assertEquals(4.61304779562058, GaussianFit.of(perfect, 0.01).mu(), 1e-9);
  }

  /** Binomial sums and the normal distribution by mpmath with 30 digits. */
  @ParameterizedTest
  @CsvSource({
    "800, 1000, 100, 1000, 0.05, 1.86146468207149, 1.92510356293614, 9.53906551828631",
    "1800, 10000, 30, 10000, 1e-6, 3.19694998806510, 1.49021641820656, 6.99644487935089"
  })
  void agreesWithHighPrecision(
      long hits,
      long tries,
      long falseHits,
      long falseTries,
      double errorRate,
      double epsilon,
      double mu,
      double epsilonOfMu) {
    GuessCounts counts = new GuessCounts(hits, tries, falseHits, falseTries);
    assertEquals(epsilon, EpsilonLowerBound.of(counts, 1e-5, errorRate).epsilon(), 1e-9);
    GaussianFit fit = GaussianFit.of(counts, errorRate);
    assertEquals(mu, fit.mu(), 1e-9);
    assertEquals(epsilonOfMu, fit.epsilon(1e-5), 1e-7);
  }

  @Test
  void guessesThatAreNoBetterThanBlindProveNothing() {
    GuessCounts blind = new GuessCounts(50, 100, 50, 100);
    assertEquals(0, EpsilonLowerBound.of(blind, 0, 0.05).epsilon());
    assertEquals(0, GaussianFit.of(blind, 0.05).mu());
    assertEquals(0, GaussianFit.of(blind, 0.05).epsilon(1e-5));
    GuessCounts never = new GuessCounts(0, 100, 100, 100);
    assertEquals(0, EpsilonLowerBound.of(never, 0, 0.05).epsilon());
    assertEquals(0, GaussianFit.of(never, 0.05).mu());
  }

  @Test
  void aCountIsReadInAllFourWays() {
    assertEquals(
        List.of(
            new GuessCounts(7, 10, 2, 20),
            new GuessCounts(2, 20, 7, 10),
            new GuessCounts(3, 10, 18, 20),
            new GuessCounts(18, 20, 3, 10)),
        new GuessCounts(7, 10, 2, 20).readings());
  }

  @Test
  void refusesCountsThatNoSampleHas() {
    assertThrows(IllegalArgumentException.class, () -> new GuessCounts(0, 0, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new GuessCounts(2, 1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new GuessCounts(1, 1, -1, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ScoreSample(new double[] {1, 2, 3, Double.NaN}, new double[4]));
    assertThrows(
        IllegalArgumentException.class, () -> new ScoreSample(new double[3], new double[4]));
  }

  /** The rates that choose a cut are near those that judge it. */
  @Test
  void likelyRatesAreNearTheJudgedOnes() {
    GuessCounts few = new GuessCounts(300, 1000, 20, 1000);
    GuessCounts more = new GuessCounts(900, 3000, 60, 3000);
    double deviations = ScoreSample.deviations(1e-6);
    double least = more.leastTruePositiveRate(5e-7);
    double most = more.mostFalsePositiveRate(5e-7);
    assertEquals(least, few.likelyTruePositiveRate(deviations), 0.03 * least);
    assertEquals(most, few.likelyFalsePositiveRate(deviations), 0.1 * most);
    assertTrue(least < 0.3 && most > 0.02);
  }
}
