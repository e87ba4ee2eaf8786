package dev.discreet.accounting.internal.pairs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.accounting.MechanismPairs;
import dev.discreet.accounting.Neighbouring;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimatedNormStrataTest {

  /**
   * E[s] = √(r/2)·Γ((r−1)/2)/Γ(r/2), which chords and means keep where Φ is a line: under so much
   * noise that a stratum's ends differ in the last digits only, too.
   */
  @ParameterizedTest
  @CsvSource({
    "30, 1.02589947, 1e3",
    "30, 1.02589947, 1e9",
    "30, 1.02589947, 1e13",
    "30, 1.02589947, 1e14",
    "4096, 1.000183152, 1e3",
    "4096, 1.000183152, 1e12",
    "4096, 1.000183152, 1e13"
  })
  void strataLieOnBothSidesOfTheTruth(int projections, double mean, double sigma) {
    PairBounds known =
        MechanismPairs.of(new EstimatedNormGaussian(sigma, projections), Neighbouring.ADD_REMOVE);
    double above = scale((MixturePair) known.upper(), sigma);
    double below = scale((MixturePair) known.attained(), sigma);
    assertTrue(above > mean && above < mean * 1.02, above + " for " + mean);
    assertTrue(below < mean && below > mean * 0.98, below + " for " + mean);
  }

  private static double scale(MixturePair pair, double sigma) {
    double sum = 0;
    for (int i = 0; i < pair.weights().length; i++) {
      assertTrue(pair.weights()[i] >= 0, "weight " + pair.weights()[i]);
      if (pair.pairs()[i] instanceof GaussianPair gaussian) {
        sum += pair.weights()[i] * gaussian.mu() * sigma;
      }
    }
    return sum;
  }
}
