package dev.discreet.algorithms.query;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PublicApi;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What was released: anything may be done with it.
 *
 * <pre>{@code
 * Answer answer = new Query.Sum(new ColumnBounds(0, 120)).ask(session, new Protection.Laplace(1), () -> column);
 * System.out.println(answer.value() + ", by 95% in " + answer.interval(0.95));
 * }</pre>
 *
 * @param estimates one number, or one for each bin
 * @param cost what the ledger was charged
 */
@PublicApi
public record Answer(List<NoisyNumber> estimates, Ledger cost) {
  /** Copies the list. */
  public Answer {
    estimates = List.copyOf(estimates);
  }

  /**
   * One value, or one for each bin.
   *
   * @return the values
   */
  public List<Double> values() {
    return estimates.stream().map(NoisyNumber::value).toList();
  }

  /**
   * The first or only value.
   *
   * @return the value
   */
  public double value() {
    return estimates.get(0).value();
  }

  /**
   * Standard deviation of the noise on the first or only value.
   *
   * @return empty for a quantile
   */
  public OptionalDouble deviation() {
    return estimates.get(0).deviation();
  }

  /**
   * Where the first or only exact answer on these rows is.
   *
   * @param confidence in (0, 1)
   * @return an interval with this probability over the noise
   */
  public NoiseInterval interval(double confidence) {
    return estimates.get(0).interval(confidence);
  }
}
