package dev.discreet.accounting.pld;

import java.util.Arrays;

/**
 * A measure on the grid under composition: each release's point masses, weighted by e^{tilt·loss},
 * scaled to a total of 1 and wrapped onto a cycle. Remembers the scale, the place of index 0 and
 * the moments for Chernoff's bounds.
 */
final class Measure {
  private final double tilt;
  private final double[] exponents;
  private final double[] logMoments;
  private double logScale;
  private double base;

  Measure(double tilt, double[] exponents) {
    this.tilt = tilt;
    this.exponents = exponents;
    this.logMoments = new double[exponents.length];
  }

  /**
   * Writes one release's masses at the grid points of {@code cells} onto {@code cycle} and counts
   * it {@code count} times.
   *
   * @param logGuess about the log of the tilted total; keeps the weights in range
   */
  void load(double[] masses, Cells cells, double logGuess, long count, double[] cycle) {
    int n = masses.length;
    double[] weighted = new double[n];
    Powers weights = new Powers(tilt, cells, -logGuess);
    double total = 0;
    double moment = 0;
    for (int i = 0; i < n; i++) {
      weighted[i] = masses[i] * weights.next();
      total += weighted[i];
      moment += weighted[i] * cells.point(i);
    }
    double mean = moment / total;
    int mask = cycle.length - 1;
    Arrays.fill(cycle, 0);
    for (int i = 0; i < n; i++) {
      weighted[i] /= total;
      cycle[(int) ((cells.first() + i) & mask)] += weighted[i];
    }
    for (int e = 0; e < exponents.length; e++) {
      Powers powers = new Powers(exponents[e], cells, -exponents[e] * mean);
      double sum = 0;
      for (int i = 0; i < n; i++) {
        double power = powers.next();
        sum += weighted[i] > 0 ? weighted[i] * power : 0;
      }
      logMoments[e] += count * (Math.log(sum) + exponents[e] * mean);
    }
    logScale += count * (Math.log(total) + logGuess);
    base += count * cells.offset();
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
    private final Cells cells;
    private final double shift;
    private final double ratio;
    private double value;
    private int i;

    Powers(double s, Cells cells, double shift) {
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
