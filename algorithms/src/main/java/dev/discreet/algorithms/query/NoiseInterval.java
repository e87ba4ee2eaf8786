package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;

/**
 * Where the exact answer on these rows is, up to the noise; not where that of a wider population
 * is.
 *
 * <pre>{@code
 * NoiseInterval where = answer.interval(0.95);
 * System.out.println(where.low() + " to " + where.high());
 * }</pre>
 *
 * @param low the lower end; may be −∞
 * @param high the upper end; may be ∞
 */
@PublicApi
public record NoiseInterval(double low, double high) {
  /** Refuses ends in the wrong order. */
  public NoiseInterval {
    Check.that(low <= high, "upper end of an interval", "not below the lower one", high);
  }

  /**
   * The values at most {@code reach} away.
   *
   * @param value the middle
   * @param reach at least 0
   * @return the interval
   */
  public static NoiseInterval around(double value, double reach) {
    return new NoiseInterval(value - reach, value + reach);
  }

  /**
   * Refuses a level that is no probability.
   *
   * @param confidence how often intervals must contain the exact answer, in (0, 1)
   * @return the same
   */
  public static double checkConfidence(double confidence) {
    Check.that(confidence > 0 && confidence < 1, "confidence", "in (0, 1)", confidence);
    return confidence;
  }

  /**
   * Whether a value is in the interval.
   *
   * @param value any number
   * @return true at the ends too
   */
  public boolean contains(double value) {
    return value >= low && value <= high;
  }

  /**
   * The part between two ends; the nearer end where there is none.
   *
   * @param least the lower end
   * @param most the upper end
   * @return the interval
   */
  public NoiseInterval within(double least, double most) {
    return new NoiseInterval(
        Math.max(least, Math.min(most, low)), Math.max(least, Math.min(most, high)));
  }

  /**
   * The same interval, or the least that has the value too.
   *
   * @param value any number
   * @return the interval
   */
  public NoiseInterval with(double value) {
    return new NoiseInterval(Math.min(low, value), Math.max(high, value));
  }

  /**
   * The interval of factor·x + offset.
   *
   * @param factor any number
   * @param offset any number
   * @return the interval
   */
  public NoiseInterval scaled(double factor, double offset) {
    double one = factor * low + offset;
    double other = factor * high + offset;
    return new NoiseInterval(Math.min(one, other), Math.max(one, other));
  }
}
