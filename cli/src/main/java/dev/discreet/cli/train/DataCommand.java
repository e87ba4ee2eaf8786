package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.calibration.Calibration;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.privacy.journal.SpentSoFar;
import dev.discreet.data.DataDescription;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.PrivateSummary;
import dev.discreet.data.named.NamedSets;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.AccountedSpending;
import dev.discreet.recipe.setup.ColumnChoices;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.MisfitRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What data there are, and what may be told of them. */
@Command(
    name = "data",
    description = "Lists, fetches, describes and declares data.",
    subcommands = {
      DataCommand.ListCommand.class,
      DataCommand.FetchCommand.class,
      DataCommand.DescribeCommand.class,
      DeclareCommand.class
    })
public final class DataCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw Usage.verbMissing(spec);
  }

  private static Map<String, Object> fields(DataDescription description) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", description.name());
    fields.put("public", description.isPublic());
    fields.put("facts", description.facts());
    return fields;
  }

  /** The names that {@code --data} takes. */
  @Command(name = "list", description = "Lists the named and the generated sets.")
  static final class ListCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print one JSON array.")
    private boolean json;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      PrintWriter out = spec.commandLine().getOut();
      List<DataDescription> all = DataSets.list(DataOptions.none());
      if (json) {
        out.println(Json.text(all.stream().map(DataCommand::fields).toList()));
      } else {
        all.forEach(each -> out.println(each.text()));
      }
      return 0;
    }
  }

  /** Downloads. */
  @Command(
      name = "fetch",
      description = "Makes sure that a named set is on this machine, and says where.",
      modelTransformer = SettingOptions.OfFetching.class)
  static final class FetchCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The set.")
    private String name;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      PrintWriter err = spec.commandLine().getErr();
      SettingValues given = SettingOptions.given(spec).checked();
      DataOptions options =
          DataChoices.options(
              new EffectiveSettings(given),
              line -> {
                err.println(line);
                err.flush();
              });
      spec.commandLine().getOut().println(NamedSets.fetch(name, options));
      return 0;
    }
  }

  /** No private row is looked at unless {@code --spend} pays for it. */
  @Command(
      name = "describe",
      description = {
        "Says what is public or declared of data. Of private rows nothing is looked at, unless"
            + " --spend pays for noisy counts of the label: over all rows, or those to train on"
            + " where the data have a test part of their own."
      },
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfCounts.class)
  static final class DescribeCommand implements Callable<Integer> {
    @Option(
        names = "--spend",
        paramLabel = "EPSILON",
        converter = Quantity.TargetEpsilon.class,
        description = "Also release noisy counts of the label, at this cost.")
    private Double spend;

    @Option(
        names = "--delta",
        paramLabel = "D",
        converter = Quantity.Delta.class,
        description = "Failure probability beside --spend. Default: " + DefaultDelta.WORDS + ".")
    private Double delta;

    @Option(
        names = "--ledger",
        paramLabel = "FILE",
        description = "With --spend: the journal that keeps the cost, new or of earlier releases.")
    private Path ledger;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      if (spend != null && ledger == null) {
        throw new IllegalArgumentException(
            "--spend needs --ledger FILE, which keeps what was spent on these rows");
      }
      Usage.refuse(
          spec,
          "is for --spend",
          spend == null
              ? List.of("--ledger", "--delta", "--declared-units", "--unit", "--one-row-each")
              : List.of());
      PrintWriter out = spec.commandLine().getOut();
      SettingValues given = ColumnChoices.declared(SettingOptions.given(spec));
      String name = SettingOptions.data(given);
      // No share is held out of what is counted; of data with a test part of their own, the other
      // part is counted.
      AccountedSpending account =
          spend == null ? null : AccountedSpending.of(given, "data describe", ledger);
      SettingValues all = spend == null ? given : account.completed(given);
      DataOptions options = options(spend == null ? given : all.with(DataSettings.TEST_SHARE, 0.0));
      DataDescription description = DataSets.describe(name, options);
      Map<String, Object> fields = fields(description);
      if (spend == null) {
        out.println(json ? Json.text(fields) : description.text());
        return 0;
      }
      PrivacyUnit protects = ProtectedUnit.of(new EffectiveSettings(all));
      boolean oneRowEach = all.has(UnitSettings.ONE_ROW_EACH);
      Long declaredUnits = given.get(UnitSettings.DECLARED_UNITS).orElse(null);
      DataSet data =
          MisfitRows.told(
              DataSets.open(name, options),
              given.has(CallSettings.ACCEPT_MISFITS),
              line -> spec.commandLine().getErr().println("discreet data describe: " + line));
      long number =
          declaredUnits == null ? Math.max(1, data.train().units().count()) : declaredUnits;
      boolean taken = declaredUnits == null && delta == null;
      data.train().checkNumber(!taken, UnitSettings.DECLARED_UNITS.name());
      delta = delta == null ? Double.valueOf(DefaultDelta.of(number)) : delta;
      Costs.warn(spec.commandLine().getErr(), spend, delta, protects.noun(), number);
      double multiplier = multiplier();
      PrivateSummary summary;
      SpentSoFar total;
      try (PrivacySession session =
          PrivacySession.open(
              Journal.file(ledger, Neighbouring.ADD_REMOVE, protects.noun()),
              Randomness.secure(),
              account.budget(protects.noun()))) {
        Check.that(
            session.caveat().isEmpty(), "ledger", "of private releases only", session.caveat());
        data.train().check(protects);
        session.condition(protects.declared());
        session.condition(data.train().declared(protects.noun()));
        summary = PrivateSummary.release(data.task(), data.train(), session, multiplier);
        total = session.spent(delta);
      }
      account.keepHead(ledger);
      if (json) {
        fields.put("counts", counts(summary));
        fields.put("deviation", summary.deviation());
        fields.put("epsilon", total.epsilon());
        fields.put("delta", total.delta());
        fields.put("holds", total.holds());
        fields.put("unit", protects.noun());
        if (oneRowEach) {
          fields.put("declared", protects.declared());
        }
        fields.putAll(account.fields());
        out.println(Json.text(fields));
        return 0;
      }
      out.println(description.text());
      out.println(summary.text());
      out.println(
          "The ledger "
              + ledger
              + " now stands at "
              + total.words()
              + ", for each single "
              + protects.noun()
              + "."
              + (oneRowEach ? " " + protects.declared() : "")
              + (taken
                  ? " Delta follows from their number, "
                      + number
                      + ", taken as public because none was declared (--declared-units)."
                  : ""));
      account.told().ifPresent(each -> out.println("Account: " + each.words() + "."));
      return 0;
    }

    private DataOptions options(SettingValues given) throws IOException {
      return DataChoices.options(
          new EffectiveSettings(ColumnChoices.expanded(given.checked())),
          spec.commandLine().getErr()::println);
    }

    /** The least that the accountant lets pass, to the last digit. */
    private double multiplier() {
      return Calibration.noiseMultiplier(
              new PldAccountant(),
              spend,
              delta,
              sigma -> Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(sigma), 1))
          .value();
    }

    private static Map<String, Double> counts(PrivateSummary summary) {
      Map<String, Double> counts = new LinkedHashMap<>();
      for (int i = 0; i < summary.bins().size(); i++) {
        counts.put(summary.bins().get(i), summary.counts().get(i));
      }
      return counts;
    }
  }
}
