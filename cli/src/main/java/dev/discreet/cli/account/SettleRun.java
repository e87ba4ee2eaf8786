package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.journal.Journal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
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
  @Option(names = "--run", paramLabel = "ID", description = "The run, as account show names it.")
  private String run;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = "The journal that the run left behind.")
  private Path journal;

  @Option(
      names = "--run-folder",
      paramLabel = "DIR",
      description =
          "In place of both: the folder that the run was to write, or where it left its journal.")
  private Path folder;

  @Option(
      names = "--without-journal",
      description =
          "Says that there is none, as where the run kept none on the disk: all that was reserved is"
              + " charged.")
  private boolean without;

  @Override
  public Integer call() {
    if (folder == null
        ? run == null || without == (journal != null)
        : run != null || without || journal != null) {
      throw new IllegalArgumentException(
          "--run-folder DIR is needed, or --run ID with one of --journal FILE and"
              + " --without-journal");
    }
    Account account = account();
    if (folder == null) {
      account.settle(run, Optional.ofNullable(journal));
    } else {
      Path left = left();
      account.settle(
          account
              .runOf(Journal.read(left))
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "run folder must be of a run on this account. Provided value: "
                              + folder)),
          Optional.of(left));
    }
    return done(account);
  }

  private Path left() {
    Path beside = folder.resolveSibling(folder.getFileName() + ".unfinished");
    return Stream.of(folder, beside)
        .map(each -> each.resolve(RunFiles.JOURNAL))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "run folder must be one that has "
                        + RunFiles.JOURNAL
                        + " in it or in the folder .unfinished beside it. Provided value: "
                        + folder));
  }
}
