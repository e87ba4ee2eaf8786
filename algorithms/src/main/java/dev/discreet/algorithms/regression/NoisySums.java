package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.Arrays;
import java.util.List;

/**
 * What a regression released of the rows: Σ z·zᵀ, Σ t·z and, where it was asked for, Σ t², each
 * with noise whose law is known. What is computed from them is free.
 *
 * <pre>{@code
 * FunctionalMechanism mechanism =
 *     new FunctionalMechanism(
 *         bounds, RegressionLoss.SQUARED, true, new RegressionBudget.Pure(0.8), true);
 * RegressionResult fitted = mechanism.fit(session, examples, Units.each(1_000), "patient");
 * CoefficientEstimates estimates = fitted.sums().estimates(List.of(), 1_000);
 * System.out.println(estimates.of(0, new double[] {1, 0}));
 * }</pre>
 */
@PublicApi
public final class NoisySums {
  private final Scaling scaling;
  private final double[][] quadratic;
  private final double[] linear;
  private final double quadraticDeviation;
  private final double linearDeviation;
  private final boolean laplace;

  /**
   * @param linear may end with Σ t²
   * @param quadraticDeviation of the noise on a quadratic coefficient
   * @param laplace whether the noise is Laplace's, and not Gaussian
   */
  NoisySums(
      Scaling scaling,
      double[][] quadratic,
      double[] linear,
      double quadraticDeviation,
      double linearDeviation,
      boolean laplace) {
    this.scaling = scaling;
    this.quadratic = quadratic;
    this.linear = linear;
    this.quadraticDeviation = quadraticDeviation;
    this.linearDeviation = linearDeviation;
    this.laplace = laplace;
  }

  /**
   * @param all the triangle, and then the linear ones
   */
  static NoisySums of(
      Scaling scaling,
      double[] all,
      double quadraticDeviation,
      double linearDeviation,
      boolean laplace) {
    int triangle = Coefficients.quadratic(scaling.weights());
    return new NoisySums(
        scaling,
        Coefficients.matrix(scaling.weights(), all),
        Arrays.copyOfRange(all, triangle, all.length),
        quadraticDeviation,
        linearDeviation,
        laplace);
  }

  Scaling scaling() {
    return scaling;
  }

  double[][] quadratic() {
    return quadratic;
  }

  double[] linear() {
    return Arrays.copyOf(linear, scaling.weights());
  }

  double quadraticDeviation() {
    return quadraticDeviation;
  }

  double linearDeviation() {
    return linearDeviation;
  }

  boolean isLaplace() {
    return laplace;
  }

  private boolean hasSquares() {
    return linear.length > scaling.weights();
  }

  /** Σ t². */
  double squares() {
    return linear[scaling.weights()];
  }

  /**
   * What the sums say of the weights, with intervals.
   *
   * @param choices what the rows are known to have besides bounds
   * @param units how many there are, which is public; only a model without an intercept needs it
   * @return the estimates; refused for a squared loss without Σt²
   */
  public CoefficientEstimates estimates(List<CoefficientEstimates.Choice> choices, long units) {
    Check.that(
        scaling.loss() == RegressionLoss.LOGISTIC || hasSquares(),
        "spread",
        "released, for intervals of a squared loss",
        "not so");
    return new CoefficientEstimates(this, choices, units);
  }
}
