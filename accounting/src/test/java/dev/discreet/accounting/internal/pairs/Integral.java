package dev.discreet.accounting.internal.pairs;

import java.util.function.DoubleUnaryOperator;

/** Plain Simpson sums, to check against without sharing any code. */
final class Integral {
  private static final int PANELS = 20_000;

  private Integral() {}

  static double of(DoubleUnaryOperator f, double low, double high) {
    if (!(high > low)) {
      return 0;
    }
    double step = (high - low) / PANELS;
    double sum = f.applyAsDouble(low) + f.applyAsDouble(high);
    for (int i = 1; i < PANELS; i++) {
      sum += (i % 2 == 1 ? 4 : 2) * f.applyAsDouble(low + i * step);
    }
    return sum * step / 3;
  }

  /** The density of N(mean, σ²) at x. */
  static double density(double x, double mean, double sigma) {
    double z = (x - mean) / sigma;
    return Math.exp(-0.5 * z * z) / (sigma * Math.sqrt(2 * Math.PI));
  }

  /** ∫ (p − e^ε·q)₊ over [low, high]. */
  static double divergence(
      DoubleUnaryOperator p, DoubleUnaryOperator q, double epsilon, double low, double high) {
    return of(
        x -> Math.max(0, p.applyAsDouble(x) - Math.exp(epsilon) * q.applyAsDouble(x)), low, high);
  }
}
