package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.internal.pairs.GaussianProfile;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Gaussian whose sensitivity is random: s = √(r/χ²ᵣ) times the bound. */
class EstimatedNormTest {
  private final PldAccountant pld = new PldAccountant();

  /**
   * One release is an average of Gaussians over s, which the attacker knows: δ(ε) = E[δ_{s/σ}(ε)].
   * The integral is taken over χ²'s quantiles by the midpoint rule, evenly in their log-odds.
   */
  private static double average(double sigma, int projections, double epsilon) {
    ChiSquaredDistribution chi = ChiSquaredDistribution.of(projections);
    int n = 8000;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      double odds = -40 + 80 * (i + 0.5) / n;
      double below = 1 / (1 + Math.exp(-odds));
      double weight = below / (1 + Math.exp(odds)) * 80 / n;
      double s = Math.sqrt(projections / chi.inverseCumulativeProbability(below));
      sum += weight * GaussianProfile.delta(s / sigma, epsilon);
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1, 5, 2", "4, 20, 0.5", "10, 100, 0.1", "20, 3, 1"})
  void oneReleaseIsAnAverageOfGaussians(double sigma, int projections, double epsilon) {
    Ledger ledger = Ledgers.addRemove(new EstimatedNormGaussian(sigma, projections), 1);
    double exact = average(sigma, projections, epsilon);
    Guarantee answer = pld.delta(ledger, epsilon);
    Expect.deltaInside(answer, exact, 1e-5);
    Expect.relative(exact, answer.delta(), 0.02);
    Expect.relative(exact, answer.deltaLower(), 0.02);
  }

  /** Two releases of s and t are one of √(s² + t²); strata are composed, not only averaged. */
  @ParameterizedTest
  @CsvSource({"2, 30, 2", "4, 5, 1"})
  void twoReleasesAreAnAverageOfGaussians(double sigma, int projections, double epsilon) {
    ChiSquaredDistribution chi = ChiSquaredDistribution.of(projections);
    int n = 400;
    double[] squares = new double[n];
    double[] weights = new double[n];
    for (int i = 0; i < n; i++) {
      double odds = -36 + 72 * (i + 0.5) / n;
      double below = 1 / (1 + Math.exp(-odds));
      weights[i] = below / (1 + Math.exp(odds)) * 72 / n;
      squares[i] = projections / chi.inverseCumulativeProbability(below);
    }
    double exact = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double mu = Math.sqrt(squares[i] + squares[j]) / sigma;
        exact += weights[i] * weights[j] * GaussianProfile.delta(mu, epsilon);
      }
    }
    Ledger ledger = Ledgers.addRemove(new EstimatedNormGaussian(sigma, projections), 2);
    Guarantee answer = pld.delta(ledger, epsilon);
    Expect.deltaInside(answer, exact, 1e-4);
    Expect.relative(exact, answer.delta(), 0.02);
    Expect.relative(exact, answer.deltaLower(), 0.02);
  }

  /** The least scale is one that s hardly ever falls below, so that rounding up to it is free. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 30, 1000, 1_000_000})
  void leastScaleIsBelowWhatTheStrataRoundUpTo(int projections) {
    double least = new EstimatedNormGaussian(1, projections).leastScale();
    ChiSquaredDistribution chi = ChiSquaredDistribution.of(projections);
    double below = chi.survivalProbability(projections / (least * least));
    assertTrue(below < 1e-6, projections + ": s is below " + least + " with " + below);
    assertTrue(least > 0.16 && least < 1, "least " + least);
  }

  @Test
  void costsMoreThanExactNormsAndLessWithMoreProjections() {
    double exact = pld.epsilon(Ledgers.poisson(2, 0.01, 1000), 1e-5).epsilon();
    double before = Double.POSITIVE_INFINITY;
    for (int projections : new int[] {5, 200}) {
      Mechanism mechanism = new PoissonSampled(0.01, new EstimatedNormGaussian(2, projections));
      Guarantee answer =
          CpuTime.within(15, () -> pld.epsilon(Ledgers.addRemove(mechanism, 1000), 1e-5));
      assertTrue(Double.isFinite(answer.epsilon()), "pld bounds it: " + answer);
      assertTrue(answer.epsilonLower() > 0.999 * exact, answer + " is below " + exact);
      assertTrue(answer.epsilon() < before, answer + " is not below " + before);
      before = answer.epsilonLower();
    }
    assertTrue(before < 1.05 * exact, "200 projections are nearly exact: " + before);
  }

  @Test
  void replacedUnitsHaveNormsOfTheirOwn() {
    for (Mechanism mechanism :
        new Mechanism[] {
          new EstimatedNormGaussian(2, 20),
          new PoissonSampled(0.01, new EstimatedNormGaussian(2, 20)),
          Ledgers.fixedSize(0.01, new EstimatedNormGaussian(2, 20)),
        }) {
      Ledger ledger = Ledger.of(Neighbouring.REPLACE_ONE, mechanism, 1);
      for (Accountant accountant : Accountants.all()) {
        Cost answer = accountant.epsilon(ledger, 1e-5);
        assertEquals(Double.POSITIVE_INFINITY, answer.epsilon(), accountant.name());
        assertTrue(!answer.note().isEmpty(), "a reason");
      }
      assertTrue(pld.epsilon(ledger, 1e-5).note().contains("estimated norm"));
      assertEquals(1, pld.delta(ledger, 3).delta());
    }
  }

  /** One projection leaves a sensitivity without a mean; whatever is answered has a reason. */
  @Test
  void infinityHasAReason() {
    Ledger ledger = Ledgers.addRemove(new EstimatedNormGaussian(20, 1), 1);
    Guarantee answer = pld.epsilon(ledger, 1e-5);
    assertTrue(Double.isFinite(answer.epsilon()) || !answer.note().isEmpty(), answer.toString());
  }

  @Test
  void displacedUnitsToo() {
    Mechanism fixed = Ledgers.fixedSize(0.01, new EstimatedNormGaussian(2, 20));
    Guarantee answer = pld.epsilon(Ledgers.addRemove(fixed, 1), 1e-5);
    assertEquals(Double.POSITIVE_INFINITY, answer.epsilon());
    assertTrue(answer.note().contains("estimated norm"), answer.note());
  }

  @Test
  void edges() {
    Mechanism noiseless = new EstimatedNormGaussian(0, 10);
    assertEquals("there is no noise", pld.epsilon(Ledgers.addRemove(noiseless, 1), 1e-5).note());
    Mechanism drowned = new EstimatedNormGaussian(Double.POSITIVE_INFINITY, 10);
    assertEquals(0, pld.epsilon(Ledgers.addRemove(drowned, 10), 0).epsilon());
    Mechanism unseen = new PoissonSampled(0, new EstimatedNormGaussian(1, 10));
    assertEquals(0, pld.epsilon(Ledgers.addRemove(unseen, 10), 0).epsilon());
    Mechanism unlimited = new EstimatedNormGaussian(1, 10);
    assertEquals(
        Double.POSITIVE_INFINITY, pld.epsilon(Ledgers.addRemove(unlimited, 1), 0).epsilon());
    // A norm estimated from very many projections is the norm.
    Guarantee many =
        pld.epsilon(Ledgers.addRemove(new EstimatedNormGaussian(3, 1_000_000), 1), 1e-5);
    Guarantee exact = pld.epsilon(Ledgers.addRemove(new Gaussian(3), 1), 1e-5);
    Expect.relative(exact.epsilon(), many.epsilon(), 5e-3);
  }
}
