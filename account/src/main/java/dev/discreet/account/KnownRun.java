package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a run left behind remembers of the account that it was charged to: how long the account was,
 * and what the run itself says it has charged. An account that knows less is refused by {@link
 * Account#verify}.
 *
 * <pre>{@code
 * account.verify(List.of(KnownRun.of(Path.of("runs/first"))));
 * }</pre>
 *
 * @param source who remembers it, for messages
 * @param head the account as it was when the run had ended; empty where the run did not end
 * @param charged what the run says it has charged, by who paid for it as journals name them
 */
@PublicApi
public record KnownRun(String source, Optional<KnownHead> head, Map<String, Ledger> charged) {
  /**
   * Copies.
   *
   * @param source who remembers it
   * @param head the account as it was
   * @param charged what the run says it has charged
   */
  public KnownRun {
    charged = Map.copyOf(charged);
  }

  /**
   * Somebody who remembers the account, and no run.
   *
   * @param head what they remember
   * @return that
   */
  public static KnownRun of(KnownHead head) {
    return new KnownRun(head.source(), Optional.of(head), Map.of());
  }

  /**
   * Reads the folder of a run, whether it ended or was cut short; the journal of queries or of any
   * run; or a file that keeps the head of an account.
   *
   * @param place a folder or a file
   * @return what it remembers
   * @throws IOException where it cannot be read
   */
  public static KnownRun of(Path place) throws IOException {
    Optional<KnownRun> found = find(place);
    Check.that(
        found.isPresent(), "run to verify against", "one that was charged to an account", place);
    return found.get();
  }

  /**
   * The same of a run that may have had no account.
   *
   * @param place a folder or a file
   * @return what it remembers; empty where that is nothing
   * @throws IOException where it cannot be read
   */
  public static Optional<KnownRun> find(Path place) throws IOException {
    KnownRun found = Files.isDirectory(place) ? folder(place) : file(place);
    return found.head.isPresent() || !found.charged.isEmpty()
        ? Optional.of(found)
        : Optional.empty();
  }

  private static KnownRun folder(Path folder) throws IOException {
    Path result = folder.resolve(RunFiles.RESULT);
    Path journal = folder.resolve(RunFiles.JOURNAL);
    Map<String, Ledger> charged =
        Files.exists(result)
            ? finished(folder, JsonFields.parse(result.toString(), TextFile.read(result)))
            : Files.exists(journal) ? of(Journal.read(journal)) : Map.of();
    return new KnownRun(folder.toString(), head(folder.resolve(RunFiles.ACCOUNT_HEAD)), charged);
  }

  private static KnownRun file(Path file) throws IOException {
    Check.that(Files.isRegularFile(file), "run to verify against", "there", file);
    if (file.toString().endsWith(RunFiles.ACCOUNT_HEAD)) {
      return of(head(file).orElseThrow());
    }
    return new KnownRun(file.toString(), head(RunFiles.accountHead(file)), of(Journal.read(file)));
  }

  private static Optional<KnownHead> head(Path file) throws IOException {
    return Files.exists(file)
        ? Optional.of(KnownHead.parse(file.toString(), TextFile.read(file).strip()))
        : Optional.empty();
  }

  /** What {@code run.json} says, or the ledger beside it, where that is what was charged. */
  private static Map<String, Ledger> finished(Path folder, JsonFields run) throws IOException {
    if (!(run.map().get("account") instanceof Map<?, ?> map) || !map.containsKey("run")) {
      return Map.of();
    }
    JsonFields account = JsonFields.of("account of " + folder, map);
    Path ledger = folder.resolve(RunFiles.LEDGER);
    return Map.of(
        Account.payer(account.text("id")) + account.text("run"),
        map.get("charged") instanceof Map<?, ?> charged
            ? Ledger.parse(JsonNumbers.SHORTEST.asString(charged))
            : LedgerFile.parse(TextFile.read(ledger)).ledger());
  }

  private static Map<String, Ledger> of(Journal journal) {
    Map<String, Ledger> charged = new LinkedHashMap<>();
    for (String payer : journal.payers()) {
      if (!payer.isEmpty()) {
        charged.put(payer, journal.ledger(payer));
      }
    }
    return charged;
  }

  /** Refuses runs of another account. */
  void checkWhose(AccountState state) {
    for (String payer : charged.keySet()) {
      Check.that(
          payer.startsWith(Account.payer(state.id())),
          source,
          "a run on this account, "
              + state.id()
              + (state.follows().isEmpty() ? "" : ", and not on the one that it follows"),
          "one of another: " + payer);
    }
  }

  /** Refuses an account that knows less than this. */
  void check(AccountState state) {
    String ours = Account.payer(state.id());
    for (Map.Entry<String, Ledger> each : charged.entrySet()) {
      String payer = each.getKey();
      Ledger stated = each.getValue();
      Ledger missing =
          state
              .run(payer.substring(ours.length()))
              .map(item -> stated.minus(item.spent().ledger()))
              .orElse(stated);
      long all = releases(stated);
      Check.that(
          missing.entries().isEmpty(),
          "account",
          "one that knows all " + all + " releases of " + source + " (it knows less than the run)",
          all - releases(missing) + " of them");
    }
  }

  private static long releases(Ledger ledger) {
    return ledger.totals().values().stream().mapToLong(Long::longValue).sum();
  }
}
