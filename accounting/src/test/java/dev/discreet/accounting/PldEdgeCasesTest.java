package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.Exponential;
import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import dev.discreet.accounting.theorems.CompositionTheorems;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PldEdgeCasesTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private final PldAccountant pld = new PldAccountant();

  @ParameterizedTest
  @EnumSource
  void nothingReleasedCostsNothing(Neighbouring relation) {
    for (Ledger ledger :
        List.of(
            Ledger.empty(relation),
            Ledgers.poisson(relation, 1, 0, 1_000_000),
            Ledgers.poisson(relation, 0, 0, 5),
            Ledger.of(relation, new FixedSizeSampled(0, 10, new Gaussian(1)), 5),
            Ledger.of(relation, new Gaussian(INFINITY), 5),
            Ledger.of(relation, new Exponential(0), 5),
            Ledger.of(relation, new RandomizedResponse(0.25, 4), 5))) {
      for (Accountant accountant : Accountants.all()) {
        for (double delta : new double[] {0, 1e-15, 0.5}) {
          assertEquals(0, accountant.epsilon(ledger, delta).epsilon(), accountant + " " + ledger);
        }
        assertEquals(0, accountant.delta(ledger, 0).delta(), accountant + " " + ledger);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutNoiseThereIsNoBound(Neighbouring relation) {
    for (Mechanism mechanism :
        List.of(
            new Gaussian(0),
            new Laplace(0),
            new PoissonSampled(0.01, new Gaussian(0)),
            new FixedSizeSampled(1, 10, new Gaussian(0)))) {
      Ledger ledger = Ledger.of(relation, mechanism, 1).plus(new Gaussian(5), 1);
      for (Accountant accountant : Accountants.all()) {
        Cost epsilon = accountant.epsilon(ledger, 1e-5);
        assertEquals(INFINITY, epsilon.epsilon(), accountant + " " + mechanism);
        assertEquals("there is no noise", epsilon.note());
        assertEquals(1, accountant.delta(ledger, 3).delta(), accountant + " " + mechanism);
      }
    }
  }

  @Test
  void gaussianNoiseHasNoEpsilonWithoutDelta() {
    for (Ledger ledger :
        List.of(
            Ledgers.addRemove(new Gaussian(10), 1),
            Ledgers.poisson(10, 0.01, 1),
            Ledgers.poisson(10, 0.01, 100),
            Ledgers.poisson(10, 0.01, 100).plus(new Laplace(1), 1))) {
      for (Accountant accountant : Accountants.all()) {
        assertEquals(INFINITY, accountant.epsilon(ledger, 0).epsilon(), accountant.name());
      }
      assertTrue(!pld.epsilon(ledger, 0).note().isEmpty(), "a reason");
    }
  }

  @Test
  void boundedLossesHaveAnEpsilonWithoutDelta() {
    Guarantee laplace =
        pld.epsilon(Ledgers.addRemove(new Laplace(1), 3).plus(new Laplace(2), 2), 0);
    Expect.relative(4, laplace.epsilon(), 1e-12);
    assertTrue(laplace.epsilon() >= 4);
    Expect.relative(4, laplace.epsilonLower(), 1e-9);
    double amplified = CompositionTheorems.amplified(2, 0.1);
    Ledger sampled = Ledgers.addRemove(new PoissonSampled(0.1, new Laplace(0.5)), 5);
    Expect.relative(5 * amplified, pld.epsilon(sampled, 0).epsilon(), 1e-12);
    Ledger response = Ledgers.addRemove(new RandomizedResponse(0.75, 2), 4);
    Expect.relative(4 * Math.log(3), pld.epsilon(response, 0).epsilon(), 1e-12);
    assertEquals(
        INFINITY, pld.epsilon(Ledgers.addRemove(new ApproximateDp(1, 1e-9), 2), 0).epsilon());
  }

  /** At δ = 0 and at the smallest δ the answers meet. */
  @Test
  void tinyDelta() {
    Ledger ledger = Ledgers.addRemove(new Laplace(1), 3);
    Guarantee tiny = pld.epsilon(ledger, 1e-300);
    assertTrue(tiny.epsilon() <= 3 * (1 + 1e-12));
    Expect.relative(3, tiny.epsilon(), 1e-6);
    Guarantee gaussian = pld.epsilon(Ledgers.addRemove(new Gaussian(1), 1), 1e-300);
    // Φ(−x) = 1e-300 at x ≈ 37.04, so ε ≈ 37.04 + 1/2 to first order.
    Expect.relative(37.5, gaussian.epsilon(), 0.01);
    Guarantee sampled = pld.epsilon(Ledgers.poisson(1, 0.1, 10), 1e-100);
    assertTrue(sampled.epsilonLower() <= sampled.epsilon());
    assertTrue(Double.isFinite(sampled.epsilon()));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.49, 0.5, 0.9})
  void largeDelta(double delta) {
    for (Ledger ledger :
        List.of(
            Ledgers.poisson(0.5, 0.5, 20),
            Ledgers.poisson(4, 0.01, 10_000),
            Ledgers.addRemove(new Gaussian(0.1), 1))) {
      Guarantee answer = pld.epsilon(ledger, delta);
      assertTrue(answer.epsilon() <= pld.epsilon(ledger, delta / 2).epsilon());
      Guarantee there = pld.delta(ledger, answer.epsilon());
      assertTrue(there.deltaLower() <= delta, there + " contradicts " + answer);
    }
  }

  /** δ above the total variation distance needs no ε at all. */
  @Test
  void deltaAboveTheDistance() {
    Guarantee answer = pld.epsilon(Ledgers.poisson(1, 0.001, 10), 0.01);
    assertEquals(0, answer.epsilon());
    assertEquals(0, pld.epsilon(Ledgers.addRemove(new Gaussian(200), 1), 0.01).epsilon());
  }

  @ParameterizedTest
  @CsvSource({
    "200, 1e-7, 10000000, 1e-15",
    "200, 1e-7, 10000000, 0.5",
    "0.05, 1e-7, 10000000, 1e-5",
    "0.05, 1, 10000000, 1e-5",
    "1, 0.5, 10000000, 1e-5",
    "50, 1e-4, 1000000000000, 1e-6",
    "4, 0.01, 9223372036854775807, 1e-5",
  })
  void manySteps(double sigma, double q, long steps, double delta) {
    Ledger ledger = Ledgers.poisson(sigma, q, steps);
    Guarantee answer = CpuTime.within(5, () -> pld.epsilon(ledger, delta));
    double rdp = CpuTime.within(5, () -> new RdpAccountant().epsilon(ledger, delta)).epsilon();
    assertTrue(answer.epsilonLower() <= answer.epsilon());
    assertTrue(answer.epsilonLower() <= rdp, answer + " is above rdp's " + rdp);
    assertTrue(answer.epsilon() <= rdp, answer + " is above rdp's " + rdp);
  }

  /** Any number of unsampled Gaussians is one of them. */
  @Test
  void manyUnsampledSteps() {
    Guarantee many = pld.epsilon(Ledgers.addRemove(new Gaussian(1e6), 1_000_000_000_000L), 1e-5);
    Guarantee one = pld.epsilon(Ledgers.addRemove(new Gaussian(1), 1), 1e-5);
    Expect.relative(one.epsilon(), many.epsilon(), 1e-12);
  }

  @Test
  void infiniteEpsilonAsksForNoDelta() {
    for (Accountant accountant : Accountants.all()) {
      for (Ledger ledger :
          List.of(Ledgers.poisson(1, 0.1, 10), Ledgers.addRemove(new Laplace(1), 3))) {
        assertEquals(0, accountant.delta(ledger, INFINITY).delta(), 1e-300, accountant.name());
      }
      // What is revealed outright stays revealed at every ε.
      Ledger failing = Ledgers.addRemove(new ApproximateDp(1, 0.125), 1);
      double most = accountant.delta(failing, 1e6).delta();
      assertEquals(0.125, most, 1e-6, accountant.name());
      assertEquals(most, accountant.delta(failing, INFINITY).delta(), 1e-6, accountant.name());
    }
  }

  /** Promises that are worth little are still promises: e^ε must not overflow. */
  @ParameterizedTest
  @CsvSource({"700, 1", "720, 1", "1000, 1", "720, 3", "5000, 2"})
  void hugeEpsilonOfAnEntry(double epsilon, long count) {
    for (Mechanism mechanism :
        List.of(new PureDp(epsilon), new Laplace(1 / epsilon), new ApproximateDp(epsilon, 1e-9))) {
      Ledger ledger = Ledgers.addRemove(mechanism, count);
      for (Accountant accountant : Accountants.all()) {
        if (accountant instanceof GaussianLimit) {
          continue; // promises nothing
        }
        double found = accountant.epsilon(ledger, 1e-5).epsilon();
        assertTrue(
            found >= count * epsilon * 0.99, accountant.name() + " of " + mechanism + ": " + found);
      }
    }
  }

  /** Bracket ends of one release are certified too, where ε or σ is extreme. */
  @ParameterizedTest
  @CsvSource({"1e-9, 3e-10", "1e-6, 1e-7", "1e-3, 1e-4", "1, 0.1", "30, 0.5"})
  void onePurelyPrivateRelease(double epsilon0, double delta) {
    // δ = p − e^ε·q, so ε = ε₀ + log(1 − δ/p) with p = 1/(1 + e^−ε₀).
    double exact = epsilon0 + Math.log1p(-delta * (1 + Math.exp(-epsilon0)));
    Guarantee answer = pld.epsilon(Ledgers.addRemove(new PureDp(epsilon0), 1), delta);
    Expect.epsilonInside(answer, exact, 1e-14);
  }

  /** 60-digit values, as in bench/oracles/gaussian.py. */
  @ParameterizedTest
  @CsvSource({
    "1e9, 1e-10, 9.0234634775599061249e-10",
    "1e7, 1e-9, 1.9383563441551631033e-7",
    "1e4, 1e-5, 0.000090237094325635033372",
    "200, 1e-15, 0.034924143471362015514",
  })
  void oneVeryNoisyGaussian(double sigma, double delta, double exact) {
    Guarantee answer = pld.epsilon(Ledgers.addRemove(new Gaussian(sigma), 1), delta);
    Expect.epsilonInside(answer, exact, 1e-13);
    Expect.narrow(answer);
  }

  @ParameterizedTest
  @CsvSource({"-0.1, -0.1", "1, 1", "1.5, 1.5", "NaN, NaN"})
  void deltaIsChecked(double delta, String shown) {
    for (Accountant accountant : Accountants.all()) {
      Expect.refused(
          "delta must be in [0, 1). Provided value: " + shown,
          () -> accountant.epsilon(Ledgers.poisson(1, 0.1, 1), delta));
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, -1", "NaN, NaN"})
  void epsilonIsChecked(double epsilon, String shown) {
    for (Accountant accountant : Accountants.all()) {
      Expect.refused(
          "epsilon must be at least 0. Provided value: " + shown,
          () -> accountant.delta(Ledgers.poisson(1, 0.1, 1), epsilon));
    }
  }
}
