package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.evaluate.NoisyScore.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * How far probabilities can be believed: in bins of equal width, the mean of what was said beside
 * the share of what was. Of two classes it is the probability of the second; of more, that of the
 * class that was taken, and how often it was right.
 *
 * <pre>{@code
 * CalibrationCurve curve = CalibrationCurve.of(new double[] {0.1, 0.9}, new boolean[] {false, true});
 * System.out.println(curve.error());
 * }</pre>
 *
 * @param bins from probability 0 to 1; empty where there are no probabilities
 */
@PublicApi
public record CalibrationCurve(List<Bin> bins) {
  /** How many bins there are. */
  public static final int BINS = 10;

  /** Without probabilities. */
  public static final CalibrationCurve NONE = new CalibrationCurve(List.of());

  /**
   * The rows whose probability lies in one bin.
   *
   * @param rows how many; with noise, no whole number
   * @param said the mean probability; 0 for no rows
   * @param was the share of them for which it came true; 0 for no rows
   * @param noise the standard deviation of noise on the rows and on those for which it came true; 0
   *     for none
   */
  public record Bin(double rows, double said, double was, double noise) {
    /**
     * Without noise.
     *
     * @param rows how many
     * @param said the mean probability
     * @param was the share of them for which it came true
     */
    public Bin(double rows, double said, double was) {
      this(rows, said, was, 0);
    }

    /**
     * Where the share may lie.
     *
     * @return its 95% interval
     */
    public Range wasRange() {
      double variance = was * (1 - was) / rows + noise * noise / rows / rows;
      return rows > 0 ? Intervals.score(was, rows, variance) : new Range(0, 1);
    }
  }

  /** Copies the list. */
  public CalibrationCurve {
    bins = List.copyOf(bins);
  }

  /** {@return the bin of a probability} */
  static int bin(double probability) {
    return (int) Math.max(0, Math.min(BINS - 1, Math.floor(probability * BINS)));
  }

  /** {@return the middle of a bin} */
  static double middle(int bin) {
    return (bin + 0.5) / BINS;
  }

  /**
   * Sorts probabilities into bins.
   *
   * @param said a probability for each row
   * @param was whether it came true
   * @return the curve
   */
  public static CalibrationCurve of(double[] said, boolean[] was) {
    Check.that(said.length == was.length, "was", "one for each probability", was.length);
    long[] rows = new long[BINS];
    double[] sums = new double[BINS];
    long[] right = new long[BINS];
    for (int i = 0; i < said.length; i++) {
      int bin = bin(said[i]);
      rows[bin]++;
      sums[bin] += said[i];
      right[bin] += was[i] ? 1 : 0;
    }
    return of(rows, sums, right);
  }

  static CalibrationCurve of(long[] rows, double[] said, long[] was) {
    List<Bin> bins = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      long some = Math.max(1, rows[i]);
      bins.add(new Bin(rows[i], said[i] / some, (double) was[i] / some));
    }
    return new CalibrationCurve(bins);
  }

  /**
   * The expected calibration error: the mean over rows of |said − was| of their bin.
   *
   * @return in [0, 1]; not a number without probabilities
   */
  public double error() {
    double sum = 0;
    for (Bin bin : bins) {
      sum += bin.rows > 0 ? bin.rows * Math.abs(bin.said - bin.was) : 0;
    }
    return sum / all();
  }

  /**
   * For files: of each bin with rows how many they are, the mean of what was said, and the share
   * for which it came true.
   *
   * @return a list for each bin
   */
  public List<List<Double>> rows() {
    return bins.stream()
        .filter(bin -> bin.rows > 0)
        .map(bin -> List.of(bin.rows, bin.said, bin.was))
        .toList();
  }

  /** Its 95% interval, which is wide rather than short. */
  Range errorRange() {
    double all = all();
    double[] errors = new double[bins.size()];
    for (int i = 0; i < errors.length; i++) {
      Bin bin = bins.get(i);
      // A row of each kind more: a bin without one of them is not known for sure.
      double share = bin.rows > 0 ? (bin.was * bin.rows + 1) / (bin.rows + 2) : 0.5;
      double noised = bin.noise * bin.noise;
      errors[i] = Math.sqrt(Math.max(0, bin.rows) * share * (1 - share) + noised) / all;
    }
    return Intervals.ofAbsolutes(error(), errors);
  }

  private double all() {
    return bins.stream().mapToDouble(bin -> Math.max(0, bin.rows)).sum();
  }
}
