package dev.discreet.accounting;

import static dev.discreet.accounting.Neighbouring.ADD_REMOVE;
import static dev.discreet.accounting.Neighbouring.REPLACE_ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Certified brackets must hold the true value. The fixtures come from line integrals of moment
 * generating functions and closed forms (bench/oracles/pld.py, laplace.py), which share nothing
 * with grids and transforms; rows are good to 1e-8.
 */
class PldFixturesTest {
  private static final double PRECISION = 1e-8;

  private final PldAccountant pld = new PldAccountant();

  @ParameterizedTest
  @CsvFileSource(
      resources = "/dev/discreet/accounting/poisson_gaussian_pld.csv",
      numLinesToSkip = 1)
  void poissonAddRemove(double sigma, double q, long steps, double delta, double epsilon) {
    Guarantee answer = pld.epsilon(Ledgers.poisson(sigma, q, steps), delta);
    Expect.epsilonInside(answer, epsilon, PRECISION);
    Expect.narrow(answer);
  }

  @ParameterizedTest
  @CsvFileSource(
      resources = "/dev/discreet/accounting/replace_one_poisson_pld.csv",
      numLinesToSkip = 1)
  void poissonReplaceOne(double sigma, double q, long steps, double delta, double epsilon) {
    Guarantee answer = pld.epsilon(Ledgers.poisson(REPLACE_ONE, sigma, q, steps), delta);
    Expect.epsilonInside(answer, epsilon, PRECISION);
    Expect.narrow(answer);
  }

  /**
   * The fixtures are what data with all declared units come to, and one unit more. Empty places may
   * be worse, which only several releases can show.
   */
  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/fixed_size_pld.csv", numLinesToSkip = 1)
  void fixedSizeAddRemove(double sigma, double q, long steps, double delta, double epsilon) {
    Guarantee answer = pld.epsilon(Ledgers.fixedSize(ADD_REMOVE, sigma, q, steps), delta);
    Expect.epsilonInside(answer, epsilon, PRECISION);
    assertEquals(epsilon, answer.epsilonLower(), Math.max(1e-3, 1e-3 * epsilon));
    assertTrue(answer.epsilon() <= 1.3 * epsilon, answer.toString());
    if (steps == 1) {
      Expect.narrow(answer);
    }
  }

  /** "1x3;2x2" is three releases of scale 1 and two of scale 2. */
  private static Ledger laplace(String scales, double factor) {
    Ledger ledger = Ledger.empty(factor == 1 ? ADD_REMOVE : REPLACE_ONE);
    for (String group : scales.split(";")) {
      String[] parts = group.split("x");
      ledger =
          ledger.plus(new Laplace(factor * Double.parseDouble(parts[0])), Long.parseLong(parts[1]));
    }
    return ledger;
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/laplace_pld.csv", numLinesToSkip = 1)
  void laplace(String scales, double delta, double epsilon) {
    Guarantee answer = pld.epsilon(laplace(scales, 1), delta);
    Expect.epsilonInside(answer, epsilon, PRECISION);
    Expect.narrow(answer);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/sampled_laplace_pld.csv", numLinesToSkip = 1)
  void sampledLaplace(double scale, double q, long steps, double delta, double epsilon) {
    Ledger ledger = Ledgers.addRemove(new PoissonSampled(q, new Laplace(scale)), steps);
    Guarantee answer = pld.epsilon(ledger, delta);
    Expect.epsilonInside(answer, epsilon, PRECISION);
    Expect.narrow(answer);
  }

  /** The same with 2C and twice the noise. */
  @ParameterizedTest
  @CsvSource({"1x1, 0.1, 0.7892789686843473852091867", "5x100, 1e-05, 9.381916749181162419033448"})
  void laplaceReplaceOne(String scales, double delta, double epsilon) {
    Expect.epsilonInside(pld.epsilon(laplace(scales, 2), delta), epsilon, PRECISION);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/gaussian.csv", numLinesToSkip = 1)
  void unsampledGaussian(double sigma, double epsilon, double delta) {
    Ledger ledger = Ledgers.addRemove(new Gaussian(sigma), 1);
    Expect.deltaInside(pld.delta(ledger, epsilon), delta, 0);
    // Nearer to 1 the last bit of delta is worth more than the bracket's width in ε.
    if (delta <= 0.9 && epsilon > 1e-5) {
      Guarantee answer = pld.epsilon(ledger, delta);
      Expect.epsilonInside(answer, epsilon, 1e-15 / Math.min(1, epsilon));
      assertEquals(epsilon, answer.epsilon(), 1e-8 * Math.max(1, epsilon));
    }
  }

  /** The table, with its own tolerances. */
  @ParameterizedTest
  @CsvSource({
    "4, 0.01, 10000, 1e-5, 0.94700, 2e-4",
    "0.7, 0.01, 120, 1e-5, 2.46124, 2e-4",
    "0.7, 1, 2, 1e-5, 10.12249, 1e-4",
    "1.1, 0.0042666666666666667, 14062, 1e-5, 2.3817, 5e-4",
    "2.0, 0.05, 20000, 1e-6, 24.41097, 2e-3",
  })
  void table(double sigma, double q, long steps, double delta, double stated, double tolerance) {
    Guarantee answer = pld.epsilon(Ledgers.poisson(sigma, q, steps), delta);
    assertTrue(Math.abs(answer.epsilon() - stated) <= tolerance, answer.toString());
    Expect.narrow(answer);
  }

  @ParameterizedTest
  @CsvSource({"1x3;2x2, 1e-14, 4.000000"})
  void tableLaplace(String scales, double delta, double stated) {
    Guarantee answer = pld.epsilon(laplace(scales, 1), delta);
    Expect.relative(stated, answer.epsilon(), 1e-6);
    Expect.narrow(answer);
  }
}
