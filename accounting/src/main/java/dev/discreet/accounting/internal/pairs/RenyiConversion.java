package dev.discreet.accounting.internal.pairs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * From a Rényi curve to a pair. Each order bounds δ(ε); the true curve is convex in e^ε, so it lies
 * below the lower convex hull of those bounds at any set of points, and a piecewise linear curve is
 * the divergence of a discrete pair.
 */
public final class RenyiConversion {
  private static final int POINTS = 2000;

  private RenyiConversion() {}

  /** Each Rényi divergence of order {@code orders[i]} is at most {@code divergences[i]}. */
  public static PairBounds bounds(List<Double> orders, List<Double> divergences) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < orders.size(); i++) {
      best = Math.min(best, divergences.get(i));
    }
    if (best == 0) {
      return PairBounds.FREE;
    }
    if (Double.isInfinite(best)) {
      return PairBounds.unbounded("the Rényi curve is infinite at every order");
    }
    double top = 1e-6;
    while (logDelta(orders, divergences, top) > Math.log(1e-40)) {
      top *= 1.5;
      if (top > 600) {
        return PairBounds.unbounded(
            "the Rényi curve is too high to be turned into a loss distribution");
      }
    }
    return new PairBounds(pair(orders, divergences, top), null, "");
  }

  /** The least log δ(ε) over the orders, for ε ≥ 0. */
  private static double logDelta(List<Double> orders, List<Double> divergences, double epsilon) {
    double least = 0;
    for (int i = 0; i < orders.size(); i++) {
      double order = orders.get(i);
      double divergence = divergences.get(i);
      least = Math.min(least, logDelta(order, divergence, epsilon));
    }
    return least;
  }

  /** Canonne, Kamath and Steinke 2020, proposition 12. */
  static double logDelta(double order, double divergence, double epsilon) {
    return (order - 1) * (divergence - epsilon + Math.log1p(-1 / order)) - Math.log(order);
  }

  private static LossPair pair(List<Double> orders, List<Double> divergences, double top) {
    // Points (e^ε, δ), symmetric in ε: δ(−ε) = 1 − e^−ε(1 − δ(ε)). The last carries what is left as
    // infinity.
    List<double[]> points = new ArrayList<>();
    for (int i = -POINTS; i <= POINTS; i++) {
      double epsilon = top * i / POINTS;
      double delta = Math.exp(logDelta(orders, divergences, Math.abs(epsilon)));
      points.add(
          new double[] {
            epsilon, epsilon >= 0 ? delta : -Math.expm1(epsilon) + Math.exp(epsilon) * delta
          });
    }
    Deque<double[]> hull = new ArrayDeque<>();
    for (double[] point : points) {
      while (hull.size() >= 2) {
        double[] last = hull.pop();
        if (slope(hull.peek(), last) < slope(last, point)) {
          hull.push(last);
          break;
        }
      }
      hull.push(point);
    }
    int n = hull.size();
    double[] losses = new double[n];
    double[] delta = new double[n];
    Iterator<double[]> rising = hull.descendingIterator();
    for (int i = 0; i < n; i++) {
      double[] point = rising.next();
      losses[i] = point[0];
      delta[i] = point[1];
    }
    // Q's mass at a kink is the change of slope there; before the first point the slope is −1,
    // after the last 0.
    double[] p = new double[n];
    double[] q = new double[n];
    double infinity = delta[n - 1];
    double before = infinity - 1;
    double total = 0;
    for (int i = 0; i < n; i++) {
      double after = 0;
      if (i + 1 < n) {
        double[] next = {losses[i + 1], delta[i + 1]};
        after = slope(new double[] {losses[i], delta[i]}, next);
      }
      q[i] = Math.max(0, after - before);
      p[i] = q[i] * Math.exp(losses[i]);
      total += p[i];
      before = after;
    }
    double scale = (1 - infinity) / total;
    for (int i = 0; i < n; i++) {
      p[i] *= scale;
      q[i] *= scale;
    }
    return new DiscretePair(losses, p, q, infinity, infinity, false);
  }

  /** Slope in e^ε. */
  private static double slope(double[] a, double[] b) {
    return (b[1] - a[1]) / (Math.exp(a[0]) * Math.expm1(b[0] - a[0]));
  }
}
