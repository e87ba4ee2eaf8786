package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import dev.discreet.accounting.theorems.OptimalComposition;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TheoremAccountantTest {
  private final TheoremAccountant strong = TheoremAccountant.strong();
  private final TheoremAccountant sequential = TheoremAccountant.sequential();

  /** Every release gets the same share of δ. */
  @Test
  void sequentialAddsUp() {
    Mechanism noise = new Gaussian(10);
    double one = sequential.epsilon(Ledgers.addRemove(noise, 1), 1e-5 / 20).epsilon();
    Expect.relative(
        20 * one, sequential.epsilon(Ledgers.addRemove(noise, 20), 1e-5).epsilon(), 1e-9);
    Ledger pure = Ledgers.addRemove(new PureDp(0.3), 4).plus(new Laplace(2), 3);
    Expect.relative(4 * 0.3 + 3 / 2.0, sequential.epsilon(pure, 0).epsilon(), 1e-12);
  }

  static Stream<Arguments> singles() {
    return Stream.of(
        arguments(new Gaussian(0.7), 1e-5),
        arguments(new Gaussian(20), 1e-3),
        arguments(new Laplace(1.5), 1e-3),
        arguments(new PureDp(0.5), 0.01),
        arguments(new ApproximateDp(0.5, 1e-4), 1e-3),
        arguments(new PoissonSampled(0.01, new Gaussian(1)), 1e-5),
        arguments(new PoissonSampled(0.9, new Gaussian(3)), 1e-3));
  }

  /** One release is exact, so nothing is lost against pld. */
  @ParameterizedTest
  @MethodSource("singles")
  void oneReleaseIsExact(Mechanism mechanism, double delta) {
    Ledger one = Ledgers.addRemove(mechanism, 1);
    double exact = new PldAccountant().epsilon(one, delta).epsilon();
    Expect.relative(exact, sequential.epsilon(one, delta).epsilon(), 1e-9);
    Expect.relative(exact, strong.epsilon(one, delta).epsilon(), 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"0.4, 0, 1000, 1e-6", "0.1, 1e-9, 100, 1e-6", "1, 0, 3, 1e-3", "0.01, 0, 10000, 0.1"})
  void neverBelowOptimalComposition(double epsilon, double delta0, int count, double delta) {
    Ledger ledger = Ledgers.addRemove(new ApproximateDp(epsilon, delta0), count);
    double optimal = new OptimalComposition(epsilon, delta0, count).epsilon(delta);
    double answer = strong.epsilon(ledger, delta).epsilon();
    assertTrue(answer >= optimal, answer + " is below " + optimal);
    assertTrue(answer <= sequential.epsilon(ledger, delta).epsilon());
    assertTrue(sequential.epsilon(ledger, delta).epsilon() <= count * epsilon * (1 + 1e-12));
  }

  @ParameterizedTest
  @CsvSource({"4, 0.01, 10000, 1e-5", "20, 1, 5, 1e-6", "1, 0.001, 100, 1e-3"})
  void deltaAndEpsilonAreInverse(double sigma, double q, long steps, double delta) {
    Ledger ledger = Ledgers.poisson(sigma, q, steps);
    for (Accountant accountant : new Accountant[] {strong, sequential}) {
      double epsilon = accountant.epsilon(ledger, delta).epsilon();
      Expect.relative(delta, accountant.delta(ledger, epsilon * (1 + 1e-9)).delta(), 1e-4);
    }
  }

  @Test
  void deltaOfPurePrivacyIsZeroOnceEpsilonIsEnough() {
    Ledger ledger = Ledgers.addRemove(new PureDp(0.5), 4);
    assertEquals(0, sequential.delta(ledger, 2).delta());
    assertTrue(sequential.delta(ledger, 1.9).delta() > 0);
  }

  @Test
  void tooLittleDelta() {
    Ledger ledger = Ledgers.addRemove(new ApproximateDp(0.5, 1e-4), 4);
    for (Accountant accountant : new Accountant[] {strong, sequential}) {
      assertEquals(Double.POSITIVE_INFINITY, accountant.epsilon(ledger, 3.9e-4).epsilon());
      assertEquals("too little delta for each release", accountant.epsilon(ledger, 3.9e-4).note());
      assertTrue(accountant.delta(ledger, 100).delta() >= -Math.expm1(4 * Math.log1p(-1e-4)));
      Expect.relative(4e-4, accountant.delta(ledger, 100).delta(), 1e-6);
    }
  }

  @Test
  void noiselessReleasesHaveNoBound() {
    Ledger ledger = Ledgers.addRemove(new Gaussian(0), 1);
    assertEquals(Double.POSITIVE_INFINITY, strong.epsilon(ledger, 0.1).epsilon());
    assertEquals("there is no noise", strong.epsilon(ledger, 0.1).note());
    assertEquals(1, strong.delta(ledger, 10).delta());
  }

  /** Nothing is lost, but log 0 times 0 must not come of it. */
  @Test
  void aFairCoinIsFreeAtEveryDelta() {
    Ledger ledger = Ledgers.addRemove(new RandomizedResponse(0.5, 2), 3);
    for (double delta : new double[] {0, Double.MIN_VALUE, 1e-320, 1e-5}) {
      assertEquals(0, TheoremAccountant.strong().epsilon(ledger, delta).epsilon());
    }
  }
}
