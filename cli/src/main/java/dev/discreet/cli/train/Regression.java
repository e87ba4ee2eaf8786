package dev.discreet.cli.train;

import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.algorithms.regression.RegressionResult;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Table;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.ScoreHeadline;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.model.Task;
import dev.discreet.data.DataSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a finished regression tells.
 *
 * @param test its rows are in files only where they are public
 * @param account what it took of the account of its people, or that it passed it over
 */
record Regression(
    String method,
    String data,
    List<String> columns,
    Task task,
    RegressionResult result,
    Optional<DataSet.Part> test,
    Optional<RunAccount> account) {

  private Evaluation evaluation() {
    return result.model().evaluate(test.orElseThrow().examples());
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
    double low = task.<Double>match(classes -> 0.0, Task.Number::low);
    return low + width() * result.model().intercept();
  }

  private double width() {
    return Summary.label(task).width();
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
      fields.putAll(Costs.weakFields(cost, kept.file().unit(), kept.file().units()));
      fields.put("accountant", cost.accountant());
      fields.put("unit", kept.file().unit());
      fields.put("units", kept.file().units());
      fields.put("unitsAre", kept.file().unitsAre());
      if (!kept.file().conditions().isEmpty()) {
        fields.put("conditions", kept.file().conditionsText());
      }
    } else {
      fields.put("epsilon", Double.POSITIVE_INFINITY);
    }
    fields.put("predicts", predicts());
    if (!columns.isEmpty()) {
      fields.put("columns", columns);
    }
    fields.put("weights", weights());
    fields.put("intercept", intercept());
    if (testIsPublic()) {
      fields.putAll(Summary.fields(evaluation(), "test", Summary.label(task)));
    }
    account.ifPresent(
        each ->
            fields.put(
                "account",
                privacy.paid().map(file -> each.fields(file.ledger())).orElseGet(each::fields)));
    return fields;
  }

  private String predicts() {
    return task.match(classes -> "log-odds of " + classes.names().get(1), Task.Number::name);
  }

  Map<String, Object> consoleFields() {
    Map<String, Object> fields = fields();
    if (test.isPresent() && !testIsPublic()) {
      fields.put(
          "outsideTheGuarantee", Summary.fields(evaluation(), "heldOut", Summary.label(task)));
    }
    return fields;
  }

  void writeTo(Path folder) throws IOException {
    Files.writeString(folder.resolve(RunFiles.RESULT), Json.text(fields()) + "\n");
    Files.writeString(folder.resolve(RunFiles.STATEMENT), statement());
    if (account.isPresent()) {
      Files.writeString(folder.resolve(RunFiles.ACCOUNT_HEAD), account.get().head().text() + "\n");
    }
    if (result.privacy() instanceof Privacy.Guaranteed kept) {
      Files.writeString(folder.resolve(RunFiles.LEDGER), kept.file().toJson() + "\n");
    }
  }

  private String statement() {
    Privacy privacy = result.privacy();
    return account.map(each -> privacy.noting(each.paragraph())).orElse(privacy).statement();
  }

  Table table(Path out) {
    Table table = new Table();
    Privacy privacy = result.privacy();
    table.row("privacy", privacy.headline());
    table.row("method", method);
    table.row("predicts", predicts() + ", from inputs as train sees them");
    table.row("intercept", number(intercept()));
    if (!columns.isEmpty()) {
      table.row("columns", String.join(", ", columns) + " (a weight for each category)");
    }
    table.row(
        "weights",
        Arrays.stream(weights()).mapToObj(Regression::number).collect(Collectors.joining(" ")));
    if (test.isPresent()) {
      ScoreHeadline headline = ScoreHeadline.of(evaluation(), Summary.label(task));
      table.row(
          (testIsPublic() ? "test " : "held-out ") + headline.name(),
          Summary.words(headline)
              + (testIsPublic()
                  ? ""
                  : " (outside the guarantee, for your eyes: it is in no file)"));
    }
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
    account.ifPresent(each -> table.row("account", each.words()));
    if (out != null) {
      table.row("files", out.toString());
    }
    return table;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
