package dev.discreet.accounting.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Accountants;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.CpuTime;
import dev.discreet.accounting.Expect;
import dev.discreet.accounting.GaussianLimit;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Ledgers;
import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.accounting.theorems.OptimalComposition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TradeOffTest {

  private static double gaussian(double sigma, double falsePositiveRate) {
    return TradeOff.of(Ledgers.addRemove(new Gaussian(sigma), 1))
        .truePositiveRate(falsePositiveRate);
  }

  @Test
  void table() {
    Expect.relative(0.01830, gaussian(1, 1e-3), 1e-3);
    Expect.relative(8.7218e-5, gaussian(1, 1e-6), 1e-3);
  }

  /** The least of them is near 0: what lies far beyond costs minutes to find out. */
  @ParameterizedTest
  @ValueSource(doubles = {30, 1000})
  void releasesThatTellNextToNothing(double sigma) {
    Ledger ledger = Ledgers.poisson(sigma, 0.1, 5).plus(new Gaussian(5 * sigma), 1);
    double rate = CpuTime.within(60, () -> TradeOff.of(ledger).truePositiveRate(0.01));
    // As one Gaussian that is at least as wide: five unsampled ones and the last together.
    double most = gaussian(1 / Math.sqrt(5 / (sigma * sigma) + 1 / (25 * sigma * sigma)), 0.01);
    assertTrue(rate > 0.01 && rate <= most, rate + " against " + most);
  }

  /** The exact curve of one ε-private coin, whatever the ledger says. */
  private record Coin(double bias) implements Accountant {
    @Override
    public String name() {
      return "coin";
    }

    @Override
    public Cost epsilon(Ledger ledger, double delta) {
      return Guarantee.epsilonAt(delta, bias, bias, name(), "");
    }

    @Override
    public Cost delta(Ledger ledger, double epsilon) {
      double delta = new OptimalComposition(bias, 0, 1).delta(epsilon);
      return Guarantee.deltaAt(epsilon, delta, delta, name(), "");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdp", "moments", "strong", "sequential"})
  void risesAndIsNoWorseThanGuessing(String accountant) {
    assertRisesAboveGuessing(Accountants.named(accountant), Ledgers.poisson(1.5, 0.05, 50));
  }

  /** In a picture's time, though the ends of the curve ask for δ far below 1e-100. */
  @Test
  void sampledReleases() {
    Ledger ledger = Ledgers.poisson(1.5, 0.05, 50);
    CpuTime.within(20, () -> assertRisesAboveGuessing(new PldAccountant(1e-3), ledger));
    double pld = TradeOff.of(ledger).truePositiveRate(0.01);
    double rdp = new TradeOff(new RdpAccountant(), ledger).truePositiveRate(0.01);
    assertTrue(rdp >= pld, "a looser accountant allows more");
    // No less than the certified lower end of δ at any ε shows.
    Guarantee shown = new PldAccountant().delta(ledger, 0.5);
    assertTrue(pld >= shown.deltaLower() + 0.01);
  }

  private static void assertRisesAboveGuessing(Accountant accountant, Ledger ledger) {
    TradeOff tradeOff = new TradeOff(accountant, ledger);
    double before = 0;
    for (double rate : new double[] {0, 1e-6, 0.9, 1}) {
      double found = tradeOff.truePositiveRate(rate);
      assertTrue(found >= rate, found + " at " + rate);
      assertTrue(found <= 1);
      assertTrue(found >= before * (1 - 1e-3), found + " at " + rate + " after " + before);
      before = found;
    }
    assertEquals(1, before);
  }

  @Test
  void whatIsRevealedWithoutAnyFalseAlarm() {
    double found =
        new TradeOff(new RdpAccountant(), Ledgers.addRemove(new ApproximateDp(0.5, 0.125), 1))
            .truePositiveRate(0);
    Expect.relative(0.125, found, 1e-6);
  }

  @Test
  void withoutNoiseTheAttackerIsAlwaysRight() {
    TradeOff tradeOff = TradeOff.of(Ledgers.addRemove(new Gaussian(0), 1));
    assertEquals(1, tradeOff.truePositiveRate(0.01));
    TradeOff nothing = TradeOff.of(Ledger.empty(Neighbouring.ADD_REMOVE));
    assertEquals(0.01, nothing.truePositiveRate(0.01), 1e-9);
    assertEquals(0, nothing.truePositiveRate(0), 1e-9);
  }

  @Test
  void anApproximationIsRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    new TradeOff(new GaussianLimit(), Ledgers.poisson(1, 0.1, 10))
                        .truePositiveRate(0.01))
            .getMessage();
    assertEquals("accountant must be one that gives guarantees. Provided value: gdp", message);
  }

  @ParameterizedTest
  @CsvSource({"-0.1, -0.1", "1.5, 1.5", "NaN, NaN"})
  void ratesAreChecked(double rate, String shown) {
    Expect.refused(
        "false-positive rate must be in [0, 1]. Provided value: " + shown, () -> gaussian(1, rate));
  }

  /** Φ(Φ⁻¹(fpr) + μ), from above. */
  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/gaussian_tradeoff.csv", numLinesToSkip = 1)
  void gaussian(double mu, double falsePositiveRate, double exact) {
    double found = gaussian(1 / mu, falsePositiveRate);
    assertTrue(found >= exact * (1 - 1e-9), found + " is below " + exact);
    Expect.relative(exact, found, 2e-3);
  }

  /** A coin of bias e^ε: TPR = min(e^ε·FPR, 1 − e^−ε(1 − FPR)). */
  @ParameterizedTest
  @CsvSource({"1, 0.01", "1, 0.2", "1, 0.6", "3, 1e-4", "0.1, 0.3", "0.1, 0.99"})
  void purePrivacy(double epsilon, double falsePositiveRate) {
    double exact =
        Math.min(
            Math.exp(epsilon) * falsePositiveRate,
            1 - Math.exp(-epsilon) * (1 - falsePositiveRate));
    Accountant exactly = new Coin(epsilon);
    double found =
        new TradeOff(exactly, Ledger.empty(Neighbouring.ADD_REMOVE))
            .truePositiveRate(falsePositiveRate);
    assertTrue(found >= exact * (1 - 1e-9), found + " is below " + exact);
    Expect.relative(exact, found, 1e-3);
  }

  /** Φ(Φ⁻¹(fpr) + 1/σ) by mpmath, where the second bound is the better one. */
  @ParameterizedTest
  @CsvSource({
    "2, 0.9, 0.9625888055999399",
    "0.1, 0.5, 1",
    "5, 0.999, 0.9994994764966159",
    "1, 0.3085375387, 0.6914624612480262"
  })
  void gaussianAtLargeFalsePositiveRates(double sigma, double rate, double exact) {
    double found = gaussian(sigma, rate);
    assertTrue(found >= exact, found + " is below " + exact);
    assertEquals(exact, found, 1e-5);
  }
}
