package dev.discreet.accounting.calibration;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.internal.pairs.GaussianProfile;

/**
 * How much noise one release needs, relative to its sensitivity, for a given (ε, δ). Each answer is
 * on the safe side.
 *
 * <pre>{@code
 * double noise = MechanismCalibration.analyticGaussian(1, 1e-6);
 * Mechanism release = new Mechanism.Gaussian(noise);
 * }</pre>
 */
@PublicApi
public final class MechanismCalibration {
  private MechanismCalibration() {}

  /**
   * The classical Gaussian mechanism (Dwork and Roth 2014, appendix A): σ = √(2 ln(1.25/δ))/ε. Its
   * proof needs ε &lt; 1, and beyond that the formula is false, so it is refused there. Seed 001
   * prints 2·log(1.25/δ)/ε in section 3, without the root; section 2.3 of the same document has it
   * right.
   *
   * @param epsilon the ε to keep to
   * @param delta the δ to keep to, in (0, 1)
   * @return the noise multiplier
   */
  public static double classicalGaussian(double epsilon, double delta) {
    Check.that(
        epsilon > 0 && epsilon < 1,
        "epsilon",
        "in (0, 1) for the classical Gaussian mechanism",
        Digits.exact(epsilon));
    checkDelta(delta);
    return Math.sqrt(2 * Math.log(1.25 / delta)) / epsilon;
  }

  /**
   * The analytic Gaussian mechanism (Balle and Wang 2018): the least σ that is (ε, δ)-private, for
   * every ε ≥ 0.
   *
   * @param epsilon the ε to keep to
   * @param delta the δ to keep to, in (0, 1)
   * @return the noise multiplier
   */
  public static double analyticGaussian(double epsilon, double delta) {
    Check.that(
        epsilon >= 0 && Double.isFinite(epsilon),
        "epsilon",
        "finite and at least 0",
        Digits.exact(epsilon));
    checkDelta(delta);
    return 1 / GaussianProfile.mu(epsilon, delta) * (1 + 1e-12);
  }

  /**
   * The Laplace mechanism: scale 1/ε.
   *
   * @param epsilon the ε to keep to, greater than 0
   * @return the scale
   */
  public static double laplace(double epsilon) {
    Check.that(epsilon > 0, "epsilon", "greater than 0", Digits.exact(epsilon));
    double scale = 1 / epsilon;
    return Math.fma(scale, epsilon, -1) < 0 ? Math.nextUp(scale) : scale;
  }

  private static void checkDelta(double delta) {
    Check.that(
        delta > 0 && delta < 1, "delta", "in (0, 1) for Gaussian noise", Digits.exact(delta));
  }
}
