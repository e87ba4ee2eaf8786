package dev.discreet.accounting.theorems;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Expect;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Ledgers;
import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.PldAccountant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Kairouz, Oh and Viswanath against 80-digit arithmetic, and pld against both. */
class OptimalCompositionTest {

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/kov.csv", numLinesToSkip = 1)
  void epsilon(double epsilon0, double delta0, int count, double delta, double epsilon) {
    OptimalComposition optimal = new OptimalComposition(epsilon0, delta0, count);
    Expect.relative(epsilon, optimal.epsilon(delta), 1e-10);
    if (epsilon > 0) {
      // Just below kε₀ the last bit of ε moves δ by 1e-8 of itself.
      Expect.relative(delta, optimal.delta(epsilon), 1e-7);
    } else {
      assertTrue(optimal.delta(0) <= delta);
    }
  }

  /** The bracket of pld holds the same value: the composed worst case is what KOV computed. */
  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/kov.csv", numLinesToSkip = 1)
  void pldAgrees(double epsilon0, double delta0, int count, double delta, double epsilon) {
    PldAccountant pld = new PldAccountant();
    Ledger ledger = Ledgers.addRemove(new ApproximateDp(epsilon0, delta0), count);
    Guarantee answer = pld.epsilon(ledger, delta);
    Expect.epsilonInside(answer, epsilon, 1e-10);
    Expect.narrow(answer);
    if (epsilon > 0) {
      Expect.deltaInside(pld.delta(ledger, epsilon), delta, 1e-7);
    }
    if (delta0 == 0) {
      Ledger pure = Ledgers.addRemove(new PureDp(epsilon0), count);
      Expect.epsilonInside(pld.epsilon(pure, delta), epsilon, 1e-10);
    }
  }

  @Test
  void oneRelease() {
    // δ = p − e^ε·q with the coin of bias p = 1/(1 + e^−ε₀).
    double p = 1 / (1 + Math.exp(-2));
    double q = 1 - p;
    OptimalComposition one = new OptimalComposition(2, 0, 1);
    Expect.relative(p - Math.exp(0.5) * q, one.delta(0.5), 1e-14);
    assertEquals(0, one.delta(2));
    assertEquals(2, one.epsilon(0), 1e-12);
  }

  @Test
  void failuresAlone() {
    OptimalComposition optimal = new OptimalComposition(0, 0.1, 3);
    Expect.relative(1 - 0.9 * 0.9 * 0.9, optimal.delta(0), 1e-14);
    assertEquals(0, optimal.epsilon(0.272));
    assertEquals(Double.POSITIVE_INFINITY, optimal.epsilon(0.27));
    assertEquals(1, new OptimalComposition(1, 1, 5).delta(100));
  }

  @Test
  void argumentsAreChecked() {
    Expect.refused(
        "steps must be a whole number of at least 1. Provided value: 0",
        () -> new OptimalComposition(1, 0, 0));
    Expect.refused(
        "epsilon must be finite. Provided value: Infinity",
        () -> new OptimalComposition(Double.POSITIVE_INFINITY, 0, 1));
    Expect.refused(
        "delta must be in [0, 1]. Provided value: 1.5", () -> new OptimalComposition(1, 1.5, 1));
    Expect.refused(
        "delta must be in [0, 1). Provided value: 1",
        () -> new OptimalComposition(1, 0, 1).epsilon(1));
  }
}
