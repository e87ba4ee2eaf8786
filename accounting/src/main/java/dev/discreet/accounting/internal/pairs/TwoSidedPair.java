package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.LogSum;
import java.util.function.DoubleUnaryOperator;

/**
 * The dominating pair when both neighbours are samples of one size: the sampled pair bounds the
 * divergence at ε ≥ 0 and its reverse at ε &lt; 0 (Balle, Barthe and Gaboardi 2018; Zhu, Dong and
 * Wang 2022). So positive losses come from the one, negative from the other, and what is left has
 * loss 0. Taking the sampled pair alone is a known mistake: it is right for one release and too low
 * for several.
 */
public record TwoSidedPair(LossPair sampled) implements LossPair {

  @Override
  public double p(double l) {
    return l >= 0 ? sampled.p(l) : -sampled.q(Math.nextDown(-l));
  }

  @Override
  public double q(double l) {
    return l >= 0 ? sampled.q(l) : -sampled.p(Math.nextDown(-l));
  }

  @Override
  public double min() {
    return -max();
  }

  @Override
  public double max() {
    return sampled.max();
  }

  @Override
  public double infinity() {
    return sampled.infinity();
  }

  @Override
  public double minusInfinity() {
    return sampled.infinity();
  }

  @Override
  public double[] knots() {
    double[] knots = sampled.knots();
    int first = 0;
    while (first < knots.length && knots[first] <= 0) {
      first++;
    }
    int n = knots.length - first;
    double[] all = new double[2 * n + 2];
    for (int i = 0; i < n; i++) {
      all[n - 1 - i] = Math.nextDown(-knots[first + i]);
      all[n + 2 + i] = knots[first + i];
    }
    // A cell of its own for the atom at 0.
    all[n] = -1e-12 * knots[first];
    return all;
  }

  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    LogSum sum = new LogSum();
    sum.add(sampled.logExpectQ(logF, order, Math.max(0, low), high));
    if (low < 0) {
      double end = Math.min(high, -Double.MIN_VALUE);
      sum.add(new ReversedPair(sampled).logExpectQ(logF, order, low, end));
      if (high >= 0) {
        sum.add(logF.applyAsDouble(0), FoldedProbability.mass(q(-Double.MIN_VALUE), q(0)));
      }
    }
    return sum.log();
  }
}
