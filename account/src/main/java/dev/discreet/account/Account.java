package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.core.files.DurableLines;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.journal.Journal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
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
  // The one that led here, because this one follows it.
  private final Optional<Account> before;

  private Account(AccountStore store, Optional<Account> before) {
    this.store = store;
    this.book = new AccountState.Builder(store);
    this.before = before;
  }

  /**
   * Opens a new account. Beside a table or folder it also covers that, so that a copy is found by
   * its content.
   *
   * @param store where none is kept yet
   * @param terms what is fixed for ever
   * @return the account
   */
  public static Account open(AccountStore store, AccountTerms terms) {
    Account account = new Account(store, Optional.empty());
    account.append(
        () -> {
          Check.that(!account.book.isOpened(), "account", "a new one", store.place());
          return new AccountEntry.Opened(newRun(), terms, "", List.of(), "", List.of());
        });
    account.coverOwn();
    return account;
  }

  /**
   * Opens an account that takes over from another one: everything that was spent there is spent
   * here, and the other is closed. Whoever chooses the new ceiling may have looked at what the
   * other account released, and the new account says so.
   *
   * <p>The other one is closed before the new one is there. After a crash in between, nothing can
   * be spent under either; the same call then does the rest.
   *
   * @param store where none is kept yet
   * @param terms of the new account, for the same unit and column
   * @param before the account that ends
   * @return the new account
   */
  public static Account follow(AccountStore store, AccountTerms terms, Account before) {
    AccountEntry.Opened first = FollowOn.of(before, store, terms);
    Account account = new Account(store, Optional.of(before));
    account.append(
        () -> {
          Check.that(!account.book.isOpened(), "account", "a new one", store.place());
          return first;
        });
    account.coverOwn();
    return account;
  }

  private void coverOwn() {
    ListedFile.beside(store).ifPresent(each -> append(() -> new AccountEntry.Listed(each)));
  }

  /**
   * The account that spends in this one's place: itself, or the one that took over. One that is
   * kept in another database than this one is refused: who may write this account would choose
   * where the user's password is sent.
   *
   * @return the last of those that follow
   */
  public Account last() {
    return FollowOn.last(this, Optional.empty());
  }

  /**
   * Says that a file or folder holds rows of the same people, so that the account is found by
   * whoever uses them. An account in a file knows it again by its place, or by its content at
   * another place, below its own folder. Of one in a database, the address is put beside it.
   *
   * @param file there; for an account in a file, in the account's folder or below
   */
  public void cover(Path file) {
    if (store instanceof AccountFile own) {
      ListedFile listed = ListedFile.of(own, file);
      append(() -> new AccountEntry.Listed(listed));
    } else if (store instanceof AccountDatabase database) {
      AccountPlaces.setSignpost(file, database);
    }
  }

  /**
   * An account that was opened before.
   *
   * @param store where it is kept
   * @return the account
   */
  public static Account at(AccountStore store) {
    return at(store, Optional.empty());
  }

  /** One that another led to. */
  static Account at(AccountStore store, Optional<Account> before) {
    Account account = new Account(store, before);
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
   * Where it is kept.
   *
   * @return for people who may know that
   */
  public String place() {
    return store.place();
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
    return budget(run, purpose, unit, List.of(), false);
  }

  /**
   * The same with more to say.
   *
   * @param run from {@link #newRun}; for a run that is resumed, its name of before
   * @param purpose what is spent for
   * @param unit who is protected by the run, as a singular noun; must be the account's
   * @param conditions without which the run's cost is no promise
   * @param breaks whether the run is made even where the account can promise nothing after it. The
   *     account notes that before the first release, and promises nothing from then on
   * @return a budget that reserves, charges and settles here
   */
  public Budget budget(
      String run, Purpose purpose, String unit, List<String> conditions, boolean breaks) {
    AccountEntry.refuseOtherNames(run);
    refuseOtherUnits(state().terms(), unit);
    return new AccountBudget(this, run, purpose, unit, conditions, breaks);
  }

  /**
   * Which run of this account a journal is of.
   *
   * @param journal of any run
   * @return its name; empty where another or nobody pays for it
   */
  public Optional<String> runOf(Journal journal) {
    String prefix = payer(state());
    return journal.payers().stream()
        .filter(payer -> payer.startsWith(prefix))
        .map(payer -> payer.substring(prefix.length()))
        .findFirst();
  }

  /**
   * Whether this is the account that a run had, wherever it is kept now, or was reached from that
   * one because it follows it.
   *
   * @param run what it left behind
   * @return by the line that the run remembers; where it remembers none, by the account's name
   */
  public synchronized boolean isOf(KnownRun run) {
    String prefix = payer(state());
    return run.head()
            .map(head -> head.isIn(store.after(0)))
            .orElseGet(
                () -> run.charged().keySet().stream().anyMatch(each -> each.startsWith(prefix)))
        || before.filter(each -> each.isOf(run)).isPresent();
  }

  /** Whether this account, or one that it was reached from, has the run that a journal names so. */
  boolean knows(String payer) {
    AccountState state = state();
    String prefix = payer(state);
    return payer.startsWith(prefix) && state.run(payer.substring(prefix.length())).isPresent()
        || before.filter(each -> each.knows(payer)).isPresent();
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
   * the ceiling has no room for it: then the account promises nothing any more.
   *
   * @param earlier what was charged, for whom and by what evidence
   * @param again whether a file that was imported before is another run's all the same
   */
  public void add(EarlierSpending earlier, boolean again) {
    append(
        () -> {
          AccountState state = book.build();
          Check.that(
              earlier.payers().stream().noneMatch(each -> each.startsWith(payer(state))),
              "what to import",
              "not charged to this account already",
              earlier.source());
          Check.that(
              again || earlier.digest().isEmpty() || !book.hasImported(earlier.digest()),
              "what to import",
              "not imported before (where another run really left the same, --again says so)",
              earlier.source());
          LedgerFile spent = earlier.of(state.terms());
          return new AccountEntry.Imported(
              earlier.source(),
              earlier.digest(),
              spent,
              cost(state.terms(), spent),
              earlier.declared());
        });
  }

  /**
   * Settles a run that ended without settling, by what its journal shows was charged.
   *
   * @param run as the account names it
   * @param journal the file that the run left behind, which is refused while the run still goes on;
   *     without it, all that was reserved is charged
   */
  public void settle(String run, Optional<Path> journal) {
    if (journal.isEmpty()) {
      append(() -> settled(book.build(), run, null));
      return;
    }
    Check.that(
        Files.isRegularFile(journal.get()), "journal", "a file that is there", journal.get());
    // Whoever lives holds this lock. It is held until the account knows.
    try (DurableLines left = DurableLines.open(journal.get())) {
      Journal read = Journal.read(journal.get(), left.existing());
      append(
          () -> {
            Check.that(
                book.lastJournal(run).isIn(DurableLines.identity(journal.get())),
                "journal",
                "the file that the run "
                    + run
                    + " wrote: a copy may know less (without the file, --without-journal charges"
                    + " all that was reserved)",
                journal.get());
            return settled(book.build(), run, read);
          });
    }
  }

  private AccountEntry.Settled settled(AccountState state, String run, Journal journal) {
    AccountState.Item item = state.run(run).orElse(null);
    Check.that(
        item != null && item.standing() == AccountState.Standing.OPEN,
        "run to settle",
        "one that is open",
        run);
    if (journal == null) {
      return settled(state, run, item.spent().ledger(), AccountEntry.Proof.NONE);
    }
    Check.that(
        journal.payers().contains(payer(state) + run)
            && journal.sessions().contains(book.lastJournal(run).session())
            && journal.isPrivate(),
        "journal",
        "that of the run " + run + ", with its last session",
        journal.payers());
    // Whoever could stop a run by what was never released may have told it by the length.
    return settled(
        state,
        run,
        journal.isWatched() ? journal.stated().ledger() : journal.ledger(payer(state) + run),
        AccountEntry.Proof.JOURNAL);
  }

  /** Replaces what a run reserved by what it charged. */
  static AccountEntry.Settled settled(
      AccountState state, String run, Ledger charged, AccountEntry.Proof proof) {
    return new AccountEntry.Settled(run, charged, state.terms().cost(charged), proof);
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
    append(() -> new AccountEntry.Closed(reason, null));
  }

  /**
   * Records that nothing is promised any more, because of what is going to be done.
   *
   * @param purpose what is going to be done
   * @param reason why no ceiling can hold after it
   */
  public void breakFor(Purpose purpose, String reason) {
    append(() -> new AccountEntry.Broken(purpose, reason));
  }

  /**
   * Refuses an account that knows less than others remember of it, one with a line that is no
   * entry, and one with a cost that is not, or was not, that of its ledger.
   *
   * @param remembered what runs left behind
   */
  public synchronized void verify(List<KnownRun> remembered) {
    List<String> lines = store.after(0);
    AccountState.Builder again = new AccountState.Builder(store);
    lines.forEach(again::add);
    AccountState state = again.build();
    remembered.forEach(run -> run.checkWhose(state));
    remembered.stream().flatMap(run -> run.head().stream()).forEach(head -> head.check(lines));
    String unreadable = state.unreadable().orElse("");
    Check.that(unreadable.isEmpty(), "account " + place(), "whole", unreadable);
    lines.forEach(line -> AccountLine.parse(line).checkCost(state.terms()));
    remembered.forEach(run -> run.check(state));
  }

  /**
   * Refuses releases that would pass the limit now, before anything is begun for them. They may
   * still be refused later, when others have spent in the meantime.
   *
   * @param planned what is going to be charged, and for whom
   * @param instead asked for where they are refused: what would fit, as words that end the refusal
   */
  public void checkRoom(LedgerFile planned, Function<AccountState, String> instead) {
    AccountState state = state();
    refuseUnlessOpen(state, false);
    refuseBeyond(state, planned, cost(state.terms(), planned), () -> ". " + instead.apply(state));
  }

  static String payer(AccountState state) {
    return payer(state.id());
  }

  /** How the names begin by which journals know who pays for them; that of the run follows. */
  static String payer(String id) {
    return "account " + id + " run ";
  }

  /** Refuses what passes the limit, or cannot be counted. */
  void refuseBeyond(
      AccountState state, LedgerFile planned, Spending cost, Supplier<String> instead) {
    Check.that(
        state.terms().ceiling().share(cost) < Double.POSITIVE_INFINITY,
        "release on the account " + store.place(),
        "one that its ceiling can count, at a Rényi order or by its largest loss",
        planned.ledger().entries());
    if (!state.fits(cost)) {
      Check.that(
          false,
          "share of the account " + store.place() + " that is spent with this",
          "at most its limit, " + AccountShare.percent(state.limit()),
          AccountShare.percent(state.terms().ceiling().share(state.spent().plus(cost)))
              + " ("
              + AccountShare.percent(state.share())
              + " before)"
              + instead.get());
    }
  }

  void refuseUnlessOpen(AccountState state, boolean breaks) {
    Check.that(state.closed().isEmpty(), "account " + store.place(), "open", state.closed());
    Check.that(
        state.broken().isEmpty() || breaks,
        "account " + store.place(),
        "one that still promises something",
        state.broken());
  }

  static Spending cost(AccountTerms terms, LedgerFile file) {
    refuseOtherUnits(terms, file.unit());
    return terms.cost(file.ledger());
  }

  private static void refuseOtherUnits(AccountTerms terms, String unit) {
    Check.that(unit.equals(terms.unit()), "unit", "that of the account, " + terms.unit(), unit);
  }

  AccountStore store() {
    return store;
  }

  /** Whether it was noted that nothing is promised any more, whatever the entries add up to. */
  synchronized boolean isBrokenByName() {
    return book.isBrokenByName();
  }

  /** Where a run wrote its journal last. */
  synchronized LastJournal lastJournal(String run) {
    return book.lastJournal(run);
  }

  /**
   * The account as it was when something of it was last asked for.
   *
   * @return what was known then
   */
  public synchronized AccountState known() {
    return book.build();
  }

  /**
   * Appends what follows from all that is known by then; null for nothing.
   *
   * @return what was appended; null for nothing
   */
  synchronized AccountEntry append(Supplier<AccountEntry> next) {
    String[] own = {null};
    AccountEntry[] appended = {null};
    store.append(
        book.length(),
        news -> {
          news.forEach(book::add);
          AccountEntry entry = next.get();
          if (entry == null) {
            return Optional.empty();
          }
          book.refuseAfterTheEnd(entry);
          appended[0] = entry;
          Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
          own[0] = book.next(now, store.user(), entry).text();
          return Optional.of(own[0]);
        });
    if (own[0] != null) {
      book.add(own[0]);
    }
    return appended[0];
  }
}
