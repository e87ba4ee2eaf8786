package dev.discreet.accounting.pairs;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * ((1−r)Q + rP, Q): a release that used the unit with probability r against one that never did
 * (Zhu, Dong and Wang 2022). A loss l of the inner pair becomes log(1−r+r·e^l), so sampling is a
 * change of scale on the loss axis.
 */
record SampledPair(LossPair inner, double rate) implements LossPair {

  static LossPair of(LossPair inner, double rate) {
    return rate == 1 ? inner : new SampledPair(inner, rate);
  }

  private double outer(double l) {
    return l > 700 ? l + Math.log(rate) : Math.log1p(rate * Math.expm1(l));
  }

  private double inner(double l) {
    if (l > 700) {
      return l - Math.log(rate);
    }
    double ratio = Math.expm1(l) / rate;
    return ratio <= -1 ? Double.NEGATIVE_INFINITY : Math.log1p(ratio);
  }

  @Override
  public double p(double l) {
    double at = inner(l);
    if (at == Double.NEGATIVE_INFINITY) {
      return -0.0;
    }
    double p = inner.p(at);
    double q = inner.q(at);
    return Folded.of(
        (1 - rate) * Folded.tail(q) + rate * Folded.tail(p),
        (1 - rate) * Folded.head(q) + rate * Folded.head(p));
  }

  @Override
  public double q(double l) {
    double at = inner(l);
    return at == Double.NEGATIVE_INFINITY ? -0.0 : inner.q(at);
  }

  @Override
  public double min() {
    return inner.minusInfinity() > 0 ? Math.log1p(-rate) : outer(inner.min());
  }

  @Override
  public double max() {
    return outer(inner.max());
  }

  @Override
  public double infinity() {
    return rate * inner.infinity();
  }

  @Override
  public double[] knots() {
    double[] knots = Arrays.stream(inner.knots()).map(this::outer).distinct().toArray();
    double min = min();
    if (knots[0] <= min) {
      return knots;
    }
    double[] all = new double[knots.length + 1];
    all[0] = Math.nextDown(min);
    System.arraycopy(knots, 0, all, 1, knots.length);
    return all;
  }

  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    LogSum sum = new LogSum();
    sum.add(inner.logExpectQ(l -> logF.applyAsDouble(outer(l)), order, inner(low), inner(high)));
    double atom = Math.log1p(-rate);
    if (inner.minusInfinity() > 0 && atom > low && atom <= high) {
      sum.add(logF.applyAsDouble(atom), inner.minusInfinity());
    }
    return sum.log();
  }

  @Override
  public LossPair truncated(double mass) {
    LossPair shorter = inner.truncated(mass / rate);
    return shorter == inner ? this : new SampledPair(shorter, rate);
  }

  @Override
  public int cost() {
    return inner.cost();
  }

  @Override
  public boolean symmetric() {
    return false;
  }
}
