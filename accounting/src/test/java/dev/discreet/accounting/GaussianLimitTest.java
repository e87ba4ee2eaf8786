package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.JointGaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

class GaussianLimitTest {
  private final GaussianLimit gdp = new GaussianLimit();

  /** An approximation by type, so that nothing can take it for a guarantee. */
  @Test
  void isNoGuarantee() {
    Cost cost = Accountants.named("gdp").epsilon(Ledgers.poisson(4, 0.01, 10_000), 1e-5);
    assertInstanceOf(Approximation.class, cost);
    assertTrue(cost.toString().contains("approximation, not a guarantee"), cost.toString());
    assertInstanceOf(Approximation.class, gdp.delta(Ledgers.poisson(4, 0.01, 10_000), 1));
  }

  @Test
  void noOtherAccountantAnswersThatWay() {
    for (Accountant accountant : Accountants.all()) {
      Cost cost = accountant.epsilon(Ledgers.poisson(4, 0.01, 100), 1e-5);
      assertEquals(accountant.name().equals("gdp"), cost instanceof Approximation);
    }
  }

  /** Dong, Roth and Su: it falls below the truth at finite steps. */
  @Test
  void fallsBelowTheTruth() {
    Ledger ledger = Ledgers.poisson(4, 0.01, 10_000);
    double approximate = gdp.epsilon(ledger, 1e-5).epsilon();
    assertTrue(approximate < new PldAccountant().epsilon(ledger, 1e-5).epsilonLower());
    assertTrue(approximate > 0.8, "but it is near: " + approximate);
  }

  /** Bu et al. 2020: μ = q·√(T(e^{1/σ²} − 1)). */
  @Test
  void muOfPoissonSampling() {
    double expected = 0.01 * Math.sqrt(10_000 * Math.expm1(1 / 16.0));
    Expect.relative(expected, gdp.mu(Ledgers.poisson(4, 0.01, 10_000)), 1e-12);
  }

  @ParameterizedTest
  @EnumSource
  void muOfUnsampledGaussians(Neighbouring relation) {
    Ledger ledger =
        Ledger.of(relation, new Gaussian(2), 3)
            .plus(new JointGaussian(List.of(3.0, 4.0)), 5)
            .plus(new PoissonSampled(1, new Gaussian(5)), 2);
    double precision = 3 / 4.0 + 5 / (2.4 * 2.4) + 2 / 25.0;
    Expect.relative(relation.sensitivity() * Math.sqrt(precision), gdp.mu(ledger), 1e-9);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/gaussian.csv", numLinesToSkip = 1)
  void exactForUnsampledGaussians(double sigma, double epsilon, double delta) {
    Ledger ledger = Ledgers.addRemove(new Gaussian(sigma), 1);
    Expect.relative(delta, gdp.delta(ledger, epsilon).delta(), 1e-7);
  }

  /** Small losses of any kind: N(μ²/2, μ²) with the mean and variance of the sum. */
  @Test
  void laplaceTendsToItsLimit() {
    // E[L] of one release is 1/b − 1 + e^{−1/b} ≈ 1/(2b²), so μ² ≈ T/b².
    Expect.relative(1, gdp.mu(Ledgers.addRemove(new Laplace(1000), 1_000_000)), 1e-3);
    Ledger ledger = Ledgers.addRemove(new Laplace(100), 10_000);
    Guarantee truth = new PldAccountant().epsilon(ledger, 1e-3);
    Expect.relative(truth.epsilon(), gdp.epsilon(ledger, 1e-3).epsilon(), 0.02);
  }

  @Test
  void failuresAreAdded() {
    Ledger ledger = Ledgers.addRemove(new Gaussian(1), 1).plus(new ApproximateDp(0, 1e-4), 1);
    double plain = gdp.delta(Ledgers.addRemove(new Gaussian(1), 1), 2).delta();
    Expect.relative(plain + 1e-4, gdp.delta(ledger, 2).delta(), 1e-9);
    assertEquals(Double.POSITIVE_INFINITY, gdp.epsilon(ledger, 1e-5).epsilon());
  }

  @Test
  void edges() {
    assertEquals(0, gdp.epsilon(Ledger.empty(Neighbouring.ADD_REMOVE), 1e-5).epsilon());
    assertEquals(0, gdp.epsilon(Ledgers.poisson(1, 0, 10), 1e-5).epsilon());
    assertEquals(0, gdp.epsilon(Ledgers.poisson(1, 0, 10), 0).epsilon());
    Approximation bare = gdp.epsilon(Ledgers.poisson(0, 0.1, 10), 1e-5);
    assertEquals(Double.POSITIVE_INFINITY, bare.epsilon());
    assertEquals("there is no noise", bare.note());
    assertEquals(1, gdp.delta(Ledgers.poisson(0, 0.1, 10), 5).delta());
    assertEquals(Double.POSITIVE_INFINITY, gdp.epsilon(Ledgers.poisson(1, 0.1, 10), 0).epsilon());
    assertEquals(
        Double.POSITIVE_INFINITY, gdp.epsilon(Ledgers.poisson(0.01, 0.1, 10), 1e-5).epsilon());
  }
}
