package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.LogSum;
import java.util.function.DoubleUnaryOperator;

/**
 * Laplace noise whose scale is 1/ε₀ of the sensitivity: atoms at ±ε₀ and an exponential density
 * between them.
 */
public record LaplacePair(double epsilon) implements LossPair {

  @Override
  public double p(double l) {
    return l >= epsilon ? 0.0 : l < -epsilon ? -0.0 : -0.5 * Math.exp((l - epsilon) / 2);
  }

  @Override
  public double q(double l) {
    return l >= epsilon ? 0.0 : l < -epsilon ? -0.0 : 0.5 * Math.exp(-(l + epsilon) / 2);
  }

  @Override
  public double min() {
    return -epsilon;
  }

  @Override
  public double max() {
    return epsilon;
  }

  @Override
  public double[] knots() {
    return Knots.evenly(epsilon);
  }

  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    LogSum sum = new LogSum();
    if (high >= epsilon && low < epsilon) {
      sum.add(logF.applyAsDouble(epsilon) - epsilon, 0.5);
    }
    if (high >= -epsilon && low < -epsilon) {
      sum.add(logF.applyAsDouble(-epsilon), 0.5);
    }
    sum.add(
        Quadrature.logIntegrate(
            l -> logF.applyAsDouble(l) - (l + epsilon) / 2,
            Math.max(low, -epsilon),
            Math.min(high, epsilon),
            Quadrature.panel(order)),
        0.25);
    return sum.log();
  }

  @Override
  public double logMoment(double order) {
    return LogMoments.laplace(epsilon, order);
  }
}
