package dev.discreet.algorithms.query;

import dev.discreet.accounting.Mechanism;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What was released: anything may be done with it.
 *
 * @param values one value, or one for each bin
 * @param deviation standard deviation of the noise on each value, to first order for a mean; none
 *     for a quantile
 * @param mechanism the ledger entry
 */
public record Answer(List<Double> values, OptionalDouble deviation, Mechanism mechanism) {
  public Answer {
    values = List.copyOf(values);
  }

  /** The first or only value. */
  public double value() {
    return values.get(0);
  }
}
