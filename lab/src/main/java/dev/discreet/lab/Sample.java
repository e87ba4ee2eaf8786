package dev.discreet.lab;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A measure over seeds. */
public record Sample(List<Double> values) {
  public Sample {
    values = List.copyOf(values);
  }

  public static Sample of(double... values) {
    return new Sample(Arrays.stream(values).boxed().toList());
  }

  /** A number of each. */
  public static <T> Sample of(Collection<T> all, Function<T, Double> measure) {
    return new Sample(all.stream().map(measure).toList());
  }

  public int size() {
    return values.size();
  }

  /** NaN where there are no values. */
  public double mean() {
    return values.stream().mapToDouble(x -> x).average().orElse(Double.NaN);
  }

  /** The standard deviation of one run; NaN of fewer than two. */
  public double deviation() {
    double mean = mean();
    double squares = values.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
    return size() < 2 ? Double.NaN : Math.sqrt(squares / (size() - 1));
  }

  /** The same in another unit. */
  public Sample over(double unit) {
    return of(values, value -> value / unit);
  }

  /**
   * Whether one more run might have come out at a value: its 95% prediction interval holds it.
   *
   * @param rounding how far the value itself may be off
   */
  public boolean mightGive(double value, double rounding) {
    return size() >= 2
        && Math.abs(value - mean())
            <= rounding
                + Contrast.quantile(size() - 1.0) * deviation() * Math.sqrt(1 + 1.0 / size());
  }

  /** {@code 97.01 ± 0.12} of three; what is not there yet is a dash. */
  public String text(int decimals) {
    if (size() == 0) {
      return "—";
    }
    return size() == 1 || !Double.isFinite(mean())
        ? number(mean(), decimals)
        : number(mean(), decimals) + " ± " + number(deviation(), decimals);
  }

  /** Also of a run that came to no number. */
  static String number(double value, int decimals) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, "%." + decimals + "f", value)
            .replaceFirst("^-(0\\.?0*)$", "$1")
        : Double.isNaN(value) ? "not a number" : value > 0 ? "∞" : "−∞";
  }
}
