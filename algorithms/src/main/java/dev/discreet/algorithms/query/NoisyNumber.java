package dev.discreet.algorithms.query;

import dev.discreet.accounting.PublicApi;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/**
 * One number that was released, and how far the noise may have moved it.
 *
 * <pre>{@code
 * NoisyNumber first = answer.estimates().get(0);
 * System.out.println(first.value() + ", by 95% in " + first.interval(0.95));
 * }</pre>
 *
 * @param value what was released, or computed from that
 * @param deviation standard deviation of the noise on it, to first order for a quotient; none for a
 *     quantile
 * @param intervals where the exact answer is, for each confidence in (0, 1)
 */
@PublicApi
public record NoisyNumber(
    double value, OptionalDouble deviation, DoubleFunction<NoiseInterval> intervals) {

  /** A value that has noise of one law on it. */
  static NoisyNumber of(double value, double deviation, NoiseLaw law) {
    return new NoisyNumber(
        value,
        OptionalDouble.of(deviation),
        confidence -> NoiseInterval.around(value, law.reach(confidence)));
  }

  /**
   * An interval that contains the exact answer on these rows with this probability over the noise,
   * whatever the rows are.
   *
   * @param confidence in (0, 1)
   * @return the interval; it contains the value
   */
  public NoiseInterval interval(double confidence) {
    return intervals.apply(NoiseInterval.checkConfidence(confidence));
  }
}
