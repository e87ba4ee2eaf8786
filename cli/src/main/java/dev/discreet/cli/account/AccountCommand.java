package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountState;
import dev.discreet.account.KnownHead;
import dev.discreet.account.KnownRun;
import dev.discreet.accounting.Check;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.report.AccountReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** One budget for the same people, over every run, query and machine. */
@Command(
    name = "account",
    description = "Keeps one budget for the same people, over every run and query.",
    subcommands = {
      OpenAccount.class,
      AccountCommand.Show.class,
      AccountCommand.Verify.class,
      CoverFiles.class,
      SettleRun.class,
      AccountCommand.Limit.class,
      ImportSpending.class,
      AccountCommand.Close.class
    },
    footerHeading = "%n",
    footer =
        "Example: discreet account open patients.csv --epsilon 8 --delta 1e-6 --unit person"
            + " --unit-column id")
public final class AccountCommand implements Runnable {
  static final String PLACE =
      "The table or folder beside which the account lies, its own file, or"
          + " jdbc:postgresql://host/database#name.";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw Usage.verbMissing(spec);
  }

  /** A verb on an account that is there. */
  abstract static class OnAccount implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "ACCOUNT", description = PLACE)
    private String place;

    @Spec private CommandSpec spec;

    Account account() {
      return Account.at(AccountPlaces.of(place));
    }

    PrintWriter out() {
      return spec.commandLine().getOut();
    }

    /** What is left is what an operator wants to know after any change. */
    int done(Account account) {
      out().println(AccountWords.standing(account.state()));
      return 0;
    }
  }

  @Command(name = "show", description = "Shows what was spent, by whom and for what.")
  static final class Show extends OnAccount {
    private static final int ON_A_PAGE = 300;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
        names = "--html",
        paramLabel = "FILE.html",
        description = "Also write a page: spending over time, entries, the attacker's curve.")
    private Path html;

    @Option(
        names = "--all",
        description = "Show every entry, not the last 20 alone (on a page: the last 300).")
    private boolean all;

    @Override
    public Integer call() throws IOException {
      // Of other names, the account itself might be one.
      Check.that(
          html == null || html.toString().endsWith(".html"),
          "--html",
          "a file whose name ends in .html",
          html);
      AccountState state = account().known();
      if (html != null) {
        AtomicFile.write(
            html, new AccountReport(state, all ? Integer.MAX_VALUE : ON_A_PAGE).html());
      }
      if (json) {
        out().println(Json.text(AccountWords.fields(state)));
      } else {
        AccountWords.print(state, all, out());
      }
      return 0;
    }
  }

  @Command(
      name = "verify",
      description = {
        "Checks that no entry was changed, removed or moved, and that costs are those of the"
            + " ledgers.",
        "An old copy of an account that was put back looks whole by itself, and so does one where"
            + " a run was settled with less than it charged: --against finds them."
      })
  static final class Verify extends OnAccount {
    @Option(
        names = "--against",
        paramLabel = "RUN",
        arity = "1..*",
        description =
            "Folders, journals or kept heads of runs on the account, which must know all that they"
                + " know.")
    private List<Path> against = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
      List<KnownRun> remembered = new ArrayList<>();
      for (Path run : against) {
        remembered.add(KnownRun.of(run));
      }
      Account account = account();
      account.verify(remembered);
      KnownHead head = account.state().head();
      out()
          .println(
              "Whole: "
                  + head.length()
                  + " entries, head "
                  + head.hash()
                  + "."
                  + (against.isEmpty() ? "" : " It knows all that the given runs know."));
      return 0;
    }
  }

  @Command(
      name = "limit",
      description = "Sets a working limit below the ceiling, which may be moved.")
  static final class Limit extends OnAccount {
    @Option(
        names = "--share",
        paramLabel = "S",
        required = true,
        description = "The share of the ceiling that may be spent, in (0, 1].")
    private double share;

    @Override
    public Integer call() {
      Account account = account();
      account.limit(share);
      return done(account);
    }
  }

  @Command(name = "close", description = "Closes the account: nothing may be spent any more.")
  static final class Close extends OnAccount {
    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        defaultValue = "closed by its owner",
        description = "What those who try are told. Default: ${DEFAULT-VALUE}.")
    private String reason;

    @Override
    public Integer call() {
      Account account = account();
      account.close(reason);
      return done(account);
    }
  }
}
