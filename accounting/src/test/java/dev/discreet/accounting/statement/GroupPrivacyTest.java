package dev.discreet.accounting.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Expect;
import dev.discreet.accounting.GaussianLimit;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Ledgers;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.JointGaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.accounting.TheoremAccountant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupPrivacyTest {
  private final PldAccountant pld = new PldAccountant();
  private final RdpAccountant rdp = new RdpAccountant();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void aGroupMovesASumThatMuchFarther(int units) {
    Ledger ledger =
        Ledgers.addRemove(new Gaussian(20), 5).plus(new JointGaussian(List.of(30.0, 40.0)), 2);
    double mu = units * Math.sqrt(5 / 400.0 + 2 / (24.0 * 24.0));
    Guarantee exact = pld.epsilon(Ledgers.addRemove(new Gaussian(1 / mu), 1), 1e-5);
    Guarantee group = GroupPrivacy.epsilon(pld, ledger, units, 1e-5);
    Expect.relative(exact.epsilon(), group.epsilon(), 1e-9);
    Expect.relative(exact.epsilonLower(), group.epsilonLower(), 1e-9);

    Ledger laplace = Ledgers.addRemove(new Laplace(20), 3);
    Expect.relative(
        units * 3 / 20.0, GroupPrivacy.epsilon(pld, laplace, units, 0).epsilon(), 1e-12);
  }

  @Test
  void oneUnitIsNoGroup() {
    Ledger ledger = Ledgers.poisson(1, 0.1, 10).plus(new PureDp(0.1), 1);
    assertEquals(rdp.epsilon(ledger, 1e-5), GroupPrivacy.epsilon(rdp, ledger, 1, 1e-5));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 10})
  void purePrivacyMultiplies(int units) {
    Ledger ledger = Ledgers.addRemove(new PureDp(0.25), 2);
    double found = GroupPrivacy.epsilon(TheoremAccountant.sequential(), ledger, units, 0).epsilon();
    assertTrue(found >= units * 0.5);
    Expect.relative(units * 0.5, found, 2e-4);
  }

  /**
   * k units that all contribute +C are drawn a binomial number of times. The general theorem must
   * allow what telling that mixture from nothing costs.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.1, 2, 1e-4", "1, 0.1, 5, 1e-3", "0.7, 0.5, 3, 1e-5", "5, 0.01, 4, 1e-6"})
  void theGeneralTheoremIsAboveTheTruth(double sigma, double q, int units, double delta) {
    Guarantee group = GroupPrivacy.epsilon(rdp, Ledgers.poisson(sigma, q, 1), units, delta);
    assertEquals(0, group.epsilonLower());
    assertEquals("by the general theorem for groups", group.note());
    double truth = binomialMixture(sigma, q, units, group.epsilon());
    assertTrue(truth <= delta, truth + " is more than " + delta);
    double one = pld.epsilon(Ledgers.poisson(sigma, q, 1), delta).epsilonLower();
    assertTrue(group.epsilon() >= one);
  }

  /** ∫ (Σ_j C(k,j)q^j(1−q)^{k−j} N(j, σ²) − e^ε N(0, σ²))₊ by the trapezoid rule. */
  private static double binomialMixture(double sigma, double q, int units, double epsilon) {
    double step = sigma / 2000;
    double sum = 0;
    for (double x = -12 * sigma; x < units + 12 * sigma; x += step) {
      double p = 0;
      double choose = 1;
      for (int j = 0; j <= units; j++) {
        p +=
            choose
                * Math.pow(q, j)
                * Math.pow(1 - q, units - j)
                * Math.exp(-0.5 * Math.pow((x - j) / sigma, 2));
        choose *= (units - j) / (j + 1.0);
      }
      sum += Math.max(0, p - Math.exp(epsilon - 0.5 * x * x / (sigma * sigma)));
    }
    return sum * step / (sigma * Math.sqrt(2 * Math.PI));
  }

  /** Where e^ε leaves the range of a double the theorem still holds. */
  @Test
  void largeEpsilon() {
    Ledger ledger = Ledgers.poisson(0.01, 0.5, 1);
    RdpAccountant few = new RdpAccountant(2, 4, 8, 16);
    double one = few.epsilon(ledger, 1e-5).epsilon();
    double two = GroupPrivacy.epsilon(few, ledger, 2, 1e-5).epsilon();
    assertTrue(two >= one, "two units: " + two + ", one: " + one);
  }

  @Test
  void partsAreNoShelterForAGroup() {
    Ledger part = Ledgers.addRemove(new Gaussian(10), 4);
    Ledger parts = part.onPart("a").plus(part.onPart("b"));
    double spread = GroupPrivacy.epsilon(pld, parts, 2, 1e-5).epsilon();
    // One unit in each part, or two in one of them.
    assertTrue(spread >= pld.epsilon(part.plus(part), 1e-5).epsilonLower());
    assertTrue(spread >= pld.epsilon(Ledgers.addRemove(new Gaussian(5), 4), 1e-5).epsilonLower());
  }

  @Test
  void noBound() {
    Guarantee none = GroupPrivacy.epsilon(rdp, Ledgers.poisson(0, 0.1, 1), 2, 1e-5);
    assertEquals(Double.POSITIVE_INFINITY, none.epsilon());
  }

  @Test
  void argumentsAreChecked() {
    Ledger ledger = Ledgers.poisson(1, 0.1, 1);
    Expect.refused(
        "units must be at least 1. Provided value: 0",
        () -> GroupPrivacy.epsilon(pld, ledger, 0, 1e-5));
    Expect.refused(
        "delta must be in [0, 1). Provided value: 1.5",
        () -> GroupPrivacy.epsilon(pld, ledger, 2, 1.5));
    Expect.refused(
        "accountant must be one that gives guarantees. Provided value: gdp",
        () -> GroupPrivacy.epsilon(new GaussianLimit(), ledger, 2, 1e-5));
  }

  /** Pure privacy of a sampled release multiplies as well, without any δ. */
  @Test
  void sampledPurePrivacy() {
    Ledger ledger = Ledgers.addRemove(new PoissonSampled(0.5, new PureDp(1)), 3);
    double one = 3 * Math.log1p(0.5 * Math.expm1(1));
    double found = GroupPrivacy.epsilon(TheoremAccountant.sequential(), ledger, 4, 0).epsilon();
    Expect.relative(4 * one, found, 1e-12);
    assertTrue(found >= 4 * one * (1 - 1e-15));
  }

  /** The answer is the ε where the theorem meets δ, from above. */
  @ParameterizedTest
  @CsvSource({"1.1, 0.01, 1000, 2, 1e-5", "2, 0.05, 200, 10, 1e-5", "0.7, 0.5, 1, 3, 1e-12"})
  void theTheoremIsUsedUp(double sigma, double q, long steps, int units, double delta) {
    Ledger ledger = Ledgers.poisson(sigma, q, steps);
    double one = GroupPrivacy.epsilon(rdp, ledger, units, delta).epsilon() / units;
    assertTrue(theorem(ledger, units, one) <= delta);
    assertTrue(theorem(ledger, units, one * (1 - 3e-4)) > delta);
  }

  private double theorem(Ledger ledger, int units, double epsilon) {
    return rdp.delta(ledger, epsilon).delta() * Math.expm1(units * epsilon) / Math.expm1(epsilon);
  }
}
