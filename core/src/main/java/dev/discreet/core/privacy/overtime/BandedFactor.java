package dev.discreet.core.privacy.overtime;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;

/**
 * Looks for the factor C of prefix sums, A = B·C, whose noise is least: C has c₀ = 1, c₁, …,
 * c_{b−1} below its diagonal, the same in each column, and what is minimised is the mean squared
 * error of all prefix sums, sens²(C)·‖A·C⁻¹‖²/T.
 *
 * <p>As c_j = r_j² they are at least 0, which the sensitivity of {@link SharedNoise} needs, and
 * nothing bounds r: limited-memory BFGS (Liu and Nocedal 1989) from the square root of A, which is
 * best where nothing is banded (Fichtenberger, Henzinger and Upadhyay 2023). Only additions,
 * products, quotients and roots, so every machine finds the same.
 */
final class BandedFactor {
  private static final int MEMORY = 12;
  private static final int MOST_ROUNDS = 400;
  private static final double CLOSE = 1e-9;

  private final int steps;
  // Every how many steps a unit takes part, and never in between.
  private final int period;
  private final int bands;

  BandedFactor(int steps, int period, int bands) {
    this.steps = steps;
    this.period = period;
    this.bands = bands;
  }

  /** The coefficients c₀ = 1, c₁, … */
  double[] best() {
    double[] r = new double[bands - 1];
    double c = 1;
    for (int j = 1; j < bands; j++) {
      c *= (2 * j - 1) / (2.0 * j);
      r[j - 1] = Math.sqrt(c);
    }
    return coefficients(minimised(r));
  }

  private static double[] coefficients(double[] r) {
    double[] c = new double[r.length + 1];
    c[0] = 1;
    for (int j = 0; j < r.length; j++) {
      c[j + 1] = r[j] * r[j];
    }
    return c;
  }

  /** sens²·Σ(T − t)·d_t², with d the prefix sums of C⁻¹'s first column; and its slope by r. */
  private double error(double[] r, double[] slope) {
    double[] c = coefficients(r);
    double[] moved = moved(c, steps, period);
    double sensitivity = squares(moved);
    double[] d = new double[steps];
    double[] back = new double[steps];
    double spread = 0;
    for (int t = 0; t < steps; t++) {
      double sum = 1;
      for (int j = 1; j < Math.min(bands, t + 1); j++) {
        sum -= c[j] * d[t - j];
      }
      d[t] = sum;
      spread += (steps - t) * sum * sum;
    }
    for (int t = steps - 1; t >= 0; t--) {
      double sum = 2 * (steps - t) * d[t];
      for (int j = 1; j < Math.min(bands, steps - t); j++) {
        sum -= c[j] * back[t + j];
      }
      back[t] = sum;
    }
    for (int j = 1; j < bands; j++) {
      double ofSpread = 0;
      for (int t = j; t < steps; t++) {
        ofSpread -= back[t] * d[t - j];
      }
      double ofSensitivity = 0;
      for (int at = j; at < steps; at += period) {
        ofSensitivity += 2 * moved[at];
      }
      slope[j - 1] = 2 * r[j - 1] * (ofSpread * sensitivity + ofSensitivity * spread);
    }
    return sensitivity * spread;
  }

  /** How far a unit that takes part at steps 0, p, 2p, … with a gradient of 1 moves each row. */
  static double[] moved(double[] c, int steps, int period) {
    double[] rows = new double[steps];
    for (long start = 0; start < steps; start += period) {
      for (int j = 0; j < c.length && start + j < steps; j++) {
        rows[(int) start + j] += c[j];
      }
    }
    return rows;
  }

  static double squares(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value * value;
    }
    return sum;
  }

  private record Pair(double[] step, double[] turn, double scale) {}

  private double[] minimised(double[] start) {
    int n = start.length;
    double[] at = start;
    double[] slope = new double[n];
    double value = error(at, slope);
    Deque<Pair> pairs = new ArrayDeque<>();
    for (int round = 0; n > 0 && round < MOST_ROUNDS; round++) {
      double[] way = direction(slope, pairs);
      double descent = dot(way, slope);
      if (descent >= 0) {
        pairs.clear();
        way = direction(slope, pairs);
        descent = dot(way, slope);
      }
      double length = pairs.isEmpty() ? 0.1 / Math.sqrt(dot(way, way)) : 1;
      double[] next = new double[n];
      double[] nextSlope = new double[n];
      double found = Double.POSITIVE_INFINITY;
      for (int halving = 0; halving < 40; halving++) {
        for (int i = 0; i < n; i++) {
          next[i] = at[i] + length * way[i];
        }
        found = error(next, nextSlope);
        if (found <= value + 1e-4 * length * descent) {
          break;
        }
        length /= 2;
      }
      if (!(found < value)) {
        break;
      }
      double[] step = new double[n];
      double[] turn = new double[n];
      for (int i = 0; i < n; i++) {
        step[i] = next[i] - at[i];
        turn[i] = nextSlope[i] - slope[i];
      }
      double curve = dot(step, turn);
      if (curve > 0) {
        pairs.addLast(new Pair(step, turn, 1 / curve));
        if (pairs.size() > MEMORY) {
          pairs.removeFirst();
        }
      }
      boolean close = value - found < CLOSE * value;
      at = next;
      slope = nextSlope;
      value = found;
      if (close) {
        break;
      }
    }
    return at;
  }

  private static double[] direction(double[] slope, Deque<Pair> pairs) {
    double[] way = slope.clone();
    double[] shares = new double[pairs.size()];
    int k = shares.length;
    for (Iterator<Pair> last = pairs.descendingIterator(); last.hasNext(); ) {
      Pair pair = last.next();
      shares[--k] = pair.scale * dot(pair.step, way);
      add(way, -shares[k], pair.turn);
    }
    if (!pairs.isEmpty()) {
      Pair newest = pairs.getLast();
      double scale = 1 / (newest.scale * dot(newest.turn, newest.turn));
      Arrays.setAll(way, i -> way[i] * scale);
    }
    for (Pair pair : pairs) {
      add(way, shares[k++] - pair.scale * dot(pair.turn, way), pair.step);
    }
    Arrays.setAll(way, i -> -way[i]);
    return way;
  }

  private static void add(double[] to, double factor, double[] what) {
    for (int i = 0; i < to.length; i++) {
      to[i] += factor * what[i];
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
