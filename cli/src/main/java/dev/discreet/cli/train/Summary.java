package dev.discreet.cli.train;

import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Table;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.LabelUnit;
import dev.discreet.core.evaluate.Metric;
import dev.discreet.core.evaluate.Metrics;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.evaluate.ScoreHeadline;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.model.Task;
import dev.discreet.core.train.Result;
import dev.discreet.recipe.RunObserver;
import dev.discreet.recipe.StepCosts;
import dev.discreet.recipe.setup.TrainingSetup;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a finished run tells its operator.
 *
 * @param spending of steps that were taken; null where the moment of the end was nobody's choice
 * @param account what the run took of the account of its people, or that it passed it over
 * @param out as the operator would name it
 */
record Summary(
    TrainingSetup setup,
    Result result,
    RunObserver heard,
    StepCosts spending,
    Optional<RunAccount> account,
    Path out) {

  private double examplesPerSecond() {
    return heard.examplesPerSecond(setup.plan().expectedUnits());
  }

  /**
   * The figure that only the console shows; null where a figure is released, which needs no second
   * one beside it.
   */
  private Evaluation heldOut() {
    return setup.heldOut() == TrainingSetup.HeldOut.CONSOLE ? heard.heldOut() : null;
  }

  private boolean stopped() {
    return result.steps() < setup.plan().steps();
  }

  Table table() {
    Evaluation heldOut = heldOut();
    Table table = new Table();
    if (!(result.privacy() instanceof Privacy.Guaranteed)) {
      table.row("privacy", result.privacy().headline());
    }
    Task task = setup.data().task();
    scores(result, task).forEach(table::row);
    if (heldOut != null) {
      rows("held-out ", heldOut, task.labelUnit())
          .forEach(
              (name, words) ->
                  table.row(
                      name, words + " (outside the guarantee, for your eyes: it is in no file)"));
    }
    if (result.privacy() instanceof Privacy.Guaranteed kept) {
      Guarantee cost = kept.guarantee();
      table.row(
          "epsilon",
          Digits.up(cost.epsilon())
              + " (the worst case lies in ["
              + Digits.down(cost.epsilonLower())
              + ", "
              + Digits.up(cost.epsilon())
              + "], certified)"
              + (kept.secure() ? "" : " if keys had been secret; INSECURE: this protects no one")
              + (kept.onTop() ? "; the cost of its start comes on top" : "")
              + (kept.steered() ? "; its length is outside it: chosen by un-noised values" : ""));
      if (stopped() && !kept.steered()) {
        table.row(
            "if unseen",
            "epsilon "
                + Digits.up(spending.withBesides(result.steps()))
                + ", if the moment to stop was chosen without looking (for your eyes: no promise,"
                + " and in no file)");
      }
      table.row("delta", Digits.exact(cost.delta()));
      Costs.weak(table, cost, setup.plan().unit(), setup.plan().publicNumber());
    }
    account.ifPresent(each -> table.row("account", each.words()));
    table.row(
        "steps",
        result.steps()
            + " of "
            + setup.plan().steps()
            + (stopped()
                ? " (stopped; epsilon is that of the whole plan, whenever it stops)"
                : ""));
    if (!heard.thresholds().isEmpty()) {
      table.row(
          heard.thresholds().size() == 1 ? "threshold" : "thresholds",
          heard.thresholds().stream().map(Digits::plain).collect(Collectors.joining(", "))
              + " at the end");
    }
    table.row(
        "time",
        String.format(
            Locale.ROOT, "%.1f s, %,.0f examples/s", heard.seconds(), examplesPerSecond()));
    table.row("files", out.toString());
    table.row("report", out.resolve(RunFiles.REPORT).toString());
    return table;
  }

  /** The rows of a result's scores. */
  static Map<String, String> scores(Result result, Task task) {
    Map<String, String> rows = new LinkedHashMap<>();
    result.evaluation().ifPresent(each -> rows.putAll(rows("test ", each, task.labelUnit())));
    result
        .heldOut()
        .ifPresent(
            score -> {
              row(rows, "held-out ", ScoreHeadline.of(score, task.labelUnit()));
              beside(rows, "held-out ", Metrics.of(score, task.labelUnit()));
            });
    return rows;
  }

  /** The headline of an evaluation, and what there is beside it. */
  static Map<String, String> rows(String of, Evaluation evaluation, LabelUnit label) {
    Map<String, String> rows = new LinkedHashMap<>();
    row(rows, of, ScoreHeadline.of(evaluation, label));
    beside(rows, of, Metrics.of(evaluation, label));
    return rows;
  }

  private static void beside(Map<String, String> rows, String of, List<Metric> metrics) {
    metrics.stream()
        .filter(each -> !each.kind().isInHeadline())
        .forEach(each -> rows.put(of + each.kind().title(), each.text()));
  }

  private static void row(Map<String, String> rows, String of, ScoreHeadline headline) {
    rows.put(of + headline.name(), words(headline));
  }

  static String words(ScoreHeadline headline) {
    return headline.figure() + " (" + headline.detail() + ")";
  }

  Map<String, Object> fields() {
    Evaluation heldOut = heldOut();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("privacy", result.privacy().headline());
    fields.put("epsilon", result.epsilon());
    if (result.privacy() instanceof Privacy.Guaranteed kept) {
      if (kept.secure()) {
        fields.put("epsilonLower", kept.guarantee().epsilonLower());
      } else {
        fields.put("epsilonWithSecretKeys", kept.guarantee().epsilon());
      }
      fields.put("delta", kept.guarantee().delta());
      fields.putAll(
          Costs.weakFields(kept.guarantee(), setup.plan().unit(), setup.plan().publicNumber()));
      fields.put("accountant", kept.guarantee().accountant());
      fields.put("noiseMultiplier", setup.plan().multiplier(0));
    }
    account.ifPresent(each -> fields.put("account", each.fields()));
    fields.put("samplingRate", setup.plan().expectedUnits() / setup.units());
    fields.put("steps", result.steps());
    fields.put("plannedSteps", setup.plan().steps());
    LabelUnit label = setup.data().task().labelUnit();
    result.evaluation().ifPresent(each -> fields.putAll(fields(each, "test", label)));
    result.heldOut().ifPresent(score -> fields.putAll(fields(score, label)));
    if (heldOut != null) {
      fields.put("outsideTheGuarantee", fields(heldOut, "heldOut", label));
    }
    if (!heard.thresholds().isEmpty()) {
      fields.put("thresholds", heard.thresholds());
    }
    fields.put("seconds", heard.seconds());
    fields.put("examplesPerSecond", examplesPerSecond());
    fields.put("out", out.toString());
    return fields;
  }

  private static Map<String, Object> fields(NoisyScore score, LabelUnit label) {
    Map<String, Object> fields = new LinkedHashMap<>();
    String name = score.accuracy() ? "heldOutAccuracy" : "heldOutScore";
    fields.put(name, score.value());
    fields.put(name + "Noise", score.standardError());
    fields.put("heldOutSaysNothing", score.saysNothing());
    if (!score.accuracy()) {
      errors(fields, "heldOut", 1 - score.value(), score.labelVariance(), label);
    }
    putAll(fields, "heldOut", Metrics.of(score, label));
    return fields;
  }

  static Map<String, Object> fields(Evaluation evaluation, String rows, LabelUnit label) {
    Map<String, Object> fields = new LinkedHashMap<>();
    evaluation.match(
        classes -> {
          fields.put(rows + "Accuracy", classes.accuracy());
          return fields.put(rows + "LargestClass", classes.largestClass());
        },
        regression -> {
          fields.put(rows + "MeanSquaredError", regression.meanSquaredError());
          errors(fields, rows, regression.meanSquaredError(), regression.variance(), label);
          return fields;
        });
    fields.put(rows + "Loss", evaluation.loss());
    putAll(fields, rows, Metrics.of(evaluation, label));
    return fields;
  }

  /** Each figure, unless it is there already, and the intervals of all. */
  private static void putAll(Map<String, Object> fields, String rows, List<Metric> metrics) {
    Map<String, Object> intervals = new LinkedHashMap<>();
    for (Metric each : metrics) {
      String key = each.kind().key();
      String name = rows + key.substring(0, 1).toUpperCase(Locale.ROOT) + key.substring(1);
      fields.putIfAbsent(name, JsonFields.number(each.value()));
      intervals.put(name, List.of(JsonFields.number(each.low()), JsonFields.number(each.high())));
    }
    if (!intervals.isEmpty()) {
      fields.put(rows + "Intervals", intervals);
    }
  }

  private static void errors(
      Map<String, Object> fields, String rows, double squared, double variance, LabelUnit label) {
    fields.put(rows + "Rmse", Math.sqrt(squared) * label.width());
    if (variance > 0) {
      fields.put(rows + "RmseOfMean", Math.sqrt(variance) * label.width());
      fields.put(rows + "RSquared", 1 - squared / variance);
    }
  }
}
