package dev.discreet.algorithms.query;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PublicApi;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What was released: anything may be done with it.
 *
 * <pre>{@code
 * Answer answer = new Query.Sum(new ColumnBounds(0, 120)).ask(session, new Protection.Laplace(1), () -> column);
 * System.out.println(answer.value() + " ± " + answer.deviation().getAsDouble());
 * }</pre>
 *
 * @param values one value, or one for each bin
 * @param deviation standard deviation of the noise on each value, to first order for a mean; none
 *     for a quantile
 * @param mechanism the ledger entry
 */
@PublicApi
public record Answer(List<Double> values, OptionalDouble deviation, Mechanism mechanism) {
  /** Copies the list. */
  public Answer {
    values = List.copyOf(values);
  }

  /**
   * The first or only value.
   *
   * @return the value
   */
  public double value() {
    return values.get(0);
  }
}
