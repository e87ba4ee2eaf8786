package dev.discreet.core.engine;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.OptionalInt;

/**
 * Private rows on this machine.
 *
 * <pre>{@code
 * LocalData data = PrivateData.each(examples);
 * long rows = data.examples().size();
 * }</pre>
 */
@PublicApi
public interface LocalData extends PrivateData {
  /** {@return the rows} */
  Examples examples();

  /**
   * Whom to protect, and which examples each has.
   *
   * @return the units
   */
  Units units();

  @Override
  default Shape input() {
    return examples().input();
  }

  @Override
  default int targets() {
    return examples().targets();
  }

  @Override
  default long unitCount() {
    return units().count();
  }

  @Override
  default boolean rowsAreUnits() {
    return units().areExamples();
  }

  @Override
  default OptionalInt find(PublicRows rows) {
    return rows.findIn(examples());
  }

  @Override
  default long[] sum(UnitSum sum) {
    Units units = units();
    units.check(examples().size());
    return sum.over(examples(), units);
  }

  @Override
  default LocalData atMost(int examplesPerUnit) {
    return with(units().atMost(examplesPerUnit));
  }

  @Override
  default LocalData grouped(MicroBatches batches, SamplingKey key) {
    return new OtherUnits(this, batches.of(units(), key), false);
  }

  /**
   * These rows with other units. What was declared of the rows, and which relations they keep,
   * still holds.
   *
   * @param others of the same examples
   * @return those rows; these stay as they are
   */
  default LocalData with(Units others) {
    return new OtherUnits(this, others, rowsAreUnits());
  }

  /**
   * The rows, where they are on this machine; others are refused.
   *
   * @param data rows from anywhere
   * @param by who can do with no others, as a refusal names it
   * @return the same rows
   */
  static LocalData required(PrivateData data, String by) {
    if (data instanceof LocalData local) {
      return local;
    }
    throw new IllegalArgumentException(
        "data of "
            + by
            + " must be rows on this machine. Provided value: "
            + data.getClass().getSimpleName());
  }
}
