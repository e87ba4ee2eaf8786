package dev.discreet.audit.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeds are fixed, so nothing here fails by chance. */
@Tag("statistical")
class SampledGaussianFitTest {

  private static double[] scores(int number, double rate, double mu, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] scores = new double[number];
    for (int i = 0; i < number; i++) {
      boolean drawn = random.nextDouble() < rate;
      scores[i] = (drawn ? 1 : 0) + random.nextGaussian() / mu;
    }
    return scores;
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0.8", "0.5, 2, 0.8", "0.1, 1.3, 0.5", "0.05, 0.4, 0"})
  void theBoundIsBelowTheTruthAndNotFar(double rate, double mu, double share) {
    double[] with = scores(40_000, rate, mu, 21);
    double[] without = scores(40_000, 0, mu, 22);
    double cut = SampledGaussianFit.of(with, without, rate, 0.001).mu();
    double means = SampledGaussianFit.muByMeans(with, without, rate, 0.001);
    assertTrue(cut <= mu && cut >= share * mu, "cut " + cut);
    assertTrue(means <= mu && means >= share * mu, "means " + means);
  }

  @Test
  void moreThanIsClaimedIsFound() {
    double[] with = scores(40_000, 0.5, 1.5, 3);
    double[] without = scores(40_000, 0, 1.5, 4);
    assertTrue(SampledGaussianFit.of(with, without, 0.5, 0.01).mu() > 1.2);
    // The canary is in more lots than it should be.
    assertTrue(SampledGaussianFit.of(with, without, 0.3, 0.01).mu() > 1.6);
  }

  @Test
  void equalScoresProveNothing() {
    double[] same = scores(1_000, 0, 1, 5);
    assertEquals(0, SampledGaussianFit.of(same, same, 0.5, 0.01).mu());
    assertEquals(0, SampledGaussianFit.muByMeans(same, same, 0.5, 0.01), 1e-9);
  }
}
