package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.algorithms.regression.FunctionalMechanism;
import dev.discreet.algorithms.regression.LeastSquares;
import dev.discreet.algorithms.regression.RegressionBounds;
import dev.discreet.algorithms.regression.RegressionBudget;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.algorithms.regression.RegressionResult;
import dev.discreet.algorithms.regression.SufficientStatistics;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.model.Task;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.data.Column;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.UnfinishedFolder;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.NumberText;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.AccountedSpending;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.MisfitRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Linear or logistic regression from one noisy reading of the rows. */
@Command(
    name = "regress",
    description = {
      "Fits a linear model to a table, or a logistic one where the label has two classes, from"
          + " noisy sums that are read once (docs/algorithms/functional-mechanism.md).",
      "Methods: functional-gaussian, sufficient-statistics (AdaSSP), functional (Laplace noise,"
          + " delta 0) and least-squares, which is not private."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.OfFit.class,
    footerHeading = "%n",
    footer = "Example: discreet regress --data census --epsilon 0.8")
public final class RegressCommand implements Callable<Integer> {
  private static final List<String> METHODS =
      List.of("functional-gaussian", "sufficient-statistics", "functional", "least-squares");

  @Option(
      names = "--method",
      paramLabel = "NAME",
      defaultValue = "functional-gaussian",
      description =
          "One of the above. Default: ${DEFAULT-VALUE}, which lost least in what was measured"
              + " here.")
  private String method;

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      converter = Quantity.TargetEpsilon.class,
      description = "What the fit may cost. Not for least-squares.")
  private Double epsilon;

  @Option(
      names = "--delta",
      paramLabel = "D",
      converter = Quantity.Delta.class,
      description =
          "Failure probability beside Gaussian noise. Default: " + DefaultDelta.WORDS + ".")
  private Double delta;

  @Option(
      names = "--linear-share",
      paramLabel = "S",
      converter = LinearShare.class,
      description =
          "Of functional: the share of epsilon for the linear coefficients, in (0, 1). Default: the"
              + " best one.")
  private Double linearShare;

  @Option(
      names = "--feature-bounds",
      paramLabel = "LOW..HIGH",
      defaultValue = "0..1",
      description =
          "Public bounds of the inputs as train sees them: columns with declared bounds are moved"
              + " to 0..1 before. What lies outside counts as the bound. Default:"
              + " ${DEFAULT-VALUE}.")
  private String featureBounds;

  @Option(names = "--no-intercept", description = "A model through the origin.")
  private boolean noIntercept;

  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description =
          "A file that remembers what was spent on one set of people; made where there is none. The"
              + " cost is then told of all of it, at --delta.")
  private Path ledger;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write model, ledger and privacy statement to a new folder.")
  private Path out;

  @Option(names = "--force", description = "Replace an earlier run's folder.")
  private boolean force;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  private AccountedSpending account;
  private PrivacyUnit protects;
  private Neighbouring neighbours;
  // Null where none was declared.
  private Long declaredUnits;

  static final class LinearShare implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return NumberText.real("linear share", "in (0, 1)", value -> value > 0 && value < 1)
          .apply(text);
    }
  }

  @Override
  public Integer call() throws IOException {
    SettingValues given = SettingOptions.given(spec).checked();
    account = AccountedSpending.of(given, "regress", out == null ? ledger : out);
    EffectiveSettings choices =
        new EffectiveSettings(method.equals("least-squares") ? given : account.completed(given));
    neighbours = choices.or(PrivacySettings.NEIGHBOURING, Neighbouring.ADD_REMOVE);
    declaredUnits = choices.get(UnitSettings.DECLARED_UNITS).orElse(null);
    checkOptions(choices);
    PrintWriter err = spec.commandLine().getErr();
    OutFolder folder = out == null ? null : new OutFolder(out, force).checked();
    String name = choices.get(DataSettings.DATA).orElseThrow();
    Consumer<String> progress =
        line -> {
          err.println(line);
          err.flush();
        };
    DataSet data =
        MisfitRows.told(
            DataSets.open(name, DataChoices.options(choices, progress)),
            choices.given().has(CallSettings.ACCEPT_MISFITS),
            line -> progress.accept("discreet regress: " + line));
    delta = delta == null ? account.delta().orElseGet(() -> DefaultDelta.of(number(data))) : delta;
    UnfinishedFolder.Work<Void> work =
        journal -> {
          RegressionResult fitted = fit(data, journal);
          account.keepHead(ledger);
          Regression regression =
              new Regression(
                  method,
                  data.name(),
                  choices.get(DataSettings.COLUMN).orElse(List.of()),
                  data.task(),
                  fitted,
                  shown(data),
                  account.told());
          print(regression, folder == null ? null : folder.write(regression::writeTo));
          return null;
        };
    if (folder == null || ledger != null || method.equals("least-squares")) {
      work.with(ledger);
    } else {
      double stated = method.equals("functional") ? 0 : delta;
      UnfinishedFolder.during(
          folder,
          "epsilon " + Digits.exact(epsilon) + " at delta " + Digits.exact(stated),
          stated,
          line -> err.println("discreet regress: " + line),
          work);
    }
    return 0;
  }

  /** Where an account covers private rows, nothing is told of them without noise. */
  private Optional<DataSet.Part> shown(DataSet data) {
    return data.test().filter(part -> part.isPublic() || !account.isCharged());
  }

  private void print(Regression regression, Path written) throws IOException {
    PrintWriter to = spec.commandLine().getOut();
    if (json) {
      to.println(Json.text(regression.consoleFields()));
    } else {
      Table table = regression.table(written);
      if (written == null && ledger == null && epsilon != null && !account.isCharged()) {
        table.row(
            "ledger", "none: nothing is written, so remember what this cost (or give --ledger)");
      }
      table.print(to);
    }
  }

  private void checkOptions(EffectiveSettings choices) {
    Check.that(METHODS.contains(method), "method", "one of " + String.join(", ", METHODS), method);
    List<String> missing = new ArrayList<>();
    if (!choices.isGiven(DataSettings.DATA)) {
      missing.add("--data NAME|PATH");
    }
    if (epsilon == null && !method.equals("least-squares")) {
      missing.add("--epsilon E");
    }
    Usage.needed(missing);
    Column.bounds(featureBounds);
    switch (method) {
      case "functional" ->
          Usage.refuse(
              spec,
              "is for Gaussian noise or beside --ledger; functional has delta 0",
              ledger == null ? List.of("--delta") : List.of());
      case "least-squares" ->
          Usage.refuse(
              spec,
              "cannot stand beside least-squares, which is not private",
              "--epsilon",
              "--delta",
              "--linear-share",
              "--neighbouring",
              "--unit",
              "--one-row-each",
              "--declared-units",
              "--ledger");
      default -> Usage.refuse(spec, "is for --method functional", "--linear-share");
    }
    if (out == null) {
      Usage.refuse(spec, "is for --out", "--force");
    }
    protects = ProtectedUnit.of(choices);
  }

  /**
   * @param file the journal; null for none
   */
  private RegressionResult fit(DataSet data, Path file) {
    int features = data.train().examples().input().size();
    Check.that(
        data.train().examples().input().positions() == 1,
        "data to regress",
        "a table",
        data.train().examples().input());
    Task task = data.task();
    Check.that(
        task.<Boolean>match(classes -> classes.names().size() == 2, number -> true),
        "label to regress",
        "a number in bounds or one of 2 classes",
        task);
    RegressionLoss loss =
        task.match(classes -> RegressionLoss.LOGISTIC, number -> RegressionLoss.SQUARED);
    // The data room moves targets from their declared bounds to [0, 1].
    Column.Bounded each = Column.bounds(featureBounds);
    RegressionBounds bounds =
        RegressionBounds.same(
            features,
            new RegressionBounds.Interval(each.low(), each.high()),
            new RegressionBounds.Interval(0, 1));
    DataSet.Part rows = data.train();
    if (method.equals("least-squares")) {
      account.unprotected();
      return new LeastSquares(bounds, loss, !noIntercept).fit(rows.examples(), rows.units());
    }
    Check.that(
        loss == RegressionLoss.SQUARED || !method.equals("sufficient-statistics"),
        "label of sufficient-statistics",
        "a number in bounds",
        task);
    boolean pure = method.equals("functional") && !Usage.given(spec, "--delta");
    long number = number(data);
    Costs.warn(spec.commandLine().getErr(), epsilon, pure ? 0 : delta, protects.noun(), number);
    Journal journal =
        file == null
            ? Journal.inMemory(neighbours)
            : Journal.file(file, neighbours, protects.noun());
    try (PrivacySession session =
        PrivacySession.open(journal, Randomness.secure(), account.budget(protects.noun()))) {
      Check.that(
          session.caveat().isEmpty(), "ledger", "of private releases only", session.caveat());
      RegressionResult fitted =
          method.equals("sufficient-statistics")
              ? new SufficientStatistics(
                      bounds, !noIntercept, new RegressionBudget.Gaussian(epsilon, delta))
                  .fit(session, rows, protects)
              : new FunctionalMechanism(bounds, loss, !noIntercept, budget())
                  .fit(session, rows, protects, pure ? 0 : delta);
      return fitted.among(number, declaredUnits != null);
    }
  }

  /** The number of units, which is public: it was declared, or it is taken as public. */
  private long number(DataSet data) {
    return declaredUnits == null ? Math.max(1, data.train().units().count()) : declaredUnits;
  }

  private RegressionBudget budget() {
    if (method.equals("functional-gaussian")) {
      return new RegressionBudget.Gaussian(epsilon, delta);
    }
    return linearShare == null
        ? new RegressionBudget.Pure(epsilon)
        : new RegressionBudget.Split(epsilon - linearShare * epsilon, linearShare * epsilon);
  }
}
