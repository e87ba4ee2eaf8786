package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;

/** The declared bounds of a column: values beyond are moved to the nearer end. */
public record ColumnBounds(double low, double high) {
  /** Keeps sums of squares and differences finite. */
  private static final double LARGEST = 1e150;

  public ColumnBounds {
    Check.that(Math.abs(low) <= LARGEST, "lower bound", "in [-1e150, 1e150]", low);
    Check.that(Math.abs(high) <= LARGEST, "upper bound", "in [-1e150, 1e150]", high);
    Check.that(low < high, "upper bound", "above the lower one, " + Digits.exact(low), high);
    Check.that(high - low >= 1e-150, "bounds", "at least 1e-150 apart", high - low);
  }

  public double width() {
    return high - low;
  }

  public double middle() {
    return low / 2 + high / 2;
  }

  public double clamp(double value) {
    return Math.max(low, Math.min(high, value));
  }

  public boolean contains(double value) {
    return value >= low && value <= high;
  }
}
