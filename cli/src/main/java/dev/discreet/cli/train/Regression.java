package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Table;
import dev.discreet.core.evaluate.Metrics;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.model.Task;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.coefficients.CoefficientTable;
import dev.discreet.recipe.regress.FittedRegression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a finished regression tells. */
record Regression(FittedRegression fitted) {
  private static final int MOST_SHOWN = 40;

  boolean isCharged() {
    return fitted.prepared().recipe().account().isCharged();
  }

  /** The rows to test on that are public: in files and on the console. */
  private Optional<DataSet.Part> open() {
    return fitted.shown().filter(DataSet.Part::isPublic);
  }

  /** Private ones, held out: on the console only. */
  private Optional<DataSet.Part> heldOut() {
    return fitted.shown().filter(part -> !part.isPublic());
  }

  /** Weights that predict the label itself, from inputs as {@code train} sees them. */
  private double[] weights() {
    double[] weights = linear().weights();
    Arrays.setAll(weights, i -> weights[i] * width());
    return weights;
  }

  private LinearModel linear() {
    return fitted.result().model();
  }

  private double intercept() {
    double low = fitted.task().<Double>match(classes -> 0.0, Task.Number::low);
    return low + width() * linear().intercept();
  }

  private double width() {
    return fitted.task().labelUnit().width();
  }

  private Map<String, Object> scores(DataSet.Part rows, String name) {
    return Summary.fields(fitted.evaluation(rows), name, fitted.task().labelUnit());
  }

  /** What may be released. */
  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>(fitted.fields());
    fields.put("weights", weights());
    fields.put("intercept", intercept());
    open().ifPresent(rows -> fields.putAll(scores(rows, "test")));
    return fields;
  }

  Map<String, Object> consoleFields() {
    Map<String, Object> fields = fields();
    heldOut().ifPresent(rows -> fields.put("outsideTheGuarantee", scores(rows, "heldOut")));
    return fields;
  }

  void writeTo(Path folder) throws IOException {
    fitted.writeTo(folder, fields());
    Files.writeString(
        folder.resolve(RunFiles.REPORT),
        CoefficientPage.of(
            fitted,
            open().map(rows -> Metrics.of(fitted.evaluation(rows), fitted.task().labelUnit()))));
  }

  Table table(Path out) {
    Table table = new Table();
    Privacy privacy = fitted.result().privacy();
    table.row("privacy", privacy.headline());
    table.row("method", fitted.prepared().recipe().method().label());
    CoefficientTable coefficients = fitted.coefficients();
    table.row("predicts", coefficients.unit());
    coefficients.rows().stream()
        .limit(MOST_SHOWN)
        .forEach(row -> table.row(row.name(), CoefficientPage.words(row)));
    int more = coefficients.rows().size() - MOST_SHOWN;
    if (more > 0) {
      table.row("and others", more + " in " + RunFiles.COEFFICIENTS + " of --out");
    }
    if (coefficients.hasIntervals()) {
      table.row(
          "intervals",
          coefficients.isDetermined()
              ? "for the people whom the rows are drawn from: sampling and noise"
              : CoefficientPage.none(coefficients));
    }
    fitted
        .shown()
        .ifPresent(
            rows -> {
              String of = rows.isPublic() ? "test " : "held-out ";
              Summary.rows(of, fitted.evaluation(rows), fitted.task().labelUnit())
                  .forEach(
                      (name, words) ->
                          table.row(
                              name,
                              words
                                  + (rows.isPublic()
                                      ? ""
                                      : " (outside the guarantee, for your eyes: it is in no file)")));
            });
    if (privacy instanceof Privacy.Guaranteed kept) {
      table.row("epsilon", Digits.up(kept.guarantee().epsilon()));
      table.row("delta", Digits.exact(kept.guarantee().delta()));
      if (!kept.file().conditions().isEmpty()) {
        table.row("conditions", kept.file().conditionsText());
      }
      table.row(
          kept.file().unit() + "s",
          kept.file().units()
              + (kept.file().declared()
                  ? ", declared public"
                  : ", taken as public because none was declared (--declared-units)"));
      Costs.weak(table, kept.guarantee(), kept.file().unit(), kept.file().units());
    }
    fitted.account().ifPresent(each -> table.row("account", each.words()));
    if (out != null) {
      table.row("files", out.toString());
    }
    return table;
  }
}
