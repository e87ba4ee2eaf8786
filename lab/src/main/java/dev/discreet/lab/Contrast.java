package dev.discreet.lab;

import java.util.List;
import java.util.Locale;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether one mean lies above another, with an interval. By Welch's t at 95% where both have two
 * seeds or more; with fewer the deviation of one run has to be told, or runs that vary alike.
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
    return first.size() < 2 || second.size() < 2
        ? known(first, second, NORMAL * spare)
        : welch(first, second);
  }

  /**
   * As the other, where the deviation of one run is not known but estimated: from samples that are
   * thought to vary alike.
   */
  public static Contrast of(Sample first, Sample second, List<Sample> alike) {
    if (first.size() >= 2 && second.size() >= 2) {
      return welch(first, second);
    }
    double squares = 0;
    int freedom = 0;
    for (Sample each : alike) {
      if (each.size() >= 2) {
        squares += each.deviation() * each.deviation() * (each.size() - 1);
        freedom += each.size() - 1;
      }
    }
    return known(
        first,
        second,
        freedom == 0 ? Double.NaN : quantile(freedom) * Math.sqrt(squares / freedom));
  }

  /** Twice the difference that a single run may have from its mean, roughly. */
  private static Contrast known(Sample first, Sample second, double reach) {
    return first.size() == 0 || second.size() == 0
        ? new Contrast(Double.NaN, Double.NaN)
        : contrast(first, second, reach * Math.sqrt(1.0 / first.size() + 1.0 / second.size()));
  }

  private static Contrast welch(Sample first, Sample second) {
    double a = first.deviation() * first.deviation() / first.size();
    double b = second.deviation() * second.deviation() / second.size();
    if (a + b == 0) {
      return contrast(first, second, 0);
    }
    double freedom = (a + b) * (a + b) / (a * a / (first.size() - 1) + b * b / (second.size() - 1));
    return contrast(first, second, quantile(freedom) * Math.sqrt(a + b));
  }

  private static double quantile(double freedom) {
    return TDistribution.of(freedom).inverseCumulativeProbability(TWO_SIDED);
  }

  /** Runs that came to no number can be told apart from those that were not run. */
  private static Contrast contrast(Sample first, Sample second, double radius) {
    double difference = first.mean() - second.mean();
    return new Contrast(difference, Double.isNaN(difference) ? Double.POSITIVE_INFINITY : radius);
  }

  public Order order() {
    if (!(Math.abs(difference) > radius)) {
      return Order.UNDECIDED;
    }
    return difference > 0 ? Order.ABOVE : Order.BELOW;
  }

  /** Against what was published: {@code confirmed (+0.42 ± 0.10)}. */
  public String verdict(Order published) {
    if (Double.isNaN(difference)) {
      return text();
    }
    Order order = order();
    String word =
        order == Order.UNDECIDED ? "inconclusive" : order == published ? "confirmed" : "refuted";
    return word + " (" + text() + ")";
  }

  public String text() {
    if (Double.isNaN(difference)) {
      return Double.isNaN(radius) ? "not run yet" : "not a number";
    }
    String by = String.format(Locale.ROOT, "%+.2f", difference).replace("-0.00", "+0.00");
    return Double.isNaN(radius)
        ? by + ", too few seeds for an interval"
        : by + String.format(Locale.ROOT, " ± %.2f", radius);
  }
}
