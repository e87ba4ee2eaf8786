package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * What was spent on a population before its account knew of it.
 *
 * <pre>{@code
 * account.add(EarlierSpending.of(Path.of("runs/first")), false);
 * }</pre>
 *
 * @param source the file or folder that says so, or who declares it
 * @param digest of the file's content, by which it is known again; empty where there is no file
 * @param spent what was charged
 * @param declared whether nothing but somebody's word stands behind it
 * @param payers who paid for it, as its journal or {@code run.json} names them
 */
@PublicApi
public record EarlierSpending(
    String source, String digest, LedgerFile spent, boolean declared, Set<String> payers) {

  /**
   * Refuses a source that is not on one line.
   *
   * @param source on one line
   * @param digest may be empty
   * @param spent what was charged
   * @param declared whether nothing but somebody's word stands behind it
   * @param payers may be empty
   */
  public EarlierSpending {
    Check.that(!source.isBlank() && Check.oneLine(source), "source", "on one line", source);
    payers = Set.copyOf(payers);
  }

  /**
   * Reads the folder of a run (of train, tune or regress, finished or cut short), a ledger in JSON,
   * or a journal. A run that protected no one is refused: no number says what it cost.
   *
   * @param place a folder or a file
   * @return what was spent
   * @throws IOException where it cannot be read
   */
  public static EarlierSpending of(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      Check.that(Files.isRegularFile(place), "what to import", "there", place);
      if (!TextFile.read(place).startsWith("{")) {
        return journal(place, place);
      }
      // The ledger of a run's folder says no more and no less than the folder.
      return place.endsWith(RunFiles.LEDGER)
          ? run(place, place, place.resolveSibling(RunFiles.RESULT))
          : ledger(place, place, "");
    }
    Path ledger = place.resolve(RunFiles.LEDGER);
    Path result = place.resolve(RunFiles.RESULT);
    if (!Files.exists(result) && !Files.exists(ledger)) {
      Path journal = place.resolve(RunFiles.JOURNAL);
      Check.that(
          Files.exists(journal),
          "folder to import",
          "that of a run, with " + RunFiles.LEDGER + " or " + RunFiles.JOURNAL,
          place);
      return journal(place, journal);
    }
    return run(place, ledger, result);
  }

  private static EarlierSpending run(Path place, Path ledger, Path result) throws IOException {
    String told = Files.exists(result) ? TextFile.read(result) : "{}";
    boolean isPrivate = !Boolean.FALSE.equals(JsonFields.parse("run", told).map().get("private"));
    Check.that(
        isPrivate && Files.exists(ledger),
        "run to import",
        "private (what another one tells of its people, no ceiling holds)",
        place);
    return ledger(place, ledger, told);
  }

  /**
   * Somebody's word, which the account marks as that.
   *
   * @param who and why, on one line
   * @param terms of the account
   * @param epsilon what it cost each unit, under the account's relation
   * @param delta the δ of that; 0 for a pure cost
   * @return what was spent
   */
  public static EarlierSpending declared(
      String who, AccountTerms terms, double epsilon, double delta) {
    Mechanism stated =
        delta == 0 ? new Mechanism.PureDp(epsilon) : new Mechanism.ApproximateDp(epsilon, delta);
    return new EarlierSpending(
        who,
        "",
        new LedgerFile(Ledger.of(terms.neighbouring(), stated, 1), terms.unit(), 0, false, ""),
        true,
        Set.of());
  }

  /**
   * The same as somebody's word.
   *
   * @return marked as declared
   */
  public EarlierSpending onSomebodysWord() {
    return new EarlierSpending(source, digest, spent, true, payers);
  }

  /** Where each of the people has one row, as was declared, a cost to a row is a cost to them. */
  LedgerFile of(AccountTerms terms) {
    boolean ofRows = spent.unit().equals("example") || spent.unit().equals("row");
    return !ofRows || !terms.unitColumn().isEmpty() || spent.unit().equals(terms.unit())
        ? spent
        : new LedgerFile(
                spent.ledger(),
                terms.unit(),
                spent.units(),
                spent.declared(),
                spent.accountant(),
                spent.conditions())
            .on(new PrivacyUnit(terms.unit(), true).declared());
  }

  private static EarlierSpending ledger(Path source, Path file, String beside) throws IOException {
    String text = TextFile.read(file);
    Object account = beside.isEmpty() ? null : JsonFields.parse("run", beside).map().get("account");
    Set<String> payers =
        account == null
            ? Set.of()
            : Set.of(Account.payer(JsonFields.of("account", account).text("id")));
    return new EarlierSpending(
        source.toString(), AccountLine.hash(beside + text), LedgerFile.parse(text), false, payers);
  }

  private static EarlierSpending journal(Path source, Path file) throws IOException {
    Journal journal = Journal.read(file);
    Check.that(
        journal.isPrivate() && journal.isSecure(),
        "journal to import",
        "of private releases with secret keys (what others tell of their people, no ceiling holds)",
        file);
    return new EarlierSpending(
        source.toString(),
        AccountLine.hash(TextFile.read(file)),
        journal.stated(),
        false,
        journal.payers());
  }
}
