package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger.Entry;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.JointGaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** σ, q and the mechanism itself may change from step to step. */
class PldHeterogeneousTest {
  private final PldAccountant pld = new PldAccountant();

  private static Mechanism sampled(double sigma, double q) {
    return new PoissonSampled(q, new Gaussian(sigma));
  }

  /** Steps that differ in the last digits only cost what equal ones cost. */
  @Test
  void nearlyEqualStepsCostWhatEqualOnesCost() {
    Ledger ledger = Ledger.empty(Neighbouring.ADD_REMOVE);
    for (int i = 0; i < 8; i++) {
      ledger = ledger.plus(sampled(4 * (1 + i * 1e-14), 0.01), 1250);
    }
    assertEquals(8, ledger.totals().size());
    Guarantee answer = pld.epsilon(ledger, 1e-5);
    Expect.epsilonInside(answer, 0.946866800764382677, 1e-8);
    Expect.narrow(answer);
  }

  @Test
  void repeatedEntriesAreTheSameAsTheirTotal() {
    Ledger total = Ledgers.addRemove(sampled(1, 0.1), 20).plus(sampled(2, 0.1), 10);
    Ledger turns = Ledger.empty(Neighbouring.ADD_REMOVE);
    for (int i = 0; i < 10; i++) {
      turns = turns.plus(sampled(1, 0.1), 2).plus(sampled(2, 0.1), 1);
    }
    assertEquals(pld.epsilon(total, 1e-5), pld.epsilon(turns, 1e-5));
  }

  /** Unsampled Gaussians of any σ are one Gaussian of the summed precision, in closed form. */
  @Test
  void gaussiansAddTheirPrecisions() {
    Ledger ledger =
        Ledgers.addRemove(new Gaussian(3), 4)
            .plus(new JointGaussian(List.of(6.0, 8.0)), 2)
            .plus(new PoissonSampled(1, new Gaussian(7)), 5);
    double precision = 4 / 9.0 + 2 / (4.8 * 4.8) + 5 / 49.0;
    Guarantee one = pld.epsilon(Ledgers.addRemove(new Gaussian(1 / Math.sqrt(precision)), 1), 1e-6);
    Guarantee many = pld.epsilon(ledger, 1e-6);
    Expect.relative(one.epsilon(), many.epsilon(), 1e-12);
    Expect.relative(one.epsilonLower(), many.epsilonLower(), 1e-12);
  }

  /** The transforms, forced onto Gaussians by a companion that says next to nothing. */
  @ParameterizedTest
  @CsvSource({"1, 1, 1e-5", "5, 30, 1e-6", "0.7, 2, 1e-5", "30, 100, 1e-9"})
  void transformsAgreeWithTheClosedForm(double sigma, long count, double delta) {
    Guarantee exact = pld.epsilon(Ledgers.addRemove(new Gaussian(sigma), count), delta);
    Ledger with = Ledgers.addRemove(new Gaussian(sigma), count).plus(sampled(50, 1e-9), 1);
    Guarantee answer = pld.epsilon(with, delta);
    Expect.epsilonInside(answer, exact.epsilon(), 1e-7);
    Expect.narrow(answer);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.1, 0.5, 0.02, 0.5",
    "1, 0.1, 0.5, 0.02, 2",
    "2, 0.5, 0.8, 0.9, 1",
    "3, 0.01, 1, 0.3, 0.1",
    "0.4, 0.01, 0.6, 0.2, 1",
  })
  void twoDifferentSampledGaussians(
      double sigma1, double q1, double sigma2, double q2, double epsilon) {
    Ledger ledger = Ledgers.addRemove(sampled(sigma1, q1), 1).plus(sampled(sigma2, q2), 1);
    double delta =
        TwoStepOracle.delta(new double[] {sigma1, q1}, new double[] {sigma2, q2}, epsilon);
    Expect.epsilonInside(pld.epsilon(ledger, delta), epsilon, 1e-8);
    Expect.narrow(pld.epsilon(ledger, delta));
    Expect.deltaInside(pld.delta(ledger, epsilon), delta, 1e-8);
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 0.1, 0.4", "1, 2, 0.5, 1.1", "5, 0.7, 0.05, 0.15"})
  void laplaceAndSampledGaussian(double scale, double sigma, double q, double epsilon) {
    Ledger ledger = Ledgers.addRemove(new Laplace(scale), 1).plus(sampled(sigma, q), 1);
    double delta = TwoStepOracle.delta(scale, new double[] {sigma, q}, epsilon);
    Guarantee answer = pld.epsilon(ledger, delta);
    Expect.epsilonInside(answer, epsilon, 1e-8);
    Expect.narrow(answer);
    Expect.deltaInside(pld.delta(ledger, epsilon), delta, 1e-8);
  }

  @Test
  void theOrderDoesNotMatter() {
    List<Entry> entries = new ArrayList<>();
    Random random = new Random(5);
    for (int i = 0; i < 12; i++) {
      entries.add(
          new Entry(sampled(1 + 2 * random.nextDouble(), 0.1 * random.nextDouble()), 1 + i));
    }
    entries.add(new Entry(new Gaussian(9), 3));
    entries.add(new Entry(new PureDp(0.01), 2));
    Guarantee first = pld.epsilon(new Ledger(Neighbouring.ADD_REMOVE, entries), 1e-5);
    Expect.narrow(first);
    for (int i = 0; i < 3; i++) {
      Collections.shuffle(entries, random);
      Guarantee other = pld.epsilon(new Ledger(Neighbouring.ADD_REMOVE, entries), 1e-5);
      Expect.relative(first.epsilon(), other.epsilon(), 1e-6);
      Expect.relative(first.epsilonLower(), other.epsilonLower(), 1e-6);
    }
  }

  /** A schedule in which no two steps are alike, between its cheapest and its dearest step. */
  @Test
  void aScheduleOfManyDifferentSteps() {
    Ledger ledger = Ledger.empty(Neighbouring.ADD_REMOVE);
    for (int i = 0; i < 200; i++) {
      ledger = ledger.plus(sampled(2 + i / 200.0, 0.01), 1);
    }
    Guarantee answer = pld.epsilon(ledger, 1e-5);
    assertTrue(answer.epsilon() < pld.epsilon(Ledgers.poisson(2, 0.01, 200), 1e-5).epsilon());
    assertTrue(
        answer.epsilonLower() > pld.epsilon(Ledgers.poisson(3, 0.01, 200), 1e-5).epsilonLower());
    assertTrue(
        answer.epsilon() - answer.epsilonLower() <= 0.01 * answer.epsilon(), answer.toString());
  }

  /** What says nothing adds nothing. */
  @Test
  void freeEntriesAreFree() {
    Ledger ledger = Ledgers.poisson(1, 0.1, 10);
    Ledger with =
        ledger
            .plus(sampled(1, 0), 1000)
            .plus(new Gaussian(Double.POSITIVE_INFINITY), 1000)
            .plus(new PureDp(0), 1000)
            .plus(new Laplace(Double.POSITIVE_INFINITY), 1);
    assertEquals(pld.epsilon(ledger, 1e-5), pld.epsilon(with, 1e-5));
  }
}
