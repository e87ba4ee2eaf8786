package dev.discreet.account;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.Budget;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one run may spend of an account. The account hears of what is reserved, of charges beyond
 * that, and of the end; a charge out of what was reserved is only counted, because the account
 * counts all of it as spent until the end.
 */
final class AccountBudget implements Budget {
  private final Account account;
  private final String run;
  private final Purpose purpose;
  private final Map<Mechanism, Long> reserved = new LinkedHashMap<>();
  private final String unit;
  private Neighbouring neighbouring;
  private LedgerFile file;

  AccountBudget(Account account, String run, Purpose purpose, String unit) {
    this.account = account;
    this.run = run;
    this.purpose = purpose;
    this.unit = unit;
  }

  @Override
  public String begin(Neighbouring relation, boolean isSecure, boolean isPrivate) {
    neighbouring = relation;
    return account.begin(run, isSecure, isPrivate);
  }

  @Override
  public synchronized void reserve(LedgerFile planned, Ledger charged) {
    file = planned;
    Ledger left = planned.ledger().minus(charged);
    boolean isOpen =
        account
            .state()
            .run(run)
            .filter(item -> item.standing() == AccountState.Standing.OPEN)
            .isPresent();
    if (!isOpen) {
      // What earlier parts of the run charged is in the account already, or is settled there now.
      Ledger all = account.state().run(run).isPresent() ? left : planned.ledger();
      if (!all.entries().isEmpty()) {
        account.reserve(run, purpose, of(all));
      }
    }
    left.totals().forEach((mechanism, count) -> reserved.merge(mechanism, count, Math::addExact));
  }

  @Override
  public void charge(Mechanism mechanism) {
    charge(mechanism, 1);
  }

  @Override
  public synchronized void charge(Mechanism mechanism, long times) {
    long left = reserved.getOrDefault(mechanism, 0L);
    reserved.put(mechanism, Math.max(0, left - times));
    if (left < times) {
      account.reserve(run, purpose, of(Ledger.of(neighbouring, mechanism, times - left)));
    }
  }

  private LedgerFile of(Ledger ledger) {
    return file == null
        ? new LedgerFile(ledger, unit, 0, false, "")
        : new LedgerFile(
            ledger,
            file.unit(),
            file.units(),
            file.declared(),
            file.accountant(),
            file.conditions());
  }

  @Override
  public synchronized void settle(Ledger charged) {
    account.settle(run, charged);
  }
}
