package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pld rows that the accountant was asked to meet: the stated value, and a bracket no wider than
 * 1e-3.
 */
class TableOfTheIssueTest {

  @ParameterizedTest
  @CsvSource({
    "4, 0.01, 10000, 1e-5, 0.94700, 2e-4",
    "0.7, 0.01, 120, 1e-5, 2.46124, 2e-4",
    "0.7, 1, 2, 1e-5, 10.12249, 1e-4",
    "1.1, 0.004266666666666667, 14062, 1e-5, 2.3817, 5e-4",
    "2, 0.05, 20000, 1e-6, 24.41097, 2e-3"
  })
  void sampledGaussian(
      double sigma, double rate, long steps, double delta, double epsilon, double tolerance) {
    Guarantee answer = new PldAccountant().epsilon(Ledgers.poisson(sigma, rate, steps), delta);
    assertEquals(epsilon, answer.epsilon(), tolerance);
    Expect.narrow(answer);
  }

  @Test
  void laplace() {
    Ledger ledger =
        Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(1), 3)
            .plus(new Mechanism.Laplace(2), 2);
    Guarantee answer = new PldAccountant().epsilon(ledger, 1e-14);
    assertEquals(4, answer.epsilon(), 4e-6);
    Expect.narrow(answer);
  }
}
