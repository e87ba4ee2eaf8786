package dev.discreet.accounting.internal.pld;

import dev.discreet.accounting.internal.pairs.FoldedProbability;
import dev.discreet.accounting.internal.pairs.LossPair;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/**
 * A loss distribution cut into the cells (g₀, g₁], (g₁, g₂], … of a grid g = offset + k·step, with
 * what lies beyond.
 *
 * @param first the k of g₀
 * @param split how many of the cells are the bulk; those above are jumps
 */
record LossCells(
    double offset,
    double step,
    long first,
    int split,
    double[] p,
    double[] q,
    double headP,
    double headQ,
    double tailP,
    double tailQ) {

  // What lies above this many cells counts as an infinite loss. A costly pair gets fewer: as many
  // times fewer as it evaluates distributions, yet never fewer than LEAST.
  private static final long LARGEST = 1 << 22;
  private static final long LEAST = 1 << 14;
  private static final int COSTLY = 64;

  static LossCells of(LossPair pair, double step, double low, double high) {
    return of(pair, step, low, high, Double.POSITIVE_INFINITY);
  }

  /** An end of the support, where there may be an atom or a pile of mass; it is on the grid. */
  static double anchor(LossPair pair) {
    return Double.isFinite(pair.max()) ? pair.max() : Double.isFinite(pair.min()) ? pair.min() : 0;
  }

  /** With the cells above the loss {@code split}, a grid point, as jumps. */
  static LossCells of(LossPair pair, double step, double low, double high, double split) {
    double anchor = anchor(pair);
    double offset = anchor - step * Math.rint(anchor / step);
    long first = (long) Math.floor((low - offset) / step);
    long last = Math.max(first + 1, (long) Math.ceil((high - offset) / step));
    if (last == Math.rint((pair.max() - offset) / step) + 1) {
      last--; // high is the largest loss, which is on the grid up to rounding
    }
    long most = Math.max(LEAST, LARGEST / pair.cost());
    int n = (int) Math.min(most, Math.max(1, last - first));
    double below = Math.rint((Math.min(split, pair.max()) - offset) / step) - first;
    int bulk = (int) Math.max(0, Math.min(n, below));
    double lastPoint = offset + (first + n) * step;
    double[] points = new double[n + 1];
    for (int i = 0; i <= n; i++) {
      points[i] =
          i == n && pair.max() <= lastPoint + 1e-9 * step
              ? Math.max(lastPoint, pair.max())
              : i > 0 && i == below && split < pair.max() ? split : offset + (first + i) * step;
    }
    double[] foldedP = at(points, pair::p, pair.cost());
    double[] foldedQ = at(points, pair::q, pair.cost());
    double[] p = new double[n];
    double[] q = new double[n];
    for (int i = 0; i < n; i++) {
      p[i] = Math.max(0, FoldedProbability.mass(foldedP[i], foldedP[i + 1]));
      q[i] = Math.max(0, FoldedProbability.mass(foldedQ[i], foldedQ[i + 1]));
    }
    return new LossCells(
        offset,
        step,
        first,
        bulk,
        p,
        q,
        FoldedProbability.head(foldedP[0]),
        FoldedProbability.head(foldedQ[0]),
        FoldedProbability.tail(foldedP[n]),
        FoldedProbability.tail(foldedQ[n]));
  }

  /** On several threads where each place is much work. */
  private static double[] at(double[] points, DoubleUnaryOperator law, int cost) {
    DoubleStream places = Arrays.stream(points);
    return (cost < COSTLY ? places : places.parallel()).map(law).toArray();
  }

  double point(int i) {
    return offset + (first + i) * step;
  }

  /** Which share of each cell's P-mass connect-the-dots sends to the upper end. */
  double[] shareUp() {
    double[] share = new double[p.length];
    double whole = -Math.expm1(-step);
    for (int i = 0; i < share.length; i++) {
      double excess = 1 - q[i] / p[i] * Math.exp(point(i));
      share[i] = p[i] > 0 && excess <= whole ? Math.max(0, excess / whole) : 1;
    }
    return share;
  }

  int count() {
    return p.length;
  }

  /**
   * Point masses when each cell in [from, to) sends a share of its mass to its upper end and the
   * rest to its lower.
   */
  double[] rounded(double[] masses, double[] share, int from, int to, double head) {
    double[] points = new double[masses.length + 1];
    points[from] += head;
    for (int i = from; i < to; i++) {
      double above = masses[i] * share[i];
      points[i + 1] += above;
      points[i] += masses[i] - above;
    }
    return points;
  }

  /**
   * Q's masses, or where those underflow the bound that P's mass and the cell's least loss give.
   */
  double[] safeQ() {
    double[] safe = q.clone();
    for (int i = 0; i < safe.length; i++) {
      if (safe[i] < 1e-280 && p[i] > 0) {
        safe[i] = Math.max(safe[i], p[i] * Math.exp(-point(i)));
      }
    }
    return safe;
  }

  /**
   * P's point masses of the optimistic twin of the cells in [from, to). At each point a part of the
   * cell below, whose losses fall short of the point, is merged with a part of the cell above such
   * that shortfall and excess cancel. Going from both ends towards the largest cell, each cell
   * first gives what its outer neighbour asks for and offers the rest inwards; errors shrink on the
   * way, and only in the middle a little is left over. What finds no partner goes to the lower end
   * of its cell.
   */
  double[] merged(int from, int to) {
    double[] points = new double[p.length + 1];
    if (from == to) {
      return points;
    }
    int middle = from;
    for (int i = from + 1; i < to; i++) {
      middle = p[i] > p[middle] ? i : middle;
    }
    double offered = 0.5;
    points[from] = (1 - offered) * p[from];
    for (int i = from + 1; i <= middle; i++) {
      double moved = merge(i, offered, 1);
      double below = moved > 0 ? moved / shortfall(i) : 0;
      double above = moved > 0 ? moved / excess(i) : 0;
      points[i] += below * p[i - 1] + above * p[i];
      points[i - 1] += (offered - below) * p[i - 1];
      offered = 1 - above;
    }
    double offeredBelow = offered;
    offered = 1;
    for (int i = to - 1; i > middle; i--) {
      double moved = merge(i, i == middle + 1 ? offeredBelow : 1, offered);
      double below = moved > 0 ? moved / shortfall(i) : 0;
      points[i] += below * p[i - 1] + offered * p[i];
      offered = (i == middle + 1 ? offeredBelow : 1) - below;
    }
    points[middle] += (middle == to - 1 ? offeredBelow : offered) * p[middle];
    return points;
  }

  /**
   * What is moved to point i when the cells below and above offer these shares: the lesser of
   * shortfall and excess.
   */
  private double merge(int i, double offeredBelow, double offeredAbove) {
    return Math.max(0, Math.min(offeredBelow * shortfall(i), offeredAbove * excess(i)));
  }

  private double shortfall(int i) {
    return Math.exp(point(i)) * q[i - 1] - p[i - 1];
  }

  private double excess(int i) {
    return p[i] - Math.exp(point(i)) * q[i];
  }
}
