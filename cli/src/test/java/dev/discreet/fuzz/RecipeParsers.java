package dev.discreet.fuzz;

import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.SavedRun;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Settings;
import dev.discreet.recipe.tune.TuneSection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** Readers of run files, of single settings, of searches and of saved runs. */
final class RecipeParsers {
  private static final String RUN =
      """
      # a run
      data: patients.csv
      label: sick=no|yes
      column:
      - age=0..120
      - sex=f|m
      unit: patient
      unit-column: id
      model: mlp(100)
      epsilon: 1
      delta: 1e-6
      epochs: 20
      lot-size: 256/3
      mean: 0.1, 0.2
      deviation: [1, 2]
      pretrain:
        data: digits
        epochs: 3
      """;
  private static final String OF_A_DATABASE =
      """
      data: jdbc:postgresql://localhost/clinic
      table: clinic.visits
      join:
      - regions on region, public
      - people on person
      rows-where: age >= 18 AND region IN ('north', 'west')
      table-columns: age,region
      columns: columns.yaml
      missing: indicator(4)
      missing-cells: NA|99
      delimiter: semicolon
      quote: single
      decimal: comma
      thousands: point
      charset: windows-1252
      header: c1..c20
      held-out-figures: all
      metric-noise: 10
      """;
  private static final List<String> RUNS =
      List.of(
          RUN,
          OF_A_DATABASE,
          RUN.replace("\n", "\r\n"),
          Recipe.parse(RUN.replace("256/3", "256")).yaml(),
          Recipe.parse("epsilon: 3\nsteps: 1e3\nclip: 0.5\nfreeze: [a, b]\n").json(),
          "{epsilon: 1, steps: 10, data: 'x y'}\n");
  private static final String TUNE =
      """
      data: digits
      tune:
        search: random
        runs: negative-binomial
        mean: 10
        shape: 0.5
        budget: total
        settings:
          learning-rate: [5, 10, 20]
          clip: [0.1, 0.3]
      """;
  private static final List<String> TUNES =
      List.of(
          TUNE,
          "data: digits\ntune:\n  search: grid\n  candidates:\n  - {clip: 1, epochs: 3}\n  - clip: 2\n");

  private RecipeParsers() {}

  static List<HostileParser> all() {
    return List.of(
        HostileParser.ofText("run-file", RecipeParsers::run, RecipeParsers::readRun),
        HostileParser.ofText("setting", RecipeParsers::setting, RecipeParsers::readSetting),
        HostileParser.ofFiles("search", RecipeParsers::search, RecipeParsers::readSearch),
        HostileParser.ofFiles("saved-run", RecipeParsers::folder, RecipeParsers::readFolder));
  }

  private static HostileFiles run(SplittableRandom random) {
    return HostileFiles.of("run.yaml", Mutations.text(random, Mutations.pick(random, RUNS)));
  }

  private static void readRun(Path folder, HostileFiles files) {
    Recipe recipe = Recipe.parse(files.text());
    TableParsers.same(recipe, Recipe.parse(recipe.yaml()));
    TableParsers.same(recipe, Recipe.parse(recipe.json()));
    TableParsers.same(recipe.text(), Recipe.parse(recipe.yaml()).text());
  }

  /** A setting's name and a value for it. */
  private static HostileFiles setting(SplittableRandom random) {
    Setting<?> one = Mutations.pick(random, Settings.ALL);
    String value =
        Mutations.chance(random, 2)
            ? Mutations.pick(random, Mutations.NUMBER_TEXTS)
            : Mutations.text(
                random,
                Mutations.pick(
                    random,
                    List.of(
                        "1",
                        "0.5,0.25",
                        "adam",
                        "true",
                        "a=1",
                        "poisson",
                        "28x28x1",
                        "0..1",
                        "c1..c20,id",
                        "semicolon",
                        "windows-1252",
                        "indicator(4)",
                        "NA|99",
                        "visits on person, public",
                        "age >= 18 AND region IN ('north', 'west')",
                        "jdbc:postgresql://localhost/clinic?ssl=true",
                        "x")));
    return HostileFiles.of("setting", one.name() + "=" + value);
  }

  private static void readSetting(Path folder, HostileFiles files) {
    String[] parts = files.text().split("=", 2);
    Recipe recipe = Recipe.of().with(parts[0], parts.length == 1 ? "" : parts[1]);
    TableParsers.same(recipe, Recipe.parse(recipe.yaml()));
    TableParsers.same(recipe, Recipe.parse(recipe.json()));
  }

  private static HostileFiles search(SplittableRandom random) {
    return HostileFiles.of("tune.yaml", Mutations.text(random, Mutations.pick(random, TUNES)));
  }

  private static void readSearch(Path folder, HostileFiles files) throws IOException {
    Path file = folder.resolve("tune.yaml");
    TuneSection.read(file, RunFile.document(file));
  }

  private static HostileFiles folder(SplittableRandom random) {
    HostileFiles model = ModelParsers.saved(random);
    String result = "{\"data\":{\"predicts\":\"y\",\"low\":0,\"high\":1},\"settings\":{}}";
    return model
        .with("run.yaml", Mutations.text(random, RUN.getBytes(StandardCharsets.UTF_8)))
        .with("run.json", JsonMutations.json(random, result).getBytes(StandardCharsets.UTF_8));
  }

  private static void readFolder(Path folder, HostileFiles files) throws IOException {
    SavedRun.read(folder);
  }
}
