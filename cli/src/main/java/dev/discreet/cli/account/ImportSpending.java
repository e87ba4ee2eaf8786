package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.account.EarlierSpending;
import dev.discreet.accounting.Check;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds what was spent before the account was there. */
@Command(
    name = "import",
    description = {
      "Adds what was spent on the same people before the account knew of it.",
      "From folders of runs, ledgers and journals; or by --declared-epsilon, as somebody's word."
    },
    sortOptions = false)
final class ImportSpending extends AccountCommand.OnAccount {
  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "RUN",
      description = "Folders of earlier runs, their ledger.json, or journals.")
  private List<Path> places = new ArrayList<>();

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
      description = "Says that what is given was written by hand; the account marks it so.")
  private boolean declared;

  @Option(
      names = "--declared-epsilon",
      paramLabel = "E",
      converter = Quantity.TargetEpsilon.class,
      description = "Declares a cost that no file tells of; the account marks it so.")
  private Double epsilon;

  @Option(
      names = "--declared-delta",
      paramLabel = "D",
      defaultValue = "0",
      converter = Quantity.Delta.class,
      description = "Beside --declared-epsilon. Default: ${DEFAULT-VALUE}.")
  private double delta;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "Beside --declared-epsilon: who says so, and of what.")
  private String note;

  @Option(
      names = "--again",
      description = "Says that another run left what looks as if it had been imported before.")
  private boolean again;

  @Override
  public Integer call() throws IOException {
    for (Path each : new Path[] {ledger, journal}) {
      if (each != null) {
        places.add(each);
      }
    }
    Usage.needed(
        epsilon == null && note == null && places.isEmpty()
            ? List.of("after ACCOUNT a RUN (a folder, ledger.json or journal)")
            : epsilon == null && note != null
                ? List.of("--declared-epsilon E beside --note")
                : epsilon != null && note == null
                    ? List.of("--note TEXT beside --declared-epsilon")
                    : List.of());
    Check.that(
        epsilon == null || places.isEmpty(),
        "RUN",
        "left out beside --declared-epsilon, which stands for what no file tells of",
        places);
    Account account = account();
    List<EarlierSpending> all = new ArrayList<>();
    for (Path place : places) {
      EarlierSpending each = EarlierSpending.of(place);
      all.add(declared ? each.onSomebodysWord() : each);
    }
    if (epsilon != null) {
      all.add(EarlierSpending.declared(note, account.state().terms(), epsilon, delta));
    }
    all.forEach(each -> account.add(each, again));
    return done(account);
  }
}
