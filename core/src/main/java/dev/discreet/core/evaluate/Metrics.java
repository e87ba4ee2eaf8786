package dev.discreet.core.evaluate;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.evaluate.Metric.Kind;
import dev.discreet.core.evaluate.NoisyScore.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an evaluation comes to, figure by figure, each with a 95% interval. Of shares it is
 * Wilson's, of their mean over classes the one that follows from those; of an AUC DeLong's in
 * log-odds; of F1 that of the share of right ones among all that are of the class or were taken for
 * it, and of several classes by the delta method in log-odds; of a log loss and of a mean absolute
 * error the normal one; of RMSE and R² the normal one in the logarithm of the squared error, and of
 * its ratio to the labels' variance; of a calibration error one that is wide rather than short.
 *
 * <pre>{@code
 * for (Metric metric : Metrics.of(result.evaluation().orElseThrow(), LabelUnit.SCALED)) {
 *   System.out.println(metric.kind().title() + ": " + metric.text());
 * }
 * }</pre>
 */
@PublicApi
public final class Metrics {
  private Metrics() {}

  /**
   * All that can be said.
   *
   * @param evaluation of rows
   * @param label what numbers are counted in
   * @return the figures, those first that matter most
   */
  public static List<Metric> of(Evaluation evaluation, LabelUnit label) {
    return evaluation.match(Metrics::classes, number -> numbers(number, label));
  }

  /**
   * All that follows from a release with noise, which is in the intervals. Only where it was asked
   * for ({@link TestSet.Released#withAllFigures}) is there more than the score. An AUC is that of
   * probabilities in ten bins, a little below the exact one.
   *
   * @param score as it was released
   * @param label what numbers are counted in
   * @return the figures, those first that matter most
   */
  public static List<Metric> of(NoisyScore score, LabelUnit label) {
    return NoisyMetrics.of(score, label);
  }

  private static List<Metric> classes(Evaluation.Classification found) {
    double[][] counts =
        found.confusion().stream()
            .map(row -> row.stream().mapToDouble(Integer::doubleValue).toArray())
            .toArray(double[][]::new);
    List<Metric> metrics = new ArrayList<>(ofConfusion(counts));
    found
        .quality()
        .ifPresent(
            quality -> {
              if (!Double.isNaN(quality.auc())) {
                long smallest = Long.MAX_VALUE;
                for (double[] row : counts) {
                  smallest = Math.min(smallest, Math.round(sum(row)));
                }
                int ranked = counts.length == 2 ? 1 : counts.length;
                metrics.add(
                    metric(
                        Kind.AUC,
                        quality.auc(),
                        Intervals.ofAuc(quality.auc(), quality.aucError(), smallest, ranked)));
              }
              metrics.add(f1(counts));
              if (!Double.isNaN(quality.logLoss())) {
                Range normal = Intervals.normal(quality.logLoss(), quality.logLossError());
                Range range = new Range(Math.max(0, normal.low()), normal.high());
                metrics.add(metric(Kind.LOG_LOSS, quality.logLoss(), range));
              }
              CalibrationCurve curve = quality.calibration();
              if (!curve.bins().isEmpty()) {
                metrics.add(metric(Kind.CALIBRATION_ERROR, curve.error(), curve.errorRange()));
              }
            });
    if (found.quality().isEmpty()) {
      metrics.add(f1(counts));
    }
    return List.copyOf(metrics);
  }

  /** What a confusion matrix tells of how many were found. */
  private static List<Metric> ofConfusion(double[][] counts) {
    double rows = 0;
    double right = 0;
    double largest = 0;
    List<Double> recalls = new ArrayList<>();
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      double of = sum(counts[i]);
      rows += of;
      right += counts[i][i];
      largest = Math.max(largest, of);
      if (of > 0) {
        double recall = counts[i][i] / of;
        recalls.add(recall);
        ranges.add(Intervals.wilson(recall, of));
      }
    }
    double[] shares = recalls.stream().mapToDouble(Double::doubleValue).toArray();
    double balanced = recalls.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    return List.of(
        metric(Kind.ACCURACY, right / rows, Intervals.wilson(right / rows, rows)),
        metric(Kind.LARGEST_CLASS, largest / rows, Intervals.wilson(largest / rows, rows)),
        metric(
            Kind.BALANCED_ACCURACY,
            balanced,
            Intervals.ofMean(shares, ranges.toArray(Range[]::new))));
  }

  private static Metric f1(double[][] counts) {
    return counts.length == 2 ? f1OfSecond(counts) : f1OfAll(counts, 0).orElseThrow();
  }

  /** F1 = 2J/(1 + J) rises with J, the share of right ones among true and taken ones. */
  private static Metric f1OfSecond(double[][] counts) {
    double right = counts[1][1];
    double touched = right + counts[0][1] + counts[1][0];
    if (touched == 0) {
      return metric(Kind.F1, 0, new Range(0, 1));
    }
    Range share = Intervals.wilson(right / touched, touched);
    return metric(
        Kind.F1,
        f1OfShare(right / touched),
        new Range(f1OfShare(share.low()), f1OfShare(share.high())));
  }

  static double f1OfShare(double share) {
    return 2 * share / (1 + share);
  }

  /** Empty where noise on each count leaves nothing to divide by. */
  static Optional<Metric> f1OfAll(double[][] counts, double noise) {
    int classes = counts.length;
    double[] both = new double[classes];
    double rows = 0;
    for (int i = 0; i < classes; i++) {
      for (int j = 0; j < classes; j++) {
        both[i] += counts[i][j];
        both[j] += counts[i][j];
        rows += counts[i][j];
      }
    }
    double sum = 0;
    int some = 0;
    for (int k = 0; k < classes; k++) {
      if (noise > 0 && both[k] < 4 * noise * Math.sqrt(2 * classes)) {
        return Optional.empty();
      }
      sum += both[k] > 0 ? 2 * counts[k][k] / both[k] : 0;
      some += both[k] > 0 ? 1 : 0;
    }
    // How much a row of class i that was taken for j moves the mean.
    double squares = 0;
    for (int i = 0; i < classes; i++) {
      for (int j = 0; j < classes; j++) {
        double moves =
            (i == j && both[i] > 0 ? 2 / both[i] : 0)
                - slope(counts, both, i)
                - slope(counts, both, j);
        squares += (Math.max(0, counts[i][j]) + noise * noise) * moves * moves;
      }
    }
    double f1 = Math.max(0, Math.min(1, sum / some));
    double error = Math.sqrt(squares) / some;
    // Where all are right or all wrong the delta method knows no error.
    boolean inside = f1 > 0 && f1 < 1;
    Range normal = Intervals.normal(f1, error);
    return Optional.of(
        metric(
            Kind.F1,
            f1,
            noise > 0
                ? new Range(Math.max(0, normal.low()), Math.min(1, normal.high()))
                : inside ? Intervals.ofShare(f1, error) : Intervals.wilson(f1, rows)));
  }

  private static double slope(double[][] counts, double[] both, int k) {
    return both[k] > 0 ? 2 * counts[k][k] / both[k] / both[k] : 0;
  }

  private static double sum(double[] row) {
    double sum = 0;
    for (double each : row) {
      sum += each;
    }
    return sum;
  }

  private static Metric metric(Kind kind, double value, Range range) {
    return new Metric(kind, value, range.low(), range.high(), "");
  }

  private static List<Metric> numbers(Evaluation.Regression found, LabelUnit label) {
    double squared = found.meanSquaredError();
    if (found.quality().isEmpty()) {
      return List.of();
    }
    NumberQuality quality = found.quality().get();
    List<Metric> metrics = new ArrayList<>();
    Range squares = Intervals.ofPositive(squared, quality.meanSquaredErrorError());
    metrics.add(
        inUnit(
            Kind.RMSE,
            Math.sqrt(squared),
            new Range(Math.sqrt(squares.low()), Math.sqrt(squares.high())),
            label));
    Range away = Intervals.normal(quality.meanAbsoluteError(), quality.meanAbsoluteErrorError());
    metrics.add(
        inUnit(
            Kind.MAE,
            quality.meanAbsoluteError(),
            new Range(Math.max(0, away.low()), away.high()),
            label));
    if (found.variance() > 0) {
      Range ratio = Intervals.ofPositive(squared / found.variance(), quality.ratioError());
      metrics.add(
          metric(Kind.R_SQUARED, found.rSquared(), new Range(1 - ratio.high(), 1 - ratio.low())));
    }
    return List.copyOf(metrics);
  }

  private static Metric inUnit(Kind kind, double value, Range range, LabelUnit label) {
    double width = label.width();
    return new Metric(kind, value * width, range.low() * width, range.high() * width, label.name());
  }
}
