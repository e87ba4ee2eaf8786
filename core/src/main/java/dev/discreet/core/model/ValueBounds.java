package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;

/** What holds for the declared bounds of a number, wherever they are declared. */
public final class ValueBounds {
  private ValueBounds() {}

  /**
   * Refuses bounds that are not finite, or not one below the other.
   *
   * @param of whose bounds they are, for the refusal
   */
  public static void check(String of, double low, double high) {
    Check.that(
        Double.isFinite(low) && Double.isFinite(high) && low < high,
        "bounds of " + of,
        "finite and rising",
        Digits.shortest(low) + ".." + Digits.shortest(high));
  }

  /** Where a value lies between the bounds, in [0, 1]; one outside is moved to the nearer bound. */
  public static double scaled(double value, double low, double high) {
    double inside = Math.min(Math.max(value, low), high);
    // Halves, so that no difference overflows.
    return (inside / 2 - low / 2) / (high / 2 - low / 2);
  }
}
