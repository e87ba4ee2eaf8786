package dev.discreet.accounting.filter;

import java.util.List;

/**
 * The second condition in the proof of {@link PrivacyFilter}, for releases of which each is made t
 * times: R − e^ε ≤ δ·M for every R, where M = Σ w_α·R^α·e^(−t·S_α).
 *
 * <p>With x = log R − ε, the logarithm of (R − e^ε)/M is concave in x and t together: log(R − e^ε)
 * is concave, and log M is the logarithm of a sum of exponentials of linear functions. So a tangent
 * is never below it. That makes both searches safe: the maximum over x is bounded by a tangent, and
 * Newton's steps in t never pass the last t that holds.
 */
final class MeanCondition {
  private static final double WITHIN = 1e-13;
  // A share is never told finer than one part in this many.
  private static final double MOST_TIMES = 1e18;

  private final double epsilon;
  // Of the orders with finite moments.
  private final double[] orders;
  private final double[] logWeights;
  private final double[] moments;

  // What the last call of at() found.
  private double value;
  private double slope;
  private double curvature;
  private double slopeInTimes;

  /**
   * @param logMoments one for each order; infinite where none is known
   */
  MeanCondition(List<PrivacyFilter.Order> all, List<Double> logMoments, double epsilon) {
    this.epsilon = epsilon;
    int count = (int) logMoments.stream().filter(Double::isFinite).count();
    orders = new double[count];
    logWeights = new double[count];
    moments = new double[count];
    int at = 0;
    for (int i = 0; i < all.size(); i++) {
      if (Double.isFinite(logMoments.get(i))) {
        orders[at] = all.get(i).order();
        logWeights[at] = Math.log(all.get(i).weight());
        moments[at++] = logMoments.get(i);
      }
    }
  }

  /** Whether the condition holds at this δ for releases that are made once. */
  boolean holds(double delta) {
    return orders.length > 0 && largest(1) <= Math.log(delta);
  }

  /**
   * How often the releases may be made for the condition to hold at this δ: nearly the largest
   * number, and never more. It need not be whole; 0 where it holds for no number.
   */
  double mostTimes(double delta) {
    double most = Math.log(delta);
    double times = 0;
    double largest = 0;
    for (int i = 0; i < orders.length; i++) {
      // What this order admits by itself: M is at least its own term.
      double order = orders[i];
      double room =
          epsilon * (order - 1)
              + most
              + logWeights[i]
              + Math.log(order)
              - (order - 1) * Math.log1p(-1 / order);
      if (room > 0 && moments[i] > 0) {
        times = Math.max(times, Math.min(MOST_TIMES, room / moments[i]));
      }
      largest = Math.max(largest, moments[i]);
    }
    if (orders.length == 0 || times == 0 && largest(0) > most) {
      return 0;
    }
    if (largest == 0) {
      return Double.POSITIVE_INFINITY;
    }
    for (int i = 0; i < 100 && times < MOST_TIMES; i++) {
      double step = (most - largest(times)) / slopeInTimes;
      times = Math.min(MOST_TIMES, Math.max(0, times + step));
      if (!(Math.abs(step) > 1e-12 * times)) {
        break;
      }
    }
    return times * (1 - 1e-12);
  }

  /** The largest value over x, from above, where releases are made so many times. */
  private double largest(double times) {
    // The slope's zero lies between where all of M is the largest order, and the least.
    double low = Double.POSITIVE_INFINITY;
    double high = 0;
    for (double order : orders) {
      double alone = -Math.log1p(-1 / order);
      low = Math.min(low, alone);
      high = Math.max(high, alone);
    }
    double x = Math.sqrt(low * high);
    for (int i = 0; i < 100; i++) {
      at(x, times);
      if (slope > 0) {
        low = x;
      } else {
        high = x;
      }
      double next = x - slope / curvature;
      next = next > low && next < high ? next : low + (high - low) / 2;
      if (Math.abs(slope) * (high - low) <= WITHIN || next <= low || next >= high) {
        break;
      }
      x = next;
    }
    return value + Math.abs(slope) * (high - low);
  }

  private void at(double x, double times) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < orders.length; i++) {
      largest = Math.max(largest, exponent(i, x, times));
    }
    double sum = 0;
    double sumOfOrders = 0;
    double sumOfSquares = 0;
    double sumOfMoments = 0;
    for (int i = 0; i < orders.length; i++) {
      double term = Math.exp(exponent(i, x, times) - largest);
      sum += term;
      sumOfOrders += orders[i] * term;
      sumOfSquares += orders[i] * orders[i] * term;
      sumOfMoments += moments[i] * term;
    }
    double meanOrder = sumOfOrders / sum;
    double beyond = -Math.expm1(-x);
    value = epsilon + x + Math.log(beyond) - largest - Math.log(sum);
    slope = 1 / beyond - meanOrder;
    curvature = -(1 - beyond) / (beyond * beyond) - (sumOfSquares / sum - meanOrder * meanOrder);
    slopeInTimes = sumOfMoments / sum;
  }

  private double exponent(int i, double x, double times) {
    return logWeights[i] + orders[i] * (epsilon + x) - times * moments[i];
  }
}
