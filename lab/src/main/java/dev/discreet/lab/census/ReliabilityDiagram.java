package dev.discreet.lab.census;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * How far probabilities can be believed: in ten bins of equal width, the mean of what was said
 * beside the share of what was.
 *
 * @param said mean probability of the rows of a bin; NaN in an empty one
 * @param was share of ones among them
 * @param rows how many
 */
record ReliabilityDiagram(List<Double> said, List<Double> was, List<Integer> rows) {
  private static final int BINS = 10;

  ReliabilityDiagram {
    said = List.copyOf(said);
    was = List.copyOf(was);
    rows = List.copyOf(rows);
  }

  static ReliabilityDiagram of(double[] probabilities, double[] ones) {
    Check.that(
        probabilities.length == ones.length, "ones", "one for each probability", ones.length);
    double[] said = new double[BINS];
    double[] was = new double[BINS];
    int[] rows = new int[BINS];
    for (int i = 0; i < probabilities.length; i++) {
      int bin = (int) Math.min(BINS - 1, Math.floor(probabilities[i] * BINS));
      said[bin] += probabilities[i];
      was[bin] += ones[i];
      rows[bin]++;
    }
    List<Double> meanSaid = new ArrayList<>();
    List<Double> meanWas = new ArrayList<>();
    List<Integer> count = new ArrayList<>();
    for (int bin = 0; bin < BINS; bin++) {
      meanSaid.add(said[bin] / rows[bin]);
      meanWas.add(was[bin] / rows[bin]);
      count.add(rows[bin]);
    }
    return new ReliabilityDiagram(meanSaid, meanWas, count);
  }

  /** The expected calibration error: the mean over rows of |said − was| of their bin. */
  double error() {
    double sum = 0;
    int all = 0;
    for (int bin = 0; bin < rows.size(); bin++) {
      if (rows.get(bin) > 0) {
        sum += rows.get(bin) * Math.abs(said.get(bin) - was.get(bin));
        all += rows.get(bin);
      }
    }
    return sum / all;
  }
}
