package dev.discreet.recipe;

import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.Metric;
import dev.discreet.core.evaluate.Metrics;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.model.Task;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Result;
import dev.discreet.recipe.coefficients.CoefficientTable;
import dev.discreet.recipe.coefficients.LinearCoefficients;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.recipe.setup.TrainingSetup.HeldOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The files of a run. Released files: everything in them went through the privacy session or was
 * public before. What the operator's console may also show (timings, held-out metrics as they are)
 * is not known here.
 *
 * @param thresholds where adaptive clipping led, which is released; empty without it
 * @param account what the run took of the account of its people, if there is one, or that it passed
 *     it over
 */
public record RunFolder(
    TrainingSetup setup,
    Result result,
    StepCosts spending,
    List<Double> thresholds,
    Optional<RunAccount> account) {
  private static final Set<Setting<?>> PLACES =
      Set.of(
          RunSettings.OUT,
          RunSettings.CHECKPOINTS,
          RunSettings.CHECKPOINT_EVERY,
          RunSettings.MASTER,
          RunSettings.SPARK_CONF,
          DataSettings.DATA_DIR,
          PrivacySettings.ACCOUNT);
  private static final List<Metric.Kind> OF_CLASSES =
      List.of(
          Metric.Kind.BALANCED_ACCURACY,
          Metric.Kind.AUC,
          Metric.Kind.F1,
          Metric.Kind.LOG_LOSS,
          Metric.Kind.CALIBRATION_ERROR);
  private static final List<Metric.Kind> OF_NUMBERS =
      List.of(Metric.Kind.RMSE, Metric.Kind.MAE, Metric.Kind.R_SQUARED);
  private static final int MOST_COSTED = 64;
  private static final int ENOUGH_FOR_A_CURVE = 16;

  public void writeTo(Path folder) throws IOException {
    result.save(folder, described());
    Files.writeString(folder.resolve(RunFiles.RECIPE), runYaml());
    Files.writeString(folder.resolve(RunFiles.METRICS), metrics());
    List<CoefficientTable> coefficients = LinearCoefficients.of(result.model());
    if (!coefficients.isEmpty()) {
      Files.writeString(
          folder.resolve(RunFiles.COEFFICIENTS), CoefficientTable.csv(coefficients, promise()));
    }
    writeHead(folder);
  }

  /**
   * Writes one run of several that were paid for together.
   *
   * @param other has the privacy of this one
   */
  public void writeOther(Result other, Path folder) throws IOException {
    other.save(folder, accountFields());
    writeHead(folder);
  }

  private void writeHead(Path folder) throws IOException {
    if (account.isPresent()) {
      Files.writeString(folder.resolve(RunFiles.ACCOUNT_HEAD), account.get().head().text() + "\n");
    }
  }

  private Map<String, Object> accountFields() {
    Ledger stated =
        result
            .privacy()
            .paid()
            .map(LedgerFile::ledger)
            .orElseGet(() -> Ledger.empty(setup.plan().neighbouring()));
    return account
        .<Map<String, Object>>map(told -> Map.of("account", told.fields(stated)))
        .orElse(Map.of());
  }

  /** The settings without places on this machine: whoever repeats the run has other ones. */
  public static SettingValues withoutPlaces(SettingValues values) {
    return values.only(setting -> !PLACES.contains(setting));
  }

  static Recipe settings(TrainingSetup setup) {
    return Recipe.of(withoutPlaces(setup.chosen()));
  }

  public String runYaml() {
    return RunFile.text(result.privacy().headline(), settings(setup).values());
  }

  /** What {@code run.json} says beside the result: of data and settings. */
  private Map<String, Object> described() {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!thresholds.isEmpty()) {
      fields.put("thresholdsAtEnd", thresholds);
    }
    fields.putAll(accountFields());
    result
        .evaluation()
        .map(last -> Metrics.of(last, task().labelUnit()))
        .or(() -> result.heldOut().map(score -> Metrics.of(score, task().labelUnit())))
        .ifPresent(metrics -> fields.put("metrics", Metric.fields(metrics)));
    fields.put("data", data());
    fields.put("settings", settings(setup).fields());
    return fields;
  }

  private Map<String, Object> data() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", setup.data().name());
    fields.put("input", setup.layout().input().toString());
    task()
        .match(
            classes -> fields.put("classes", classes.names()),
            number -> {
              fields.put("predicts", number.name());
              fields.put("low", number.low());
              return fields.put("high", number.high());
            });
    fields.put("declaredUnits", setup.units());
    fields.put(
        "declaredUnitsAre",
        setup.chosen().isSet(UnitSettings.DECLARED_UNITS) ? "declared public" : "taken as public");
    return fields;
  }

  /** What the run promises, in a word or two for each row: the file may be found alone. */
  private String promise() {
    return !(result.privacy() instanceof Privacy.Guaranteed kept)
        ? "NOT PRIVATE"
        : !kept.secure() ? "INSECURE" : kept.steered() ? "private but for its length" : "private";
  }

  private boolean isKept() {
    return result.privacy() instanceof Privacy.Guaranteed kept && kept.secure();
  }

  private String metrics() {
    return setup.heldOut() == HeldOut.PUBLIC ? publicMetrics() : heldOutMetrics();
  }

  private String publicMetrics() {
    costed().forEach(spending::at);
    StringBuilder csv = new StringBuilder("step,epsilon,testLoss,");
    csv.append(task().<String>match(c -> "testAccuracy", n -> "testMeanSquaredError"));
    List<Metric.Kind> others = task().match(c -> OF_CLASSES, n -> OF_NUMBERS);
    others.forEach(kind -> csv.append(",test").append(capital(kind.key())));
    csv.append(",privacy\n");
    for (Event.Evaluated event : result.evaluations()) {
      Evaluation evaluation = event.evaluation();
      double quality =
          evaluation.<Double>match(
              Evaluation.Classification::accuracy, Evaluation.Regression::meanSquaredError);
      csv.append(event.step()).append(',');
      csv.append(epsilon(event.step())).append(',');
      csv.append(Digits.shortest(evaluation.loss()))
          .append(',')
          .append(Digits.shortest(quality))
          .append(',');
      List<Metric> metrics = Metrics.of(evaluation, task().labelUnit());
      for (Metric.Kind kind : others) {
        // Empty where rows do not tell it: an AUC, for one, where a class has none.
        metrics.stream()
            .filter(each -> each.kind() == kind)
            .forEach(each -> csv.append(Digits.shortest(each.value())));
        csv.append(',');
      }
      csv.append(promise()).append('\n');
    }
    return csv.toString();
  }

  private Task task() {
    return setup.data().task();
  }

  private static String capital(String key) {
    return key.substring(0, 1).toUpperCase(Locale.ROOT) + key.substring(1);
  }

  /** One row, because the score was released once or never. */
  private String heldOutMetrics() {
    String name = task().match(classes -> "heldOutAccuracy", number -> "heldOutScore");
    return "step,epsilon,"
        + name
        + ","
        + name
        + "Noise,privacy\n"
        + result.steps()
        + ","
        + (isKept() ? Digits.exact(result.epsilon()) : "Infinity")
        + ","
        + result
            .heldOut()
            .map(
                score ->
                    Digits.shortest(score.value()) + "," + Digits.shortest(score.standardError()))
            .orElse(",")
        + ","
        + promise()
        + "\n";
  }

  /**
   * What the steps so far cost. Where that was not computed, it is the cost of the next step for
   * which it was, which is no less.
   */
  private String epsilon(long step) {
    return isKept() ? Digits.exact(spending.atMost(step)) : "Infinity";
  }

  /**
   * Steps whose cost is computed: those that were evaluated, unless they are very many, and as many
   * others as a curve needs. Step 0 has what was released before the first step.
   */
  public SortedSet<Long> costed() {
    SortedSet<Long> steps = new TreeSet<>();
    if (result.evaluations().size() <= spending.points(MOST_COSTED)) {
      result.evaluations().forEach(event -> steps.add(event.step()));
    }
    steps.add(result.steps());
    int others = spending.points(ENOUGH_FOR_A_CURVE) - steps.size();
    for (int i = 0; i < others && result.steps() > 0; i++) {
      steps.add(1 + (result.steps() - 1) * i / others);
    }
    if (!spending.isAllAtOnce()) {
      steps.add(0L);
    }
    return steps;
  }
}
