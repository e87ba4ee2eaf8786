package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;

/**
 * The declared bounds of a column: values beyond are moved to the nearer end.
 *
 * <pre>{@code
 * ColumnBounds ages = new ColumnBounds(0, 120);
 * }</pre>
 *
 * @param low the lower end, in the column's own units; at least −1e150
 * @param high the upper end, above the lower one and at most 1e150
 */
@PublicApi
public record ColumnBounds(double low, double high) implements Serializable {
  /** Keeps sums of squares and differences finite. */
  private static final double LARGEST = 1e150;

  /** Refuses bounds that are too large, too close to each other or in the wrong order. */
  public ColumnBounds {
    Check.that(Math.abs(low) <= LARGEST, "lower bound", "in [-1e150, 1e150]", low);
    Check.that(Math.abs(high) <= LARGEST, "upper bound", "in [-1e150, 1e150]", high);
    Check.that(low < high, "upper bound", "above the lower one, " + Digits.exact(low), high);
    Check.that(high - low >= 1e-150, "bounds", "at least 1e-150 apart", high - low);
  }

  /** {@return the distance between the bounds} */
  public double width() {
    return high - low;
  }

  /** {@return the value half way between the bounds} */
  public double middle() {
    return low / 2 + high / 2;
  }

  /**
   * Moves a value to the nearer bound, if it is outside.
   *
   * @param value any number
   * @return a value within the bounds
   */
  public double clamp(double value) {
    return Math.max(low, Math.min(high, value));
  }

  /**
   * Whether a value is within the bounds.
   *
   * @param value any number
   * @return true on the bounds too
   */
  public boolean contains(double value) {
    return value >= low && value <= high;
  }
}
