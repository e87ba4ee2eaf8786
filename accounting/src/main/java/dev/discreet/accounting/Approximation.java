package dev.discreet.accounting;

import java.util.Locale;

/**
 * A figure that can fall below the truth. It has its own type so that nothing can print it as a
 * guarantee.
 */
public record Approximation(double epsilon, double delta, String accountant, String note)
    implements Cost {

  /** What every print of such a figure says. */
  public static final String LABEL = "approximation, not a guarantee";

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "epsilon ~ %.6g at delta ~ %.6g by %s (%s)%s",
        epsilon,
        delta,
        accountant,
        LABEL,
        note.isEmpty() ? "" : "; " + note);
  }
}
