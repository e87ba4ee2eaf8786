package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.filter.RelationConversion;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.journal.Journal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The budget of one population, shared by every run, query, person and machine that uses its data.
 *
 * <p><b>Formal guarantee.</b> Everything that is ever released under an account that is not broken
 * is together private as its ceiling says, whatever is run next by what was released before, and
 * whenever it ends: what a run may release is reserved before its first release, a reservation is
 * made only where the ceiling admits it together with all other reservations and charges, and only
 * what was never charged is given back. {@link dev.discreet.accounting.filter.PrivacyFilter} has
 * the proof.
 *
 * <p>Safe for use by several threads and processes.
 *
 * <pre>{@code
 * Account account = Account.at(new AccountFile(Path.of("patients.csv.account")));
 * Purpose purpose = new Purpose("train", "", "runs/first");
 * Trainer charged = trainer.budget(() -> account.budget(Account.newRun(), purpose, "patient"));
 * }</pre>
 */
@PublicApi
public final class Account {
  private final AccountStore store;
  private final AccountState.Builder book;

  private Account(AccountStore store) {
    this.store = store;
    this.book = new AccountState.Builder(store);
  }

  /**
   * Opens a new account.
   *
   * @param store where none is kept yet
   * @param terms what is fixed for ever
   * @return the account
   */
  public static Account open(AccountStore store, AccountTerms terms) {
    Account account = new Account(store);
    account.append(
        () -> {
          Check.that(!account.book.isOpened(), "account", "a new one", store.place());
          return new AccountEntry.Opened(newRun(), terms, "");
        });
    return account;
  }

  /**
   * An account that was opened before.
   *
   * @param store where it is kept
   * @return the account
   */
  public static Account at(AccountStore store) {
    Account account = new Account(store);
    account.state();
    return account;
  }

  /**
   * Names a run that the account has not seen.
   *
   * @return a random name
   */
  public static String newRun() {
    return UUID.randomUUID().toString();
  }

  /**
   * The account as it is now.
   *
   * @return everything that is known
   */
  public synchronized AccountState state() {
    store.after(book.length()).forEach(book::add);
    return book.build();
  }

  /**
   * What one run may spend.
   *
   * @param run from {@link #newRun}; for a run that is resumed, its name of before
   * @param purpose what is spent for
   * @param unit who is protected by the run, as a singular noun; must be the account's
   * @return a budget that reserves, charges and settles here
   */
  public Budget budget(String run, Purpose purpose, String unit) {
    refuseOtherUnits(state().terms(), unit);
    return new AccountBudget(this, run, purpose, unit);
  }

  /**
   * Which run of this account a journal is of.
   *
   * @param journal of any run
   * @return its name; empty where another or nobody pays for it
   */
  public Optional<String> runOf(Journal journal) {
    String prefix = payer(state(), "");
    return journal.payers().stream()
        .filter(payer -> payer.startsWith(prefix))
        .map(payer -> payer.substring(prefix.length()))
        .findFirst();
  }

  /**
   * Sets the working limit: what is above it is refused, though the ceiling would admit it.
   *
   * @param share of the ceiling, in (0, 1]
   */
  public void limit(double share) {
    Check.that(share > 0 && share <= 1, "limit", "a share of the ceiling in (0, 1]", share);
    append(() -> new AccountEntry.Limited(share));
  }

  /**
   * Records what was spent on the population before the account knew of it. It counts even where
   * the ceiling has no room for it: then nothing else is admitted any more, and the account is
   * broken.
   *
   * @param source the file that says so, or who declares it
   * @param spent what was charged
   * @param declared whether nothing but somebody's word stands behind it
   */
  public void add(String source, LedgerFile spent, boolean declared) {
    append(
        () -> {
          AccountState state = book.build();
          Spending cost = cost(state, spent);
          return new AccountEntry.Imported(source, spent, cost, declared);
        });
    append(
        () ->
            book.build().broken().isEmpty()
                    && !book.build().terms().ceiling().admits(book.build().spent())
                ? new AccountEntry.Broken(
                    new Purpose("import", "", source),
                    "what was spent before is more than the ceiling")
                : null);
  }

  /**
   * Settles a run that ended without settling, by what its journal shows was charged.
   *
   * @param run as the account names it
   * @param journal what the run left behind; without it, all that was reserved is charged
   */
  public void settle(String run, Optional<Journal> journal) {
    append(
        () -> {
          AccountState state = book.build();
          AccountState.Item item = state.run(run).orElse(null);
          Check.that(
              item != null && item.standing() == AccountState.Standing.OPEN,
              "run to settle",
              "one that is open",
              run);
          journal.ifPresent(
              each ->
                  Check.that(
                      each.payers().contains(payer(state, run))
                          && each.sessions().contains(book.lastSession(run))
                          && each.isPrivate(),
                      "journal",
                      "that of the run " + run + ", with its last session",
                      each.payers()));
          // Whoever could stop a run by what was never released may have told it by the length.
          Ledger charged =
              journal
                  .map(
                      each ->
                          each.isWatched()
                              ? each.stated().ledger()
                              : each.ledger(payer(state, run)))
                  .orElse(item.spent().ledger());
          return settled(
              state,
              run,
              charged,
              journal.isPresent() ? AccountEntry.Proof.JOURNAL : AccountEntry.Proof.NONE);
        });
  }

  /** Replaces what a run reserved by what it charged. */
  private static AccountEntry.Settled settled(
      AccountState state, String run, Ledger charged, AccountEntry.Proof proof) {
    return new AccountEntry.Settled(
        run,
        charged,
        state.terms().ceiling().cost(RelationConversion.of(charged, state.terms().neighbouring())),
        proof);
  }

  /**
   * Records that the population's data is used without charging it here.
   *
   * @param purpose what it is used for
   */
  public void passOver(Purpose purpose) {
    append(() -> new AccountEntry.PassedOver(purpose));
  }

  /**
   * Closes the account: nothing may be spent any more.
   *
   * @param reason for those who try
   */
  public void close(String reason) {
    append(() -> new AccountEntry.Closed(reason));
  }

  /**
   * Refuses an account that knows less than others remember of it, or one whose costs are not those
   * of its ledgers.
   *
   * @param remembered what run folders and statements keep
   */
  public synchronized void verify(List<KnownHead> remembered) {
    List<String> lines = store.after(0);
    remembered.forEach(head -> head.check(lines));
    AccountState.Builder again = new AccountState.Builder(store);
    lines.forEach(again::add);
    AccountState state = again.build();
    for (AccountState.Item item : state.items()) {
      Spending cost = cost(state, item.spent());
      Check.that(
          nearlyEqual(cost, item.cost()),
          "cost of " + item.purpose().verb() + " of " + item.at(),
          "that of its ledger",
          item.cost());
    }
  }

  private static boolean nearlyEqual(Spending a, Spending b) {
    for (int i = 0; i < a.logMoments().size(); i++) {
      if (!nearlyEqual(a.logMoments().get(i), b.logMoments().get(i))) {
        return false;
      }
    }
    return nearlyEqual(a.largestLoss(), b.largestLoss()) && nearlyEqual(a.ownDelta(), b.ownDelta());
  }

  private static boolean nearlyEqual(double a, double b) {
    return a == b || Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));
  }

  /** Refuses runs that protect nobody, whatever they would reserve. */
  String begin(String run, Budget.Session session) {
    AccountState state = state();
    refuseUnlessOpen(state);
    Check.that(
        session.isPrivate(),
        "run on the account " + store.place(),
        "private",
        "one that adds no noise");
    Check.that(
        session.isSecure(),
        "run on the account " + store.place(),
        "one with secret keys",
        "one with a seed that anyone can guess");
    return payer(state, run);
  }

  private static String payer(AccountState state, String run) {
    return "account " + state.id() + " run " + run;
  }

  /**
   * Reserves for a run what it plans in all, or refuses. What the account has of it already,
   * because the run is resumed, is not reserved again.
   */
  void reserve(String run, Budget.Session session, Purpose purpose, LedgerFile planned) {
    append(
        () -> {
          Optional<AccountState.Item> item = book.build().run(run);
          Ledger missing =
              item.map(each -> planned.ledger().minus(each.spent().ledger()))
                  .orElse(planned.ledger());
          return item.isPresent() && missing.entries().isEmpty()
              ? resumed(run, session)
              : reserved(run, session, purpose, planned.withLedger(missing));
        });
  }

  /** Reserves what a run charges beyond what it has reserved, or refuses. */
  void reserveMore(String run, Budget.Session session, Purpose purpose, LedgerFile more) {
    append(() -> reserved(run, session, purpose, more));
  }

  private AccountEntry.Resumed resumed(String run, Budget.Session session) {
    refuseUnlessOpen(book.build());
    refuseCopies(run, session);
    return new AccountEntry.Resumed(run, session.name());
  }

  /** Who resumes two copies of a run would release its steps twice, and charge them once. */
  private void refuseCopies(String run, Budget.Session session) {
    String last = book.lastSession(run);
    Check.that(
        last.isEmpty() || last.equals(session.name()) || session.earlier().contains(last),
        "journal of the run " + run,
        "the one that its last session wrote (is it a copy of before?)",
        session.earlier());
  }

  private AccountEntry.Reserved reserved(
      String run, Budget.Session session, Purpose purpose, LedgerFile planned) {
    AccountState state = book.build();
    refuseUnlessOpen(state);
    refuseCopies(run, session);
    Spending cost = cost(state, planned);
    Spending after = state.spent().plus(cost);
    double share = state.terms().ceiling().share(after);
    Check.that(
        share <= state.limit() && state.terms().ceiling().admits(after),
        "share of the account " + store.place() + " that is spent with this",
        "at most its limit, " + AccountShare.percent(state.limit()),
        AccountShare.percent(share) + " (" + AccountShare.percent(state.share()) + " before)");
    return new AccountEntry.Reserved(run, session.name(), purpose, planned, cost);
  }

  /** Settles a run that says itself what it has charged. */
  void settle(String run, Budget.Session session, Ledger charged) {
    append(
        () -> {
          refuseCopies(run, session);
          return settled(book.build(), run, charged, AccountEntry.Proof.RUN);
        });
  }

  private void refuseUnlessOpen(AccountState state) {
    Check.that(state.closed().isEmpty(), "account " + store.place(), "open", state.closed());
    Check.that(
        state.broken().isEmpty(),
        "account " + store.place(),
        "one that still promises something",
        state.broken());
  }

  private static Spending cost(AccountState state, LedgerFile file) {
    AccountTerms terms = state.terms();
    refuseOtherUnits(terms, file.unit());
    return terms.ceiling().cost(RelationConversion.of(file.ledger(), terms.neighbouring()));
  }

  private static void refuseOtherUnits(AccountTerms terms, String unit) {
    Check.that(unit.equals(terms.unit()), "unit", "that of the account, " + terms.unit(), unit);
  }

  /** Appends what follows from all that is known by then; null for nothing. */
  private synchronized void append(Supplier<AccountEntry> next) {
    String[] own = {null};
    store.append(
        book.length(),
        news -> {
          news.forEach(book::add);
          AccountEntry entry = next.get();
          if (entry == null) {
            return Optional.empty();
          }
          Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
          own[0] = book.next(now, store.user(), entry).text();
          return Optional.of(own[0]);
        });
    if (own[0] != null) {
      book.add(own[0]);
    }
  }
}
