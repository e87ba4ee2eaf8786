package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.LogSum;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * ((1−r)Q + rP, Q): a release that used the unit with probability r against one that never did
 * (Zhu, Dong and Wang 2022). A loss l of the inner pair becomes log(1−r+r·e^l), so sampling is a
 * change of scale on the loss axis.
 */
public record SampledPair(LossPair inner, double rate) implements LossPair {

  public static LossPair of(LossPair inner, double rate) {
    return rate == 1 ? inner : new SampledPair(inner, rate);
  }

  private double outer(double l) {
    return l > 700 ? l + Math.log(rate) : Math.log1p(rate * Math.expm1(l));
  }

  private double inner(double l) {
    double ratio = Math.expm1(Math.min(l, 700)) / rate;
    double at =
        l > 700 ? l - Math.log(rate) : ratio <= -1 ? Double.NEGATIVE_INFINITY : Math.log1p(ratio);
    return keepSide(keepSide(at, l, inner.max()), l, inner.min());
  }

  /** There may be an atom at an end of the support: rounding must not carry l past it. */
  private double keepSide(double at, double l, double end) {
    if (Double.isInfinite(end)) {
      return at;
    }
    return l < outer(end) ? Math.min(at, Math.nextDown(end)) : Math.max(at, end);
  }

  /** Whether l lies below the loss log(1−r) of outputs that the inner P never has. */
  private boolean belowAll(double l) {
    return inner.minusInfinity() > 0 && l < Math.log1p(-rate);
  }

  @Override
  public double p(double l) {
    if (belowAll(l)) {
      return -0.0;
    }
    double at = inner(l);
    double p = inner.p(at);
    double q = inner.q(at);
    return FoldedProbability.of(
        (1 - rate) * FoldedProbability.tail(q) + rate * FoldedProbability.tail(p),
        (1 - rate) * FoldedProbability.head(q) + rate * FoldedProbability.head(p));
  }

  @Override
  public double q(double l) {
    return belowAll(l) ? -0.0 : inner.q(inner(l));
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
    if (knots[0] < min) {
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
