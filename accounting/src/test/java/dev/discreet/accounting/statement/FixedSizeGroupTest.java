package dev.discreet.accounting.statement;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Ledgers;
import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.PldAccountant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Under add/remove a lot of fixed size changes by two units at once, so a stated ε holds between a
 * lot and a lot with one unit more or less, twice in a row.
 */
class FixedSizeGroupTest {

  /**
   * The most that two ε-private steps in a row allow: with f(a) = min(e^ε·a, 1 − e^−ε(1−a)) the
   * most probable event after one step, f(f(a)) − e^ε′·a is largest at its kink a = e^−ε/(1+e^ε).
   */
  private static double worst(double epsilon, double at) {
    return (Math.exp(epsilon) - Math.exp(at - epsilon)) / (1 + Math.exp(epsilon));
  }

  @ParameterizedTest
  @CsvSource({"1, 1.2", "1, 1.9", "0.5, 0.6", "2, 1"})
  void theBracketHoldsWhatTwoStepsAllow(double epsilon, double at) {
    Ledger ledger = Ledgers.addRemove(new FixedSizeSampled(10, 10, new PureDp(epsilon)), 1);
    double delta = worst(epsilon, at);
    Guarantee answer = new PldAccountant().epsilon(ledger, delta);
    assertTrue(answer.epsilon() >= at, answer + " is below " + at);
    assertTrue(
        answer.epsilonLower() <= at * (1 + 1e-9), answer + ": no ε-private mechanism attains that");
  }
}
