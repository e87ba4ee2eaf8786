package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.cli.Costs;
import dev.discreet.cli.Table;
import dev.discreet.core.train.Evaluation;
import dev.discreet.core.train.NoisyScore;
import dev.discreet.core.train.Privacy;
import dev.discreet.core.train.Result;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a finished run tells its operator.
 *
 * @param spending of steps that were taken; null where the moment of the end was nobody's choice
 * @param out as the operator would name it
 */
record Summary(TrainingSetup setup, Result result, Heard heard, Spending spending, Path out) {

  private double examplesPerSecond() {
    return heard.examplesPerSecond(setup.plan().expectedUnits());
  }

  /** What is released needs no second figure beside it. */
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
    result.evaluation().ifPresent(each -> table.row(name(each, "test"), words(each)));
    result.heldOut().ifPresent(score -> table.row(name(score), words(score)));
    if (heldOut != null) {
      table.row(
          name(heldOut, "held-out"),
          words(heldOut) + " (outside the guarantee, for your eyes: it is in no file)");
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
    table.row("report", out.resolve("report.html").toString());
    return table;
  }

  static String name(NoisyScore score) {
    return score.accuracy() ? "held-out accuracy" : "held-out error";
  }

  static String words(NoisyScore score) {
    double value = score.accuracy() ? 100 * score.value() : 1 - score.value();
    double noise = 2 * (score.accuracy() ? 100 : 1) * score.standardError();
    return String.format(
        Locale.ROOT,
        score.accuracy() ? "%.2f%% ± %.2g (%s)" : "%.6g ± %.2g (mean squared; %s)",
        value,
        noise,
        "two deviations of its noise; on the ledger");
  }

  static String name(Evaluation evaluation, String rows) {
    return rows + (evaluation instanceof Evaluation.Classification ? " accuracy" : " error");
  }

  static String words(Evaluation evaluation) {
    return evaluation instanceof Evaluation.Classification classes
        ? String.format(Locale.ROOT, "%.2f%% (loss %.4f)", 100 * classes.accuracy(), classes.loss())
        : String.format(
            Locale.ROOT,
            "%.6g (mean squared, of targets scaled to [0, 1])",
            ((Evaluation.Regression) evaluation).meanSquaredError());
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
    fields.put("samplingRate", setup.plan().expectedUnits() / setup.units());
    fields.put("steps", result.steps());
    fields.put("plannedSteps", setup.plan().steps());
    result.evaluation().ifPresent(each -> fields.putAll(fields(each, "test")));
    result
        .heldOut()
        .ifPresent(
            score -> {
              String name = score.accuracy() ? "heldOutAccuracy" : "heldOutScore";
              fields.put(name, score.value());
              fields.put(name + "Noise", score.standardError());
            });
    if (heldOut != null) {
      fields.put("outsideTheGuarantee", fields(heldOut, "heldOut"));
    }
    if (!heard.thresholds().isEmpty()) {
      fields.put("thresholds", heard.thresholds());
    }
    fields.put("seconds", heard.seconds());
    fields.put("examplesPerSecond", examplesPerSecond());
    fields.put("out", out.toString());
    return fields;
  }

  static Map<String, Object> fields(Evaluation evaluation, String rows) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (evaluation instanceof Evaluation.Classification classes) {
      fields.put(rows + "Accuracy", classes.accuracy());
    } else if (evaluation instanceof Evaluation.Regression regression) {
      fields.put(rows + "MeanSquaredError", regression.meanSquaredError());
    }
    fields.put(rows + "Loss", evaluation.loss());
    return fields;
  }
}
