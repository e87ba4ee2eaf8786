package dev.discreet.accounting.pld;

import dev.discreet.accounting.pairs.Folded;
import dev.discreet.accounting.pairs.LossPair;

/**
 * A loss distribution cut into the cells (g₀, g₁], (g₁, g₂], … of a grid g = offset + k·step, with
 * what lies beyond.
 *
 * @param first the k of g₀
 */
record Cells(
    double offset,
    double step,
    long first,
    double[] p,
    double[] q,
    double headP,
    double headQ,
    double tailP,
    double tailQ) {

  // What lies above so many cells counts as an infinite loss.
  private static final long LARGEST = 1 << 22;

  static Cells of(LossPair pair, double step, double low, double high) {
    double anchor =
        Double.isFinite(pair.max()) ? pair.max() : Double.isFinite(pair.min()) ? pair.min() : 0;
    double offset = anchor - step * Math.rint(anchor / step);
    long first = (long) Math.floor((low - offset) / step);
    long last = Math.max(first + 1, (long) Math.ceil((high - offset) / step));
    if (last == Math.rint((pair.max() - offset) / step) + 1) {
      last--; // high is the largest loss, which is on the grid up to rounding
    }
    int n = (int) Math.min(LARGEST, Math.max(1, last - first));
    double[] p = new double[n];
    double[] q = new double[n];
    double lastPoint = offset + (first + n) * step;
    double foldedP = pair.p(offset + first * step);
    double foldedQ = pair.q(offset + first * step);
    double headP = Folded.head(foldedP);
    double headQ = Folded.head(foldedQ);
    for (int i = 0; i < n; i++) {
      double point =
          i + 1 == n && pair.max() <= lastPoint + 1e-9 * step
              ? Math.max(lastPoint, pair.max())
              : offset + (first + i + 1) * step;
      double nextP = pair.p(point);
      double nextQ = pair.q(point);
      p[i] = Math.max(0, Folded.mass(foldedP, nextP));
      q[i] = Math.max(0, Folded.mass(foldedQ, nextQ));
      foldedP = nextP;
      foldedQ = nextQ;
    }
    return new Cells(
        offset, step, first, p, q, headP, headQ, Folded.tail(foldedP), Folded.tail(foldedQ));
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

  /**
   * Point masses when each cell sends a share of its mass to its upper end and the rest to its
   * lower.
   */
  double[] rounded(double[] masses, double[] share, double head, double tail) {
    int n = masses.length;
    double[] points = new double[n + 1];
    points[0] = head;
    points[n] = tail;
    for (int i = 0; i < n; i++) {
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
   * P's point masses of the optimistic twin. At each point up to half of the cell below, whose
   * losses fall short of the point, is merged with up to half of the cell above, such that
   * shortfall and excess cancel; the rest of a cell goes to its lower end.
   */
  double[] merged(double tail) {
    int n = p.length;
    double[] points = new double[n + 1];
    points[n] = tail;
    double[] left = p.clone();
    for (int i = 1; i < n; i++) {
      double weight = Math.exp(point(i));
      double shortfall = weight * q[i - 1] - p[i - 1];
      double excess = p[i] - weight * q[i];
      if (shortfall > 0 && excess > 0 && p[i - 1] > 0 && p[i] > 0 && weight < 1e300) {
        double moved = Math.min(shortfall, excess) / 2;
        double fromBelow = moved / shortfall * p[i - 1];
        double fromAbove = moved / excess * p[i];
        points[i] += fromBelow + fromAbove;
        left[i - 1] -= fromBelow;
        left[i] -= fromAbove;
      }
    }
    for (int i = 0; i < n; i++) {
      points[i] += Math.max(0, left[i]);
    }
    return points;
  }
}
