package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.account.AccountDatabase;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountState;
import dev.discreet.account.AccountStore;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.KnownHead;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
      AccountCommand.Open.class,
      AccountCommand.Show.class,
      AccountCommand.Verify.class,
      AccountCommand.Settle.class,
      AccountCommand.Limit.class,
      AccountCommand.Add.class,
      AccountCommand.Close.class
    },
    footerHeading = "%n",
    footer =
        "Example: discreet account open patients.csv --epsilon 8 --delta 1e-6 --unit person"
            + " --unit-column id")
public final class AccountCommand implements Runnable {
  private static final String PLACE =
      "The table or folder beside which the account lies, its own file, or"
          + " jdbc:postgresql://host/database#name.";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw Usage.verbMissing(spec);
  }

  /** A verb on an account that is there. */
  abstract static class OnAccount implements Callable<Integer> {
    @Parameters(paramLabel = "ACCOUNT", description = PLACE)
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

  @Command(name = "open", description = "Opens the account of a population.", sortOptions = false)
  static final class Open implements Callable<Integer> {
    @Parameters(paramLabel = "ACCOUNT", description = PLACE)
    private String place;

    @Option(
        names = "--epsilon",
        paramLabel = "E",
        required = true,
        converter = Quantity.TargetEpsilon.class,
        description = "The ceiling: what everything that is ever released may cost together.")
    private double epsilon;

    @Option(
        names = "--delta",
        paramLabel = "D",
        required = true,
        converter = Quantity.Delta.class,
        description = "The delta of the ceiling; with 0 only pure releases fit.")
    private double delta;

    @Option(
        names = "--unit",
        paramLabel = "NOUN",
        required = true,
        description = "Who is protected, as in person, patient or household.")
    private String unit;

    @Option(
        names = "--unit-column",
        paramLabel = "NAME",
        description = "The column that tells whose row it is.")
    private String unitColumn;

    @Option(names = "--one-row-each", description = "Declares that each of them has one row.")
    private boolean oneRowEach;

    @Option(
        names = "--neighbouring",
        paramLabel = "RELATION",
        defaultValue = "add/remove",
        description = "add/remove, replace-one or zero-out. Default: ${DEFAULT-VALUE}.")
    private String neighbouring;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      if (oneRowEach == (unitColumn != null)) {
        throw new IllegalArgumentException(
            "one of --unit-column NAME and --one-row-each is needed: an account protects "
                + unit
                + "s, and must know whose rows are whose");
      }
      AccountStore store = AccountPlaces.of(place);
      if (store instanceof AccountDatabase database) {
        database.createSchema();
      }
      Account account =
          Account.open(
              store,
              new AccountTerms(
                  unit,
                  oneRowEach ? "" : unitColumn,
                  Neighbouring.of(neighbouring),
                  new PrivacyFilter(epsilon, delta)));
      PrintWriter out = spec.commandLine().getOut();
      out.println("Opened " + store.place() + ".");
      out.println(AccountWords.standing(account.state()));
      return 0;
    }
  }

  @Command(name = "show", description = "Shows what was spent, by whom and for what.")
  static final class Show extends OnAccount {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(names = "--all", description = "Show every entry, not the last 20 alone.")
    private boolean all;

    @Override
    public Integer call() throws IOException {
      AccountState state = account().state();
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
        "An old copy of an account that was put back looks whole by itself: --against finds it."
      })
  static final class Verify extends OnAccount {
    @Option(
        names = "--against",
        paramLabel = "RUN",
        arity = "1..*",
        description = "Run folders that were charged to the account; it must know what they know.")
    private List<Path> against = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
      List<KnownHead> remembered = new ArrayList<>();
      for (Path folder : against) {
        Path file = folder.resolve(RunFiles.ACCOUNT_HEAD);
        Check.that(
            Files.isRegularFile(file), "--against", "a folder of a run on an account", folder);
        remembered.add(KnownHead.parse(file.toString(), Files.readString(file).strip()));
      }
      Account account = account();
      account.verify(remembered);
      KnownHead head = account.state().head();
      out().println("Whole: " + head.length() + " entries, head " + head.hash() + ".");
      return 0;
    }
  }

  @Command(
      name = "settle",
      description = {
        "Settles a run that ended without saying what it charged.",
        "What its journal shows was never charged goes back; without a journal, nothing does."
      })
  static final class Settle extends OnAccount {
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

  @Command(
      name = "import",
      description = "Adds what was spent on the same people before the account was opened.")
  static final class Add extends OnAccount {
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
