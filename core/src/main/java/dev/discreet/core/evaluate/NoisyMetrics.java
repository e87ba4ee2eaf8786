package dev.discreet.core.evaluate;

import dev.discreet.core.evaluate.Metric.Kind;
import dev.discreet.core.evaluate.NoisyScore.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Figures that follow from one noised release, which is free. Their intervals hold what is true of
 * the people that held-out units were drawn from: for the noise and for the drawing together. A
 * share is one part of a whole, and whoever adds the noise of both to what so many units vary by
 * has a law of (part − share · whole), whose 95% the shares of an interval are those within.
 */
final class NoisyMetrics {
  private static final int GRID = 2000;

  /** What is said where noise leaves nothing to be said; the figure is then its middle. */
  private static final Range ANYTHING = new Range(0, 1);

  /** Of a sum with noise: not to be divided by unless it is this many deviations from 0. */
  private static final double FAR = 4;

  private final NoisyScore score;
  private final LabelUnit label;
  private final List<Metric> all = new ArrayList<>();

  private NoisyMetrics(NoisyScore score, LabelUnit label) {
    this.score = score;
    this.label = label;
  }

  static List<Metric> of(NoisyScore score, LabelUnit label) {
    NoisyMetrics metrics = new NoisyMetrics(score, label);
    if (score.accuracy()) {
      metrics.classes();
    } else {
      metrics.numbers();
    }
    return List.copyOf(metrics.all);
  }

  private void add(Kind kind, double value, Range range) {
    double inside = Math.max(range.low(), Math.min(range.high(), value));
    all.add(new Metric(kind, inside, range.low(), range.high(), ""));
  }

  /** The shares θ with |miss(θ)| ≤ z · deviation(θ), from the least to the largest. */
  private static Range within(
      DoubleUnaryOperator miss, DoubleUnaryOperator variance, double times) {
    double low = Double.NaN;
    double high = Double.NaN;
    for (int i = 0; i <= GRID; i++) {
      double share = (double) i / GRID;
      double most = times * Math.sqrt(variance.applyAsDouble(share));
      if (Math.abs(miss.applyAsDouble(share)) <= most) {
        low = Double.isNaN(low) ? share : low;
        high = share;
      }
    }
    // Nothing is possible: noise as rare as it is once in a while.
    return Double.isNaN(low)
        ? ANYTHING
        : new Range(Math.max(0, low - 1.0 / GRID), Math.min(1, high + 1.0 / GRID));
  }

  /** A share of a whole, of which each was counted in so many cells with noise. */
  private static Range share(double part, double rest, int parts, int rests, double noise) {
    double whole = Math.max(0, part + rest);
    return within(
        share -> part - share * (part + rest),
        share ->
            whole * share * (1 - share)
                + noise * noise * (parts * (1 - share) * (1 - share) + rests * share * share),
        Intervals.Z);
  }

  private void classes() {
    double noise = score.standardError();
    double units = score.units();
    add(
        Kind.ACCURACY,
        score.value(),
        within(
            share -> score.value() - share,
            share -> share * (1 - share) / units + noise * noise,
            Intervals.Z));
    if (score.figures().isEmpty()) {
      return;
    }
    NoisyFigures figures = score.figures().get();
    if (!figures.confusion().isEmpty()) {
      confusion(
          figures.confusion().stream()
              .map(row -> row.stream().mapToDouble(Double::doubleValue).toArray())
              .toArray(double[][]::new),
          figures.confusionNoise());
    }
    if (!figures.bins().isEmpty()) {
      if (figures.confusion().size() == 2) {
        auc(figures);
      }
      CalibrationCurve curve = figures.calibration();
      Range range = curve.errorRange();
      // Which figures there are must not depend on the noise: no row in any bin says nothing.
      boolean known = range.low() <= 1;
      add(
          Kind.CALIBRATION_ERROR,
          known ? curve.error() : 0.5,
          known ? new Range(range.low(), Math.min(1, range.high())) : ANYTHING);
    }
  }

  private void confusion(double[][] counts, double noise) {
    int classes = counts.length;
    double units = score.units();
    double[] rows = Arrays.stream(counts).mapToDouble(row -> Arrays.stream(row).sum()).toArray();
    // The largest of several: all their intervals hold at once, by the tail of a normal law.
    double times = Math.sqrt(2 * Math.log(classes / 0.05));
    double low = 0;
    double high = 0;
    for (double of : rows) {
      double share = Scoring.within(of / units);
      double variance = classes * noise * noise / units / units;
      Range range =
          within(each -> share - each, each -> each * (1 - each) / units + variance, times);
      low = Math.max(low, range.low());
      high = Math.max(high, range.high());
    }
    double largest = Scoring.within(Arrays.stream(rows).max().orElse(0) / units);
    add(Kind.LARGEST_CLASS, largest, new Range(Math.max(low, 1.0 / classes), high));
    double[] recalls = new double[classes];
    Range[] ranges = new Range[classes];
    for (int i = 0; i < classes; i++) {
      recalls[i] = rows[i] > 0 ? Scoring.within(counts[i][i] / rows[i]) : 0.5;
      ranges[i] = share(counts[i][i], rows[i] - counts[i][i], 1, classes - 1, noise);
      recalls[i] = Math.max(ranges[i].low(), Math.min(ranges[i].high(), recalls[i]));
    }
    add(
        Kind.BALANCED_ACCURACY,
        Arrays.stream(recalls).average().orElse(0),
        Intervals.ofMean(recalls, ranges));
    if (classes == 2) {
      Range range = share(counts[1][1], counts[0][1] + counts[1][0], 1, 2, noise);
      double touched = counts[1][1] + counts[0][1] + counts[1][0];
      double found = touched > 0 ? Scoring.within(counts[1][1] / touched) : 0.5;
      add(
          Kind.F1,
          Metrics.f1OfShare(found),
          new Range(Metrics.f1OfShare(range.low()), Metrics.f1OfShare(range.high())));
    } else {
      all.add(
          Metrics.f1OfAll(counts, noise)
              .orElse(new Metric(Kind.F1, 0.5, ANYTHING.low(), ANYTHING.high(), "")));
    }
  }

  /**
   * Of probabilities in their bins, where those of one bin are alike. Each cell moves it by how far
   * its own rows lie from the mean; noise moves it as rows do.
   */
  private void auc(NoisyFigures figures) {
    int bins = figures.bins().size();
    double[] of = figures.bins().stream().mapToDouble(bin -> bin.get(0)).toArray();
    double[] others = figures.bins().stream().mapToDouble(bin -> bin.get(1)).toArray();
    double m = Arrays.stream(of).sum();
    double n = Arrays.stream(others).sum();
    double noise = figures.binNoise();
    if (Math.min(m, n) < FAR * noise * Math.sqrt(bins)) {
      add(Kind.AUC, 0.5, ANYTHING);
      return;
    }
    double[] below = below(others, n);
    double[] belowOf = below(of, m);
    double auc = 0;
    for (int bin = 0; bin < bins; bin++) {
      auc += of[bin] / m * below[bin];
    }
    double variance = 0;
    for (int bin = 0; bin < bins; bin++) {
      double more = (below[bin] - auc) / m;
      double fewer = (1 - belowOf[bin] - auc) / n;
      variance += (Math.max(0, of[bin]) + noise * noise) * more * more;
      variance += (Math.max(0, others[bin]) + noise * noise) * fewer * fewer;
    }
    // The product of both noises, which the above leaves out.
    double both = noise * noise * bins / m / n;
    Range range = Intervals.normal(auc, Math.sqrt(variance + both * both));
    add(Kind.AUC, auc, new Range(Scoring.within(range.low()), Scoring.within(range.high())));
  }

  private static double[] below(double[] counts, double all) {
    double[] below = new double[counts.length];
    double sum = 0;
    for (int bin = 0; bin < counts.length; bin++) {
      below[bin] = (sum + counts[bin] / 2) / all;
      sum += counts[bin];
    }
    return below;
  }

  /** A mean of what lies in [0, 1], whose variance is therefore no more than mean · (1 − mean). */
  private Range mean(double value, double noise, double times) {
    return within(
        mean -> value - mean, mean -> mean * (1 - mean) / score.units() + noise * noise, times);
  }

  private void numbers() {
    double noise = score.standardError();
    double squared = 1 - score.value();
    Range squares = mean(squared, noise, Intervals.Z);
    inUnit(
        Kind.RMSE,
        Math.sqrt(squared),
        new Range(Math.sqrt(squares.low()), Math.sqrt(squares.high())));
    score
        .figures()
        .filter(known -> !Double.isNaN(known.meanAbsoluteError()))
        .ifPresent(
            known ->
                inUnit(
                    Kind.MAE,
                    known.meanAbsoluteError(),
                    mean(known.meanAbsoluteError(), known.meanAbsoluteErrorNoise(), Intervals.Z)));
    if (!Double.isNaN(score.labelVariance())) {
      rSquared(squared, noise);
    }
  }

  /** From the ends of both its parts, each of which holds with half the doubt. */
  private void rSquared(double squared, double noise) {
    double times = Math.sqrt(2 * Math.log(2 / 0.05));
    Range error = mean(squared, noise, times);
    // The variance is a mean of squares less a squared mean of at most ½: √2 times the noise.
    Range labels = mean(score.labelVariance(), Math.sqrt(2) * noise, times);
    double low = labels.low() > 0 ? 1 - error.high() / labels.low() : Double.NEGATIVE_INFINITY;
    double high = 1 - error.low() / Math.min(0.25, labels.high());
    add(Kind.R_SQUARED, score.rSquared(), new Range(low, high));
  }

  private void inUnit(Kind kind, double value, Range range) {
    double width = label.width();
    double inside = Math.max(range.low(), Math.min(range.high(), value));
    all.add(
        new Metric(kind, inside * width, range.low() * width, range.high() * width, label.name()));
  }
}
