package dev.discreet.account;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.core.privacy.Budget;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A budget of a run whose end is another one.
 *
 * @param end hears of what was charged, in the place of the account
 */
record EndingBudget(Budget alive, Consumer<Ledger> end) implements Budget {
  /** Of a run that dies: its journal is left behind, and nothing is settled. */
  static Budget dying(Budget alive) {
    return new EndingBudget(alive, charged -> {});
  }

  @Override
  public void goesOn(Set<String> payers) {
    alive.goesOn(payers);
  }

  @Override
  public String begin(Session session) {
    return alive.begin(session);
  }

  @Override
  public void reserve(LedgerFile planned, Ledger charged) {
    alive.reserve(planned, charged);
  }

  @Override
  public void charge(Mechanism mechanism) {
    alive.charge(mechanism);
  }

  @Override
  public void settle(Ledger charged) {
    end.accept(charged);
  }
}
