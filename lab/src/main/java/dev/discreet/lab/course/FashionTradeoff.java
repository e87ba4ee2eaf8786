package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.course.FashionRuns.Way;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Document 001 §6.1 and figure 2: accuracy against ε in the course of one training. */
public final class FashionTradeoff implements Experiment {
  private static final double NOISE = 0.7;

  /** What is not yet greatly below, in percent. */
  private static final double MARGIN = 5;

  private static final List<Way> WAYS = List.of(Way.AS_RUN, Way.CORRECT, Way.TUNED);

  @Override
  public String name() {
    return "fashion-tradeoff";
  }

  @Override
  public String document() {
    return "001 §6.1, fig. 2";
  }

  @Override
  public String summary() {
    return "accuracy against ε throughout a training on Fashion-MNIST, σ = 0.7";
  }

  private static List<Trial> trials(Way way, Effort effort) {
    return FashionRuns.trials(way, NOISE, FashionRuns.LOT, effort);
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>(trials(Way.PLAIN, effort));
    all.addAll(trials(Way.PLAIN_TUNED, effort));
    WAYS.forEach(way -> all.addAll(trials(way, effort)));
    return all;
  }

  /** A number of each run's curve of accuracies. */
  private static Sample of(
      Outcomes outcomes, Way way, Effort effort, ToDoubleFunction<List<Double>> what) {
    List<Outcome> there = outcomes.of(trials(way, effort));
    return new Sample(there.stream().map(o -> what.applyAsDouble(o.curve("accuracy"))).toList());
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    int epochs = (int) FashionRuns.epochs(effort);
    Finding.Builder finding =
        new Finding.Builder(
            "Accuracy is to rise with ε in the course of training, and at a moderate ε (up to 10) to"
                + " be greatly below that without DP.",
            "test accuracy, %");
    List<Integer> marks = effort.quick() ? List.of(1, 2) : List.of(1, 5, 10, 20, 40, 50);
    for (int epoch : marks) {
      for (Way way : WAYS) {
        finding.row(
            new Row(
                "epoch " + epoch + ", " + cost(way, epoch),
                way.label,
                of(outcomes, way, effort, c -> at(c, epoch)),
                2));
      }
    }
    finding.row(
        new Row("epoch " + epochs, Way.PLAIN.label, 80, last(outcomes, Way.PLAIN, effort), 2));
    finding.row(
        new Row(
            "epoch " + epochs, Way.PLAIN_TUNED.label, last(outcomes, Way.PLAIN_TUNED, effort), 2));
    Picture picture =
        new Picture(
            "fashion-tradeoff", "fashion-tradeoff: σ = 0.7, lots of 600", "ε", "test accuracy, %");
    for (Way way : WAYS) {
      List<Double> curve = outcomes.meanCurve(trials(way, effort), "accuracy");
      picture.line(
          way.label,
          way == Way.AS_RUN,
          IntStream.rangeClosed(1, curve.size())
              .filter(epoch -> epoch <= 10 || epoch % 5 == 0)
              .mapToObj(epoch -> new Point(epsilon(way, epoch), curve.get(epoch - 1)))
              .toList());
    }
    picture.into(
        finding,
        "Figure 2: test accuracy against ε, mean over seeds; as-run against the stated one.");
    verdicts(finding, effort, outcomes);
    return FashionRuns.notes(finding)
        .assumed(
            "ε of real DP-SGD is by pld, as its runs find it; the document's code has none of that"
                + " kind, and is set beside the ε that is stated for it, by Rényi accounting.")
        .runFile(FashionRuns.runFile(NOISE, FashionRuns.LOT))
        .build();
  }

  private static double epsilon(Way way, int epoch) {
    return way == Way.AS_RUN
        ? FashionRuns.stated(NOISE, FashionRuns.LOT, epoch)
        : FashionRuns.spent(NOISE, FashionRuns.LOT, epoch);
  }

  private static String cost(Way way, int epoch) {
    return format("%sε = %.2f", way == Way.AS_RUN ? "stated " : "", epsilon(way, epoch));
  }

  private static double at(List<Double> curve, int epoch) {
    return curve.get(Math.min(epoch, curve.size()) - 1);
  }

  private static Sample last(Outcomes outcomes, Way way, Effort effort) {
    return of(outcomes, way, effort, c -> c.get(c.size() - 1));
  }

  private static void verdicts(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    for (Way way : WAYS) {
      Sample gained = of(outcomes, way, effort, c -> c.get(c.size() - 1) - c.get(0));
      finding.verdict(
          "Accuracy rises with ε from the first epoch to the last, "
              + way.label
              + ": "
              + Contrast.paired(gained).verdict(Order.ABOVE)
              + ".");
    }
    // 10 is stated for epoch 43 of 50.
    int moderate = effort.quick() ? 2 : 40;
    for (Way way : WAYS) {
      finding.verdict(
          format(
              "\"Greatly affected\" for a moderate ε: more than %s points below that without DP at %s,"
                  + " %s: %s.",
              show(MARGIN),
              cost(way, moderate),
              way.label,
              Contrast.of(
                      of(outcomes, way, effort, c -> at(c, moderate)),
                      last(outcomes, FashionRuns.plain(way), effort))
                  .farBelow(MARGIN)));
    }
  }
}
