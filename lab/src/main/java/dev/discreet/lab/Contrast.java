package dev.discreet.lab;

import java.util.Locale;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether one mean lies above another, with an interval. By Welch's t at 95% where both have two
 * seeds or more; with fewer the deviation of one run has to be told, and is then taken as known.
 *
 * @param difference first minus second
 * @param radius of the interval; NaN where nothing is known of the deviation
 */
public record Contrast(double difference, double radius) {
  private static final double TWO_SIDED = 0.975;
  private static final double NORMAL = 1.959964;

  public enum Order {
    ABOVE,
    BELOW,
    UNDECIDED
  }

  /**
   * @param spare the deviation of one run, for samples too small to have one; NaN for unknown
   */
  public static Contrast of(Sample first, Sample second, double spare) {
    double difference = first.mean() - second.mean();
    if (first.size() == 0 || second.size() == 0) {
      return new Contrast(Double.NaN, Double.NaN);
    }
    if (first.size() < 2 || second.size() < 2) {
      return new Contrast(
          difference, NORMAL * spare * Math.sqrt(1.0 / first.size() + 1.0 / second.size()));
    }
    double a = first.deviation() * first.deviation() / first.size();
    double b = second.deviation() * second.deviation() / second.size();
    if (a + b == 0) {
      return new Contrast(difference, 0);
    }
    double freedom = (a + b) * (a + b) / (a * a / (first.size() - 1) + b * b / (second.size() - 1));
    double quantile = TDistribution.of(freedom).inverseCumulativeProbability(TWO_SIDED);
    return new Contrast(difference, quantile * Math.sqrt(a + b));
  }

  public Order order() {
    if (!(Math.abs(difference) > radius)) {
      return Order.UNDECIDED;
    }
    return difference > 0 ? Order.ABOVE : Order.BELOW;
  }

  /** Against what was published: {@code confirmed (+0.42 ± 0.10)}. */
  public String verdict(Order published) {
    String word =
        Double.isNaN(difference)
            ? "not run yet"
            : order() == Order.UNDECIDED
                ? "inconclusive"
                : order() == published ? "confirmed" : "refuted";
    return Double.isNaN(difference) ? word : word + " (" + text() + ")";
  }

  public String text() {
    String by = String.format(Locale.ROOT, "%+.2f", difference);
    return Double.isNaN(radius)
        ? by + ", one seed each"
        : by + String.format(Locale.ROOT, " ± %.2f", radius);
  }
}
