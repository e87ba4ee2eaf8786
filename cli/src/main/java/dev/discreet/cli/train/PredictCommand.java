package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.cli.console.NewFile;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.files.CsvCell;
import dev.discreet.core.model.Predictions;
import dev.discreet.core.model.Task;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.recipe.SavedRun;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.PayingAccount;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a model says of each row, as CSV. */
@Command(
    name = "predict",
    description = {
      "Writes what a trained model says of each row, as CSV: row, class and the probability of each"
          + " class, or row and value.",
      "Tables and IDX images need no labels. A prediction depends on its row: it is the operator's,"
          + " and outside the guarantee."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.OfRun.class,
    footerHeading = "%n",
    footer = "Example: discreet predict --run runs/patients --data new.csv --out predicted.csv")
public final class PredictCommand implements Callable<Integer> {
  @Option(
      names = "--run",
      paramLabel = "DIR",
      required = true,
      description = "The folder of a run.")
  private Path run;

  @Option(
      names = "--out",
      paramLabel = "FILE.csv",
      description = "A new file to write, in place of standard out.")
  private Path file;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (file != null) {
      NewFile.check("out", file);
    }
    SettingValues given = SettingOptions.given(spec);
    SavedRun saved = SavedRun.read(run).decidingAs(given);
    EffectiveSettings choices = SavedRun.expanded(saved.choices(given));
    String name = DataChoices.name(choices);
    Consumer<String> progress = spec.commandLine().getErr()::println;
    // A line tells of its own row alone: no more than whoever has the row knows, or can ask for.
    PayingAccount.places(choices.given())
        .forEach(
            each ->
                progress.accept(
                    "these predictions are of people of the account "
                        + each
                        + ": keep them as you keep the rows"));
    Optional<Examples> unlabelled =
        DataSets.openInputs(name, DataChoices.options(choices, progress));
    Examples examples =
        unlabelled.isPresent() ? unlabelled.get() : tested(saved.open(choices, progress));
    saved.fits(examples, name);
    Engine engine = saved.engine(progress);
    if (file == null) {
      PrintWriter out = spec.commandLine().getOut();
      write(saved, engine, examples, out);
      out.flush();
      return 0;
    }
    Path place = file.toAbsolutePath();
    Path draft =
        place.resolveSibling("." + place.getFileName() + "." + UUID.randomUUID() + ".draft");
    try {
      try (BufferedWriter to = Files.newBufferedWriter(draft)) {
        write(saved, engine, examples, to);
      }
      Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
    return 0;
  }

  /** Rows are told by their numbers, so none may be passed over. */
  private static Examples tested(DataSet data) throws IOException {
    if (data.misfits().count() > 0) {
      throw new IOException(data.misfits().first().get(0));
    }
    return SavedRun.tested(data).examples();
  }

  private static void write(SavedRun saved, Engine engine, Examples examples, Writer to)
      throws IOException {
    List<String> classes = saved.task().match(Task.Classes::names, number -> List.of());
    StringBuilder header = new StringBuilder(classes.isEmpty() ? "row,value" : "row,class");
    classes.forEach(each -> header.append(',').append(CsvCell.text("p(" + each + ")")));
    to.write(header.append('\n').toString());
    Predictions.of(
        engine,
        saved.model(),
        examples,
        (example, values, taken) -> {
          String told =
              saved
                  .task()
                  .match(
                      several -> probabilities(several, values, taken),
                      number ->
                          Digits.shortest(
                              number.low() + values[0] * (number.high() - number.low())));
          to.write((example + 1) + "," + told + "\n");
        });
  }

  /** The class that is taken, and all probabilities. */
  private static String probabilities(Task.Classes classes, double[] values, int taken) {
    StringBuilder line = new StringBuilder(CsvCell.text(classes.names().get(taken)));
    for (double value : values) {
      line.append(',').append(Digits.shortest((float) value));
    }
    return line.toString();
  }
}
