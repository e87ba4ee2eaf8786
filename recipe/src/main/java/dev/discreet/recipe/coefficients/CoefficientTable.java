package dev.discreet.recipe.coefficients;

import dev.discreet.accounting.Digits;
import dev.discreet.algorithms.regression.CoefficientEstimates;
import dev.discreet.algorithms.regression.CoefficientEstimates.Estimate;
import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.core.files.CsvCell;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.model.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The coefficients of a linear model, in the words and units of raw rows, and intervals for those
 * of the people whom the rows are drawn from.
 *
 * @param rows the intercept first
 * @param unit what they are counted in: that of the label, or log-odds
 * @param drowned columns and categories of which there is too little for the noise, so that nothing
 *     has an interval
 */
public record CoefficientTable(List<Row> rows, String unit, List<String> drowned) {
  private static final String INTERCEPT = "(intercept)";

  /** Copies the rows. */
  public CoefficientTable {
    rows = List.copyOf(rows);
    drowned = List.copyOf(drowned);
  }

  /**
   * One coefficient.
   *
   * @param name of the column, and of the category
   * @param per what it is the effect of
   * @param inModel what the model predicts by, which a ridge may have made smaller
   * @param estimate without the ridge, and its interval; empty where none was asked for
   */
  public record Row(String name, String per, double inModel, Optional<Estimate> estimate) {}

  /**
   * Of a model whose inputs and label are scaled.
   *
   * @param estimates of its weights; empty where no intervals were asked for
   * @param hasIntercept whether the model has one of its own
   */
  public static CoefficientTable of(
      LinearModel model,
      InputTerms terms,
      Optional<CoefficientEstimates> estimates,
      boolean hasIntercept,
      Task task) {
    double width = task.labelUnit().width();
    double low = task.<Double>match(classes -> 0.0, Task.Number::low);
    List<Row> rows = new ArrayList<>();
    rows.add(
        row(
            new InputTerms.Term(INTERCEPT, "0 of numbers, first of categories", terms.origin()),
            model,
            estimates,
            hasIntercept ? 1 : 0,
            width,
            low));
    for (InputTerms.Term term : terms.terms()) {
      rows.add(row(term, model, estimates, 0, width, 0));
    }
    return new CoefficientTable(
        rows,
        task.match(classes -> "log-odds of " + classes.names().get(1), Task.Number::name),
        estimates
            .map(each -> each.drowned().stream().map(terms.inputs()::get).toList())
            .orElse(List.of()));
  }

  private static Row row(
      InputTerms.Term term,
      LinearModel model,
      Optional<CoefficientEstimates> estimates,
      double intercept,
      double width,
      double low) {
    double[] factors = term.weights();
    double inModel = intercept * model.intercept();
    double[] weights = model.weights();
    for (int i = 0; i < weights.length; i++) {
      inModel += factors[i] * weights[i];
    }
    return new Row(
        term.name(),
        term.per(),
        low + width * inModel,
        estimates.map(each -> scaled(each.of(intercept, factors), width, low)));
  }

  private static Estimate scaled(Estimate of, double width, double low) {
    return new Estimate(
        low + width * of.value(),
        width * of.deviation(),
        width * of.noise(),
        low + width * of.low(),
        low + width * of.high());
  }

  /** {@return whether there are intervals with ends} */
  public boolean isDetermined() {
    return rows.stream().anyMatch(row -> row.estimate().filter(Estimate::isDetermined).isPresent());
  }

  /** {@return whether intervals were asked for} */
  public boolean hasIntervals() {
    return rows.get(0).estimate().isPresent();
  }

  /** As {@code run.json} has it. */
  public List<Map<String, Object>> fields() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Row row : rows) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", row.name());
      fields.put("per", row.per());
      row.estimate()
          .ifPresent(
              each -> {
                if (each.isDetermined()) {
                  fields.put("value", each.value());
                }
                fields.put("low", JsonFields.number(each.low()));
                fields.put("high", JsonFields.number(each.high()));
                fields.put("standardError", JsonFields.number(each.deviation()));
                fields.put("noise", JsonFields.number(each.noise()));
              });
      fields.put("inModel", row.inModel());
      all.add(fields);
    }
    return all;
  }

  /**
   * A line for each coefficient of each table.
   *
   * @param promise what protects the rows, in a word or two
   */
  public static String csv(List<CoefficientTable> tables, String promise) {
    StringBuilder csv =
        new StringBuilder("name,per,value,low95,high95,standardError,noise,inModel,unit,privacy\n");
    tables.forEach(each -> each.addTo(csv, promise));
    return csv.toString();
  }

  private void addTo(StringBuilder csv, String promise) {
    for (Row row : rows) {
      csv.append(CsvCell.text(row.name())).append(',').append(CsvCell.text(row.per())).append(',');
      csv.append(
          row.estimate()
              .map(
                  each ->
                      String.join(
                          ",",
                          each.isDetermined() ? Digits.shortest(each.value()) : "",
                          Digits.shortest(each.low()),
                          Digits.shortest(each.high()),
                          Digits.shortest(each.deviation()),
                          Digits.shortest(each.noise())))
              .orElse(",,,,"));
      csv.append(',').append(Digits.shortest(row.inModel()));
      csv.append(',').append(CsvCell.text(unit)).append(',').append(promise).append('\n');
    }
  }
}
