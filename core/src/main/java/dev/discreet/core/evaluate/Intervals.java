package dev.discreet.core.evaluate;

import dev.discreet.core.evaluate.NoisyScore.Range;

/** The 95% intervals of figures that were computed from rows drawn at random. */
final class Intervals {
  /** Of a normal law, that much to either side covers 95%. */
  static final double Z = 1.959963984540054;

  /** What a two-sided interval leaves out at one side. */
  private static final double TAIL = 0.025;

  private Intervals() {}

  /** Wilson's: it stays within 0 and 1, and is right for shares near either. */
  static Range wilson(double share, double rows) {
    return score(share, rows, share * (1 - share) / rows);
  }

  /**
   * Wilson's for a share whose variance is larger than that of so many rows, as it is where noise
   * comes on top: its rows count as fewer.
   */
  static Range score(double share, double rows, double variance) {
    double binomial = share * (1 - share);
    double n = binomial > 0 && variance > 0 ? Math.min(rows, binomial / variance) : rows;
    double middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n);
    double half = Z / (1 + Z * Z / n) * Math.sqrt(binomial / n + Z * Z / (4 * n * n));
    return new Range(Math.max(0, middle - half), Math.min(1, middle + half));
  }

  /** Of a mean of many parts, by its standard error. */
  static Range normal(double value, double error) {
    return new Range(value - Z * error, value + Z * error);
  }

  /** Of a figure above 0: normal in its logarithm, so that no end is below 0. */
  static Range ofPositive(double value, double error) {
    if (!(value > 0)) {
      return new Range(value, value);
    }
    double factor = Math.exp(Z * error / value);
    return new Range(value / factor, value * factor);
  }

  /** Of a figure in (0, 1): normal in its log-odds. At 0 and 1 it has no width. */
  static Range ofShare(double value, double error) {
    if (!(value > 0 && value < 1)) {
      return new Range(value, value);
    }
    double factor = Math.exp(Z * error / (value * (1 - value)));
    double odds = value / (1 - value);
    return new Range(odds / factor / (1 + odds / factor), odds * factor / (1 + odds * factor));
  }

  /**
   * Of an AUC, by DeLong's standard error in its log-odds. Where every pair is in order that error
   * is 0: then pairs without a row in common are held against it, as many as the smaller class has
   * rows. They are in order by chance with a probability of at most AUC to their number.
   */
  static Range ofAuc(double auc, double error, long smallest, int classes) {
    double furthest = Math.pow(TAIL / classes, 1.0 / smallest);
    if (auc >= 1) {
      return new Range(furthest, 1);
    }
    if (auc <= 0) {
      return new Range(0, 1 - furthest);
    }
    return ofShare(auc, error);
  }

  /**
   * Of a mean of independent shares, each with its own interval: each side is the root of the sum
   * of the squared sides of the parts (Newcombe's and Zou and Donner's way).
   */
  static Range ofMean(double[] shares, Range[] each) {
    double sum = 0;
    double below = 0;
    double above = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += shares[i];
      below += (shares[i] - each[i].low()) * (shares[i] - each[i].low());
      above += (each[i].high() - shares[i]) * (each[i].high() - shares[i]);
    }
    return new Range(
        (sum - Math.sqrt(below)) / shares.length, (sum + Math.sqrt(above)) / shares.length);
  }

  /**
   * Of a sum of absolute values of means with these standard errors. What was found differs from
   * what is by no more than the sum of the absolute errors, whose own 95% this holds: their mean
   * under a normal law and about two deviations. It is wide rather than short.
   */
  static Range ofAbsolutes(double sum, double[] errors) {
    double mean = 0;
    double squares = 0;
    for (double error : errors) {
      mean += error * Math.sqrt(2 / Math.PI);
      squares += error * error * (1 - 2 / Math.PI);
    }
    double most = mean + Z * Math.sqrt(squares);
    return new Range(Math.max(0, sum - most), sum + most);
  }
}
