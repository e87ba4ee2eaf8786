package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.cli.console.Table;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Metric;
import dev.discreet.core.evaluate.PermutationImportance;
import dev.discreet.core.evaluate.PermutationImportance.Column;
import dev.discreet.core.evaluate.PermutationImportance.Importance;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.RawInputs;
import dev.discreet.recipe.coefficients.CoefficientTable;
import dev.discreet.recipe.coefficients.LinearCoefficients;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What each column is worth to a model on given rows, and the coefficients of one without hidden
 * layers.
 *
 * @param importances the largest first
 */
record WhatModelsGoBy(List<Importance> importances, List<CoefficientTable> coefficients) {

  static WhatModelsGoBy of(Engine engine, Model model, Examples rows) {
    List<Importance> all =
        new ArrayList<>(
            PermutationImportance.of(
                engine,
                model.layout(),
                model.parameters(),
                rows,
                columns(model),
                model.task().labelUnit()));
    // By log loss or absolute error, which tell more than how many are right.
    all.sort(Comparator.comparingDouble(each -> -last(each).value()));
    return new WhatModelsGoBy(List.copyOf(all), LinearCoefficients.of(model));
  }

  private static Metric last(Importance of) {
    return of.worse().get(of.worse().size() - 1);
  }

  /** Refuses a model whose rows have no columns, before anything is computed. */
  static List<Column> columns(Model model) {
    List<InputColumn> declared =
        model
            .use()
            .flatMap(
                use ->
                    use.inputs()
                        .declared(RawInputs.Columns::columns, pixels -> List.<InputColumn>of()))
            .orElse(List.of());
    Check.that(
        !declared.isEmpty(),
        "importance",
        "of a model whose rows are a table with declared columns",
        "rows of the shape " + model.layout().input());
    List<Column> columns = new ArrayList<>();
    int at = 0;
    for (InputColumn each : declared) {
      columns.add(new Column(each.name(), at, each.width()));
      at += each.width();
    }
    return columns;
  }

  void rows(Table table) {
    for (Importance each : importances) {
      table.row(
          "without " + each.column(),
          each.worse().stream().map(WhatModelsGoBy::words).collect(Collectors.joining(", ")));
    }
    for (CoefficientTable each : coefficients) {
      table.row("coefficients", each.unit());
      each.rows().forEach(row -> table.row(row.name(), CoefficientPage.words(row)));
    }
  }

  private static String words(Metric worse) {
    return worse.kind() == Metric.Kind.ACCURACY
        ? String.format(
            Locale.ROOT,
            "accuracy lower by %.2f points (95%%: %.2f to %.2f)",
            100 * worse.value(),
            100 * worse.low(),
            100 * worse.high())
        : worse.kind().title() + " higher by " + worse.text();
  }

  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(
        "importance",
        importances.stream()
            .map(
                each -> {
                  Map<String, Object> row = new LinkedHashMap<>();
                  row.put("column", each.column());
                  row.putAll(Metric.fields(each.worse()));
                  return row;
                })
            .toList());
    if (!coefficients.isEmpty()) {
      fields.put(
          "coefficients",
          coefficients.stream()
              .flatMap(each -> each.fields().stream().peek(row -> row.put("unit", each.unit())))
              .toList());
    }
    return fields;
  }
}
