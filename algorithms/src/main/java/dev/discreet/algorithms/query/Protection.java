package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.core.privacy.Norm;

/**
 * What one answer may cost, and which noise it gets.
 *
 * <pre>{@code
 * Protection pure = new Protection.Laplace(1);
 * Protection approximate = new Protection.Gaussian(1, 1e-6);
 * }</pre>
 */
@PublicApi
public sealed interface Protection {
  /** {@return the ε that one answer costs} */
  double epsilon();

  /** {@return the δ that one answer costs; 0 for Laplace noise} */
  double delta();

  /** {@return the noise in a word, as options have it} */
  String label();

  /**
   * The ledger entry that costs this under the relation: never more, and hardly less.
   *
   * @param relation what neighbouring data sets are
   * @return the entry
   */
  Mechanism.AddedNoise mechanism(Neighbouring relation);

  /**
   * The norm to which the noise is scaled.
   *
   * @return the norm
   */
  Norm norm();

  /**
   * Standard deviation of the noise on a value of that sensitivity.
   *
   * @param relation what neighbouring data sets are
   * @param sensitivity how far one unit moves the value
   * @return the standard deviation
   */
  double deviation(Neighbouring relation, double sensitivity);

  /**
   * Laplace noise: ε-private, without a δ.
   *
   * @param epsilon what one answer costs, in [1e-6, 1000]
   */
  record Laplace(double epsilon) implements Protection {
    /** Refuses an ε that is not above 0. */
    public Laplace {
      checkEpsilon(epsilon);
    }

    @Override
    public String label() {
      return "laplace";
    }

    @Override
    public double delta() {
      return 0;
    }

    @Override
    public Mechanism.Laplace mechanism(Neighbouring relation) {
      return new Mechanism.Laplace(relation.sensitivity() * MechanismCalibration.laplace(epsilon));
    }

    @Override
    public Norm norm() {
      return Norm.L1;
    }

    @Override
    public double deviation(Neighbouring relation, double sensitivity) {
      return Math.sqrt(2) * mechanism(relation).scale() * sensitivity;
    }
  }

  /**
   * Gaussian noise: (ε, δ)-private, and better for vectors.
   *
   * @param epsilon what one answer costs, in [1e-6, 1000]
   * @param delta what one answer costs, in (0, 1)
   */
  record Gaussian(double epsilon, double delta) implements Protection {
    /** With a larger multiplier noise would leave the grid. */
    private static final double MOST = 1 << 12;

    /** Refuses an ε that is not above 0, and a δ outside its range. */
    public Gaussian {
      checkEpsilon(epsilon);
      Check.that(delta > 0 && delta < 1, "delta", "in (0, 1) for Gaussian noise", delta);
      double multiplier = MechanismCalibration.analyticGaussian(epsilon, delta);
      Check.that(
          multiplier <= MOST,
          "noise multiplier for this epsilon and delta",
          "at most " + (int) MOST,
          multiplier);
    }

    @Override
    public String label() {
      return "gaussian";
    }

    @Override
    public Mechanism.Gaussian mechanism(Neighbouring relation) {
      return new Mechanism.Gaussian(
          relation.sensitivity() * MechanismCalibration.analyticGaussian(epsilon, delta));
    }

    @Override
    public Norm norm() {
      return Norm.L2;
    }

    @Override
    public double deviation(Neighbouring relation, double sensitivity) {
      return mechanism(relation).noiseMultiplier() * sensitivity;
    }
  }

  private static void checkEpsilon(double epsilon) {
    Check.that(epsilon >= 1e-6 && epsilon <= 1000, "epsilon", "in [1e-6, 1000]", epsilon);
  }
}
