package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.account.AccountDatabase;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountStore;
import dev.discreet.account.AccountTerms;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.data.DataFormats;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Fixes who is protected, and by how much, before anything is released. */
@Command(
    name = "open",
    description = "Opens the account of a population.",
    sortOptions = false,
    modelTransformer = SettingOptions.OfTable.class)
final class OpenAccount implements Callable<Integer> {
  @Parameters(paramLabel = "ACCOUNT", description = AccountCommand.PLACE)
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

  @Option(
      names = "--cover",
      paramLabel = "FILE",
      description = "Another file or folder with rows of the same people, once for each.")
  private List<Path> files = List.of();

  @Option(
      names = "--follows",
      paramLabel = "ACCOUNT",
      description =
          "The account that this one takes over from: it is closed, and all that was spent there is"
              + " spent here.")
  private String follows;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (oneRowEach == (unitColumn != null)) {
      throw new IllegalArgumentException(
          "one of --unit-column NAME and --one-row-each is needed: an account protects "
              + unit
              + "s, and must know whose rows are whose");
    }
    AccountStore store = AccountPlaces.of(place);
    checkTable();
    if (store instanceof AccountDatabase database) {
      database.createSchema();
    }
    AccountTerms terms =
        new AccountTerms(
            unit,
            oneRowEach ? "" : unitColumn,
            Neighbouring.of(neighbouring),
            new PrivacyFilter(epsilon, delta));
    Account account =
        follows == null
            ? Account.open(store, terms)
            : Account.follow(store, terms, Account.at(AccountPlaces.of(follows)));
    files.forEach(account::cover);
    PrintWriter out = spec.commandLine().getOut();
    out.println("Opened " + store.place() + ".");
    out.println(AccountWords.standing(account.state()));
    return 0;
  }

  /** A column that is not there would be found out when the account can no more be changed. */
  private void checkTable() throws IOException {
    if (place.startsWith("jdbc:") || place.endsWith(AccountPlaces.SUFFIX)) {
      return;
    }
    Path table = Path.of(place);
    Check.that(
        Files.exists(table),
        "ACCOUNT",
        "a table or folder that is there, a file whose name ends in "
            + AccountPlaces.SUFFIX
            + ", or a database",
        place);
    if (unitColumn != null && Files.isRegularFile(table)) {
      DataFormats.table(table)
          .checkColumns(
              table, SettingOptions.written(SettingOptions.given(spec)), List.of(unitColumn));
    }
  }
}
