package dev.discreet.algorithms.regression;

/** What a regression minimises; both are polynomials of degree 2 in the weights here. */
public enum RegressionLoss {
  /** (θ·x − y)². */
  SQUARED,
  /**
   * log(1 + e^u) − y·u with u = θ·x and y in [0, 1], by its Taylor polynomial at u = 0: ln 2 + u/2
   * + u²/8 − y·u.
   *
   * <p>The polynomial is never below the true loss, and above it by at most u⁴/192: with v = u/2
   * the difference is v²/2 − ln cosh v, whose derivative v − tanh v lies between 0 and v³/3 for v ≥
   * 0. So whoever minimises it gets a true mean loss above the least one by at most the mean of
   * u⁴/192 at the true minimum: 0.005 where scores stay in [−1, 1] (Zhang et al. 2012 bound it by
   * 0.015), 0.08 at scores of 2, and 1.3, which is no promise any more, at 4. Scores come out too
   * small rather than too large; on which side of 0 they are, the class, suffers less.
   */
  LOGISTIC
}
