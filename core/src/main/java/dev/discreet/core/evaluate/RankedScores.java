package dev.discreet.core.evaluate;

import java.util.Arrays;

/** The area under the receiver operating characteristic, and its standard error by DeLong. */
final class RankedScores {
  private RankedScores() {}

  /** One figure and its standard error. */
  record Area(double auc, double error) {
    static final Area NONE = new Area(Double.NaN, Double.NaN);
  }

  /**
   * The mean over classes of how often a row of the class has a higher score for it than a row of
   * another class; ties count half. Its error is that of the mean of what each row adds, which for
   * one class is DeLong's.
   *
   * @param scores for each class, one for each row
   * @param labels the class of each row, or −1 beside one list of scores for a row of the other
   */
  static Area of(double[][] scores, int[] labels) {
    double sum = 0;
    double[] adds = new double[labels.length];
    for (int k = 0; k < scores.length; k++) {
      double auc = add(scores[k], labels, k, adds);
      if (Double.isNaN(auc)) {
        return Area.NONE;
      }
      sum += auc;
    }
    double squares = Arrays.stream(adds).map(each -> each * each).sum();
    return new Area(sum / scores.length, Math.sqrt(squares) / scores.length);
  }

  private static double add(double[] scores, int[] labels, int k, double[] adds) {
    int rows = labels.length;
    double[] of = new double[rows];
    double[] others = new double[rows];
    int m = 0;
    int n = 0;
    for (int i = 0; i < rows; i++) {
      if (Double.isNaN(scores[i])) {
        return Double.NaN;
      }
      if (labels[i] == k) {
        of[m++] = scores[i];
      } else {
        others[n++] = scores[i];
      }
    }
    if (m == 0 || n == 0) {
      return Double.NaN;
    }
    of = Arrays.copyOf(of, m);
    others = Arrays.copyOf(others, n);
    Arrays.sort(of);
    Arrays.sort(others);
    double auc = 0;
    for (double each : of) {
      auc += below(others, each) / m;
    }
    // What a row adds to the error of a mean over m is divided by √(m (m − 1)).
    double perOf = Math.sqrt((double) m * Math.max(1, m - 1));
    double perOther = Math.sqrt((double) n * Math.max(1, n - 1));
    for (int i = 0; i < rows; i++) {
      adds[i] +=
          labels[i] == k
              ? (below(others, scores[i]) - auc) / perOf
              : (1 - below(of, scores[i]) - auc) / perOther;
    }
    return auc;
  }

  /** The share of values below this one, and half of those that are equal. */
  private static double below(double[] sorted, double value) {
    return (first(sorted, value, false) + first(sorted, value, true)) / 2.0 / sorted.length;
  }

  /** How many are below, or with {@code equal} not above. */
  private static int first(double[] sorted, double value, boolean equal) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value || equal && sorted[middle] == value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
