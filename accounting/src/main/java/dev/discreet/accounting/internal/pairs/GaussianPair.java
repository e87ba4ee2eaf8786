package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.Normal;
import java.util.function.DoubleUnaryOperator;

/** N(μ, 1) against N(0, 1): the loss is N(μ²/2, μ²) under P and N(−μ²/2, μ²) under Q. */
public record GaussianPair(double mu) implements LossPair {

  @Override
  public double p(double l) {
    return Normal.folded(l / mu - mu / 2);
  }

  @Override
  public double q(double l) {
    return Normal.folded(l / mu + mu / 2);
  }

  @Override
  public double min() {
    return Double.NEGATIVE_INFINITY;
  }

  @Override
  public double max() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double[] knots() {
    double low = -mu - 12;
    double high = 38;
    int n = (int) Math.min(4000, Math.ceil((high - low) / 0.1));
    double[] knots = new double[n + 1];
    for (int i = 0; i <= n; i++) {
      knots[i] = mu * (mu / 2 + low + (high - low) * i / n);
    }
    return knots;
  }

  /**
   * Panels shrink with μ: the functions of e^L asked for here have singularities π/μ from the real
   * axis.
   */
  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    double from = Math.max(-14 + Math.min(0, order) * mu, low / mu + mu / 2);
    // As far as e^L itself, which is what a function of a lower order may be compared with.
    double to = Math.min(14 + Math.max(1, order) * mu, high / mu + mu / 2);
    return Quadrature.logIntegrate(
        z -> Normal.logDensity(z) + logF.applyAsDouble(mu * (z - mu / 2)),
        from,
        to,
        Math.min(1, 4 / mu));
  }

  @Override
  public double logMoment(double order) {
    return LogMoments.gaussian(1 / mu, order);
  }
}
