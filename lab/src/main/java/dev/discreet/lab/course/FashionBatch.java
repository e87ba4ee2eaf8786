package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.course.FashionRuns.Way;
import dev.discreet.report.Article.Table;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Document 001 §6.2 and figure 3: batch sizes. */
public final class FashionBatch implements Experiment {
  private static final double NOISE = 0.7;

  /** How far apart two accuracies may be that are roughly the same, in percent. */
  private static final double MARGIN = 2;

  private static final List<Way> WAYS = List.of(Way.AS_RUN, Way.TUNED);

  @Override
  public String name() {
    return "fashion-batch";
  }

  @Override
  public String document() {
    return "001 §6.2, fig. 3";
  }

  @Override
  public String summary() {
    return "ε and accuracy on Fashion-MNIST for several batch sizes, σ = 0.7";
  }

  private static List<Double> lots(Effort effort) {
    return effort.pick(List.of(100.0, 1000.0), List.of(100.0, 300.0, 600.0, 1000.0));
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (double lot : lots(effort)) {
      WAYS.forEach(way -> all.addAll(FashionRuns.trials(way, NOISE, lot, effort)));
      FashionRuns.RELATIONS.forEach(each -> all.add(FashionRuns.codeCost(each, NOISE, lot)));
    }
    return all;
  }

  private static OptionalDouble published(double lot) {
    return lot == 100
        ? OptionalDouble.of(3.9)
        : lot == 1000 ? OptionalDouble.of(14.5) : OptionalDouble.empty();
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "A larger batch is to cost more privacy (ε 3.9 to 14.5) and to learn more slowly at"
                + " first; after about 50 epochs all are to be roughly as accurate.",
            "ε at δ = 1e-5, and test accuracy in %");
    for (double lot : lots(effort)) {
      finding.row(
          new Row(
              lot(lot) + ", 50 epochs",
              "ε, rdp",
              published(lot),
              Sample.of(FashionRuns.stated(NOISE, lot, 50)),
              2));
    }
    for (double lot : lots(effort)) {
      for (Way way : WAYS) {
        finding.row(
            new Row(lot(lot), "accuracy, " + way.label, last(lot, way, effort, outcomes), 2));
      }
    }
    finding.table(costs(effort, outcomes));
    pictures(finding, effort, outcomes);
    verdicts(finding, effort, outcomes);
    return FashionRuns.notes(finding)
        .assumed(
            "The batch sizes are not in the text; those whose ε are the stated ones at σ = 0.7 and"
                + " 50 epochs are 100 and 1000.")
        .runFile(FashionRuns.runFile(NOISE, 100))
        .build();
  }

  private static String lot(double lot) {
    return format("batch %.0f", lot);
  }

  private static Sample last(double lot, Way way, Effort effort, Outcomes outcomes) {
    return outcomes.sample(FashionRuns.trials(way, NOISE, lot, effort), "accuracy");
  }

  private static Sample first(double lot, Way way, Effort effort, Outcomes outcomes) {
    return new Sample(
        outcomes.of(FashionRuns.trials(way, NOISE, lot, effort)).stream()
            .map(o -> o.curve("accuracy").get(0))
            .toList());
  }

  private static Table costs(Effort effort, Outcomes outcomes) {
    return new Table(
        "What the document's code costs, 50 epochs, σ = 0.7, δ = 1e-5",
        List.of(
            "batch",
            "ε stated (rdp)",
            "true multiplier",
            FashionRuns.codeCostName(FashionRuns.RELATIONS.get(0)),
            FashionRuns.codeCostName(FashionRuns.RELATIONS.get(1))),
        lots(effort).stream()
            .map(
                lot ->
                    List.of(
                        format("%.0f", lot),
                        format("%.3g", FashionRuns.stated(NOISE, lot, 50)),
                        format("%.3g", FashionRuns.trueMultiplier(NOISE, lot)),
                        FashionRuns.codeCost(FashionRuns.RELATIONS.get(0), NOISE, lot, outcomes),
                        FashionRuns.codeCost(FashionRuns.RELATIONS.get(1), NOISE, lot, outcomes)))
            .toList());
  }

  private static void pictures(Finding.Builder finding, Effort effort, Outcomes outcomes)
      throws IOException {
    Picture cost =
        new Picture("fashion-batch-epsilon", "fashion-batch: privacy cost", "epoch", "ε").even();
    for (double lot : lots(effort)) {
      List<Point> points =
          IntStream.of(1, 2, 5, 10, 20, 30, 40, 50)
              .mapToObj(e -> new Point(e, FashionRuns.stated(NOISE, lot, e)))
              .toList();
      cost.line(lot(lot), false, points);
    }
    cost.into(finding, "Figure 3(a): ε by Rényi accounting, σ = 0.7.");
    for (Way way : WAYS) {
      Picture picture =
          new Picture(
                  "fashion-batch-" + (way == Way.AS_RUN ? "as-run" : "correct"),
                  "fashion-batch: " + way.label,
                  "epoch",
                  "test accuracy, %")
              .even();
      for (double lot : lots(effort)) {
        picture.curve(
            lot(lot),
            false,
            i -> i + 1,
            outcomes.meanCurve(FashionRuns.trials(way, NOISE, lot, effort), "accuracy"));
      }
      picture.into(finding, "Figure 3(b), " + way.label + ": test accuracy after each epoch.");
    }
  }

  private static String cost(Outcomes outcomes, double lot) {
    return "ε = "
        + FashionRuns.codeCost(FashionRuns.RELATIONS.get(0), NOISE, lot, outcomes)
        + " ("
        + FashionRuns.codeCost(FashionRuns.RELATIONS.get(1), NOISE, lot, outcomes)
        + ")";
  }

  private static void verdicts(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    List<Double> lots = lots(effort);
    double small = lots.get(0);
    double large = lots.get(lots.size() - 1);
    finding.verdict(
        format(
            "ε from 3.9 to 14.5: consistent with batches of 100 (%.2f) and 1000 (%.2f) and 50 epochs,"
                + " which were inferred from these ε; the document names none.",
            FashionRuns.stated(NOISE, 100, 50), FashionRuns.stated(NOISE, 1000, 50)));
    for (Way way : WAYS) {
      finding.verdict(
          "A larger batch learns more slowly at first (1000 below 100 after an epoch), "
              + way.label
              + ": "
              + Contrast.of(
                      first(large, way, effort, outcomes), first(small, way, effort, outcomes))
                  .verdict(Order.BELOW)
              + ".");
      finding.verdict(
          format(
              "In the end roughly the same, 1000 and 100 within %s points, %s: %s.",
              show(MARGIN),
              way.label,
              Contrast.of(last(large, way, effort, outcomes), last(small, way, effort, outcomes))
                  .alike(MARGIN)));
    }
    finding.verdict(
        "What the code itself can be shown to cost under zero-out (and replace-one): at most "
            + cost(outcomes, small)
            + " with batches of 100, where 3.9 is stated, and "
            + cost(outcomes, large)
            + " with 1000, where 14.5 is. Its lots are shuffled, so sampling may not be counted on;"
            + " and a larger batch makes it cheaper, not dearer, since its noise does not shrink"
            + " with the batch as an example's part of the mean does.");
    finding.verdict(
        "\"A higher batch size adding more noise\" is not the reason: the code adds the same noise"
            + " to every mean, and a larger batch makes fewer steps an epoch. With noise on the sum"
            + " a larger batch has less of it in the mean.");
  }
}
