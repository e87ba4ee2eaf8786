package dev.discreet.accounting;

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
        "epsilon ~ %s at delta ~ %s by %s (%s)%s",
        Digits.plain(epsilon),
        Digits.plain(delta),
        accountant,
        LABEL,
        note.isEmpty() ? "" : "; " + note);
  }
}
