package dev.discreet.cli.train;

import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Threads;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.RunToFolder;
import dev.discreet.recipe.UnfinishedFolder;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.tune.TunePlan;
import dev.discreet.recipe.tune.TuneRun;
import dev.discreet.recipe.tune.TuneSection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** From candidates to the best of them, and what the search cost. */
@Command(
    name = "tune",
    description = {
      "Searches settings with differential privacy: the search is paid for, not only its winner.",
      "The run file's section tune says which settings, how often, and by which law.",
      "Writes the best run as train does, at the cost of the whole search."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.All.class,
    footerHeading = "%n",
    footer = {
      "How many runs there were is a secret that the promise rests on: it is neither shown nor",
      "written, and neither is anything of the runs that lost. (A grid is no secret, and pays.)",
      "Example: discreet tune run.yaml --epsilon 3 --out runs/tuned"
    })
public final class TuneCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "RUN.yaml",
      description = "A run file with a section tune (docs/algorithms/tuning.md).")
  private Path runFile;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    SettingValues options = SettingOptions.given(spec);
    RunFile.Document document = RunFile.document(runFile);
    TuneSection section = TuneSection.read(runFile, document);
    SettingValues given = options.over(document.given()).checked();
    refuse(options, given, section);
    Recipe recipe = Recipe.of(given.only(Setting::inRunFile));
    Threads.limit(recipe.get(RunSettings.THREADS), spec);
    String name = given.orDefault(DataSettings.DATA);
    boolean dry = given.has(CallSettings.DRY_RUN);
    OutFolder folder = new OutFolder(outPath(given, name), given.has(CallSettings.FORCE));
    if (!dry) {
      folder.checked();
    }
    TunePlan plan = TunePlan.of(recipe, section, preparation(given, err));
    plan.checkRoom();
    boolean json = given.has(CallSettings.JSON);
    boolean quiet = given.has(CallSettings.QUIET);
    TuneTables tables = new TuneTables(plan);
    if (dry && json) {
      out.println(Json.text(tables.fields()));
    } else if (dry || !quiet) {
      Map<String, String> rows = tables.before();
      rows.put(
          "journal",
          "in " + OutFolder.shown(UnfinishedFolder.place(folder)) + " until the files are written");
      print(rows, json ? err : out);
    }
    if (!dry) {
      UnfinishedFolder.during(
          folder,
          RunToFolder.words(plan.cost()),
          plan.cost().delta(),
          line -> say(err, line),
          journal -> {
            TuneRun run = new TuneRun(plan, quiet ? line -> {} : line -> say(err, line));
            TuneRun.Done done = searched(run, journal, folder, err);
            Path shown =
                OutFolder.shown(folder.write(new TuneFolder(plan, done, tables, recipe)::writeTo));
            if (json) {
              out.println(Json.text(tables.fields(done, shown)));
            } else {
              if (!quiet) {
                out.println();
              }
              print(tables.after(done, shown), out);
            }
            out.flush();
            return shown;
          });
    }
    return 0;
  }

  private static Preparation preparation(SettingValues given, PrintWriter err) {
    return new Preparation() {
      @Override
      public void progress(String line) {
        err.println(line);
        err.flush();
      }

      @Override
      public void warning(String line) {
        say(err, line);
      }

      @Override
      public boolean acceptsMisfits() {
        return given.has(CallSettings.ACCEPT_MISFITS);
      }
    };
  }

  /** A search that is stopped has no winner to write; whoever stops it hears that. */
  private static TuneRun.Done searched(
      TuneRun run, Path journal, OutFolder folder, PrintWriter err) {
    Path left = OutFolder.shown(journal.getParent());
    Thread last =
        new Thread(
            () ->
                say(
                    err,
                    "stopped before the search was done: only what it cost is written, in " + left),
            "discreet-tune-stop");
    Runtime.getRuntime().addShutdownHook(last);
    try {
      return run.run(journal, folder.path().toString());
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(last);
      } catch (IllegalStateException e) {
        // The process ends, and says so.
      }
    }
  }

  private static void say(PrintWriter err, String line) {
    err.println("discreet tune: " + line);
    err.flush();
  }

  private static void print(Map<String, String> rows, PrintWriter to) {
    Table table = new Table();
    rows.forEach(table::row);
    table.print(to);
    to.flush();
  }

  private static void refuse(SettingValues options, SettingValues given, TuneSection section) {
    EffectiveSettings all = new EffectiveSettings(given);
    all.refuse(
        "is not for discreet tune: what it keeps would tell of runs that lost",
        CallSettings.RESUME);
    all.refuse("is not for discreet tune: its run file is written already", CallSettings.SAVE_RUN);
    TunePlan.refuse(given);
    for (Recipe candidate : section.candidates()) {
      new EffectiveSettings(options)
          .refuse(
              "is searched by the run file's section tune",
              candidate.values().values().keySet().toArray(Setting<?>[]::new));
    }
  }

  /** Without the time: beside that of the files it would tell how long the search took. */
  private static Path outPath(SettingValues given, String data) {
    String plain = String.valueOf(Path.of(data).getFileName()).replaceAll("[^A-Za-z0-9-]+", "-");
    String id = UUID.randomUUID().toString().substring(0, 8);
    return given.get(RunSettings.OUT).orElse(Path.of("runs", plain + "-tuned-" + id));
  }
}
