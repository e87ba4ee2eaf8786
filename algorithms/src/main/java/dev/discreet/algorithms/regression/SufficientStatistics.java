package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Mechanism;
import dev.discreet.algorithms.matrix.Cholesky;
import dev.discreet.algorithms.matrix.CoarseSums;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.List;

/**
 * Linear regression from noisy sufficient statistics with an adaptive ridge (AdaSSP, Wang 2018,
 * algorithm 2). It releases Σz·zᵀ, Σt·z and the least eigenvalue of the former, each with Gaussian
 * noise. The ridge is just large enough for the noise that the least eigenvalue does not cover.
 *
 * <p><b>Sensitivity.</b> That of the first two is the {@link FunctionalMechanism}'s. A unit changes
 * Σz·zᵀ by a matrix of spectral norm at most ‖z‖² ≤ p, and by Weyl's inequality each eigenvalue by
 * no more. Eigenvalues are computed in double precision by {@link Cholesky#leastEigenvalue}, whose
 * error is bounded. The sensitivity includes twice that bound, for the largest possible number of
 * units.
 *
 * <p>Differences to the paper: the three are one release, of one budget, with equal noise
 * multipliers, and the noise follows from the exact cost of Gaussian noise. The paper splits (ε, δ)
 * by three and uses the classical formula, so ours has less noise for the same promise.
 *
 * @param intercept whether the model has one
 * @param spread whether Σt² is released too, which intervals need
 */
public record SufficientStatistics(
    RegressionBounds bounds, boolean intercept, RegressionBudget.Gaussian budget, boolean spread) {
  /** Without Σt². */
  public SufficientStatistics(
      RegressionBounds bounds, boolean intercept, RegressionBudget.Gaussian budget) {
    this(bounds, intercept, budget, false);
  }

  /** The paper's ϱ: the probability that the noise is larger than the ridge allows for. */
  private static final double RISK = 0.05;

  private static final double MOST_UNITS = 0x1p31;

  /** Fits examples for which nothing was declared. */
  public RegressionResult fit(PrivacySession session, Examples examples, Units units, String unit) {
    return fit(session, PrivateData.of(examples, units), PrivacyUnit.of(unit));
  }

  /**
   * Fits. The session's ledger is charged with what the budget says.
   *
   * @param unit who is protected
   */
  public RegressionResult fit(PrivacySession session, PrivateData data, PrivacyUnit unit) {
    RegressionResult.Before before = RegressionResult.check(data, session, unit);
    Scaling scaling = new Scaling(bounds, intercept, RegressionLoss.SQUARED);
    scaling.check(data.input(), data.targets());
    int p = scaling.weights();
    int triangle = Coefficients.quadratic(p);
    int line = Coefficients.linear(p, spread);
    double multiplier =
        session.ledger().neighbouring().sensitivity() * budget.multiplier() * Math.sqrt(3);
    double[] multipliers = {multiplier, multiplier, multiplier};
    CoarseSums sums =
        new CoarseSums(
            Norm.L2,
            new int[] {triangle, triangle + line, triangle + line + 1},
            new double[] {Math.sqrt(triangle), Math.sqrt(line), eigenvalueSensitivity(p)},
            multipliers);
    double[] noisy =
        session
            .release(
                new Mechanism.JointGaussian(List.of(multiplier, multiplier, multiplier)),
                id -> {
                  Coefficients exact = Coefficients.of(scaling, data);
                  exact.putQuadratic(sums);
                  exact.putLinear(sums, spread);
                  sums.put(Cholesky.leastEigenvalue(exact.matrix()));
                  return sums;
                })
            .values();
    double[] deviations = sums.sensitivities();
    Arrays.setAll(deviations, g -> multiplier * deviations[g]);
    NoisySums known =
        NoisySums.of(
            scaling, Arrays.copyOf(noisy, triangle + line), deviations[0], deviations[1], false);
    double[] theta =
        solve(
            known.quadratic(),
            known.linear(),
            noisy[triangle + line],
            deviations[0],
            deviations[2]);
    return RegressionResult.of(scaling.model(theta), known, session, unit, before, budget.delta());
  }

  /**
   * The sensitivity of the computed eigenvalue, with twice its error, and that of a matrix rounded
   * to doubles.
   */
  static double eigenvalueSensitivity(int p) {
    double error = Cholesky.leastEigenvalueError(p, MOST_UNITS) + p * 0x1p-53 * MOST_UNITS;
    return p + 2 * error;
  }

  private double[] solve(
      double[][] quadratic,
      double[] linear,
      double eigenvalue,
      double quadraticDeviation,
      double eigenvalueDeviation) {
    int p = linear.length;
    double least =
        Math.max(0, eigenvalue - Math.sqrt(Math.log(6 / budget.delta())) * eigenvalueDeviation);
    double noise = quadraticDeviation * Math.sqrt(p * Math.log(2.0 * p * p / RISK));
    double ridge = Math.max(0, noise - least);
    // The matrix is not positive definite only where the risk did occur: then the ridge is doubled
    // until it is.
    for (double more = noise; ; more *= 2) {
      var factor = Cholesky.of(quadratic, ridge);
      if (factor.isPresent()) {
        return factor.get().solve(linear);
      }
      ridge += more;
    }
  }
}
