package dev.discreet.accounting.internal.pld;

import dev.discreet.accounting.math.CompensatedSum;
import java.util.Arrays;

/**
 * A measure on the grid under composition: each release's point masses, weighted by e^{tilt·loss},
 * scaled to a total of 1 and wrapped onto a cycle. Remembers the scale, the place of index 0 and
 * the moments for Chernoff's bounds.
 */
final class GridMeasure {
  private final double tilt;
  private final LossWindow window;
  private final double[] exponents;
  private final double[] logMoments;
  private double logScale;
  private double expectedJumps;
  private double leastLogMoment;
  private double base;
  private double travel;

  GridMeasure(double tilt, LossWindow window) {
    this.tilt = tilt;
    this.window = window;
    this.exponents = window.exponents();
    this.logMoments = new double[exponents.length];
  }

  /**
   * Writes one release's masses at the grid points of {@code cells} onto {@code cycle} and counts
   * it {@code count} times, and those of {@code jumpMasses}, unless null, onto {@code jumps}.
   *
   * @param logGuess about the log of the tilted total; keeps the weights in range
   */
  void load(
      double[] masses,
      double[] jumpMasses,
      LossCells cells,
      double logGuess,
      long count,
      double[] cycle,
      double[] jumps) {
    int n = masses.length;
    double[] weighted = new double[n];
    double[] weightedJumps = new double[jumpMasses == null ? 0 : n];
    Powers weights = new Powers(tilt, cells, -logGuess);
    double moment = 0;
    double size = 0;
    for (int i = 0; i < n; i++) {
      double weight = weights.next();
      weighted[i] = masses[i] * weight;
      if (jumpMasses != null) {
        weightedJumps[i] = jumpMasses[i] * weight;
        moment += weightedJumps[i] * cells.point(i);
      }
      moment += weighted[i] * cells.point(i);
      size +=
          (weighted[i] + (jumpMasses == null ? 0 : weightedJumps[i])) * Math.abs(cells.point(i));
    }
    double total = CompensatedSum.of(weighted) + CompensatedSum.of(weightedJumps);
    double mean = moment / total;
    int mask = cycle.length - 1;
    Arrays.fill(cycle, 0);
    Arrays.fill(jumps, 0);
    for (int i = 0; i < n; i++) {
      int place = (int) ((cells.first() + i) & mask);
      weighted[i] /= total;
      cycle[place] += weighted[i];
      if (jumpMasses != null) {
        weightedJumps[i] /= total;
        jumps[place] += weightedJumps[i];
        weighted[i] += weightedJumps[i];
      }
    }
    for (int e = 0; e < exponents.length; e++) {
      double logMoment = logMoment(weighted, cells, exponents[e], mean);
      logMoments[e] += count * logMoment;
      leastLogMoment = Math.min(leastLogMoment, logMoment);
    }
    expectedJumps += count * CompensatedSum.of(weightedJumps);
    travel += count * size / total;
    logScale += count * (Math.log(total) + logGuess);
    base += count * cells.offset();
  }

  /** log Σ mass·e^{exponent·loss}. */
  private static double logMoment(double[] masses, LossCells cells, double exponent, double mean) {
    Powers powers = new Powers(exponent, cells, -exponent * mean);
    double sum = 0;
    for (int i = 0; i < masses.length; i++) {
      double power = powers.next();
      sum += masses[i] > 0 ? masses[i] * power : 0;
    }
    return Math.log(sum) + exponent * mean;
  }

  /** The expected sum of all losses' absolute values. */
  double travel() {
    return travel;
  }

  double tilt() {
    return tilt;
  }

  /** Log of the total that the composed measure was divided by. */
  double logScale() {
    return logScale;
  }

  /** The loss that index 0 of the composed cycle stands for. */
  double base() {
    return base;
  }

  /**
   * A bound on the tilted mass below {@code loss}. With jumps only sums with a jump count; the
   * others of its summands must fall as low without it, so the bound shrinks with the expected
   * number of jumps.
   */
  double below(double loss) {
    double all = beyond(loss, LossWindow.BELOW_BOTTOM);
    return window.part() == LossWindow.Part.JUMPS
        ? all * Math.min(1, expectedJumps * Math.exp(-leastLogMoment))
        : all;
  }

  /**
   * A bound on the tilted mass beyond {@code loss}: above it for a positive exponent, below it for
   * a negative one.
   */
  double beyond(double loss, int exponent) {
    return Math.min(1, Math.exp(logMoments[exponent] - exponents[exponent] * loss));
  }

  /**
   * e^{s·point + shift} at one grid point after another, by multiplication with a fresh start every
   * 32 points.
   */
  private static final class Powers {
    private final double s;
    private final LossCells cells;
    private final double shift;
    private final double ratio;
    private double value;
    private int i;

    Powers(double s, LossCells cells, double shift) {
      this.s = s;
      this.cells = cells;
      this.shift = shift;
      this.ratio = Math.exp(s * cells.step());
    }

    double next() {
      value = (i & 31) == 0 ? Math.exp(s * cells.point(i) + shift) : value * ratio;
      i++;
      return value;
    }
  }
}
