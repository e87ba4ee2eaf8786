package dev.discreet.accounting;

import java.util.Locale;

/**
 * A certified statement: everything that fits the ledger is ({@code epsilon}, {@code
 * delta})-private.
 *
 * <p>The lower ends say how tight that is: some mechanism and data that fit the ledger are
 * <em>not</em> private with a smaller value. An accountant that knows no lower end answers 0 there.
 */
public record Guarantee(
    double epsilonLower,
    double epsilon,
    double deltaLower,
    double delta,
    String accountant,
    String note)
    implements Cost {

  public Guarantee {
    Check.that(
        epsilonLower >= 0 && epsilonLower <= epsilon,
        "epsilonLower",
        "in [0, " + epsilon + "]",
        epsilonLower);
    Check.that(
        deltaLower >= 0 && deltaLower <= delta, "deltaLower", "in [0, " + delta + "]", deltaLower);
  }

  static Guarantee epsilonAt(
      double delta, double lower, double upper, String accountant, String note) {
    double top = Math.max(0, upper);
    return new Guarantee(Math.min(Math.max(0, lower), top), top, delta, delta, accountant, note);
  }

  static Guarantee deltaAt(
      double epsilon, double lower, double upper, String accountant, String note) {
    double top = Math.min(1, Math.max(0, upper));
    return new Guarantee(
        epsilon, epsilon, Math.min(Math.max(0, lower), top), top, accountant, note);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "epsilon <= %.6g (at least %.6g) at delta <= %.6g by %s%s",
        epsilon,
        epsilonLower,
        delta,
        accountant,
        note.isEmpty() ? "" : "; " + note);
  }
}
