package dev.discreet.cli.account;

import dev.discreet.account.Account;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets an account be found by whoever uses other files of the same people. */
@Command(
    name = "cover",
    description = {
      "Says that these files or folders hold rows of the same people.",
      "Whoever uses one of them then finds the account by itself: by the file's place, or by its"
          + " content below the account's folder."
    })
final class CoverFiles extends AccountCommand.OnAccount {
  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files or folders in the account's folder or below.")
  private List<Path> files;

  @Override
  public Integer call() {
    Account account = account();
    files.forEach(account::cover);
    return done(account);
  }
}
