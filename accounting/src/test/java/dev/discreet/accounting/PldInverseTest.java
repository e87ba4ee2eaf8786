package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** δ(ε) and ε(δ) are two views of one curve, within their brackets. */
class PldInverseTest {
  private final PldAccountant pld = new PldAccountant();

  static Stream<Arguments> settings() {
    Random random = new Random(11);
    List<Arguments> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      double sigma = 0.5 * Math.pow(20, random.nextDouble());
      double q = Math.pow(1e-3, random.nextDouble());
      long steps = (long) Math.pow(1e4, random.nextDouble());
      double delta = Math.pow(10, -1 - 9 * random.nextDouble());
      all.add(Arguments.of(Ledgers.poisson(sigma, q, steps), delta));
    }
    Ledger mixed = Ledgers.poisson(2, 0.05, 30).plus(new Gaussian(10), 4).plus(new Laplace(20), 3);
    all.add(Arguments.of(mixed, 1e-5));
    all.add(Arguments.of(Ledgers.addRemove(new RandomizedResponse(0.6, 3), 12), 1e-3));
    all.add(
        Arguments.of(
            Ledgers.addRemove(new PoissonSampled(0.2, new RandomizedResponse(0.6, 3)), 5), 1e-2));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void inverse(Ledger ledger, double delta) {
    Guarantee epsilon = pld.epsilon(ledger, delta);
    if (epsilon.epsilon() == 0) {
      assertTrue(pld.delta(ledger, 0).deltaLower() <= delta);
      return;
    }
    // ε* lies in the bracket, so δ at the upper end is at most delta, and at the lower at least.
    Guarantee above = pld.delta(ledger, epsilon.epsilon());
    Guarantee below = pld.delta(ledger, epsilon.epsilonLower());
    assertTrue(above.deltaLower() <= delta, above + " contradicts " + epsilon);
    assertTrue(below.delta() >= delta, below + " contradicts " + epsilon);
    Expect.relative(delta, above.delta(), 0.05);
    Expect.relative(delta, below.deltaLower(), 0.05);
  }

  /** δ(ε) falls, from the total variation distance at ε = 0. */
  @Test
  void deltaFalls() {
    Ledger ledger = Ledgers.poisson(1, 0.1, 50);
    double before = 1;
    for (double epsilon : new double[] {0, 1e-6, 0.01, 0.3, 1, 2, 4}) {
      Guarantee answer = pld.delta(ledger, epsilon);
      assertTrue(answer.deltaLower() <= before, answer.toString());
      Expect.relative(answer.delta(), answer.deltaLower(), 0.02);
      before = answer.delta();
    }
  }

  /** ε falls with σ and δ and grows with q and T, within the brackets. */
  @Test
  void monotone() {
    Guarantee middle = pld.epsilon(Ledgers.poisson(1.5, 0.02, 500), 1e-6);
    for (Ledger cheaper :
        List.of(
            Ledgers.poisson(1.6, 0.02, 500),
            Ledgers.poisson(1.5, 0.019, 500),
            Ledgers.poisson(1.5, 0.02, 480))) {
      assertTrue(pld.epsilon(cheaper, 1e-6).epsilon() < middle.epsilonLower());
    }
    assertTrue(
        pld.epsilon(Ledgers.poisson(1.5, 0.02, 500), 1.2e-6).epsilon() < middle.epsilonLower());
  }

  /** A finer tolerance is a narrower bracket inside the same truth. */
  @Test
  void tolerance() {
    Ledger ledger = Ledgers.poisson(1.1, 256 / 60000.0, 14062);
    double exact = 2.38159692142439816;
    double width = Double.POSITIVE_INFINITY;
    for (double tolerance : new double[] {1e-1, 1e-3, 1e-5}) {
      Guarantee answer = new PldAccountant(tolerance).epsilon(ledger, 1e-5);
      Expect.epsilonInside(answer, exact, 1e-8);
      double next = answer.epsilon() - answer.epsilonLower();
      assertTrue(next <= Math.min(width, tolerance * answer.epsilon()), answer.toString());
      width = next;
    }
  }
}
