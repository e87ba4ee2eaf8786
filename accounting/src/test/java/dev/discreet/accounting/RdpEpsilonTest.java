package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.theorems.OptimalComposition;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From divergences to (ε, δ). */
class RdpEpsilonTest {
  /** 1.1 to 10.9 by 0.1, and 12 to 63. */
  private static final double[] LITERATURE =
      DoubleStream.concat(
              IntStream.rangeClosed(11, 109).mapToDouble(i -> i / 10.0),
              IntStream.rangeClosed(12, 63).asDoubleStream())
          .toArray();

  private final RdpAccountant rdp = new RdpAccountant();

  /** The rows; the digits it leaves out are from bench/oracles/confirm_table.py. */
  @ParameterizedTest
  @CsvSource({
    "4, 0.01, 10000, 1.03549, 1.035490066036, 17",
    "1.5, 0.04, 2250, 7.3291, 7.329111171484, 3.9",
    "0.7, 0.01, 120, 3.23919, 3.239192193913, 4.4"
  })
  void table(double sigma, double q, long steps, double stated, double exact, double order) {
    Ledger ledger = Ledgers.poisson(sigma, q, steps);
    Guarantee same = new RdpAccountant(LITERATURE).epsilon(ledger, 1e-5);
    Expect.relative(exact, same.epsilon(), 1e-10);
    Expect.relative(stated, same.epsilon(), 1e-5);
    assertTrue(same.note().startsWith("best order "), same.note());
    assertEquals(order, Double.parseDouble(same.note().substring(11)), 1e-2);

    double finer = rdp.epsilon(ledger, 1e-5).epsilon();
    assertTrue(finer <= exact * (1 + 1e-12), finer + " is above " + exact);
    assertTrue(finer >= exact * (1 - 1e-3), finer + " is far below " + exact);
  }

  @Test
  void ordersAreCheckedAndCopied() {
    double[] orders = {2, 3};
    RdpAccountant mine = new RdpAccountant(orders);
    Ledger ledger = Ledgers.poisson(1, 0.1, 10);
    Guarantee before = mine.epsilon(ledger, 1e-5);
    orders[0] = 50;
    orders[1] = 60;
    assertEquals(before, mine.epsilon(ledger, 1e-5));
    Expect.refused(
        "orders must be at least one. Provided value: none",
        () -> new RdpAccountant(new double[0]));
    Expect.refused(
        "order must be finite and above 1. Provided value: 0.5", () -> new RdpAccountant(2, 0.5));
    Expect.refused(
        "order must be finite and above 1. Provided value: NaN",
        () -> rdp.divergence(ledger, Double.NaN));
  }

  @ParameterizedTest
  @CsvSource({"4, 0.01, 10000, 1e-5", "1, 1, 3, 1e-9", "0.7, 0.1, 5, 0.1", "20, 0.001, 1, 1e-3"})
  void deltaAndEpsilonAreInverse(double sigma, double q, long steps, double delta) {
    Ledger ledger = Ledgers.poisson(sigma, q, steps);
    double epsilon = rdp.epsilon(ledger, delta).epsilon();
    if (epsilon > 0) {
      Expect.relative(delta, rdp.delta(ledger, epsilon).delta(), 1e-9);
    } else {
      assertTrue(rdp.delta(ledger, 0).delta() <= delta);
    }
  }

  @Test
  void randomSensitivityHasNoDivergences() {
    for (Mechanism mechanism :
        new Mechanism[] {
          new EstimatedNormGaussian(5, 20),
          new PoissonSampled(0.01, new EstimatedNormGaussian(5, 20))
        }) {
      Ledger ledger = Ledgers.addRemove(mechanism, 1);
      String reason = "all Rényi divergences of a Gaussian with random sensitivity are infinite";
      Guarantee epsilon = rdp.epsilon(ledger, 1e-5);
      assertEquals(Double.POSITIVE_INFINITY, epsilon.epsilon());
      assertEquals(reason, epsilon.note());
      assertEquals(1, rdp.delta(ledger, 10).delta());
      assertEquals(reason, rdp.delta(ledger, 10).note());
      assertEquals(Double.POSITIVE_INFINITY, rdp.divergence(ledger, 2));

      MomentsAccountant moments = new MomentsAccountant();
      assertEquals(Double.POSITIVE_INFINITY, moments.epsilon(ledger, 1e-5).epsilon());
      assertEquals(reason, moments.epsilon(ledger, 1e-5).note());
      assertEquals(1, moments.delta(ledger, 10).delta());
    }
  }

  /** No moment sees an infinite loss; its probability is taken off δ. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1000})
  void failureProbabilitiesAreChargedToDelta(int count) {
    Ledger ledger = Ledgers.addRemove(new ApproximateDp(0.1, 1e-6), count);
    OptimalComposition optimal = new OptimalComposition(0.1, 1e-6, count);
    double lost = -Math.expm1(count * Math.log1p(-1e-6));
    for (Accountant accountant : new Accountant[] {rdp, new MomentsAccountant()}) {
      assertEquals(Double.POSITIVE_INFINITY, accountant.epsilon(ledger, 0.9 * lost).epsilon());
      assertTrue(!accountant.epsilon(ledger, 0.9 * lost).note().isEmpty());
      for (double delta : new double[] {1.1 * lost, 2 * lost, 0.01}) {
        double epsilon = accountant.epsilon(ledger, delta).epsilon();
        assertTrue(Double.isFinite(epsilon));
        assertTrue(epsilon >= optimal.epsilon(delta));
      }
      assertTrue(accountant.delta(ledger, 1e3).delta() >= lost);
      Expect.relative(lost, accountant.delta(ledger, 1e3).delta(), 1e-9);
      assertTrue(accountant.delta(ledger, 1).delta() >= optimal.delta(1));
    }
  }

  @Test
  void withoutDeltaThereIsNoEpsilon() {
    Guarantee none = rdp.epsilon(Ledgers.addRemove(new Gaussian(1), 1), 0);
    assertEquals(Double.POSITIVE_INFINITY, none.epsilon());
    assertEquals("Rényi divergences give no epsilon at delta = 0", none.note());
  }

  /** Three of ten lots hold the unit with probability 1e-4 and four with 2e-6: ε is about 3/2σ². */
  @Test
  void littleNoiseNeedsOrdersNearOne() {
    double found = rdp.epsilon(Ledgers.poisson(0.005, 0.01, 10), 1e-5).epsilon();
    assertTrue(found >= 3 / (2 * 0.005 * 0.005), found + "");
    assertTrue(found <= 5 / (2 * 0.005 * 0.005), found + "");
  }
}
