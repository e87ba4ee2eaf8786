package dev.discreet.accounting.calibration;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Expect;
import dev.discreet.accounting.theorems.CompositionTheorems;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Noise for one release: to the last digits, and never too little. */
class MechanismCalibrationTest {

  @ParameterizedTest
  @CsvFileSource(
      resources = "/dev/discreet/accounting/gaussian_calibration.csv",
      numLinesToSkip = 1)
  void analyticGaussian(double epsilon, double delta, BigDecimal exact) {
    double sigma = MechanismCalibration.analyticGaussian(epsilon, delta);
    Expect.relative(exact.doubleValue(), sigma, 1e-9);
    assertTrue(new BigDecimal(sigma).compareTo(exact) >= 0, sigma + " is below " + exact);
  }

  /** At ε = 0 the exact σ is 1/(2·Φ⁻¹((1 + δ)/2)); by 40-digit arithmetic. */
  @ParameterizedTest
  @CsvSource({
    "0.999999, 0.10221523983927938",
    "0.6, 0.5940914749469451400910001509586653737848",
    "0.999999999999, 0.07012121257966615409171869083246773511227"
  })
  void analyticGaussianNearDeltaOne(double delta, double exact) {
    double sigma = MechanismCalibration.analyticGaussian(0, delta);
    assertTrue(sigma >= exact && sigma <= exact * (1 + 1e-10), sigma + " " + exact);
  }

  @Test
  void analyticGaussianOfTheTable() {
    Expect.relative(3.730631634816, MechanismCalibration.analyticGaussian(1, 1e-5), 1e-12);
  }

  /** δ(0) = 2Φ(μ/2) − 1. */
  @Test
  void analyticGaussianAtEpsilonZero() {
    // 2Φ(1/2) − 1
    double delta = 0.38292492254802624;
    Expect.relative(1, MechanismCalibration.analyticGaussian(0, delta), 1e-12);
    // μ ≈ δ·√(2π)
    Expect.relative(
        1 / (1e-12 * Math.sqrt(2 * Math.PI)),
        MechanismCalibration.analyticGaussian(0, 1e-12),
        1e-9);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 1e-5", "0.5, 1e-9", "0.99, 1e-3"})
  void classicalGaussian(double epsilon, double delta) {
    double sigma = MechanismCalibration.classicalGaussian(epsilon, delta);
    Expect.relative(Math.sqrt(2 * Math.log(1.25 / delta)) / epsilon, sigma, 1e-15);
    assertTrue(sigma > MechanismCalibration.analyticGaussian(epsilon, delta));
    Expect.relative(epsilon, CompositionTheorems.classicalEpsilon(sigma, delta), 1e-14);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1.5, 1.5", "0, 0", "-1, -1", "NaN, NaN", "Infinity, Infinity"})
  void classicalGaussianIsRefusedWhereItIsFalse(double epsilon, String shown) {
    Expect.refused(
        "epsilon must be in (0, 1) for the classical Gaussian mechanism. Provided value: " + shown,
        () -> MechanismCalibration.classicalGaussian(epsilon, 1e-5));
  }

  /** Beyond ε = 1 the classical formula would give too little noise. */
  @Test
  void theClassicalFormulaIsFalseForLargeEpsilon() {
    double formula = Math.sqrt(2 * Math.log(1.25 / 1e-5)) / 50;
    assertTrue(formula < MechanismCalibration.analyticGaussian(50, 1e-5));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.3, 1, 3, 7, 10, 49, 98, 103, 1e-3, 1e3})
  void laplace(double epsilon) {
    double scale = MechanismCalibration.laplace(epsilon);
    Expect.relative(1 / epsilon, scale, 1e-15);
    BigDecimal product = new BigDecimal(scale).multiply(new BigDecimal(epsilon));
    assertTrue(product.compareTo(BigDecimal.ONE) >= 0, scale + " is below 1/" + epsilon);
  }

  @Test
  void argumentsAreChecked() {
    Expect.refused(
        "delta must be in (0, 1) for Gaussian noise. Provided value: 1.5",
        () -> MechanismCalibration.analyticGaussian(1, 1.5));
    Expect.refused(
        "delta must be in (0, 1) for Gaussian noise. Provided value: 0",
        () -> MechanismCalibration.analyticGaussian(1, 0));
    Expect.refused(
        "delta must be in (0, 1) for Gaussian noise. Provided value: NaN",
        () -> MechanismCalibration.classicalGaussian(0.5, Double.NaN));
    Expect.refused(
        "epsilon must be finite and at least 0. Provided value: -1",
        () -> MechanismCalibration.analyticGaussian(-1, 1e-5));
    Expect.refused(
        "epsilon must be greater than 0. Provided value: 0", () -> MechanismCalibration.laplace(0));
    Expect.refused(
        "epsilon must be greater than 0. Provided value: NaN",
        () -> MechanismCalibration.laplace(Double.NaN));
  }

  /** δ = 2Φ(1/2σ) − 1 at ε = 0, so 1/σ = δ·√(2π)·(1 + πδ²/12 + …). */
  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 1e-6, 1e-9, 1e-100, 1e-200})
  void noEpsilonAtAll(double delta) {
    double mu = delta * Math.sqrt(2 * Math.PI) * (1 + Math.PI * delta * delta / 12);
    double found = MechanismCalibration.analyticGaussian(0, delta);
    assertTrue(found * mu >= 1, found * mu + "");
    Expect.relative(1 / mu, found, 1e-11);
  }
}
