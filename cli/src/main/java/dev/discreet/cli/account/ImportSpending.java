package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Adds what was spent before the account was there. */
@Command(
    name = "import",
    description = "Adds what was spent on the same people before the account was opened.")
final class ImportSpending extends AccountCommand.OnAccount {
  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description = "A ledger.json of an earlier run, or what was declared in its form.")
  private Path ledger;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = "The journal of an earlier run or of earlier queries.")
  private Path journal;

  @Option(
      names = "--declared",
      description = "Says that the ledger was written by hand; the account marks it so.")
  private boolean declared;

  @Override
  public Integer call() throws IOException {
    if ((ledger == null) == (journal == null)) {
      throw new IllegalArgumentException("one of --ledger FILE and --journal FILE is needed");
    }
    Account account = account();
    Path source = ledger == null ? journal : ledger;
    LedgerFile spent =
        ledger == null
            ? Journal.read(journal).stated()
            : LedgerFile.parse(Files.readString(ledger));
    account.add(source.toString(), spent, declared);
    return done(account);
  }
}
