package dev.discreet.accounting.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Accountants;
import dev.discreet.accounting.CpuTime;
import dev.discreet.accounting.Expect;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Ledgers;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DESIGN.md rule 9: the safe side, within 0.1% of the target; for steps, the largest that fits. */
class CalibrationTest {
  private static final double WITHIN = 1 - 1e-3;

  private static void assertOnTheSafeSide(
      Calibration answer, Accountant accountant, double epsilon, double delta, Ledger ledger) {
    assertEquals(accountant.epsilon(ledger, delta), answer.cost(), "the cost of what is returned");
    double reached = answer.cost().epsilon();
    assertTrue(reached <= epsilon, reached + " is above the target " + epsilon);
    assertTrue(reached >= WITHIN * epsilon, reached + " is far below the target " + epsilon);
  }

  @ParameterizedTest
  @CsvSource({
    "pld, 1, 1e-5, 0.01, 1000",
    "pld, 0.1, 1e-6, 0.001, 100",
    "pld, 8, 1e-5, 0.0042666666666666667, 14062",
    "pld, 0.01, 0.1, 0.5, 10000",
    "pld, 3000, 1e-5, 0.01, 1",
    "rdp, 1, 1e-5, 0.01, 1000",
    "rdp, 50, 1e-9, 0.5, 10",
    "moments, 2, 1e-5, 0.01, 1000",
    "strong, 3, 1e-5, 0.001, 100",
    "sequential, 3, 1e-5, 0.001, 10",
    "gdp, 1, 1e-5, 0.01, 1000",
  })
  void noiseMultiplier(String name, double epsilon, double delta, double q, long steps) {
    Accountant accountant = Accountants.named(name);
    DoubleFunction<Ledger> plan = sigma -> Ledgers.poisson(sigma, q, steps);
    Calibration answer =
        CpuTime.within(10, () -> Calibration.noiseMultiplier(accountant, epsilon, delta, plan));
    assertOnTheSafeSide(answer, accountant, epsilon, delta, plan.apply(answer.value()));
  }

  @ParameterizedTest
  @CsvSource({
    "pld, 1, 1e-5, 2, 1000",
    "pld, 0.01, 1e-6, 1, 100",
    "rdp, 3, 1e-5, 0.8, 5000",
    "moments, 1, 1e-5, 4, 10000",
  })
  void samplingRate(String name, double epsilon, double delta, double sigma, long steps) {
    Accountant accountant = Accountants.named(name);
    DoubleFunction<Ledger> plan = q -> Ledgers.poisson(sigma, q, steps);
    Calibration answer = Calibration.samplingRate(accountant, epsilon, delta, plan);
    assertTrue(answer.value() > 0 && answer.value() <= 1);
    assertOnTheSafeSide(answer, accountant, epsilon, delta, plan.apply(answer.value()));
  }

  @ParameterizedTest
  @CsvSource({
    "pld, 1, 1e-5, 4, 0.01",
    "pld, 3, 1e-6, 0.8, 0.01",
    "rdp, 1, 1e-5, 1, 0.01",
    "sequential, 1, 1e-5, 50, 1",
  })
  void steps(String name, double epsilon, double delta, double sigma, double q) {
    Accountant accountant = Accountants.named(name);
    Calibration answer =
        Calibration.steps(accountant, epsilon, delta, n -> Ledgers.poisson(sigma, q, n));
    long steps = (long) answer.value();
    assertEquals(answer.value(), steps);
    assertTrue(accountant.epsilon(Ledgers.poisson(sigma, q, steps), delta).epsilon() <= epsilon);
    assertTrue(accountant.epsilon(Ledgers.poisson(sigma, q, steps + 1), delta).epsilon() > epsilon);
    assertEquals(accountant.epsilon(Ledgers.poisson(sigma, q, steps), delta), answer.cost());
  }

  /** The row; the exact value is from bench/oracles/confirm_table.py. */
  @Test
  void table() {
    double exact = 0.6737928924603;
    double sigma =
        Calibration.noiseMultiplier(
                new PldAccountant(), 1, 1e-5, noise -> Ledgers.poisson(noise, 0.01, 1))
            .value();
    assertTrue(sigma >= exact, sigma + " is below " + exact);
    Expect.relative(0.673793, sigma, 1e-3);
  }

  @ParameterizedTest
  @CsvFileSource(
      resources = "/dev/discreet/accounting/gaussian_calibration.csv",
      numLinesToSkip = 1)
  void neverBelowTheExactNoise(double epsilon, double delta, double exact) {
    double sigma =
        Calibration.noiseMultiplier(
                new PldAccountant(), epsilon, delta, s -> Ledgers.addRemove(new Gaussian(s), 1))
            .value();
    assertTrue(sigma >= exact, sigma + " is below " + exact);
    // How far σ may be off for 0.1% of ε is the slope's business: σ ≈ 1/ε for small δ.
    assertTrue(sigma <= exact * 1.002, sigma + " is far above " + exact);
  }

  @Test
  void laplaceNeedsNoDelta() {
    double scale =
        Calibration.noiseMultiplier(
                new PldAccountant(), 0.5, 0, b -> Ledgers.addRemove(new Laplace(b), 4))
            .value();
    assertTrue(scale >= 8);
    Expect.relative(8, scale, 1.1e-3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdp", "pld"})
  void everyRateFitsALargeTarget(String name) {
    Calibration answer =
        Calibration.samplingRate(Accountants.named(name), 100, 1e-5, q -> Ledgers.poisson(5, q, 1));
    assertEquals(1, answer.value());
  }

  /** A search of one's own accountant, which must not be taken for another kind of number. */
  @Test
  void theLeastNoiseIsANoiseMultiplier() {
    Calibration answer =
        Calibration.noiseMultiplier(
            new RdpAccountant(), 1e9, 1e-5, s -> Ledgers.addRemove(new Gaussian(s), 1));
    assertEquals(1e-3, answer.value(), 1e-12);
  }

  @Test
  void oneStepMayBeAllThatFits() {
    Calibration answer =
        Calibration.steps(new PldAccountant(), 1.5, 0, n -> Ledgers.addRemove(new PureDp(1), n));
    assertEquals(1, answer.value());
  }

  @Test
  void unreachableTargets() {
    PldAccountant pld = new PldAccountant();
    String noise =
        assertThrows(
                IllegalArgumentException.class,
                () -> Calibration.noiseMultiplier(pld, 1, 0, s -> Ledgers.poisson(s, 0.1, 10)))
            .getMessage();
    assertTrue(noise.startsWith("epsilon must be reachable: no noise multiplier up to "), noise);
    assertTrue(noise.endsWith(". Provided value: 1"), noise);
    String rate =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    Calibration.samplingRate(
                        pld, 1, 1e-5, q -> Ledgers.poisson(1, q, 10).plus(new PureDp(2), 1)))
            .getMessage();
    assertTrue(rate.startsWith("epsilon must be reachable: no sampling rate down to "), rate);
    String steps =
        assertThrows(
                IllegalArgumentException.class,
                () -> Calibration.steps(pld, 1, 0, n -> Ledgers.addRemove(new PureDp(2), n)))
            .getMessage();
    assertTrue(steps.startsWith("epsilon must be reachable: not even one step "), steps);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-1, -1", "NaN, NaN", "Infinity, Infinity"})
  void targetsAreChecked(double epsilon, String shown) {
    RdpAccountant rdp = new RdpAccountant();
    String message = "epsilon must be finite and greater than 0. Provided value: " + shown;
    DoubleFunction<Ledger> plan = x -> Ledgers.poisson(x, 0.1, 1);
    Expect.refused(message, () -> Calibration.noiseMultiplier(rdp, epsilon, 1e-5, plan));
    Expect.refused(message, () -> Calibration.samplingRate(rdp, epsilon, 1e-5, plan));
    Expect.refused(
        message, () -> Calibration.steps(rdp, epsilon, 1e-5, n -> Ledgers.poisson(1, 0.1, n)));
    Expect.refused(
        "delta must be in [0, 1). Provided value: 1",
        () -> Calibration.noiseMultiplier(rdp, 1, 1, plan));
  }
}
