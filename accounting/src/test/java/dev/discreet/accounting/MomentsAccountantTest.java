package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.internal.pairs.LogMoments;
import dev.discreet.accounting.internal.pairs.LossPair;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** The accountant of Abadi et al. against 60-digit arithmetic. */
class MomentsAccountantTest {
  private final MomentsAccountant moments = new MomentsAccountant();

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/moments.csv", numLinesToSkip = 1)
  void moment(double sigma, double q, int lambda, double logE1, double logE2, double logMoment) {
    Mechanism mechanism = new PoissonSampled(q, new Gaussian(sigma));
    LossPair pair = DominatingPairs.of(mechanism, Neighbouring.ADD_REMOVE).upper();
    Expect.relative(logE1, LogMoments.quadrature(pair, -lambda), 1e-9);
    Expect.relative(logE2, LogMoments.quadrature(pair, lambda + 1), 1e-9);
    Expect.relative(
        logMoment, MomentsAccountant.logMoment(mechanism, Neighbouring.ADD_REMOVE, lambda), 1e-9);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/moments_epsilon.csv", numLinesToSkip = 1)
  void epsilon(double sigma, double q, long steps, double delta, double epsilon, int lambda) {
    Ledger ledger = Ledgers.poisson(sigma, q, steps);
    Guarantee answer = moments.epsilon(ledger, delta);
    Expect.relative(epsilon, answer.epsilon(), 1e-9);
    assertEquals("best lambda " + lambda, answer.note());
    assertEquals(0, answer.epsilonLower());
    Expect.relative(delta, moments.delta(ledger, epsilon).delta(), 1e-6);
  }

  /** Seeds 000 and 004 print 1.26. */
  @Test
  void theFamousSetting() {
    double epsilon = moments.epsilon(Ledgers.poisson(4, 0.01, 10_000), 1e-5).epsilon();
    assertEquals(1.2586, epsilon, 5e-4);
    assertEquals("1.26", String.format(java.util.Locale.ROOT, "%.2f", epsilon));
  }

  /** δ = min exp(α(λ) − λε), so ε = min (α(λ) + log 1/δ)/λ, with closed-form moments. */
  @Test
  void unsampledGaussian() {
    double best = Double.POSITIVE_INFINITY;
    for (int lambda = 1; lambda <= 32; lambda++) {
      double alpha = 7 * lambda * (lambda + 1) / (2 * 5.0 * 5.0);
      best = Math.min(best, (alpha + Math.log(1e6)) / lambda);
    }
    Ledger ledger = Ledgers.addRemove(new Gaussian(5), 7);
    Expect.relative(best, moments.epsilon(ledger, 1e-6).epsilon(), 1e-12);
  }

  @Test
  void takesEveryMechanismThatHasMoments() {
    for (Mechanism mechanism :
        List.of(
            new Laplace(3),
            new PureDp(0.2),
            new PoissonSampled(0.1, new Laplace(3)),
            Ledgers.fixedSize(0.1, new Gaussian(3)))) {
      for (Neighbouring relation : Neighbouring.values()) {
        Ledger ledger = Ledger.of(relation, mechanism, 20);
        double epsilon = moments.epsilon(ledger, 1e-5).epsilon();
        assertTrue(Double.isFinite(epsilon) && epsilon > 0, mechanism + ": " + epsilon);
        assertTrue(
            epsilon >= new RdpAccountant().epsilon(ledger, 1e-5).epsilon() * (1 - 1e-12),
            mechanism + " under " + relation);
      }
    }
  }
}
