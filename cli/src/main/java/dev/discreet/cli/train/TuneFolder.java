package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.files.CsvCell;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.train.Result;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.RunFolder;
import dev.discreet.recipe.StepCosts;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.recipe.tune.TunePlan;
import dev.discreet.recipe.tune.TuneRun;
import dev.discreet.report.TrainingReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of a search: those of its best run, and the file to search again. Of a grid also every
 * run's score and model, for all of them are paid for.
 */
record TuneFolder(TunePlan plan, TuneRun.Done done, TuneTables tables, Recipe given) {
  void writeTo(Path folder) throws IOException {
    TrainingSetup setup = plan.setups().get(done.candidate());
    String again = tuneYaml();
    RunFolder files =
        new RunFolder(
            setup,
            done.winner(),
            StepCosts.allAtOnce(setup.plan(), plan.cost().epsilon()),
            done.thresholds(),
            done.account());
    new RunReport(
            files,
            tables.of(done.candidate()),
            Optional.of(new TrainingReport.Reproduce("discreet tune tune.yaml", again)))
        .writeTo(folder);
    Files.writeString(folder.resolve(RunFiles.SEARCH), again);
    if (!done.all().isEmpty()) {
      Files.writeString(folder.resolve(RunFiles.SCORES), scores());
      for (int i = 0; i < done.all().size(); i++) {
        files.writeOther(
            done.all().get(i),
            Files.createDirectories(folder.resolve(RunFiles.CANDIDATES).resolve("" + (i + 1))));
      }
    }
  }

  private String tuneYaml() {
    return RunFile.text(
        done.winner().privacy().headline(),
        RunFolder.withoutPlaces(given.values()),
        plan.section().node());
  }

  private String scores() {
    List<String> names =
        Stream.iterate(0, i -> i < plan.setups().size(), i -> i + 1)
            .flatMap(i -> plan.own(i).keySet().stream())
            .distinct()
            .toList();
    List<String> lines = new ArrayList<>();
    lines.add("candidate," + String.join(",", names) + ",score,scoreNoise,chosen");
    for (int i = 0; i < done.all().size(); i++) {
      Result result = done.all().get(i);
      Map<String, String> own = plan.own(i);
      lines.add(
          (i + 1)
              + ","
              + names.stream()
                  .map(name -> CsvCell.text(own.getOrDefault(name, "")))
                  .collect(Collectors.joining(","))
              + ","
              + Digits.shortest(TuneRun.score(result))
              + ","
              + Digits.numbersIn(result.heldOut().map(NoisyScore::standardError).orElse(0.0))
              + ","
              + (i == done.candidate()));
    }
    return String.join("\n", lines) + "\n";
  }
}
