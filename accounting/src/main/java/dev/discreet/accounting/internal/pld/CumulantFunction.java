package dev.discreet.accounting.internal.pld;

import dev.discreet.accounting.internal.pairs.FoldedProbability;
import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.math.LogSum;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * The log moment generating function K(s) = Σ count·log E_P[e^{sL}] of composed terms, computed
 * from a few hundred cells for each term. It is good to a few digits: it serves to choose tilts and
 * windows, and no bound depends on it.
 */
final class CumulantFunction {
  private static final int MANY_TERMS = 16;
  private static final int LARGEST_STRIDE = 8;

  private final double[][] knots;
  private final double[][] losses;
  private final double[][] logMasses;
  private final long[] counts;

  /**
   * Without each term's uppermost losses, as many as have a probability of e^logTail: they may
   * count as infinite.
   */
  CumulantFunction(List<RepeatedRelease> terms, double logTail) {
    int n = terms.size();
    knots = new double[n][];
    losses = new double[n][];
    logMasses = new double[n][];
    counts = new long[n];
    for (int i = 0; i < n; i++) {
      LossPair pair = terms.get(i).upper();
      counts[i] = terms.get(i).count();
      double[] cuts = thinned(pair.knots(), n);
      knots[i] = cuts;
      losses[i] = new double[cuts.length - 1];
      logMasses[i] = new double[cuts.length - 1];
      double p = pair.p(cuts[0]);
      double q = pair.q(cuts[0]);
      for (int j = 0; j + 1 < cuts.length; j++) {
        double nextP = pair.p(cuts[j + 1]);
        double nextQ = pair.q(cuts[j + 1]);
        double massP = FoldedProbability.mass(p, nextP);
        double massQ = FoldedProbability.mass(q, nextQ);
        double ratio = Math.log(massP) - Math.log(massQ);
        // An atom at an end of its cell may be an ulp outside of it; where masses underflow there
        // is no ratio.
        losses[i][j] =
            Double.isFinite(ratio)
                ? Math.min(Math.max(ratio, cuts[j]), cuts[j + 1])
                : (cuts[j] + cuts[j + 1]) / 2;
        logMasses[i][j] = Math.log(Math.max(0, massP));
        p = nextP;
        q = nextQ;
      }
      trim(i, logTail);
    }
  }

  /** Fewer cells a term where there are many terms; the outermost may hold atoms and stay. */
  private static double[] thinned(double[] knots, int terms) {
    int stride = Math.min(LARGEST_STRIDE, terms / MANY_TERMS + 1);
    if (stride == 1) {
      return knots;
    }
    int last = knots.length - 1;
    return IntStream.rangeClosed(0, last)
        .filter(j -> j <= 1 || j >= last - 1 || j % stride == 0)
        .mapToDouble(j -> knots[j])
        .toArray();
  }

  private void trim(int term, double logTail) {
    LogSum tail = new LogSum();
    int kept = logMasses[term].length;
    while (kept > 1) {
      tail.add(logMasses[term][kept - 1]);
      if (tail.log() > logTail) {
        break;
      }
      kept--;
    }
    logMasses[term] = Arrays.copyOf(logMasses[term], kept);
    losses[term] = Arrays.copyOf(losses[term], kept);
    knots[term] = Arrays.copyOf(knots[term], kept + 1);
  }

  private CumulantFunction(
      double[][] knots, double[][] losses, double[][] logMasses, long[] counts) {
    this.knots = knots;
    this.losses = losses;
    this.logMasses = logMasses;
    this.counts = counts;
  }

  /**
   * Only losses up to {@code split}, not scaled up, with all of the cell that it cuts: too short a
   * window costs more than too long a one. Null where a term has none.
   */
  CumulantFunction below(double split) {
    int n = counts.length;
    double[][] cuts = new double[n][];
    double[][] kept = new double[n][];
    double[][] masses = new double[n][];
    for (int i = 0; i < n; i++) {
      int cells = 0;
      while (cells < losses[i].length && knots[i][cells] < split) {
        cells++;
      }
      if (cells == 0) {
        return null;
      }
      cuts[i] = Arrays.copyOf(knots[i], cells + 1);
      kept[i] = Arrays.copyOf(losses[i], cells);
      kept[i][cells - 1] = Math.min(kept[i][cells - 1], split);
      masses[i] = Arrays.copyOf(logMasses[i], cells);
    }
    return new CumulantFunction(cuts, kept, masses, counts);
  }

  /** How many single losses above {@code split} are expected in all. */
  double expectedAbove(double split) {
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      for (int j = 0; j < losses[i].length; j++) {
        sum += losses[i][j] > split ? counts[i] * Math.exp(logMasses[i][j]) : 0;
      }
    }
    return sum;
  }

  double releases() {
    double sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  /** log E_P[e^{sL}] of one release of a term. */
  double ofTerm(int term, double s) {
    LogSum sum = new LogSum();
    for (int j = 0; j < losses[term].length; j++) {
      sum.add(logMasses[term][j] + s * losses[term][j]);
    }
    return sum.log();
  }

  double at(double s) {
    double sum = 0;
    for (int i = 0; i < losses.length; i++) {
      sum += counts[i] * ofTerm(i, s);
    }
    return sum;
  }

  /**
   * The stretch of losses of one term that matters under a tilt: below it lies next to none of the
   * tilted mass, above it what was left out from the start.
   */
  double[] span(int term, double s) {
    double logTiny = Math.log(1e-13 / releases());
    double[] cuts = knots[term];
    int n = logMasses[term].length;
    double whole = ofTerm(term, s);
    int low = 0;
    LogSum below = new LogSum();
    while (low < n - 1) {
      below.add(logMasses[term][low] + s * losses[term][low] - whole);
      if (below.log() > logTiny) {
        break;
      }
      low++;
    }
    // e^690 is about what a double holds; a mass that needs a larger weight is below 1e-300.
    int high = n;
    while (high > low + 1 && (s + 1) * cuts[high - 1] - whole > 690) {
      high--;
    }
    return new double[] {cuts[low], cuts[high]};
  }

  /** Where the lowest such stretch begins. */
  double lowest(double s) {
    double lowest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < losses.length; i++) {
      lowest = Math.min(lowest, span(i, s)[0]);
    }
    return lowest;
  }

  /** The length of the longest such stretch. */
  double widestSpan(double s) {
    double widest = 0;
    for (int i = 0; i < losses.length; i++) {
      double[] span = span(i, s);
      widest = Math.max(widest, span[1] - span[0]);
    }
    return widest;
  }

  /** The place on a logarithmic scale in [low, high] where a quasi-convex function is least. */
  static double leastAt(DoubleUnaryOperator f, double low, double high) {
    double step = 4;
    double best = Math.min(Math.max(1, low), high);
    double value = f.applyAsDouble(best);
    while (Double.isInfinite(value) && best / 16 >= low) {
      best /= 16;
      value = f.applyAsDouble(best);
    }
    // The way that led here is not gone back: that place was worse.
    int way = 0;
    while (step > 1.01) {
      boolean moved = false;
      for (int next : new int[] {1, -1}) {
        double place = next > 0 ? best * step : best / step;
        if (next != -way && place >= low && place <= high) {
          double at = f.applyAsDouble(place);
          if (at < value) {
            best = place;
            value = at;
            way = next;
            moved = true;
            break;
          }
        }
      }
      if (!moved) {
        step = Math.sqrt(step);
        way = 0;
      }
    }
    return best;
  }
}
