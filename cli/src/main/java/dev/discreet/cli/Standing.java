package dev.discreet.cli;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.PrivacyFilter;
import dev.discreet.accounting.TheoremAccountant;
import dev.discreet.core.privacy.PrivacySession;
import java.util.Optional;

/**
 * What a ledger file cost so far, and of which ways to choose its releases that is true.
 *
 * @param budget what was fixed before the first release
 * @param several whether later releases could be chosen by earlier ones
 */
public record Standing(
    double epsilon, double delta, Optional<PrivacyFilter> budget, boolean several) {
  private static final String FIXED = "if all of it was fixed before the first answer";
  private static final String ANYHOW = "however it was chosen";

  /**
   * @param delta at which the ledger is read where it has no budget
   */
  public static Standing of(PrivacySession session, double delta) {
    Ledger ledger = session.ledger();
    Optional<PrivacyFilter> budget = session.budget();
    boolean several = ledger.entries().stream().mapToLong(Ledger.Entry::count).sum() > 1;
    return new Standing(
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

  /** A sum of worst losses holds whenever one stops; at δ > 0 only a budget does. */
  public String holds() {
    return budget.isPresent() || delta == 0 || !several ? ANYHOW : FIXED;
  }

  public String words() {
    String spent = "epsilon " + Digits.up(epsilon) + " at delta " + Digits.exact(delta);
    return budget
            .map(each -> spent + " spent in all, of " + Digits.exact(each.epsilon()))
            .orElse(spent + " spent in all")
        + (holds().equals(FIXED)
            ? ", " + FIXED + " (a ledger that begins with --budget-epsilon needs no such if)"
            : "");
  }
}
