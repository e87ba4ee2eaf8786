package dev.discreet.report;

import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.Evaluation.Regression;
import dev.discreet.core.evaluate.ScoreHeadline;
import dev.discreet.core.train.Event;
import dev.discreet.report.TrainingReport.Score;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

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
    String detail =
        last.match(
            classes ->
                interval(classes.accuracy(), classes.examples())
                    + "; always the largest class: "
                    + Html.percent(classes.largestClass(), 2),
            regression ->
                "of "
                    + Html.count(regression.examples())
                    + " public examples; "
                    + headline.detail());
    return Html.tile(
        "Test " + headline.name(), Html.escape(headline.figure()), Html.escape(detail));
  }

  /** Wilson's interval: it stays within 0 and 1, and is right for accuracies near 1. */
  static String interval(double share, int examples) {
    double z = 1.959964;
    double n = examples;
    double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * Math.sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return String.format(
        "of %s public examples; 95%% interval %s to %s",
        Html.count(examples), Html.percent(middle - half, 2), Html.percent(middle + half, 2));
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
                    + " nothing else is said of these rows.</p>\n",
            () -> "<p>" + CONSOLE_ONLY + "</p>\n");
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
        + last.<String>match(
            classes ->
                "<h3>Which classes are confused</h3>"
                    + new Confusion(report.classes(), classes.confusion()).html(),
            regression -> "");
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
