package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.internal.pairs.LogMoments;
import dev.discreet.accounting.internal.pairs.LossPair;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Moments of the sampled Gaussian against 60-digit arithmetic (bench/oracles/sampled_gaussian.py).
 */
class RdpSampledGaussianTest {
  private final RdpAccountant rdp = new RdpAccountant();

  @ParameterizedTest
  @CsvFileSource(
      resources = "/dev/discreet/accounting/sampled_gaussian_rdp.csv",
      numLinesToSkip = 1)
  void divergence(double sigma, double q, double alpha, double logMoment, double other) {
    assertTrue(logMoment >= other * (1 - 1e-12), "removing is the worse direction");
    double found = (alpha - 1) * rdp.divergence(Ledgers.poisson(sigma, q, 1), alpha);
    Expect.relative(logMoment, found, 1e-9);
  }

  /**
   * A lot of fixed size is sampled with the same rate and moved by 2C, and both neighbours may be
   * samples: at least either direction's moment, at most both excesses together.
   */
  @ParameterizedTest
  @CsvFileSource(
      resources = "/dev/discreet/accounting/sampled_gaussian_rdp.csv",
      numLinesToSkip = 1)
  void fixedSize(double sigma, double q, double alpha, double logMoment, double other) {
    if (q < 1e-5) {
      return; // no such lot in the number of units the test has
    }
    Ledger ledger = Ledgers.fixedSize(Neighbouring.ADD_REMOVE, 2 * sigma, q, 1);
    double found = (alpha - 1) * rdp.divergence(ledger, alpha);
    assertTrue(found >= logMoment * (1 - 1e-9), found + " is below " + logMoment);
    if (alpha <= 300) {
      double both =
          Math.log1p(Math.expm1(Math.min(logMoment, 700)) + Math.expm1(Math.min(other, 700)));
      assertTrue(found <= Math.max(both, logMoment) * (1 + 1e-9), found + " is above " + both);
    }
  }

  /** Integer orders are a binomial sum, others an integral; they must meet. */
  @Test
  void integerOrdersFitBetweenTheirNeighbours() {
    Random random = new Random(20_250_001);
    for (int i = 0; i < 60; i++) {
      double sigma = Math.exp(random.nextDouble() * Math.log(100) - 1);
      double q = Math.exp(-random.nextDouble() * 9);
      int order = 2 + random.nextInt(40);
      Ledger ledger = Ledgers.poisson(sigma, q, 1);
      double around =
          (rdp.divergence(ledger, order - 1e-6) + rdp.divergence(ledger, order + 1e-6)) / 2;
      double at = rdp.divergence(ledger, order);
      assertTrue(
          Math.abs(around - at) <= 1e-8 * at,
          () -> "sigma " + sigma + " q " + q + " order " + order + ": " + at + ", " + around);
    }
  }

  /** The curve of the table, to its nine digits; steps add up. */
  @ParameterizedTest
  @CsvSource({
    "1.5, 6.50070897e-4",
    "2.5, 1.08541806e-3",
    "5, 2.18075656e-3",
    "50, 2.38460375e-2",
    "100, 167.416308"
  })
  void curveOfTheTable(double order, double expected) {
    Expect.relative(expected, rdp.divergence(Ledgers.poisson(2.5, 0.01, 50), order), 3e-9);
  }

  /** The other direction, which no answer depends on but the moments accountant computes. */
  @ParameterizedTest
  @CsvFileSource(
      resources = "/dev/discreet/accounting/sampled_gaussian_rdp.csv",
      numLinesToSkip = 1)
  void otherDirection(double sigma, double q, double alpha, double logMoment, double other) {
    if (q == 1) {
      return; // closed form, and no one integrates it
    }
    Mechanism mechanism = new PoissonSampled(q, new Gaussian(sigma));
    LossPair pair = DominatingPairs.of(mechanism, Neighbouring.ADD_REMOVE).upper();
    Expect.relative(other, LogMoments.quadrature(pair, 1 - alpha), 1e-9);
  }
}
