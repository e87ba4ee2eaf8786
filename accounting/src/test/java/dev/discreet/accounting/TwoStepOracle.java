package dev.discreet.accounting;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * δ(ε) of two different releases by a one-dimensional integral, without any discretised loss: δ(ε)
 * = E[δ₂(ε − L₁)] over the first release's outcomes, δ₂ being the second's closed form.
 */
public final class TwoStepOracle {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  private TwoStepOracle() {}

  /**
   * (1−q)N(0, σ²) + qN(1, σ²) against N(0, σ²), or with {@code add} the reverse; ε may be negative.
   */
  record SampledGaussian(double sigma, double q, boolean add) {

    double logRatio(double x) {
      return Math.log1p(q * Math.expm1((2 * x - 1) / (2 * sigma * sigma)));
    }

    double delta(double epsilon) {
      double room = add ? Math.expm1(-epsilon) + q : Math.expm1(epsilon) + q;
      double place =
          room <= 0 ? Double.NEGATIVE_INFINITY : sigma * sigma * Math.log(room / q) + 0.5;
      if (add) {
        double mixture =
            (1 - q) * NORMAL.cumulativeProbability(place / sigma)
                + q * NORMAL.cumulativeProbability((place - 1) / sigma);
        return NORMAL.cumulativeProbability(place / sigma) - Math.exp(epsilon) * mixture;
      }
      double still = NORMAL.survivalProbability(place / sigma);
      double mixture = (1 - q) * still + q * NORMAL.survivalProbability((place - 1) / sigma);
      return mixture - Math.exp(epsilon) * still;
    }

    /** E_P[f(L)] by the trapezoid rule, which converges geometrically for these densities. */
    double expect(DoubleUnaryOperator f) {
      double step = sigma / 400;
      double sum = 0;
      for (double x = -12 * sigma; x < 1 + 12 * sigma; x += step) {
        double base = Math.exp(-0.5 * x * x / (sigma * sigma));
        double log = logRatio(x);
        sum += add ? base * f.applyAsDouble(-log) : base * Math.exp(log) * f.applyAsDouble(log);
      }
      return sum * step / (sigma * Math.sqrt(2 * Math.PI));
    }
  }

  /** Two sampled Gaussians, the worse direction. */
  public static double delta(double[] first, double[] second, double epsilon) {
    double worst = 0;
    for (boolean add : new boolean[] {false, true}) {
      SampledGaussian one = new SampledGaussian(first[0], first[1], add);
      SampledGaussian two = new SampledGaussian(second[0], second[1], add);
      worst = Math.max(worst, one.expect(loss -> two.delta(epsilon - loss)));
    }
    return worst;
  }

  /** A Laplace release of scale b and a sampled Gaussian, the worse direction. */
  public static double delta(double scale, double[] gaussian, double epsilon) {
    double top = 1 / scale;
    double worst = 0;
    for (boolean add : new boolean[] {false, true}) {
      SampledGaussian two = new SampledGaussian(gaussian[0], gaussian[1], add);
      // Atoms at ±1/b, and the density e^{(l − 1/b)/2}/4 between them, by Simpson's rule.
      double sum = 0.5 * two.delta(epsilon - top) + 0.5 * Math.exp(-top) * two.delta(epsilon + top);
      int n = 20_000;
      double step = 2 * top / n;
      for (int i = 0; i <= n; i++) {
        double loss = -top + i * step;
        int weight = i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * step / 3 * 0.25 * Math.exp((loss - top) / 2) * two.delta(epsilon - loss);
      }
      worst = Math.max(worst, sum);
    }
    return worst;
  }
}
