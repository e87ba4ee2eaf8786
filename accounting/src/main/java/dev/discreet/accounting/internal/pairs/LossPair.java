package dev.discreet.accounting.internal.pairs;

import java.util.function.DoubleUnaryOperator;

/**
 * The law of the privacy loss L = log dP/dQ under both of its distributions.
 *
 * <p>Tail and head probabilities are <em>folded</em> into one signed number so that both ends of a
 * distribution keep their full relative precision: +P(L &gt; l) where that is at most one half,
 * else −P(L ≤ l). See {@link FoldedProbability}.
 */
public interface LossPair {

  /** P's law at l, folded. */
  double p(double l);

  /** Q's law at l, folded. */
  double q(double l);

  /** The least loss that has mass (−∞ if unbounded). */
  double min();

  /** The largest finite loss that has mass (+∞ if unbounded). */
  double max();

  /** P's mass where Q has none. */
  default double infinity() {
    return 0;
  }

  /** Q's mass where P has none. */
  default double minusInfinity() {
    return 0;
  }

  /**
   * Rising losses that cut the support into cells of little mass, far enough out for any tilt that
   * δ ≥ 1e-300 asks for.
   */
  double[] knots();

  /**
   * log E_Q[f(L)] over finite losses in (low, high], to about 14 digits, for an analytic f ≥ 0
   * given by its logarithm that grows no faster than e^{order·L}.
   */
  double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high);

  default double logExpectQ(DoubleUnaryOperator logF, double order) {
    return logExpectQ(logF, order, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /** (α−1)·D_α = log E_Q[(dP/dQ)^α], the worse of both directions, for α &gt; 1. */
  default double logMoment(double order) {
    return LogMoments.worseDirection(this, order);
  }

  /**
   * A dominating pair that is easier to compose and gives up at most {@code mass} of probability as
   * infinite losses.
   */
  default LossPair truncated(double mass) {
    return this;
  }

  /** How many elementary distributions one call of {@link #p} evaluates. */
  default int cost() {
    return 1;
  }

  /** Whether (Q, P) has the same law as (P, Q), so that one direction is enough. */
  default boolean symmetric() {
    return true;
  }

  /**
   * The pair with its distributions exchanged: the other direction of the neighbouring relation.
   */
  default LossPair reversed() {
    return symmetric() ? this : new ReversedPair(this);
  }
}
