package dev.discreet.recipe.regress;

import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.statement.WeakPromise;
import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.algorithms.regression.RegressionResult;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.RunFolder;
import dev.discreet.recipe.coefficients.CoefficientTable;
import dev.discreet.recipe.coefficients.InputTerms;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.DataChoices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A regression that is done.
 *
 * @param account what it took of the account of its people, or that it passed it over
 * @param coefficients in the units of raw rows
 */
public record FittedRegression(
    PreparedRegression prepared,
    RegressionResult result,
    Optional<RunAccount> account,
    CoefficientTable coefficients) {

  /** With the coefficients that the result has. */
  static FittedRegression of(
      PreparedRegression prepared, RegressionResult result, Optional<RunAccount> account) {
    RegressionRecipe recipe = prepared.recipe();
    InputTerms terms = InputTerms.of(prepared.use().inputs(), prepared.bounds().features().size());
    CoefficientTable coefficients =
        CoefficientTable.of(
            result.model(),
            terms,
            recipe.hasIntervals()
                ? Optional.of(result.sums().estimates(terms.choices(), prepared.units()))
                : Optional.empty(),
            recipe.hasIntercept(),
            prepared.use().task());
    return new FittedRegression(prepared, result, account, coefficients);
  }

  /** What it promises, as its files state it. */
  public Privacy privacy() {
    return account.map(each -> result.privacy().noting(each.paragraph())).orElse(result.privacy());
  }

  public Task task() {
    return prepared.use().task();
  }

  /** What it fitted, as a network of one layer: whatever takes a trained model takes this one. */
  public Model model() {
    LinearModel linear = result.model();
    boolean logistic = linear.loss() == RegressionLoss.LOGISTIC;
    Layout layout =
        Network.builder()
            .dense(1)
            .loss(logistic ? new Loss.Logistic() : new Loss.SquaredError())
            .build()
            .on(prepared.data().train().examples().input());
    double[] weights = linear.weights();
    float[] parameters = new float[layout.parameters()];
    for (int i = 0; i < weights.length; i++) {
      parameters[i] = (float) weights[i];
    }
    parameters[weights.length] = (float) linear.intercept();
    return new Model(
        layout,
        parameters,
        ModelPrivacy.of(result.privacy(), Optional.empty()),
        Optional.of(prepared.use()));
  }

  /** How well it predicts these rows, on which the answer depends. */
  public Evaluation evaluation(DataSet.Part rows) {
    Model model = model();
    try (PublicGradients engine = Engine.standard().open(model.layout(), rows.examples())) {
      return Evaluation.of(engine, model.layout(), model.parameters(), rows.examples());
    }
  }

  /** The rows to test on that may be spoken of: none without noise where an account covers them. */
  public Optional<DataSet.Part> shown() {
    return prepared
        .data()
        .test()
        .filter(part -> part.isPublic() || !prepared.recipe().account().isCharged());
  }

  /** The columns as they were declared; empty for rows that have none. */
  public List<String> columns() {
    return DataChoices.columns(prepared.recipe().choices()).orElse(List.of());
  }

  /** What is predicted, in words. */
  public String predicts() {
    return task().match(classes -> "log-odds of " + classes.names().get(1), Task.Number::name);
  }

  /** What may be released. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    Privacy privacy = result.privacy();
    fields.put("privacy", privacy.headline());
    fields.put("private", privacy instanceof Privacy.Guaranteed);
    fields.put("method", prepared.recipe().method().label());
    fields.put("data", prepared.data().name());
    if (privacy instanceof Privacy.Guaranteed kept) {
      Guarantee cost = kept.guarantee();
      fields.put("epsilon", JsonFields.number(cost.epsilon()));
      fields.put("epsilonLower", JsonFields.number(cost.epsilonLower()));
      fields.put("delta", cost.delta());
      List<String> weak = WeakPromise.of(cost, kept.file().unit(), kept.file().units());
      if (!weak.isEmpty()) {
        fields.put("weak", weak);
      }
      fields.put("accountant", cost.accountant());
      fields.put("neighbouring", kept.file().ledger().neighbouring().label());
      fields.put("unit", kept.file().unit());
      fields.put("units", kept.file().units());
      fields.put("unitsAre", kept.file().unitsAre());
      if (!kept.file().conditions().isEmpty()) {
        fields.put("conditions", kept.file().conditionsText());
      }
    } else {
      fields.put("epsilon", JsonFields.number(Double.POSITIVE_INFINITY));
    }
    fields.put("predicts", predicts());
    if (!columns().isEmpty()) {
      fields.put("columns", columns());
    }
    fields.put("coefficients", coefficients().fields());
    account.ifPresent(
        each ->
            fields.put(
                "account",
                privacy.paid().map(file -> each.fields(file.ledger())).orElseGet(each::fields)));
    return fields;
  }

  /** The settings without places on this machine. */
  private SettingValues settings() {
    return RunFolder.withoutPlaces(prepared.recipe().choices().chosen());
  }

  /** The run file that fits the same again. */
  public String runYaml() {
    return RunFile.text(result.privacy().headline(), settings());
  }

  /**
   * Writes the files of a run, but for the report.
   *
   * @param fields of {@code run.json}: those that may be released, and what was measured on public
   *     rows
   */
  public void writeTo(Path folder, Map<String, Object> fields) throws IOException {
    model().save(folder);
    Files.writeString(folder.resolve(RunFiles.RESULT), JsonFields.write(fields));
    Files.writeString(folder.resolve(RunFiles.RECIPE), runYaml());
    Files.writeString(
        folder.resolve(RunFiles.COEFFICIENTS),
        CoefficientTable.csv(
            List.of(coefficients()),
            result.privacy() instanceof Privacy.Guaranteed ? "private" : "NOT PRIVATE"));
    Files.writeString(folder.resolve(RunFiles.STATEMENT), privacy().statement());
    if (account.isPresent()) {
      Files.writeString(folder.resolve(RunFiles.ACCOUNT_HEAD), account.get().head().text() + "\n");
    }
    if (result.privacy().paid().isPresent()) {
      Files.writeString(
          folder.resolve(RunFiles.LEDGER), result.privacy().paid().get().toJson() + "\n");
    }
  }
}
