package dev.discreet.cli.train;

import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Task;
import dev.discreet.core.train.Result;
import dev.discreet.recipe.RunFolder;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.recipe.setup.TrainingSetup.HeldOut;
import dev.discreet.report.TrainingReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files of a run, and its report. The report tells nothing that is not in the other files.
 *
 * @param plan the rows of the plan table
 * @param reproduce how the run is repeated, where it is not by its run file
 */
record RunReport(
    RunFolder files, Map<String, String> plan, Optional<TrainingReport.Reproduce> reproduce) {

  RunReport(RunFolder files, Map<String, String> plan) {
    this(files, plan, Optional.empty());
  }

  void writeTo(Path folder) throws IOException {
    files.writeTo(folder);
    Files.writeString(folder.resolve(RunFiles.REPORT), report().html());
  }

  private TrainingReport report() {
    TrainingSetup setup = files.setup();
    Result result = files.result();
    Task task = setup.data().task();
    List<TrainingReport.Row> rows = new ArrayList<>();
    plan.forEach((name, value) -> rows.add(new TrainingReport.Row(name, value)));
    if (result.steps() < setup.plan().steps()) {
      String after = result.steps() + " of " + setup.plan().steps() + " steps";
      rows.add(
          new TrainingReport.Row(
              "stopped", "after " + after + "; the cost is that of all of them"));
    }
    return new TrainingReport(
        setup.data().name(),
        plan.get("data"),
        result,
        task.match(Task.Classes::names, number -> List.<String>of()),
        spent(),
        score(),
        rows,
        reproduce.orElse(new TrainingReport.Reproduce("discreet train run.yaml", files.runYaml())),
        task.labelUnit());
  }

  private List<TrainingReport.Spent> spent() {
    if (!files.setup().isPrivate()) {
      return List.of();
    }
    return files.costed().stream()
        .map(step -> new TrainingReport.Spent(step, files.spending().at(step)))
        .toList();
  }

  private TrainingReport.Score score() {
    if (files.setup().heldOut() == HeldOut.PUBLIC) {
      return new TrainingReport.Score.PublicTest(
          ConfidentMistakes.of(files.setup(), files.result().model()));
    }
    return files
        .result()
        .heldOut()
        .<TrainingReport.Score>map(TrainingReport.Score.Noised::new)
        .orElse(new TrainingReport.Score.ConsoleOnly());
  }
}
