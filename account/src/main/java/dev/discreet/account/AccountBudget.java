package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.core.privacy.Budget;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

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
  // What the journal had at the beginning; and what the account had for a run that is now resumed
  // from a copy of its journal, on top of which everything counts. Null where it is no copy.
  private Ledger chargedBefore;
  private Ledger settledBefore;

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

  /** Refuses a run of another account, and one that this copy of the account does not know of. */
  @Override
  public void goesOn(Set<String> payers) {
    for (String payer : payers) {
      Check.that(
          account.knows(payer),
          "account of a run that goes on",
          "the one that paid for it before, and no older copy of it",
          account.place());
    }
  }

  /** Refuses runs that protect nobody, whatever they would reserve; or breaks by them. */
  @Override
  public String begin(Session asking) {
    session = asking;
    AccountState state = account.state();
    account.refuseUnlessOpen(state, breaks);
    String name = "run on the account " + account.place();
    Check.that(session.isPrivate() || breaks, name, "private", "one that adds no noise");
    Check.that(
        session.isSecure() || breaks,
        name,
        "one with secret keys",
        "one with a seed that anyone can guess");
    if (!session.isPrivate() || !session.isSecure()) {
      account.breakFor(
          purpose,
          session.isPrivate()
              ? "a run drew its noise from a known seed"
              : "a run was made without noise");
    }
    return Account.payer(state) + run;
  }

  /**
   * What the account has already, because the run is resumed, is not reserved again; but all of it
   * is where the run is resumed from a copy of its journal, which may know of less than was
   * released.
   */
  @Override
  public synchronized void reserve(LedgerFile planned, Ledger charged) {
    file = planned;
    chargedBefore = charged;
    Ledger left = planned.ledger().minus(charged);
    appendAfterBreaking(
        () -> {
          AccountState state = account.known();
          AccountState.Item item = state.run(run).orElse(null);
          if (item == null) {
            return reserved(state, of(planned.ledger()));
          }
          Ledger known = item.spent().ledger();
          boolean isCopy = !account.lastJournal(run).isOf(session);
          if (isCopy) {
            refuseCopiesOfOpenRuns(item);
            settledBefore = known;
          }
          Ledger missing = isCopy ? left : planned.ledger().minus(known);
          return missing.entries().isEmpty() ? resumed(state) : reserved(state, of(missing));
        });
    isIn = true;
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
      LedgerFile more = of(Ledger.of(session.neighbouring(), mechanism, times - left));
      appendAfterBreaking(
          () -> {
            LastJournal last = account.lastJournal(run);
            Check.that(
                last.equals(LastJournal.UNKNOWN) || last.isOf(session),
                "session of the run " + run,
                "its last",
                session.name());
            return reserved(account.known(), more);
          });
      isIn = true;
    }
    reserved.put(mechanism, Math.max(0, left - times));
  }

  private LedgerFile of(Ledger ledger) {
    LedgerFile whose =
        file == null ? new LedgerFile(ledger, unit, 0, false, "") : file.withLedger(ledger);
    return whose.on(conditions);
  }

  /** What ends an account's promise is noted before it is done. */
  private void appendAfterBreaking(Supplier<AccountEntry> next) {
    if (account.append(next) instanceof AccountEntry.Broken) {
      account.append(next);
    }
  }

  private AccountEntry resumed(AccountState state) {
    account.refuseUnlessOpen(state, breaks);
    return new AccountEntry.Resumed(run, session.name(), session.journal());
  }

  private AccountEntry reserved(AccountState state, LedgerFile planned) {
    account.refuseUnlessOpen(state, breaks);
    Spending cost = Account.cost(state.terms(), planned);
    // Also where the sum is too much already: another run may still give something back.
    if (breaks
        && !account.isBrokenByName()
        && !state.terms().ceiling().admits(state.spent().plus(cost))) {
      return new AccountEntry.Broken(purpose, "a run was made that the ceiling has no room for");
    }
    if (state.broken().isEmpty()) {
      account.refuseBeyond(state, planned, cost, () -> "");
    }
    return new AccountEntry.Reserved(
        run, session.name(), session.journal(), purpose, planned, cost);
  }

  /** Who resumes two copies of a run would release its steps twice, and charge them once. */
  private void refuseCopiesOfOpenRuns(AccountState.Item item) {
    Check.that(
        item.standing() != AccountState.Standing.OPEN,
        "journal of the run " + run,
        "the file that its last session wrote, and no copy of it (account settle --run "
            + run
            + " --without-journal charges all that is reserved; then a copy can be resumed)",
        session.journal().isEmpty() ? "none" : "another file");
  }

  @Override
  public synchronized void settle(Ledger charged) {
    if (isIn) {
      try {
        account.append(() -> settled(charged));
      } catch (UncheckedIOException e) {
        throw new UncheckedIOException(
            "the run "
                + run
                + " could not be settled, so all that it reserved counts until `discreet account"
                + " settle`: "
                + e.getCause().getMessage(),
            e.getCause());
      }
    }
  }

  /** Where somebody settled the run before, nothing that was counted then goes back. */
  private AccountEntry settled(Ledger charged) {
    if (!account.lastJournal(run).isOf(session)) {
      // It went on elsewhere, and before that all that was reserved here was charged.
      return null;
    }
    AccountState state = account.known();
    AccountState.Item item = state.run(run).orElseThrow();
    if (item.standing() == AccountState.Standing.OPEN) {
      Ledger all =
          settledBefore == null ? charged : settledBefore.plus(charged.minus(chargedBefore));
      return Account.settled(state, run, all, AccountEntry.Proof.RUN);
    }
    Ledger before = item.spent().ledger();
    Ledger more = charged.minus(before);
    return more.entries().isEmpty()
        ? null
        : Account.settled(state, run, before.plus(more), AccountEntry.Proof.RUN);
  }
}
