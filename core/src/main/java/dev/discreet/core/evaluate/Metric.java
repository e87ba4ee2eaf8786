package dev.discreet.core.evaluate;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One figure of how well a model predicts, between the ends of its 95% interval: how far it may lie
 * from what as many other rows of the same people would show, and where it was released with noise,
 * for that noise too. Rows are taken as drawn independently.
 *
 * <pre>{@code
 * for (Metric metric : Metrics.of(result.evaluation().orElseThrow(), LabelUnit.SCALED)) {
 *   System.out.println(metric.kind().title() + ": " + metric.text());
 * }
 * }</pre>
 *
 * @param kind what is measured
 * @param value the figure
 * @param low the lower end
 * @param high the upper end
 * @param unit what it is counted in; empty for none
 */
@PublicApi
public record Metric(Kind kind, double value, double low, double high, String unit) {

  /** What can be measured. */
  public enum Kind {
    /** The share of rows whose class was found. */
    ACCURACY("accuracy", "accuracy", true),
    /** The share of the largest class: what always predicting it would find. */
    LARGEST_CLASS("largestClass", "always the largest class", true),
    /** The mean over classes of the share that was found; ½ for a guess between two. */
    BALANCED_ACCURACY("balancedAccuracy", "balanced accuracy", true),
    /**
     * How often a row of the second class gets a higher score than one of the first; of several
     * classes the mean of each against the rest. ½ for a guess.
     */
    AUC("auc", "AUC", false),
    /**
     * The harmonic mean of precision and recall of the second of two classes; of several classes
     * their mean.
     */
    F1("f1", "F1", false),
    /** The mean of −log of the probability that was given to what is true. */
    LOG_LOSS("logLoss", "log loss", false),
    /** How far probabilities lie from what happens, by ten bins of them: a mean over rows. */
    CALIBRATION_ERROR("calibrationError", "calibration error", true),
    /** The root of the mean squared error. */
    RMSE("rmse", "RMSE", false),
    /** The mean absolute error. */
    MAE("mae", "MAE", false),
    /** The share of the labels' variance that the predictions explain. */
    R_SQUARED("rSquared", "R²", false);

    private final String key;
    private final String title;
    private final boolean percent;

    Kind(String key, String title, boolean percent) {
      this.key = key;
      this.title = title;
      this.percent = percent;
    }

    /** {@return the name in files} */
    public String key() {
      return key;
    }

    /** {@return the name for people} */
    public String title() {
      return title;
    }

    /** {@return whether a {@link ScoreHeadline} tells it} */
    public boolean isInHeadline() {
      return this == ACCURACY || this == LARGEST_CLASS || this == RMSE || this == R_SQUARED;
    }

    private String text(double value) {
      return percent
          ? String.format(Locale.ROOT, "%.2f%%", 100 * value)
          : this == RMSE || this == MAE
              ? digits(value)
              : String.format(Locale.ROOT, this == LOG_LOSS ? "%.4f" : "%.3f", value);
    }

    /** Four digits, without an exponent. */
    private static String digits(double value) {
      return Double.isFinite(value)
          ? new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros().toPlainString()
          : Digits.plain(value);
    }
  }

  /** {@return the figure alone, with its unit} */
  public String figure() {
    return kind.text(value) + (unit.isEmpty() ? "" : " " + unit);
  }

  /** {@return its interval alone} */
  public String range() {
    return kind.text(low) + " to " + kind.text(high);
  }

  /** {@return the figure and its interval} */
  public String text() {
    return figure() + " (95%: " + range() + ")";
  }

  /**
   * As files have them: under each key a value and the ends of its interval.
   *
   * @param metrics in their order
   * @return the fields, by key
   */
  public static Map<String, Object> fields(List<Metric> metrics) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (Metric each : metrics) {
      fields.put(
          each.kind.key,
          List.of(
              JsonFields.number(each.value),
              JsonFields.number(each.low),
              JsonFields.number(each.high)));
    }
    return fields;
  }
}
