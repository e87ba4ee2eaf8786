package dev.discreet.algorithms.regression;

import dev.discreet.algorithms.matrix.SymmetricEigen;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.privacy.Units;

/**
 * Ordinary least squares without noise, and the minimum of the quadratic logistic loss. The private
 * methods are measured against it. It protects no one, and its result says so.
 */
public record LeastSquares(RegressionBounds bounds, RegressionLoss loss, boolean intercept) {
  /** Directions whose eigenvalue is below this share of the largest are rounding errors. */
  private static final double RANK = 1e-10;

  public RegressionResult fit(Examples examples, Units units) {
    Scaling scaling = new Scaling(bounds, intercept, loss);
    Coefficients exact = Coefficients.of(scaling, PrivateData.of(examples, units));
    double[] linear = exact.vector();
    SymmetricEigen eigen = SymmetricEigen.of(exact.matrix());
    double[] theta =
        eigen.inverseTimes(linear, Math.max(Double.MIN_NORMAL, RANK * eigen.values()[0]), 0);
    NoisySums sums = new NoisySums(scaling, exact.matrix(), exact.vectorAndSquares(), 0, 0, false);
    return new RegressionResult(scaling.model(theta), new Privacy.NonPrivate(true), sums);
  }
}
