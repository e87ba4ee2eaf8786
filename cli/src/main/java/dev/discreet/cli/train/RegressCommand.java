package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Usage;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.UnfinishedFolder;
import dev.discreet.recipe.regress.PreparedRegression;
import dev.discreet.recipe.regress.RegressionRecipe;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.SettingValues;
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

/** Linear or logistic regression from one noisy reading of the rows. */
@Command(
    name = "regress",
    description = {
      "Fits a linear model to a table, or a logistic one where the label has two classes, from"
          + " noisy sums that are read once (docs/algorithms/functional-mechanism.md).",
      "Methods: functional-gaussian, sufficient-statistics (AdaSSP), functional (Laplace noise,"
          + " delta 0) and least-squares, which is not private.",
      "Its folder is read by predict and evaluate, as one of train."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.OfFit.class,
    footerHeading = "%n",
    footer = "Example: discreet regress --data census --epsilon 0.8")
public final class RegressCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RUN.yaml",
      arity = "0..1",
      description =
          "A run file, such as an earlier regression left. Options override what it says.")
  private Path runFile;

  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description =
          "A file that remembers what was spent on one set of people; made where there is none. The"
              + " cost is then told of all of it, at --delta.")
  private Path ledger;

  @Option(names = "--force", description = "Replace an earlier run's folder.")
  private boolean force;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    SettingValues given =
        SettingOptions.given(spec)
            .over(runFile == null ? SettingValues.nothing() : RunFile.read(runFile))
            .checked();
    RegressionRecipe recipe = RegressionRecipe.of(given, ledger);
    boolean isPrivate = recipe.method().isPrivate();
    checkOptions(given, isPrivate);
    OutFolder folder =
        given.isSet(RunSettings.OUT)
            ? new OutFolder(given.get(RunSettings.OUT).orElseThrow(), force).checked()
            : null;
    PrintWriter err = spec.commandLine().getErr();
    PreparedRegression prepared = recipe.prepare(this::say, this::warn);
    if (isPrivate) {
      Costs.warn(
          err, prepared.epsilon(), prepared.statedDelta(), recipe.unit().noun(), prepared.units());
    }
    UnfinishedFolder.Work<Void> work =
        journal -> {
          Regression done = new Regression(prepared.fit(journal));
          recipe.account().keepHead(ledger);
          print(done, folder == null ? null : folder.write(done::writeTo), isPrivate);
          return null;
        };
    if (folder == null || ledger != null || !isPrivate) {
      work.with(ledger);
    } else {
      double delta = prepared.statedDelta();
      UnfinishedFolder.during(
          folder,
          "epsilon " + Digits.exact(prepared.epsilon()) + " at delta " + Digits.exact(delta),
          delta,
          this::warn,
          work);
    }
    return 0;
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  private void warn(String line) {
    say("discreet regress: " + line);
  }

  private void print(Regression done, Path written, boolean isPrivate) throws IOException {
    PrintWriter to = spec.commandLine().getOut();
    if (json) {
      to.println(Json.text(done.consoleFields()));
      return;
    }
    Table table = done.table(written);
    if (written == null && ledger == null && isPrivate && !done.isCharged()) {
      table.row(
          "ledger", "none: nothing is written, so remember what this cost (or give --ledger)");
    }
    table.print(to);
  }

  private void checkOptions(SettingValues given, boolean isPrivate) {
    List<String> missing = new ArrayList<>();
    if (!given.isSet(DataSettings.DATA)) {
      missing.add("--data NAME|PATH");
    }
    if (isPrivate && !given.isSet(PrivacySettings.EPSILON)) {
      missing.add("--epsilon E");
    }
    Usage.needed(missing);
    if (!isPrivate) {
      Usage.refuse(spec, "cannot stand beside least-squares, which is not private", "--ledger");
    }
    if (!given.isSet(RunSettings.OUT)) {
      Usage.refuse(spec, "is for --out", "--force");
    }
  }
}
