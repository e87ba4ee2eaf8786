package dev.discreet.accounting;

import java.util.function.Function;

/**
 * A certified statement: everything that fits the ledger is ({@code epsilon}, {@code
 * delta})-private.
 *
 * <p>The lower ends say how tight that is: some mechanism and data that fit the ledger are
 * <em>not</em> private with a smaller value. An accountant that knows no lower end answers 0 there.
 *
 * <pre>{@code
 * Guarantee cost = new PldAccountant().epsilon(ledger, 1e-5);
 * System.out.println(cost.epsilonLower() + " to " + cost.epsilon());
 * }</pre>
 *
 * @param epsilonLower no smaller ε holds for all that fits the ledger; 0 where that is not known
 * @param epsilon the ε that is promised
 * @param deltaLower no smaller δ holds; 0 where that is not known
 * @param delta the δ that is promised
 * @param accountant who accounted
 * @param note what else there is to say, on one line; may be empty
 */
@PublicApi
public record Guarantee(
    double epsilonLower,
    double epsilon,
    double deltaLower,
    double delta,
    String accountant,
    String note)
    implements Cost {

  /**
   * Refuses a lower end above its upper end.
   *
   * @param epsilonLower no smaller ε holds for all that fits the ledger; 0 where that is not known
   * @param epsilon the ε that is promised
   * @param deltaLower no smaller δ holds; 0 where that is not known
   * @param delta the δ that is promised
   * @param accountant who accounted
   * @param note what else there is to say, on one line; may be empty
   */
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

  /**
   * What is known of ε at one δ.
   *
   * @param delta the δ
   * @param lower the lower end of ε; below 0 counts as 0
   * @param upper the upper end of ε; below 0 counts as 0
   * @param accountant who accounted
   * @param note what else there is to say
   * @return the guarantee
   */
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

  /**
   * What is known of δ at one ε.
   *
   * @param epsilon the ε
   * @param lower the lower end of δ; below 0 counts as 0
   * @param upper the upper end of δ; above 1 counts as 1
   * @param accountant who accounted
   * @param note what else there is to say
   * @return the guarantee
   */
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
