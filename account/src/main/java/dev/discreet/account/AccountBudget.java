package dev.discreet.account;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.core.privacy.Budget;
import java.util.LinkedHashMap;
import java.util.List;
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
  private final List<String> conditions;
  private final boolean breaks;
  private Session session;
  private LedgerFile file;
  // A session that was refused has nothing to settle, though the run of the name may be alive.
  private boolean isIn;

  AccountBudget(
      Account account,
      String run,
      Purpose purpose,
      String unit,
      List<String> conditions,
      boolean breaks) {
    this.account = account;
    this.run = run;
    this.purpose = purpose;
    this.unit = unit;
    this.conditions = List.copyOf(conditions);
    this.breaks = breaks;
  }

  @Override
  public String begin(Session asking) {
    session = asking;
    return account.begin(run, asking, purpose, breaks);
  }

  @Override
  public synchronized void reserve(LedgerFile planned, Ledger charged) {
    file = planned;
    account.reserve(run, session, purpose, of(planned.ledger()), breaks);
    isIn = true;
    Ledger left = planned.ledger().minus(charged);
    left.totals().forEach((mechanism, count) -> reserved.merge(mechanism, count, Math::addExact));
  }

  @Override
  public void charge(Mechanism mechanism) {
    charge(mechanism, 1);
  }

  @Override
  public synchronized void charge(Mechanism mechanism, long times) {
    long left = reserved.getOrDefault(mechanism, 0L);
    if (left < times) {
      account.reserveMore(
          run,
          session,
          purpose,
          of(Ledger.of(session.neighbouring(), mechanism, times - left)),
          breaks);
      isIn = true;
    }
    reserved.put(mechanism, Math.max(0, left - times));
  }

  private LedgerFile of(Ledger ledger) {
    LedgerFile whose =
        file == null ? new LedgerFile(ledger, unit, 0, false, "") : file.withLedger(ledger);
    return whose.on(conditions);
  }

  @Override
  public synchronized void settle(Ledger charged) {
    if (isIn) {
      account.settle(run, session, charged);
    }
  }
}
