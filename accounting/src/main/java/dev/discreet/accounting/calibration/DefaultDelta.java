package dev.discreet.accounting.calibration;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;

/**
 * The δ of everything that is told none: made from the public number of units, so that δ alone
 * cannot be worth a unit.
 *
 * <pre>{@code
 * double delta = DefaultDelta.of(60_000); // 1e-6
 * }</pre>
 */
@PublicApi
public final class DefaultDelta {
  /** Where the number of units is not known, and at most. */
  public static final double MOST = 1e-5;

  /** The default in words, for help. */
  public static final String WORDS =
      "the largest power of ten that is at most 1/(10 * units) and at most 1e-5";

  private DefaultDelta() {}

  /**
   * The default for a number of units.
   *
   * @param units the public number of units, at least 1
   * @return the largest power of ten that is at most 1/(10·units), and at most 1e-5
   */
  public static double of(long units) {
    Check.that(units >= 1, "units", "at least 1", units);
    int places = 5;
    // 10^(places − 1) must be at least the number of units.
    for (double most = 1e4; most < units; most *= 10) {
      places++;
    }
    // Read from its digits: a product of tens would not be the nearest double.
    return Double.parseDouble("1e-" + places);
  }
}
