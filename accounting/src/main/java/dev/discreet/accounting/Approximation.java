package dev.discreet.accounting;

/**
 * A figure that can fall below the truth. It has its own type so that nothing can print it as a
 * guarantee.
 *
 * <pre>{@code
 * if (Accountants.named("gdp").epsilon(ledger, 1e-5) instanceof Approximation about) {
 *   System.out.println(about); // says that it is not a guarantee
 * }
 * }</pre>
 *
 * @param epsilon about what ε is
 * @param delta about what δ is
 * @param accountant who accounted
 * @param note what else there is to say, on one line; may be empty
 */
@PublicApi
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
