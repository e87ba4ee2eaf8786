package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.LogSum;
import java.util.function.DoubleUnaryOperator;

/**
 * Gauss–Legendre quadrature with 16 nodes a panel: every integrand here is analytic, so it
 * converges geometrically.
 */
final class Quadrature {
  private static final int NODES = 16;
  private static final int MOST_PANELS = 1 << 15;
  private static final double[] X = new double[NODES];
  private static final double[] W = new double[NODES];

  static {
    for (int i = 0; i < NODES; i++) {
      double x = Math.cos(Math.PI * (i + 0.75) / (NODES + 0.5));
      double slope = 0;
      for (int newton = 0; newton < 20; newton++) {
        double previous = 1;
        double value = x;
        for (int n = 2; n <= NODES; n++) {
          double next = ((2 * n - 1) * x * value - (n - 1) * previous) / n;
          previous = value;
          value = next;
        }
        slope = NODES * (x * value - previous) / (x * x - 1);
        x -= value / slope;
      }
      X[i] = x;
      W[i] = 2 / ((1 - x * x) * slope * slope);
    }
  }

  private Quadrature() {}

  /** A panel over which e^{order·l} does not change too much for 16 nodes. */
  static double panel(double order) {
    return Math.min(0.5, 4 / Math.max(1, Math.abs(order)));
  }

  /**
   * log ∫ e^logF over [low, high] in panels no wider than {@code panel}; infinity, as a bound,
   * where that would be too many.
   */
  static double logIntegrate(DoubleUnaryOperator logF, double low, double high, double panel) {
    if (!(high > low)) {
      return Double.NEGATIVE_INFINITY;
    }
    double needed = Math.ceil((high - low) / panel);
    if (needed > MOST_PANELS) {
      return Double.POSITIVE_INFINITY;
    }
    int panels = (int) Math.max(1, needed);
    double half = (high - low) / panels / 2;
    LogSum sum = new LogSum();
    for (int i = 0; i < panels; i++) {
      double middle = low + (2 * i + 1) * half;
      for (int j = 0; j < NODES; j++) {
        sum.add(logF.applyAsDouble(middle + half * X[j]), W[j]);
      }
    }
    return sum.log() + Math.log(half);
  }
}
