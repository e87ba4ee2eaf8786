package dev.discreet.algorithms.regression;

import dev.discreet.accounting.PublicApi;

/**
 * What a regression minimises; both are polynomials of degree 2 in the weights here.
 *
 * <pre>{@code
 * LinearModel model = new LinearModel(new double[] {2, -1}, 0.5, RegressionLoss.LOGISTIC);
 * }</pre>
 */
@PublicApi
public enum RegressionLoss {
  /** (θ·x − y)². */
  SQUARED,
  /**
   * log(1 + e^u) − y·u with u = θ·x and y in [0, 1], replaced by its Taylor polynomial at u = 0: ln
   * 2 + u/2 + u²/8 − y·u.
   *
   * <p>The polynomial is never below the true loss, and above it by at most u⁴/192: with v = u/2
   * the difference is v²/2 − ln cosh v, whose derivative v − tanh v lies between 0 and v³/3 for v ≥
   * 0. So the minimum of the polynomial has a true mean loss that is above the least one by at most
   * the mean of u⁴/192 at the true minimum. That is 0.005 where scores stay in [−1, 1] (Zhang et
   * al. 2012 bound it by 0.015), 0.08 at scores of 2, and 1.3 at scores of 4, which is too large to
   * be useful. Scores come out too small rather than too large. Their sign, which is the class,
   * suffers less.
   */
  LOGISTIC
}
