package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.core.privacy.journal.Journal;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends what a run that died has reserved. */
@Command(
    name = "settle",
    description = {
      "Settles a run that ended without saying what it charged.",
      "What its journal shows was never charged goes back; without a journal, nothing does."
    })
final class SettleRun extends AccountCommand.OnAccount {
  @Option(
      names = "--run",
      paramLabel = "ID",
      required = true,
      description = "The run, as account show names it.")
  private String run;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = "The journal that the run left behind.")
  private Path journal;

  @Option(
      names = "--without-journal",
      description = "Says that there is none, so that all that was reserved is charged.")
  private boolean without;

  @Override
  public Integer call() {
    if (without == (journal != null)) {
      throw new IllegalArgumentException("one of --journal FILE and --without-journal is needed");
    }
    Account account = account();
    account.settle(run, Optional.ofNullable(journal).map(Journal::read));
    return done(account);
  }
}
