package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.algorithms.regression.CoefficientEstimates.Estimate;
import dev.discreet.core.evaluate.Metric;
import dev.discreet.core.model.Privacy;
import dev.discreet.recipe.coefficients.CoefficientTable;
import dev.discreet.recipe.regress.FittedRegression;
import dev.discreet.report.Article;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page about a regression: all of it is in the other files of its folder. */
final class CoefficientPage {
  private static final String INTERVALS =
      "An interval contains the coefficient of the people whom the rows are drawn from in 95% of"
          + " all fits: it counts the chance in which rows were drawn and the noise that protects"
          + " them. It follows from what was released, and costs nothing more. Rows are taken as"
          + " drawn independently, and errors as of one spread; a logistic coefficient is that of"
          + " the polynomial that is fitted (docs/algorithms/functional-mechanism.md).";

  private CoefficientPage() {}

  /**
   * @param metrics of public rows; empty where there are none
   */
  static String of(FittedRegression fitted, Optional<List<Metric>> metrics) {
    CoefficientTable table = fitted.coefficients();
    List<Article.Part> parts = new ArrayList<>();
    boolean shown = table.hasIntervals() && table.isDetermined();
    List<List<String>> cells = new ArrayList<>();
    for (CoefficientTable.Row row : table.rows()) {
      List<String> line = new ArrayList<>(List.of(row.name(), row.per()));
      if (shown) {
        Estimate each = row.estimate().orElseThrow();
        line.add(number(each.value()));
        line.add(number(each.low()));
        line.add(number(each.high()));
        line.add(number(each.deviation()));
        line.add(number(each.noise()));
      }
      line.add(number(row.inModel()));
      cells.add(line);
    }
    List<String> head = new ArrayList<>(List.of("coefficient", "per"));
    if (shown) {
      head.addAll(List.of("value", "from", "to", "standard error", "noise in it"));
    }
    head.add("in the model");
    parts.add(new Article.Table("In " + table.unit(), head, cells));
    if (table.hasIntervals()) {
      parts.add(new Article.Paragraph(shown ? INTERVALS : "Intervals: " + none(table) + "."));
    }
    parts.add(
        new Article.Paragraph(
            "The model predicts by the last column. Where the noise is wide its weights are smaller"
                + " than the values, because a ridge makes predictions steadier."));
    List<Article.Section> sections = new ArrayList<>();
    sections.add(new Article.Section("Coefficients", parts));
    metrics.ifPresent(
        all ->
            sections.add(
                new Article.Section(
                    "Quality on public rows",
                    new Article.Table(
                        "",
                        List.of("figure", "value", "95% interval"),
                        all.stream()
                            .map(each -> List.of(each.kind().title(), each.figure(), each.range()))
                            .toList()))));
    sections.add(
        new Article.Section("What is promised", new Article.Code(fitted.privacy().statement())));
    sections.add(
        new Article.Section(
            "To fit it again",
            new Article.Code("discreet regress run.yaml"),
            new Article.Code(fitted.runYaml())));
    Privacy privacy = fitted.result().privacy();
    String headline = privacy.headline();
    return new Article(
            (privacy instanceof Privacy.Guaranteed ? "" : "NO PRIVACY – ")
                + "Regression of "
                + fitted.prepared().data().name(),
            headline
                + (headline.endsWith(".") ? " Method: " : ". Method: ")
                + fitted.prepared().recipe().method().label()
                + ".",
            sections)
        .html();
  }

  /** Why no coefficient has an interval with ends, and what would help. */
  static String none(CoefficientTable table) {
    String why = "none: the noise hides what the rows say";
    if (table.drowned().isEmpty()) {
      return why + " (more rows, a larger epsilon or fewer columns would help)";
    }
    return why
        + ", for they have too little of "
        + String.join(", ", table.drowned())
        + " (leave that column or category out; more rows or a larger epsilon would help too)";
  }

  /** A coefficient in one line. */
  static String words(CoefficientTable.Row row) {
    String per = " (" + row.per() + ")";
    return row.estimate()
        .filter(Estimate::isDetermined)
        .map(
            each ->
                number(each.value())
                    + per
                    + ", 95%: "
                    + number(each.low())
                    + " to "
                    + number(each.high())
                    + "; in the model "
                    + number(row.inModel()))
        .orElseGet(() -> number(row.inModel()) + per + " in the model");
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, "%.6g", value)
        : Digits.shortest(value);
  }
}
