package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.filter.Spending;

/** Whether an entry costs what its ledger does. An entry that others replaced counts as well. */
final class CostCheck {
  private CostCheck() {}

  /** Refuses another cost. */
  static void of(AccountTerms terms, AccountLine line) {
    AccountEntry entry = line.entry();
    if (entry instanceof AccountEntry.Opened opened) {
      opened.carried().forEach(item -> check(line, Account.cost(terms, item.spent()), item.cost()));
    } else if (entry instanceof AccountEntry.Reserved reserved) {
      check(line, Account.cost(terms, reserved.planned()), reserved.cost());
    } else if (entry instanceof AccountEntry.Settled settled) {
      check(line, terms.cost(settled.charged()), settled.cost());
    } else if (entry instanceof AccountEntry.Imported imported) {
      check(line, Account.cost(terms, imported.spent()), imported.cost());
    }
  }

  private static void check(AccountLine line, Spending cost, Spending told) {
    Check.that(
        cost.isNearly(told),
        "cost in line " + (line.number() + 1) + " by " + line.by(),
        "that of its ledger",
        told);
  }
}
