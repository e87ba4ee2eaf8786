package dev.discreet.cli.audit;

import dev.discreet.account.KnownRun;
import dev.discreet.accounting.Check;
import dev.discreet.core.files.RunFiles;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setup.PayingAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What must be granted before an audit looks at rows without noise, and where it may write. */
final class AuditLeave {
  static final String OPTION = "--outside-the-guarantee";

  private AuditLeave() {}

  /**
   * Refuses rows of an account that is not passed over, and else lets the account record it.
   *
   * @param run the folder of the run that is audited, or a run file, which may lie in one; null
   *     where there is none. The run remembers which account it had, and not where that is
   * @param passOver whether this call says so. That the recipe passed its account over, to train,
   *     is no leave to show what the rows say
   * @return the recipe without an account, for nothing is charged
   */
  static Recipe ofAccounts(Recipe recipe, Path run, boolean passOver, String verb)
      throws IOException {
    Recipe asked = recipe.without(PrivacySettings.PASS_OVER_ACCOUNT);
    if (passOver) {
      asked = asked.with(PrivacySettings.PASS_OVER_ACCOUNT, true);
    }
    PayingAccount.refuseUnprotected(
        asked.values(), run == null ? Optional.empty() : KnownRun.find(folder(run)), verb);
    return Recipe.of(PayingAccount.unpaid(asked.values()));
  }

  private static Path folder(Path run) throws IOException {
    return Files.isDirectory(run) ? run : run.toRealPath().getParent();
  }

  /** Refuses private rows, unless they are asked for by name. */
  static void ofRows(boolean isPublic, boolean outside, String data) {
    Check.that(
        isPublic || outside,
        "data",
        "public or generated (private rows are audited, unprotected, only with " + OPTION + ")",
        data);
  }

  /**
   * Refuses a folder that is, or lies in, that of a run: runs are released, and audits tell of
   * private rows. Links are followed.
   *
   * @return the folder without links, there or not
   */
  static Path toWrite(Path out) throws IOException {
    Path place = out.toAbsolutePath().normalize();
    Path there = place;
    while (Files.notExists(there)) {
      there = there.getParent();
    }
    Path real = there.toRealPath();
    for (Path way : new Path[] {place, real}) {
      for (Path at = way; at != null; at = at.getParent()) {
        Check.that(
            Files.notExists(at.resolve(RunFiles.RESULT)),
            "out",
            "outside of the folders of runs, which are released",
            out);
      }
    }
    return real.resolve(there.relativize(place));
  }
}
