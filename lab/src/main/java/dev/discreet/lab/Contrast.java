package dev.discreet.lab;

import java.util.List;
import java.util.Locale;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether one mean lies above another, with an interval of 95%.
 *
 * @param difference first minus second
 * @param radius of the interval; NaN where nothing is known of the deviation
 */
public record Contrast(double difference, double radius) {
  private static final double TWO_SIDED = 0.975;

  public enum Order {
    ABOVE,
    BELOW,
    UNDECIDED
  }

  /** By Welch's t; of fewer than two seeds nothing is known but the difference. */
  public static Contrast of(Sample first, Sample second) {
    return of(first, second, List.of());
  }

  /** Of runs that share their data and start, two by two: the mean of their differences. */
  public static Contrast paired(Sample differences) {
    int n = differences.size();
    double radius = n < 2 ? Double.NaN : quantile(n - 1.0) * differences.deviation() / Math.sqrt(n);
    return n == 0 ? new Contrast(Double.NaN, Double.NaN) : contrast(differences.mean(), radius);
  }

  /** The same; where there are too few seeds, with the spread of samples thought to vary alike. */
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

  /**
   * @param reach how far a single run may be from its mean
   */
  private static Contrast known(Sample first, Sample second, double reach) {
    return first.size() == 0 || second.size() == 0
        ? new Contrast(Double.NaN, Double.NaN)
        : contrast(
            first.mean() - second.mean(),
            reach * Math.sqrt(1.0 / first.size() + 1.0 / second.size()));
  }

  private static Contrast welch(Sample first, Sample second) {
    double a = first.deviation() * first.deviation() / first.size();
    double b = second.deviation() * second.deviation() / second.size();
    if (a + b == 0) {
      return contrast(first.mean() - second.mean(), 0);
    }
    double freedom = (a + b) * (a + b) / (a * a / (first.size() - 1) + b * b / (second.size() - 1));
    return contrast(first.mean() - second.mean(), quantile(freedom) * Math.sqrt(a + b));
  }

  /** The quantile of Student's t that leaves 95% in the middle. */
  static double quantile(double freedom) {
    return TDistribution.of(freedom).inverseCumulativeProbability(TWO_SIDED);
  }

  /** Keeps runs that came to no number apart from trials that were not run. */
  private static Contrast contrast(double difference, double radius) {
    return new Contrast(difference, Double.isNaN(difference) ? Double.POSITIVE_INFINITY : radius);
  }

  public Order order() {
    if (!(Math.abs(difference) > radius)) {
      return Order.UNDECIDED;
    }
    return difference > 0 ? Order.ABOVE : Order.BELOW;
  }

  /** Against what was published: {@code confirmed (+0.42 ± 0.10)}. */
  public Verdict verdict(Order published) {
    return verdict(order() == published, order() != Order.UNDECIDED);
  }

  /** Whether the two are as good as equal: confirmed where the whole interval is within ±margin. */
  public Verdict alike(double margin) {
    return verdict(within(margin), Math.abs(difference) - radius > margin);
  }

  /** Whether the whole interval is within ±margin. */
  public boolean within(double margin) {
    return Math.abs(difference) + radius <= margin;
  }

  /** Whether the first is as high as the second or higher, but for a margin. */
  public Verdict notBelow(double margin) {
    return verdict(difference - radius >= -margin, difference + radius < -margin);
  }

  /** Whether the first is lower than the second by more than a margin. */
  public Verdict farBelow(double margin) {
    return verdict(difference + radius < -margin, difference - radius >= -margin);
  }

  private Verdict verdict(boolean confirmed, boolean decided) {
    return Double.isNaN(difference)
        ? Verdict.of("%s", text())
        : Verdict.of(
            "%s (%s)", confirmed || decided ? Ruling.of(confirmed) : Ruling.INCONCLUSIVE, text());
  }

  /** Rounded so that the interval shows two digits. */
  public String text() {
    if (Double.isNaN(difference)) {
      return Double.isNaN(radius) ? "not run yet" : "not a number";
    }
    int decimals =
        radius > 0 && Double.isFinite(radius)
            ? (int) Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(radius))))
            : 2;
    String number = "%." + decimals + "f";
    String by =
        String.format(Locale.ROOT, "%+" + number.substring(1), difference)
            .replaceFirst("^-(0\\.0*)$", "+$1");
    return Double.isNaN(radius)
        ? by + ", too few seeds for an interval"
        : by + String.format(Locale.ROOT, " ± " + number, radius);
  }
}
