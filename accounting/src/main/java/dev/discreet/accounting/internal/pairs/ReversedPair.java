package dev.discreet.accounting.internal.pairs;

import java.util.function.DoubleUnaryOperator;

/**
 * (Q, P) for (P, Q): distributions exchanged, losses negated. What is above l here is strictly
 * below −l there, so that an atom at −l is on the right side: hence the next double down.
 */
record ReversedPair(LossPair pair) implements LossPair {

  @Override
  public double p(double l) {
    return -pair.q(Math.nextDown(-l));
  }

  @Override
  public double q(double l) {
    return -pair.p(Math.nextDown(-l));
  }

  @Override
  public double min() {
    return -pair.max();
  }

  @Override
  public double max() {
    return -pair.min();
  }

  @Override
  public double infinity() {
    return pair.minusInfinity();
  }

  @Override
  public double minusInfinity() {
    return pair.infinity();
  }

  @Override
  public double[] knots() {
    double[] knots = pair.knots();
    double[] reversed = new double[knots.length];
    for (int i = 0; i < knots.length; i++) {
      reversed[i] = Math.nextDown(-knots[knots.length - 1 - i]);
    }
    return reversed;
  }

  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    return pair.logExpectQ(
        l -> l + logF.applyAsDouble(-l), 1, Math.nextDown(-high), Math.nextDown(-low));
  }

  @Override
  public LossPair truncated(double mass) {
    LossPair shorter = pair.truncated(mass);
    return shorter == pair ? this : new ReversedPair(shorter);
  }

  @Override
  public int cost() {
    return pair.cost();
  }

  @Override
  public boolean symmetric() {
    return false;
  }

  @Override
  public LossPair reversed() {
    return pair;
  }
}
