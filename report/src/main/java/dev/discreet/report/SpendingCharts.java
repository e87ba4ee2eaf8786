package dev.discreet.report;

import dev.discreet.accounting.Digits;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.train.Event;
import dev.discreet.report.TrainingReport.Spent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** What ε a run had spent by each step, and what it had learned for it. */
final class SpendingCharts {
  private final TrainingReport report;
  private final boolean secure;
  private final double whole;
  private final List<Event.Evaluated> evaluations;

  /**
   * @param kept what the run promises; if its keys were not secret, ε is what it would be if they
   *     had been
   */
  SpendingCharts(TrainingReport report, Guaranteed kept) {
    this.report = report;
    this.secure = kept.secure();
    this.whole = kept.guarantee().epsilon();
    this.evaluations = report.result().evaluations();
  }

  String html() {
    String charts = epsilonOverSteps() + figureOverEpsilon();
    if (charts.isEmpty()) {
      return "";
    }
    return (secure ? "" : "<p>No promise: this is what it <em>would</em> be with secret keys.</p>")
        + ("<div class=\"charts\">" + charts + "</div>\n")
        + figures();
  }

  private String epsilonLabel() {
    return secure ? "epsilon" : "epsilon with secret keys";
  }

  /**
   * What was released up to a step costs no more than the whole, so the whole cost is a bound as
   * well.
   */
  private List<Spent> finite() {
    return report.spent().stream()
        .map(spent -> new Spent(spent.step(), Math.min(spent.epsilon(), whole)))
        .filter(spent -> Double.isFinite(spent.epsilon()))
        .toList();
  }

  private String epsilonOverSteps() {
    List<Spent> all = finite();
    if (all.isEmpty()) {
      return "";
    }
    List<Chart.Point> points =
        all.stream()
            .map(spent -> new Chart.Point(spent.step(), spent.epsilon(), told(spent)))
            .toList();
    Spent last = all.get(all.size() - 1);
    double most = all.stream().mapToDouble(Spent::epsilon).max().orElse(0);
    return new Chart(
            "Epsilon over steps",
            "Upper end of epsilon by step, up to " + told(last) + ".",
            Axis.steps(last.step()),
            Axis.linear(0, most > 0 ? most : 1, secure ? "" : epsilonLabel(), Axis::label),
            List.of(new Chart.Line("epsilon", "first", points, "≤ " + Digits.up(last.epsilon()))))
        .html();
  }

  private static String told(Spent spent) {
    return "step " + Html.count(spent.step()) + ": ε ≤ " + Digits.up(spent.epsilon());
  }

  /**
   * The ε of the first known point that is not before the step: ε never falls, so this is a bound.
   */
  private OptionalDouble epsilonAt(long step) {
    return finite().stream()
        .filter(spent -> spent.step() >= step)
        .mapToDouble(Spent::epsilon)
        .findFirst();
  }

  private String figureOverEpsilon() {
    boolean regression = report.result().evaluation().filter(Quality::isRegression).isPresent();
    String name = regression ? "Mean squared error" : "Test accuracy";
    DoubleFunction<String> text = regression ? Axis::label : Html::percent;
    List<Chart.Point> points = new ArrayList<>();
    for (Event.Evaluated event : evaluations) {
      double value = Quality.figure(event.evaluation());
      epsilonAt(event.step())
          .ifPresent(
              epsilon ->
                  points.add(
                      new Chart.Point(
                          epsilon,
                          value,
                          "step %s: ε ≤ %s, %s"
                              .formatted(
                                  Html.count(event.step()),
                                  Digits.up(epsilon),
                                  text.apply(value)))));
    }
    Chart.Line line = new Chart.Line(name, "second", points, "");
    if (line.points().isEmpty()) {
      return "";
    }
    double[] values = line.points().stream().mapToDouble(Chart.Point::y).toArray();
    Chart.Point last = line.points().get(line.points().size() - 1);
    return new Chart(
            name + " by epsilon spent",
            name + " by the epsilon spent until then, up to " + last.text() + ".",
            Axis.upTo(last.x(), epsilonLabel(), Axis::label),
            regression ? Axis.around(values, "", text) : Axis.shares(values, ""),
            List.of(new Chart.Line(name, "second", points, text.apply(last.y()))))
        .html();
  }

  /** The same as numbers, for those who read or copy rather than look. */
  private String figures() {
    if (evaluations.isEmpty()) {
      return "";
    }
    boolean regression = Quality.isRegression(evaluations.get(0).evaluation());
    StringBuilder out = new StringBuilder("<details><summary>The figures</summary>");
    out.append(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figures\"><table>");
    String figure = regression ? "mean squared error" : "test accuracy";
    out.append(Html.head(List.of("step", epsilonLabel() + " ≤", "test loss", figure)) + "<tbody>");
    for (Event.Evaluated event : Chart.thin(evaluations)) {
      Evaluation evaluation = event.evaluation();
      OptionalDouble epsilon = epsilonAt(event.step());
      out.append("<tr><th scope=\"row\" class=\"n\">" + Html.count(event.step()) + "</th>");
      out.append(Html.number(epsilon.isPresent() ? Digits.up(epsilon.getAsDouble()) : "–"));
      out.append(Html.number(Digits.plain(evaluation.loss())));
      double value = Quality.figure(evaluation);
      out.append(Html.number(regression ? Digits.plain(value) : Html.percent(value, 2)));
      out.append("</tr>\n");
    }
    return out.append("</tbody></table></div></details>\n").toString();
  }
}
