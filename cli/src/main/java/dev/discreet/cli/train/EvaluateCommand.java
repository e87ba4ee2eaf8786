package dev.discreet.cli.train;

import dev.discreet.account.KnownRun;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Table;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.LabelUnit;
import dev.discreet.core.model.Model;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.SavedRun;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.MisfitRows;
import dev.discreet.recipe.setup.PayingAccount;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How well a model does on given rows, on which the answer depends as they are: of private rows
 * nothing is written.
 */
@Command(
    name = "evaluate",
    description = {
      "Says how well a trained model does on data: on the console, for it depends on those rows.",
      "What was declared about the run's own data holds for other files too, unless overridden; so"
          + " do the mean and deviation that its images had."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.OfRun.class,
    footerHeading = "%n",
    footer = "Example: discreet evaluate --run runs/mnist --data mnist")
public final class EvaluateCommand implements Callable<Integer> {
  @Option(
      names = "--run",
      paramLabel = "DIR",
      required = true,
      description = "The folder of a run.")
  private Path run;

  @Option(
      names = "--importance",
      description = {
        "Also say how much worse it does with each column shuffled among the rows, and the"
            + " coefficients of a model without hidden layers.",
      })
  private boolean importance;

  @Option(
      names = "--calibrate",
      paramLabel = "DIR",
      description =
          "Bring probabilities in line with these rows, which must be public, and write the model"
              + " with what it promises to a new folder.")
  private Path calibrated;

  @Option(
      names = "--public-rows-are-other-people",
      description = "With --calibrate: rows that look like private ones are other people's.")
  private boolean otherPeople;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    SettingValues given = SettingOptions.given(spec);
    SavedRun saved = SavedRun.read(run).decidingAs(given);
    if (importance) {
      WhatModelsGoBy.columns(saved.model());
    }
    EffectiveSettings asked = saved.choices(given);
    PrintWriter err = spec.commandLine().getErr();
    // Whatever part is tested on: who calls rows public does not make them so.
    PayingAccount.refuseUnprotected(
        asked.given(),
        saved.mayBeOwnRows(given) ? KnownRun.find(run) : Optional.empty(),
        "evaluate");
    EffectiveSettings choices = SavedRun.expanded(asked);
    DataSet data = MisfitRows.told(saved.open(choices, err::println), true, err::println);
    DataSet.Part part = SavedRun.tested(data);
    Model model = saved.model();
    Engine engine = saved.engine(err::println);
    Evaluation evaluation;
    try (PublicGradients gradients = engine.open(model.layout(), part.examples())) {
      evaluation = Evaluation.of(gradients, model.layout(), model.parameters(), part.examples());
    }
    Optional<WhatModelsGoBy> goesBy =
        importance
            ? Optional.of(WhatModelsGoBy.of(engine, model, part.examples()))
            : Optional.empty();
    Optional<CalibratedRun> better = Optional.empty();
    if (calibrated != null) {
      OutFolder folder = new OutFolder(calibrated, false).checked();
      better = Optional.of(CalibratedRun.of(saved, engine, choices, data, otherPeople));
      better.get().write(run, folder);
    }
    LabelUnit label = saved.task().labelUnit();
    String whose =
        part.isPublic() ? "public rows" : "private rows: outside the guarantee, for your eyes";
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("rows", whose);
      fields.put("privacy", model.privacy());
      fields.put("examples", evaluation.examples());
      fields.putAll(Summary.fields(evaluation, "test", label));
      if (evaluation instanceof Evaluation.Classification classes) {
        fields.put("confusion", classes.confusion());
        classes
            .quality()
            .ifPresent(quality -> fields.put("calibration", quality.calibration().rows()));
      }
      goesBy.ifPresent(each -> fields.putAll(each.fields()));
      better.ifPresent(each -> fields.put("calibrated", each.fields()));
      out.println(Json.text(fields));
      return 0;
    }
    Table table = new Table();
    Summary.rows("", evaluation, label).forEach(table::row);
    goesBy.ifPresent(each -> each.rows(table));
    better.ifPresent(each -> table.row("calibrated", each.words() + "; in " + calibrated));
    table.row("examples", Integer.toString(evaluation.examples()));
    table.row("rows", whose);
    if (data.test().isEmpty() && saved.mayBeOwnRows(given)) {
      table.row("", "may be among those it was trained on, which flatter it");
    }
    SettingValues trained = saved.recipe().values();
    if (ProtectedUnit.isOwned(new EffectiveSettings(trained))) {
      String unit = trained.get(UnitSettings.UNIT).orElse("unit");
      table.row(
          "intervals",
          "as if rows were independent: too narrow where one " + unit + " has several");
    }
    table.row("model", model.privacy());
    table.print(out);
    return 0;
  }
}
