package dev.discreet.core.privacy.journal;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.TheoremAccountant;
import dev.discreet.accounting.filter.PrivacyFilter;
import java.util.Optional;

/**
 * What a ledger file cost so far, and for which ways of choosing its releases that is true.
 *
 * @param budget what was fixed before the first release
 * @param several whether later releases could be chosen by earlier ones
 */
public record SpentSoFar(
    double epsilon, double delta, Optional<PrivacyFilter> budget, boolean several) {
  private static final String FIXED = "if all of it was fixed before the first answer";
  private static final String ANYHOW = "however it was chosen";
  private static final String BEGIN =
      " (a ledger that begins with --budget-epsilon needs no such if)";

  /**
   * What a journal has spent. Releases that were planned before the first one were not chosen by
   * what was released.
   */
  public static SpentSoFar of(Journal journal, double delta) {
    return of(journal.ledger(), journal.budget(), journal.isPlanned(), delta);
  }

  /**
   * @param planned whether all releases were fixed before the first one
   * @param delta the δ at which the ledger is read where it has no budget
   */
  public static SpentSoFar of(
      Ledger ledger, Optional<PrivacyFilter> budget, boolean planned, double delta) {
    boolean several =
        !planned && ledger.entries().stream().mapToLong(Ledger.Entry::count).sum() > 1;
    return new SpentSoFar(
        budget.map(each -> each.spent(ledger)).orElseGet(() -> sum(ledger, delta)),
        budget.map(PrivacyFilter::delta).orElse(delta),
        budget,
        several);
  }

  private static double sum(Ledger ledger, double delta) {
    double tight = new PldAccountant().epsilon(ledger, delta).epsilon();
    // Both are upper bounds. A sum of pure costs has no margin for the accountant's rounding.
    return delta > 0
        ? tight
        : Math.min(tight, TheoremAccountant.sequential().epsilon(ledger, 0).epsilon());
  }

  /** A sum of worst losses holds whenever one stops. At δ > 0 only a budget does. */
  public String holds() {
    return budget.isPresent() ? ANYHOW : sumHolds(delta);
  }

  /**
   * The same for the sum of the costs, whatever the budget.
   *
   * @param at the δ at which it is read
   */
  public String sumHolds(double at) {
    return onlyIfFixed(at) ? FIXED : ANYHOW;
  }

  /** Whether the sum holds only for releases that were all fixed before the first one. */
  private boolean onlyIfFixed(double at) {
    return several && at > 0;
  }

  /**
   * The sentences that must accompany a sum; empty where it holds by itself.
   *
   * @param at the δ at which it is read
   */
  public String condition(double at) {
    String sum =
        onlyIfFixed(at)
            ? "Several releases are in this sum: it holds "
                + FIXED
                + (budget.isPresent() ? "." : BEGIN + ".")
            : "";
    String held =
        budget
            .map(
                each ->
                    "However it was chosen, the budget that was fixed first holds: epsilon "
                        + Digits.exact(each.epsilon())
                        + " at delta "
                        + Digits.exact(each.delta())
                        + ", of which epsilon "
                        + Digits.up(epsilon)
                        + " is spent.")
            .orElse("");
    return (sum + " " + held).strip();
  }

  public String words() {
    String spent = "epsilon " + Digits.up(epsilon) + " at delta " + Digits.exact(delta);
    return budget
            .map(each -> spent + " spent in all, of " + Digits.exact(each.epsilon()))
            .orElse(spent + " spent in all")
        + (budget.isEmpty() && onlyIfFixed(delta) ? ", " + FIXED + BEGIN : "");
  }
}
