package dev.discreet.core.evaluate;

import dev.discreet.accounting.Digits;
import dev.discreet.core.evaluate.NoisyScore.Range;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Optional;

/**
 * How well a model does, in words: the same on consoles and on pages.
 *
 * @param name accuracy, or RMSE: the root of the mean squared error, in the label's own unit
 * @param figure what it is; in words where it says nothing
 * @param detail what to compare it with, and how sure it is
 */
public record ScoreHeadline(String name, String figure, String detail) {
  /** What makes the noise of a released score less. */
  public static final String HELP =
      "a larger --metric-share, more held-out units or a larger epsilon would help";

  private static final String LEDGER = "by two deviations of its noise; on the ledger";

  /** Exact, of the examples that were evaluated. */
  public static ScoreHeadline of(Evaluation evaluation, LabelUnit label) {
    return evaluation.match(
        classes ->
            new ScoreHeadline(
                "accuracy",
                percent(classes.accuracy()),
                range(evaluation, Metric.Kind.ACCURACY, label)
                        .map(range -> "95%: " + range + "; ")
                        .orElse("")
                    + "always the largest class: "
                    + percent(classes.largestClass())),
        error ->
            new ScoreHeadline(
                "RMSE",
                root(error.meanSquaredError(), label),
                range(evaluation, Metric.Kind.RMSE, label).map(r -> "95%: " + r + "; ").orElse("")
                    + (error.variance() > 0
                        ? "R² "
                            + decimals(error.rSquared())
                            + range(evaluation, Metric.Kind.R_SQUARED, label)
                                .map(r -> " (95%: " + r + ")")
                                .orElse("")
                            + "; "
                        : "")
                    + always(error.variance(), label)));
  }

  /** Empty where nothing tells it. */
  private static Optional<String> range(Evaluation evaluation, Metric.Kind kind, LabelUnit label) {
    return Metrics.of(evaluation, label).stream()
        .filter(each -> each.kind() == kind)
        .map(Metric::range)
        .findFirst();
  }

  /** With noise, as it was released: a figure that is possible, or what the noise leaves. */
  public static ScoreHeadline of(NoisyScore score, LabelUnit label) {
    Range range = score.range();
    if (!score.accuracy()) {
      return error(score, new Range(1 - range.high(), 1 - range.low()), label);
    }
    String from = percent(range.low());
    String to = percent(range.high());
    if (score.saysNothing()) {
      return nothing("accuracy", from, to);
    }
    String figure =
        score.value() >= 1
            ? "at least " + from
            : score.value() <= 0
                ? "at most " + to
                : percent(score.value()) + " ± " + points(score.noise());
    return new ScoreHeadline("accuracy", figure, LEDGER);
  }

  private static ScoreHeadline error(NoisyScore score, Range squared, LabelUnit label) {
    String from = number(Math.sqrt(squared.low()) * label.width());
    String to = root(squared.high(), label);
    if (score.saysNothing()) {
      return nothing("RMSE", from, to);
    }
    String figure =
        squared.low() <= 0
            ? "at most " + to
            : root(1 - score.value(), label) + ", from " + from + " to " + to;
    String compared =
        Double.isNaN(score.labelVariance())
            ? ""
            : rSquared(score) + "; " + always(score.labelVariance(), label) + "; ";
    return new ScoreHeadline("RMSE", figure, compared + LEDGER);
  }

  private static String rSquared(NoisyScore score) {
    Range range = score.rSquaredRange();
    return range.high() >= 1
        ? "R² at least " + decimals(range.low())
        : Double.isInfinite(range.low())
            ? "R² at most " + decimals(range.high())
            : String.format(
                Locale.ROOT,
                "R² %s, from %s to %s",
                decimals(score.rSquared()),
                decimals(range.low()),
                decimals(range.high()));
  }

  private static ScoreHeadline nothing(String name, String from, String to) {
    return new ScoreHeadline(
        name, "says nothing", "its noise leaves " + from + " to " + to + "; " + HELP);
  }

  private static String always(double variance, LabelUnit label) {
    return "always the mean: " + root(variance, label);
  }

  /** Two standard errors of an accuracy. */
  public static String points(ScoreNoise noise) {
    return String.format(Locale.ROOT, "%.2g", 100 * noise.twice());
  }

  /** The root of a mean squared error of scaled labels, in the label's unit. */
  public static String root(double squared, LabelUnit label) {
    String value = number(Math.sqrt(squared) * label.width());
    return label.name().isEmpty() ? value : value + " " + label.name();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }

  private static String decimals(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  /** Four digits, without an exponent. */
  private static String number(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros().toPlainString()
        : Digits.plain(value);
  }
}
