package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.algorithms.regression.RegressionResult;
import dev.discreet.cli.Json;
import dev.discreet.cli.Table;
import dev.discreet.core.train.Privacy;
import dev.discreet.data.DataSet;
import dev.discreet.data.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a finished regression tells.
 *
 * @param test its rows are in files only where they are public
 */
record Regression(
    String method, String data, Task task, RegressionResult result, Optional<DataSet.Part> test) {

  private double error() {
    return result.model().error(test.orElseThrow().examples());
  }

  private boolean testIsPublic() {
    return test.isPresent() && test.get().isPublic();
  }

  /** Weights that predict the label itself, from inputs as {@code train} sees them. */
  private double[] weights() {
    double[] weights = result.model().weights();
    Arrays.setAll(weights, i -> weights[i] * width());
    return weights;
  }

  private double intercept() {
    double low = task instanceof Task.Number number ? number.low() : 0;
    return low + width() * result.model().intercept();
  }

  private double width() {
    return task instanceof Task.Number number ? number.high() - number.low() : 1;
  }

  /** What may be released. */
  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    Privacy privacy = result.privacy();
    fields.put("privacy", privacy.headline());
    fields.put("method", method);
    fields.put("data", data);
    if (privacy instanceof Privacy.Guaranteed kept) {
      Guarantee cost = kept.guarantee();
      fields.put("epsilon", cost.epsilon());
      fields.put("epsilonLower", cost.epsilonLower());
      fields.put("delta", cost.delta());
      fields.put("accountant", cost.accountant());
    } else {
      fields.put("epsilon", Double.POSITIVE_INFINITY);
    }
    fields.put("predicts", predicts());
    fields.put("weights", weights());
    fields.put("intercept", intercept());
    if (testIsPublic()) {
      fields.putAll(errorFields("test"));
    }
    return fields;
  }

  private String predicts() {
    return task instanceof Task.Classes classes
        ? "log-odds of " + classes.names().get(1)
        : ((Task.Number) task).name();
  }

  Map<String, Object> consoleFields() {
    Map<String, Object> fields = fields();
    if (test.isPresent() && !testIsPublic()) {
      fields.put("outsideTheGuarantee", errorFields("heldOut"));
    }
    return fields;
  }

  private Map<String, Object> errorFields(String rows) {
    return task instanceof Task.Classes
        ? Map.of(rows + "Accuracy", 1 - error())
        : Map.of(rows + "MeanSquaredError", error());
  }

  void writeTo(Path folder) throws IOException {
    Files.writeString(folder.resolve("run.json"), Json.text(fields()) + "\n");
    Files.writeString(folder.resolve("privacy.txt"), result.privacy().statement());
    if (result.privacy() instanceof Privacy.Guaranteed kept) {
      Files.writeString(folder.resolve("ledger.json"), kept.ledger().toJson() + "\n");
    }
  }

  Table table(Path out) {
    Table table = new Table();
    Privacy privacy = result.privacy();
    table.row("privacy", privacy.headline());
    table.row("method", method);
    table.row("predicts", predicts() + ", from inputs as train sees them");
    table.row("intercept", number(intercept()));
    table.row(
        "weights",
        Arrays.stream(weights()).mapToObj(Regression::number).collect(Collectors.joining(" ")));
    test.ifPresent(
        rows ->
            table.row(
                (rows.isPublic() ? "test " : "held-out ") + errorName(),
                errorWords()
                    + (rows.isPublic()
                        ? ""
                        : " (outside the guarantee, for your eyes: it is in no file)")));
    if (privacy instanceof Privacy.Guaranteed kept) {
      table.row("epsilon", Digits.up(kept.guarantee().epsilon()));
      table.row("delta", Digits.exact(kept.guarantee().delta()));
    }
    if (out != null) {
      table.row("files", out.toString());
    }
    return table;
  }

  private String errorName() {
    return task instanceof Task.Classes ? "accuracy" : "error";
  }

  private String errorWords() {
    double error = error();
    return task instanceof Task.Classes
        ? String.format(Locale.ROOT, "%.2f%%", 100 * (1 - error))
        : String.format(
            Locale.ROOT,
            "%.6g (mean squared, of targets scaled to [0, 1]; root %.6g %s)",
            error,
            Math.sqrt(error) * width(),
            predicts());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
