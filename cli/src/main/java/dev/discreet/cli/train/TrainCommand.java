package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Threads;
import dev.discreet.core.train.Estimate;
import dev.discreet.core.train.Listener;
import dev.discreet.recipe.FinishedRun;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.PreparedRecipe;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.Resumption;
import dev.discreet.recipe.RunToFolder;
import dev.discreet.recipe.UnfinishedFolder;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.TrainingSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** From examples to a private model, its files and what it cost. */
@Command(
    name = "train",
    description = {
      "Trains a model with differential privacy, and writes the model, a report and what it cost.",
      "With no options: generated digits, a linear model on their features, epsilon 3 at delta 1e-6.",
      "Every option but those of \"This call\" is a key of run files too; options override."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.All.class,
    footerHeading = "%n",
    footer = {
      "Ctrl-C stops after the current step, with everything written. The stated epsilon is that of",
      "the whole plan, whenever it stopped: the moment may depend on what was seen.",
      "Example: discreet train --data mnist --epsilon 3 --out runs/mnist"
    })
public final class TrainCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "RUN.yaml",
      arity = "0..1",
      description = "A run file (docs/run-files.md). Options override what it says.")
  private Path runFile;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    SettingValues given =
        SettingOptions.given(spec)
            .over(runFile == null ? SettingValues.nothing() : RunFile.read(runFile))
            .checked();
    Recipe recipe = recipe(given);
    Path saveTo = given.get(CallSettings.SAVE_RUN).orElse(null);
    boolean force = given.has(CallSettings.FORCE);
    Check.that(
        saveTo == null || force || !Files.exists(saveTo),
        "save run",
        "a new file (or --force replaces it)",
        saveTo);
    Threads.limit(recipe.get(RunSettings.THREADS), spec);
    boolean resumes = given.isSet(CallSettings.RESUME);
    OutFolder folder = new OutFolder(outPath(recipe), force || resumes);
    recipe.get(RunSettings.CHECKPOINTS).ifPresent(each -> folder.apartFrom("checkpoints", each));
    boolean dry = given.has(CallSettings.DRY_RUN);
    if (!dry) {
      folder.checked();
    }
    boolean quiet = given.has(CallSettings.QUIET);
    try (StopSignal stop =
            StopSignal.planning(
                line -> {
                  spec.commandLine().getErr().println();
                  warn(line);
                });
        SlowWorkNotice planning = new SlowWorkNotice(quiet ? line -> {} : this::say)) {
      PreparedRecipe run = recipe.prepare(preparation(planning, given));
      TrainingSetup setup = run.setup();
      if (!quiet) {
        setup.farFromDeclared().forEach(this::warn);
      }
      if (resumes && !force) {
        Resumption.checkPlace(folder.path(), run);
      }
      if (!resumes) {
        run.checkRoom();
      }
      Map<String, String> plan = PlanTable.rows(setup, run.planCost().orElse(null));
      if (saveTo != null) {
        Files.writeString(saveTo, run.resolved().yaml());
      }
      boolean json = given.has(CallSettings.JSON);
      if (dry || !quiet) {
        Optional<Estimate> estimate =
            planning.part(
                "timing a few steps on random inputs, to tell how long the run will take",
                run::estimate);
        Map<String, String> shown = new LinkedHashMap<>(plan);
        run.outlook().ifPresent(outlook -> shown.put("account", outlook.words()));
        shown.putAll(PlanTable.machine(setup, estimate));
        shown.put("journal", journal(recipe, folder));
        if (dry && json) {
          out.println(Json.text(PlanTable.fields(run, estimate, shown)));
        } else {
          print(shown, json ? spec.commandLine().getErr() : out);
        }
      }
      if (!dry && stop.begin()) {
        train(run, plan, folder, given, stop);
      }
      return stop.code();
    }
  }

  /** What is part of the run, with the folder that is resumed as the one for checkpoints. */
  private static Recipe recipe(SettingValues given) {
    Recipe recipe = Recipe.of(given.only(Setting::inRunFile));
    return given
        .get(CallSettings.RESUME)
        .map(folder -> Resumption.of(recipe, folder))
        .orElse(recipe);
  }

  private Preparation preparation(SlowWorkNotice planning, SettingValues given) {
    return new Preparation() {
      @Override
      public void progress(String line) {
        say(line);
      }

      @Override
      public void warning(String line) {
        warn(line);
      }

      @Override
      public boolean acceptsMisfits() {
        return given.has(CallSettings.ACCEPT_MISFITS);
      }

      @Override
      public <T> T part(String what, Part<T> part) throws IOException {
        return planning.part(what, part::done);
      }
    };
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  private void warn(String line) {
    say("discreet train: " + line);
  }

  private static void print(Map<String, String> rows, PrintWriter to) {
    Table table = new Table();
    rows.forEach(table::row);
    table.print(to);
    to.flush();
  }

  /** Says where charges are on the disk before anything is released. */
  private static String journal(Recipe recipe, OutFolder folder) {
    return recipe
        .get(RunSettings.CHECKPOINTS)
        .map(checkpoints -> "in " + OutFolder.shown(checkpoints.toAbsolutePath()))
        .orElse(
            "in "
                + OutFolder.shown(UnfinishedFolder.place(folder))
                + " until the files are written");
  }

  private static Path outPath(Recipe recipe) {
    Path last = Path.of(recipe.values().orDefault(DataSettings.DATA)).getFileName();
    String plain = String.valueOf(last).replaceAll("[^A-Za-z0-9-]+", "-");
    String time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
    return recipe.get(RunSettings.OUT).orElse(Path.of("runs", plain + "-" + time));
  }

  private void train(
      PreparedRecipe prepared,
      Map<String, String> plan,
      OutFolder folder,
      SettingValues given,
      StopSignal stop)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    boolean quiet = given.has(CallSettings.QUIET);
    TrainingSetup setup = prepared.setup();
    Progress progress = new Progress(spec.commandLine().getErr(), setup.plan().expectedUnits());
    Listener[] listeners = quiet ? new Listener[0] : new Listener[] {progress};
    try {
      PreparedRecipe ready = prepared.ready(quiet ? line -> {} : this::say, stop::asked);
      if (stop.asked()) {
        warn("stopped before the first step: nothing is spent or written");
        return;
      }
      RunToFolder.Output output =
          new RunToFolder.Output() {
            @Override
            public void write(FinishedRun done, Path inside) throws IOException {
              progress.end();
              done.observed().warnings().forEach(TrainCommand.this::warn);
              new RunReport(done.files(), plan).writeTo(inside);
            }

            @Override
            public void warning(String line) {
              warn(line);
            }
          };
      PreparedRecipe run = ready.with(trainer -> trainer.stopWhen(event -> stop.asked()));
      FinishedRun done =
          new RunToFolder(run, folder, given.isSet(CallSettings.RESUME), output).done(listeners);
      Summary summary =
          new Summary(
              setup,
              done.result(),
              done.observed(),
              done.spending(),
              done.account(),
              OutFolder.shown(done.folder().orElseThrow()));
      if (given.has(CallSettings.JSON)) {
        out.println(Json.text(summary.fields()));
      } else {
        if (!quiet) {
          out.println();
        }
        summary.table().print(out);
      }
      out.flush();
    } finally {
      progress.end();
    }
  }
}
