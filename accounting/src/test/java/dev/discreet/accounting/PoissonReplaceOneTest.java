package dev.discreet.accounting;

import static dev.discreet.accounting.Neighbouring.REPLACE_ONE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Poisson sampling under replace-one, for mechanisms that state a guarantee between neighbours.
 * Neighbours have the same size there, so the guarantee says nothing about a lot with the unit and
 * the lot without it: a mechanism that also prints the size of its lot is as private as before. For
 * it, sampling hides the unit from δ but not from ε.
 */
class PoissonReplaceOneTest {

  /**
   * With probability 1 − q the size shows that the unit is absent, else an ε-private coin is shown.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.1, 0", "2, 0.01, 1e-3"})
  void theLotsSizeMayShow(double epsilon0, double q, double delta) {
    double up = 1 / (1 + Math.exp(-epsilon0));
    // δ = q(p − e^ε(1 − p)) of one release
    double truth = Math.log((up - delta / q) / (1 - up));
    Ledger ledger = Ledger.of(REPLACE_ONE, new PoissonSampled(q, new PureDp(epsilon0)), 1);
    Guarantee answer = new PldAccountant().epsilon(ledger, delta);
    assertTrue(answer.epsilon() >= truth * (1 - 1e-9), answer + " is below " + truth);
  }
}
