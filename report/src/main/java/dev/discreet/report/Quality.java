package dev.discreet.report;

import dev.discreet.core.evaluate.CalibrationCurve;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.Evaluation.Regression;
import dev.discreet.core.evaluate.Metric;
import dev.discreet.core.evaluate.Metrics;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.evaluate.ScoreHeadline;
import dev.discreet.core.train.Event;
import dev.discreet.report.TrainingReport.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** How well a model predicts, as far as the page may say. */
final class Quality {
  private static final String CONSOLE_ONLY =
      "There is no public test set. What was measured on private rows went to the operator's"
          + " console only: without noise, it would be outside the guarantee.";

  private final TrainingReport report;
  private final List<Event.Evaluated> evaluations;

  Quality(TrainingReport report) {
    this.report = report;
    this.evaluations = report.result().evaluations();
  }

  /** Accuracy, or the mean squared error of a regression. */
  static double figure(Evaluation evaluation) {
    return evaluation.<Double>match(Classification::accuracy, Regression::meanSquaredError);
  }

  static boolean isRegression(Evaluation evaluation) {
    return evaluation.<Boolean>match(classes -> false, regression -> true);
  }

  String tile() {
    return report.score().match(test -> publicTile(), this::noisedTile, this::publicTile);
  }

  private String noisedTile(Score.Noised noised) {
    ScoreHeadline headline = ScoreHeadline.of(noised.score(), report.label());
    return Html.tile(
        "Held-out " + headline.name(),
        Html.escape(headline.figure()),
        Html.escape("of private rows, released with noise; " + headline.detail()));
  }

  private String publicTile() {
    Evaluation last = report.result().evaluation().orElse(null);
    if (last == null) {
      return Html.tile("Quality", "not shown", "there is no evaluation on public rows");
    }
    ScoreHeadline headline = ScoreHeadline.of(last, report.label());
    String detail = "of " + Html.count(last.examples()) + " public examples; " + headline.detail();
    return Html.tile(
        "Test " + headline.name(), Html.escape(headline.figure()), Html.escape(detail));
  }

  String html() {
    return report
        .score()
        .match(
            test -> curves(),
            noised ->
                "<p>There is no public test set. The figure above was measured on private rows"
                    + " that were held out of the training, and released once, with noise that is"
                    + " part of the ε (where a number is predicted, together with how labels vary);"
                    + " nothing else is said of these rows.</p>\n"
                    + noised(noised.score()),
            () -> "<p>" + CONSOLE_ONLY + "</p>\n");
  }

  /** What follows from the one release, where more than the score was asked for. */
  private String noised(NoisyScore score) {
    return score
        .figures()
        .map(
            known ->
                "<div class=\"pair\">"
                    + figures(Metrics.of(score, report.label()))
                    + reliability(known.calibration())
                    + "</div>\n")
        .orElse("");
  }

  private String curves() {
    if (evaluations.isEmpty()) {
      return "<p>The run was stopped before its first evaluation.</p>\n";
    }
    Evaluation last = evaluations.get(evaluations.size() - 1).evaluation();
    return "<div class=\"charts\">"
        + last.<String>match(
            classes ->
                curve("Test accuracy", Quality::figure, Html::percent, v -> Axis.shares(v, "")),
            regression -> curve("Mean squared error", Quality::figure, Axis::label, Quality::axis))
        + curve("Test loss", Evaluation::loss, Axis::label, Quality::axis)
        + "</div>\n"
        + "<div class=\"pair\">"
        + figures(Metrics.of(last, report.label()))
        + last.<String>match(
            classes -> classes.quality().map(known -> reliability(known.calibration())).orElse(""),
            regression -> "")
        + "</div>\n"
        + last.<String>match(
            classes ->
                "<h3>Which classes are confused</h3>"
                    + new Confusion(report.classes(), classes.confusion()).html(),
            regression -> "");
  }

  /** Every figure beside its interval. */
  private static String figures(List<Metric> metrics) {
    if (metrics.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder("<div><h3>Every figure</h3><table>");
    out.append(Html.head(List.of("figure", "value", "95% interval")) + "<tbody>");
    for (Metric metric : metrics) {
      out.append("<tr>" + Html.rowHead(metric.kind().title()));
      out.append(Html.number(metric.figure()) + Html.number(metric.range()) + "</tr>\n");
    }
    return out.append(
            "</tbody></table><p>An interval is for the chance in which rows were tested, as if")
        .append(" each had been drawn by itself; of a release with noise also for that noise.</p>")
        .append("</div>\n")
        .toString();
  }

  /** Bins that hold no more than noise are not drawn. */
  private static boolean isKnown(CalibrationCurve.Bin bin) {
    return bin.rows() > 8 * bin.noise();
  }

  /** What was said beside what was, with bars for the chance in which rows were tested. */
  private static String reliability(CalibrationCurve curve) {
    List<CalibrationCurve.Bin> bins = curve.bins().stream().filter(Quality::isKnown).toList();
    if (bins.isEmpty()) {
      return "";
    }
    List<Chart.Line> lines = new ArrayList<>();
    lines.add(
        new Chart.Line(
            "as said",
            "second dashed",
            List.of(new Chart.Point(0, 0, ""), new Chart.Point(1, 1, "")),
            ""));
    List<Chart.Point> points = new ArrayList<>();
    for (CalibrationCurve.Bin bin : bins) {
      String told =
          String.format(
              Locale.ROOT,
              "%s of %,.0f rows, said %s (95%%: %s to %s)",
              Html.percent(bin.was()),
              bin.rows(),
              Html.percent(bin.said()),
              Html.percent(bin.wasRange().low()),
              Html.percent(bin.wasRange().high()));
      lines.add(
          new Chart.Line(
              "",
              "first",
              List.of(
                  new Chart.Point(bin.said(), bin.wasRange().low(), ""),
                  new Chart.Point(bin.said(), bin.wasRange().high(), "")),
              ""));
      points.add(new Chart.Point(bin.said(), bin.was(), told));
    }
    lines.add(new Chart.Line("what was, with its 95% interval", "first", points, ""));
    return "<div><h3>How far probabilities can be believed</h3>"
        + new Chart(
                "Share that came true over the probability that was said",
                "Rows in ten bins of what was said. "
                    + points.stream().map(Chart.Point::text).collect(Collectors.joining("; ")),
                Axis.share("said"),
                Axis.share("came true"),
                lines)
            .html()
        + "</div>\n";
  }

  private static Axis axis(double[] values) {
    return Axis.around(values, "", Axis::label);
  }

  private String curve(
      String name,
      ToDoubleFunction<Evaluation> figure,
      DoubleFunction<String> text,
      Function<double[], Axis> axis) {
    List<Chart.Point> points =
        evaluations.stream()
            .map(
                event -> {
                  double value = figure.applyAsDouble(event.evaluation());
                  String told = "step " + Html.count(event.step()) + ": " + text.apply(value);
                  return new Chart.Point(event.step(), value, told);
                })
            .toList();
    Chart.Line line = new Chart.Line(name, "first", points, "");
    if (line.points().isEmpty()) {
      return "<p>" + name + ": not a finite number at any step.</p>";
    }
    double[] values = line.points().stream().mapToDouble(Chart.Point::y).toArray();
    Chart.Point first = line.points().get(0);
    Chart.Point last = line.points().get(line.points().size() - 1);
    return new Chart(
            name + " over steps",
            name + " on the public test set. " + first.text() + "; " + last.text() + ".",
            Axis.steps(last.x()),
            axis.apply(values),
            List.of(new Chart.Line(name, "first", points, text.apply(last.y()))))
        .html();
  }
}
