package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import dev.discreet.accounting.calibration.Calibration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** DESIGN.md rule 10: asking changes nothing. */
class PurityTest {

  private static Ledger ledger() {
    return Ledgers.poisson(1.5, 0.02, 300)
        .plus(new Gaussian(8), 2)
        .plus(Ledgers.addRemove(new Laplace(30), 3).onPart("a"))
        .plus(
            Ledgers.addRemove(new PoissonSampled(0.1, new RandomizedResponse(0.5, 4)), 2)
                .onPart("b"));
  }

  static Stream<Accountant> accountants() {
    return Accountants.all().stream();
  }

  @ParameterizedTest
  @MethodSource("accountants")
  void askingTwiceGivesTheSameAnswer(Accountant accountant) {
    Ledger ledger = ledger();
    Cost epsilon = accountant.epsilon(ledger, 1e-5);
    Cost delta = accountant.delta(ledger, 0.9);
    // Other questions in between leave no trace.
    accountant.epsilon(Ledgers.poisson(0.7, 0.3, 7), 1e-9);
    accountant.delta(Ledgers.poisson(0.7, 0.3, 7), 0.4);
    assertEquals(epsilon, accountant.epsilon(ledger, 1e-5));
    assertEquals(delta, accountant.delta(ledger, 0.9));
    assertEquals(ledger(), ledger);
    assertEquals(ledger().toJson(), ledger.toJson());
  }

  @Test
  void manyMayAskAtOnce() {
    Ledger ledger = Ledgers.poisson(1.5, 0.02, 300).plus(new Gaussian(8), 2);
    Accountant pld = Accountants.named("pld");
    Cost alone = pld.epsilon(ledger, 1e-5);
    List<Cost> together =
        IntStream.range(0, 6).parallel().mapToObj(i -> pld.epsilon(ledger, 1e-5)).toList();
    together.forEach(answer -> assertEquals(alone, answer));
  }

  @Test
  void aLedgerReadBackCostsTheSame() {
    Ledger ledger = ledger();
    for (Accountant accountant : Accountants.all()) {
      assertEquals(
          accountant.epsilon(ledger, 1e-5),
          accountant.epsilon(Ledger.parse(ledger.toJson()), 1e-5));
    }
  }

  @Test
  void calibrationIsPureToo() {
    PldAccountant pld = new PldAccountant();
    Calibration first =
        Calibration.noiseMultiplier(pld, 2, 1e-5, s -> Ledgers.poisson(s, 0.01, 100));
    Calibration second =
        Calibration.noiseMultiplier(pld, 2, 1e-5, s -> Ledgers.poisson(s, 0.01, 100));
    assertEquals(first, second);
  }
}
