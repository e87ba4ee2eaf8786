package dev.discreet.account;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.core.privacy.Budget;

/** The budget of a run that dies: its journal is left behind, and nothing is settled. */
record DyingBudget(Budget alive) implements Budget {
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
  public void settle(Ledger charged) {}
}
