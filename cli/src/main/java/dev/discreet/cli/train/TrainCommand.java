package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Threads;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.recipe.Estimate;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.Resuming;
import dev.discreet.recipe.RunFolder;
import dev.discreet.recipe.RunObserver;
import dev.discreet.recipe.Spending;
import dev.discreet.recipe.Unfinished;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.Choices;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.MisfitRows;
import dev.discreet.recipe.setup.TrainingSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** From examples to a private model, its files and what it cost. */
@Command(
    name = "train",
    description = {
      "Trains a model with differential privacy, and writes the model, a report and what it cost.",
      "With no options: generated digits, a small CNN, epsilon 3 at delta 1e-6.",
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
    PrintWriter err = spec.commandLine().getErr();
    SettingValues options = SettingOptions.given(spec);
    SettingValues given =
        Resuming.of(
            options
                .over(runFile == null ? SettingValues.nothing() : RunFile.read(runFile))
                .checked());
    Path saveTo = given.get(CallSettings.SAVE_RUN).orElse(null);
    Check.that(
        saveTo == null || given.has(CallSettings.FORCE) || !Files.exists(saveTo),
        "save run",
        "a new file (or --force replaces it)",
        saveTo);
    Choices choices = new Choices(given);
    choices.get(RunSettings.THREADS).ifPresent(threads -> Threads.limit(threads.intValue()));
    String name = choices.or(DataSettings.DATA);
    boolean resumes = given.get(CallSettings.RESUME).isPresent();
    boolean force = given.has(CallSettings.FORCE);
    OutFolder folder = new OutFolder(outPath(given, name), force || resumes);
    given.get(RunSettings.CHECKPOINTS).ifPresent(each -> folder.apartFrom("checkpoints", each));
    boolean dry = given.has(CallSettings.DRY_RUN);
    if (!dry) {
      folder.checked();
    }
    Consumer<String> progress =
        line -> {
          err.println(line);
          err.flush();
        };
    boolean quiet = given.has(CallSettings.QUIET);
    try (StopSignal stop =
            StopSignal.planning(
                line -> {
                  err.println();
                  err.println("discreet train: " + line);
                  err.flush();
                });
        Planning planning = new Planning(quiet ? line -> {} : progress)) {
      DataSet opened =
          planning.part(
              "reading the data",
              () -> DataSets.open(name, DataChoices.options(choices, progress)));
      DataSet data =
          MisfitRows.told(
              opened,
              given.has(CallSettings.ACCEPT_MISFITS),
              line -> progress.accept("discreet train: " + line));
      TrainingSetup setup =
          planning.part(
              "finding the noise that the budget asks for",
              () -> TrainingSetup.of(choices, data, progress));
      if (!quiet) {
        setup.farFromDeclared().forEach(line -> progress.accept("discreet train: " + line));
      }
      if (resumes && !force) {
        Resuming.checkPlace(folder.path(), setup);
      }
      Guarantee cost =
          planning.part(
              "computing what the run costs",
              () -> setup.isPrivate() ? setup.plan().epsilon(setup.delta()) : null);
      Map<String, String> plan = PlanTable.rows(setup, cost);
      if (saveTo != null) {
        Files.writeString(saveTo, RunFile.text("", setup.chosen()));
      }
      boolean json = given.has(CallSettings.JSON);
      if (dry || !quiet) {
        Estimate estimate =
            planning.part(
                "timing a few steps on random inputs, to tell how long the run will take",
                () -> Estimate.of(setup));
        Map<String, String> shown = new LinkedHashMap<>(plan);
        shown.putAll(PlanTable.machine(setup, estimate));
        shown.put("journal", journal(given, folder));
        if (dry && json) {
          out.println(Json.text(PlanTable.fields(setup, cost, estimate, shown)));
        } else {
          print(shown, json ? err : out);
        }
      }
      if (!dry && stop.begin()) {
        train(setup, plan, folder, given, json, quiet, stop);
      }
    }
    return 0;
  }

  private static void print(Map<String, String> rows, PrintWriter to) {
    Table table = new Table();
    rows.forEach(table::row);
    table.print(to);
    to.flush();
  }

  /** Where what is charged is on the disk before it is released. */
  private static String journal(SettingValues given, OutFolder folder) {
    return given
        .get(RunSettings.CHECKPOINTS)
        .map(checkpoints -> "in " + OutFolder.shown(checkpoints.toAbsolutePath()))
        .orElse("in " + OutFolder.shown(Unfinished.place(folder)) + " until the files are written");
  }

  private static Path outPath(SettingValues given, String data) {
    Path last = Path.of(data).getFileName();
    String plain = String.valueOf(last).replaceAll("[^A-Za-z0-9-]+", "-");
    String time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
    return given.get(RunSettings.OUT).orElse(Path.of("runs", plain + "-" + time));
  }

  private void train(
      TrainingSetup setup,
      Map<String, String> plan,
      OutFolder folder,
      SettingValues given,
      boolean json,
      boolean quiet,
      StopSignal stop)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Spending spending = new Spending(setup.plan(), setup.first(), setup.delta());
    Progress progress = new Progress(err, setup.plan().expectedUnits());
    RunObserver heard = new RunObserver();
    try {
      Trainer started =
          setup.started(
              line -> {
                if (!quiet) {
                  err.println(line);
                  err.flush();
                }
              },
              stop::asked);
      if (stop.asked()) {
        err.println("discreet train: stopped before the first step: nothing is spent or written");
        err.flush();
        return;
      }
      Trainer heeding = started.listener(heard).stopWhen(event -> stop.asked());
      Trainer trainer = quiet ? heeding : heeding.listener(progress);
      Unfinished.Work<Summary> work =
          journal -> {
            Trainer kept = journal == null ? trainer : trainer.journal(journal);
            Result result = train(kept, setup, given.get(CallSettings.RESUME).isPresent());
            progress.end();
            heard.warnings().forEach(line -> err.println("discreet train: " + line));
            err.flush();
            Spending told = released(spending, setup, result);
            Path written =
                folder.write(
                    new RunReport(new RunFolder(setup, result, told, heard.thresholds()), plan)
                        ::writeTo);
            return new Summary(setup, result, heard, spending, OutFolder.shown(written));
          };
      Summary summary =
          given.get(RunSettings.CHECKPOINTS).isPresent()
              ? work.with(null)
              : Unfinished.during(
                  folder,
                  plan.getOrDefault("will spend", "nothing is protected"),
                  setup.delta(),
                  line -> {
                    err.println("discreet train: " + line);
                    err.flush();
                  },
                  work);
      if (json) {
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

  /** Files of a stopped run tell no cost of a part: when it stopped may have been chosen. */
  private static Spending released(Spending spending, TrainingSetup setup, Result result) {
    return result.steps() < setup.plan().steps()
            && result.privacy() instanceof Privacy.Guaranteed kept
        ? Spending.allAtOnce(setup.plan(), kept.guarantee().epsilon())
        : spending;
  }

  private static Result train(Trainer trainer, TrainingSetup setup, boolean resume) {
    DataSet.Part data = setup.data().train();
    return resume ? trainer.resume(data, setup.test()) : trainer.train(data, setup.test());
  }
}
