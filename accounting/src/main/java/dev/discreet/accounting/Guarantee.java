package dev.discreet.accounting;

import java.util.function.Function;

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
        "in [0, " + Digits.exact(epsilon) + "]",
        epsilonLower);
    Check.that(
        deltaLower >= 0 && deltaLower <= delta,
        "deltaLower",
        "in [0, " + Digits.exact(delta) + "]",
        deltaLower);
  }

  public static Guarantee epsilonAt(
      double delta, double lower, double upper, String accountant, String note) {
    double top = Math.max(0, upper);
    return new Guarantee(below(lower, top), top, delta, delta, accountant, note);
  }

  /**
   * A lower end above the upper one by more than rounding is not to be trusted. That is a mistake
   * of ours: tests stop there, others get an answer that says less.
   */
  private static double below(double lower, double upper) {
    boolean crossed = lower > upper * (1 + 1e-9);
    assert !crossed
        : "lower end " + Digits.exact(lower) + " above upper end " + Digits.exact(upper);
    return crossed ? 0 : Math.min(Math.max(0, lower), upper);
  }

  public static Guarantee deltaAt(
      double epsilon, double lower, double upper, String accountant, String note) {
    double top = Math.min(1, Math.max(0, upper));
    return new Guarantee(epsilon, epsilon, below(lower, top), top, accountant, note);
  }

  /**
   * The worst over the parts of a ledger: a unit is in one part only. {@code cost} answers for one
   * part, with one δ or one ε for all.
   */
  static Guarantee worst(Ledger ledger, Function<Ledger, Guarantee> cost) {
    return ledger.perPart().stream().map(cost).reduce(Guarantee::worse).orElseThrow();
  }

  private static Guarantee worse(Guarantee a, Guarantee b) {
    Guarantee upper = b.epsilon > a.epsilon || b.delta > a.delta ? b : a;
    return new Guarantee(
        Math.max(a.epsilonLower, b.epsilonLower),
        upper.epsilon,
        Math.max(a.deltaLower, b.deltaLower),
        upper.delta,
        upper.accountant,
        upper.note);
  }

  /** Upper ends are rounded up and lower ends down: a print may promise less, not more. */
  @Override
  public String toString() {
    return "epsilon <= "
        + Digits.up(epsilon)
        + " (at least "
        + Digits.down(epsilonLower)
        + ") at delta <= "
        + Digits.up(delta)
        + " by "
        + accountant
        + (note.isEmpty() ? "" : "; " + note);
  }
}
