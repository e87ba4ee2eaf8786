package dev.discreet.accounting.internal.pairs;

import java.util.function.DoubleUnaryOperator;

/**
 * The envelope of all mechanisms whose losses span a range of at most η, the exponential mechanism
 * among them. Each has two losses t and t−η for some t; the best t for the hockey-stick divergence
 * at ε is (η+ε)/2, which gives (1−e^{(ε−η)/2})²/(1−e^{−η}), a valid divergence curve with the
 * density below.
 */
public record BoundedRangePair(double range) implements LossPair {

  @Override
  public double p(double l) {
    return -side(l);
  }

  @Override
  public double q(double l) {
    return side(-l);
  }

  /** P(L ≤ l) = Q(L &gt; −l). */
  private double side(double l) {
    if (l >= range) {
      return 1;
    }
    return l <= -range
        ? 0
        : Math.exp((l - range) / 2) * Math.expm1(-(l + range) / 2) / Math.expm1(-range);
  }

  @Override
  public double min() {
    return -range;
  }

  @Override
  public double max() {
    return range;
  }

  @Override
  public double[] knots() {
    return Knots.evenly(range);
  }

  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    return Quadrature.logIntegrate(
            l -> logF.applyAsDouble(l) - (l + range) / 2,
            Math.max(low, -range),
            Math.min(high, range),
            Quadrature.panel(order))
        - Math.log(-2 * Math.expm1(-range));
  }

  @Override
  public double logMoment(double order) {
    return LogMoments.boundedRange(range, order);
  }
}
