package dev.discreet.accounting.theorems;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Expect;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Ledgers;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.TheoremAccountant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class CompositionTheoremsTest {

  /** The rows; further digits are from bench/oracles/confirm_table.py. */
  @Test
  void table() {
    double ofSeeds = CompositionTheorems.strongOfSeeds(4, 0.01, 10_000, 1e-5);
    assertEquals(9.35, ofSeeds, 0.01);
    Expect.relative(9.35467656865, ofSeeds, 1e-10);
    double classical = CompositionTheorems.strongClassical(4, 0.01, 10_000, 1e-5);
    assertEquals(26.39, classical, 0.02);
    Expect.relative(26.3903596122, classical, 1e-9);
    double strong =
        TheoremAccountant.strong().epsilon(Ledgers.poisson(4, 0.01, 10_000), 1e-5).epsilon();
    assertTrue(strong <= 16.85);
    Expect.relative(16.84442850197, strong, 1e-8);
  }

  /** Seed 001, problem 4: 1,000 runs of ε = 0.4, δ = 1e-6, then with one percent of the data. */
  @Test
  void problemFourOfSeed001() {
    double e = Math.E;
    assertEquals(400.0, 1000 * 0.4);
    assertEquals(30.98, CompositionTheorems.strongOfSeed001(0.4, 1, 1000, 1e-6, 10), 5e-3);
    assertEquals(0.3098, CompositionTheorems.strongOfSeed001(0.4, 0.01, 1000, 1e-6, 10), 5e-5);
    assertEquals(0.1265, CompositionTheorems.momentsOfSeed001(0.4, 0.01, 1000), 5e-5);
    assertEquals(47.02, CompositionTheorems.strongOfSeed001(0.4, 1, 1000, 1e-6, e), 5e-3);
    assertEquals(0.4702, CompositionTheorems.strongOfSeed001(0.4, 0.01, 1000, 1e-6, e), 5e-5);
    assertEquals(263.22, CompositionTheorems.strong(0.4, 1000, 1e-6), 5e-3);
    Expect.relative(263.2202045073, CompositionTheorems.strong(0.4, 1000, 1e-6), 1e-11);
    // δ of strong composition is 1000·1e-6 + 1e-6; the tight value at that δ, and what it shows:
    double tight = new OptimalComposition(0.4, 1e-6, 1000).epsilon(1.001e-3);
    Expect.relative(135.3722168716, tight, 1e-11);
    assertTrue(
        CompositionTheorems.strongOfSeed001(0.4, 1, 1000, 1e-6, e) < tight,
        "the document's formula is not a bound");
  }

  @Test
  void strongComposition() {
    double expected = 0.1 * Math.sqrt(2 * 50 * Math.log(1e7)) + 50 * 0.1 * (Math.exp(0.1) - 1);
    Expect.relative(expected, CompositionTheorems.strong(0.1, 50, 1e-7), 1e-14);
  }

  /**
   * ln(1 + q(e^ε − 1)) at qδ is not only valid but exact: a sampled Gaussian that is (ε₀,
   * δ₀)-private unsampled has exactly qδ₀ there.
   */
  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/gaussian.csv", numLinesToSkip = 1)
  void amplificationIsExact(double sigma, double epsilon, double delta) {
    for (double q : new double[] {0.001, 0.3}) {
      double amplified = CompositionTheorems.amplified(epsilon, q);
      // Beyond these ends δ(ε) is too flat, or too small, for ε to be read off it.
      if (q * delta > 1e-14 && delta < 0.999) {
        Mechanism sampled = new PoissonSampled(q, new Gaussian(sigma));
        double found =
            TheoremAccountant.strong().epsilon(Ledgers.addRemove(sampled, 1), q * delta).epsilon();
        // ε is read off a difference of probabilities, so the slope of δ(ε) decides the digits.
        assertEquals(amplified, found, 1e-9 + 1e-6 * amplified);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0.1", "1e-6, 0.3", "3, 1e-5", "100, 0.01", "600, 0.5", "2, 1", "1, 0"})
  void amplificationOfPurePrivacy(double epsilon, double q) {
    Ledger one = Ledgers.addRemove(new PoissonSampled(q, new PureDp(epsilon)), 1);
    double amplified = CompositionTheorems.amplified(epsilon, q);
    for (Accountant accountant :
        new Accountant[] {
          new PldAccountant(), TheoremAccountant.strong(), TheoremAccountant.sequential()
        }) {
      Expect.relative(amplified, accountant.epsilon(one, 0).epsilon(), 1e-9);
    }
  }

  @Test
  void amplificationKeepsItsHeadWithLargeNumbers() {
    Expect.relative(
        CompositionTheorems.amplified(699.999, 0.01) + 0.002,
        CompositionTheorems.amplified(700.001, 0.01),
        1e-12);
    Expect.relative(5000 + Math.log(0.01), CompositionTheorems.amplified(5000, 0.01), 1e-15);
    assertEquals(0, CompositionTheorems.amplified(5000, 0));
    assertEquals(5000, CompositionTheorems.amplified(5000, 1));
    Expect.refused(
        "sampling rate must be in [0, 1]. Provided value: 1.5",
        () -> CompositionTheorems.amplified(1, 1.5));
  }

  /** q·ε₀ is below the true amplified ε: the seeds' shortcut is not a bound. */
  @Test
  void theSeedsAmplificationIsNoBound() {
    assertTrue(0.01 * 3 < CompositionTheorems.amplified(3, 0.01));
  }

  /** A number or infinity for every setting that `compare` may be asked for. */
  @Test
  void everySettingHasAnAnswer() {
    for (double sigma : new double[] {0, 0.05, 200}) {
      for (double rate : new double[] {0, 1e-7, 1}) {
        for (double delta : new double[] {0, 1e-320, 1e-5, 0.5}) {
          for (long steps : new long[] {1, 10_000_000}) {
            String setting = sigma + " " + rate + " " + steps + " " + delta;
            assertTrue(CompositionTheorems.strongOfSeeds(sigma, rate, steps, delta) >= 0, setting);
            assertTrue(
                CompositionTheorems.strongClassical(sigma, rate, steps, delta) >= 0, setting);
          }
        }
      }
    }
  }
}
