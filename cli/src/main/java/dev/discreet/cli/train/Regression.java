package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Table;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.model.Task;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.regress.FittedRegression;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a finished regression tells. */
record Regression(FittedRegression fitted) {

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
  }

  Table table(Path out) {
    Table table = new Table();
    Privacy privacy = fitted.result().privacy();
    table.row("privacy", privacy.headline());
    table.row("method", fitted.prepared().recipe().method().label());
    table.row("predicts", fitted.predicts() + ", from inputs as train sees them");
    table.row("intercept", number(intercept()));
    if (!fitted.columns().isEmpty()) {
      table.row("columns", String.join(", ", fitted.columns()) + " (a weight for each category)");
    }
    table.row(
        "weights",
        Arrays.stream(weights()).mapToObj(Regression::number).collect(Collectors.joining(" ")));
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

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
