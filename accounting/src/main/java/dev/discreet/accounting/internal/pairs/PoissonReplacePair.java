package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.Normal;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * The Poisson-sampled Gaussian under replace-one: (1−r)N(0) + rN(1) against (1−r)N(0) + rN(−1),
 * standard deviation σ.
 *
 * <p>Why it dominates every (1−r)N(0) + rN(u) against (1−r)N(0) + rN(v) with ‖u‖, ‖v‖ ≤ 1: among
 * all events E of the same probability under N(0), a half-space across u makes N(u)(E) largest and
 * a half-space across −v makes N(v)(E) least (Neyman–Pearson), and both do best at norm 1. With v =
 * −u one half-space does both at once, so no event tells any other choice apart better. The mixture
 * ratio rises along u, so half-spaces are also the best events for this pair.
 */
public record PoissonReplacePair(double sigma, double rate) implements LossPair {

  /**
   * The loss is the difference of two log mixtures; as a quadratic in e^{x/σ²} it can be solved for
   * x.
   */
  private double x(double l) {
    double magnitude = Math.abs(l);
    double logSinh =
        magnitude > 60 ? magnitude / 2 - Math.log(2) : Math.log(Math.sinh(magnitude / 2));
    double logRatio = Math.log1p(-rate) - Math.log(rate) + 0.5 / (sigma * sigma) + logSinh;
    double asinh = logRatio > 20 ? logRatio + Math.log(2) : asinh(Math.exp(logRatio));
    return Math.copySign(sigma * sigma * (magnitude / 2 + asinh), l);
  }

  private static double asinh(double y) {
    return Math.log1p(y + y * y / (1 + Math.sqrt(1 + y * y)));
  }

  private double loss(double x) {
    return mixture(x) - mixture(-x);
  }

  private double mixture(double x) {
    double exponent = (x - 0.5) / (sigma * sigma);
    return exponent > 700 ? exponent + Math.log(rate) : Math.log1p(rate * Math.expm1(exponent));
  }

  @Override
  public double p(double l) {
    return at(x(l), 1);
  }

  @Override
  public double q(double l) {
    return at(x(l), -1);
  }

  private double at(double x, int shift) {
    double still = Normal.folded(x / sigma);
    double moved = Normal.folded((x - shift) / sigma);
    return FoldedProbability.of(
        (1 - rate) * FoldedProbability.tail(still) + rate * FoldedProbability.tail(moved),
        (1 - rate) * FoldedProbability.head(still) + rate * FoldedProbability.head(moved));
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
    int n = (int) Math.min(4000, Math.ceil((76 + 2 / sigma) / 0.1));
    double reach = 38 * sigma + 1;
    double[] knots = new double[n + 1];
    Arrays.setAll(knots, i -> loss(reach * (2.0 * i / n - 1)));
    return knots;
  }

  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    double from = Math.max(-14 * sigma - 1, low == Double.NEGATIVE_INFINITY ? low : x(low));
    double to =
        Math.min(
            14 * sigma + Math.max(1, order), high == Double.POSITIVE_INFINITY ? high : x(high));
    DoubleUnaryOperator log =
        x -> Normal.logDensity(x / sigma) + mixture(-x) + logF.applyAsDouble(loss(x));
    return Quadrature.logIntegrate(log, from, to, Math.min(sigma, 4 * sigma * sigma))
        - Math.log(sigma);
  }
}
