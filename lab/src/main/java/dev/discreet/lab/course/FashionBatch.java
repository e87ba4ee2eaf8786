package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Sample;
import java.util.List;

/** Document 001 §6.2 and figure 3: batch sizes. */
public final class FashionBatch extends FashionStudy {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "fashion-batch",
          "001",
          "§6.2, fig. 3",
          "ε and accuracy on Fashion-MNIST for several batch sizes, σ = 0.7",
          FashionBatch::new);

  private static final double NOISE = 0.7;

  /** How far apart two accuracies may be that are roughly the same, in percent. */
  private static final double MARGIN = 2;

  private static final List<Way> WAYS = List.of(Way.AS_RUN, Way.TUNED);

  private FashionBatch(Setup setup) {
    super(setup);
  }

  private final List<Double> lots =
      effort.pick(List.of(100.0, 1000.0), List.of(100.0, 300.0, 600.0, 1000.0));

  private static double published(double lot) {
    return lot == 100 ? 3.9 : lot == 1000 ? 14.5 : Double.NaN;
  }

  @Override
  protected void write() {
    question(
        """
        A larger batch is to cost more privacy (ε 3.9 to 14.5) and to learn more slowly at first;
        after about 50 epochs all are to be roughly as accurate.
        """,
        "ε at δ = 1e-5, and test accuracy in %");
    for (double lot : lots) {
      row(lot(lot) + ", 50 epochs", "ε, rdp", published(lot), Sample.of(stated(NOISE, lot, 50)));
    }
    for (double lot : lots) {
      for (Way way : WAYS) {
        row(lot(lot), "accuracy, " + way.label, last(lot, way));
      }
    }
    costs();
    pictures();
    verdicts();
    notes();
    assumed(
        """
        The batch sizes are not in the text; those whose ε are the stated ones at σ = 0.7 and 50
        epochs are 100 and 1000.
        """);
    runFile(recipe(Way.TUNED, NOISE, 100).yaml());
  }

  private String lot(double lot) {
    return format("batch %.0f", lot);
  }

  private Sample last(double lot, Way way) {
    return accuracy(trials(way, NOISE, lot));
  }

  private Sample first(double lot, Way way) {
    return sample(trials(way, NOISE, lot), o -> o.curve("accuracy").get(0));
  }

  private void costs() {
    PageTable table =
        codeCosts(
            "What the document's code costs, 50 epochs, σ = 0.7, δ = 1e-5",
            "batch | ε stated (rdp)");
    for (double lot : lots) {
      table.row(
          format("%.0f", lot),
          format("%.3g", stated(NOISE, lot, 50)),
          format("%.3g", trueMultiplier(NOISE, lot)),
          codeCost(Neighbouring.ZERO_OUT, NOISE, lot),
          codeCost(Neighbouring.REPLACE_ONE, NOISE, lot));
    }
  }

  private void pictures() {
    Picture cost = picture("epsilon", "fashion-batch: privacy cost", "epoch", "ε").even();
    for (double lot : lots) {
      cost.means(
          lot(lot),
          false,
          List.of(1, 2, 5, 10, 20, 30, 40, 50),
          epoch -> epoch,
          epoch -> Sample.of(stated(NOISE, lot, epoch)));
    }
    cost.caption("Figure 3(a): ε by Rényi accounting, σ = 0.7.");
    for (Way way : WAYS) {
      Picture picture =
          accuracies((way == Way.AS_RUN ? "as-run" : "correct"), "fashion-batch: " + way.label);
      for (double lot : lots) {
        picture.curve(lot(lot), false, i -> i + 1, meanCurve(trials(way, NOISE, lot), "accuracy"));
      }
      picture.caption("Figure 3(b), %s: test accuracy after each epoch.", way.label);
    }
  }

  private String cost(double lot) {
    return format(
        "ε = %s (%s)",
        codeCost(Neighbouring.ZERO_OUT, NOISE, lot),
        codeCost(Neighbouring.REPLACE_ONE, NOISE, lot));
  }

  private void verdicts() {
    double small = lots.get(0);
    double large = lots.get(lots.size() - 1);
    verdict(
        """
        ε from 3.9 to 14.5: consistent with batches of 100 (%.2f) and 1000 (%.2f) and 50 epochs,
        which were inferred from these ε; the document names none.
        """,
        stated(NOISE, 100, 50), stated(NOISE, 1000, 50));
    for (Way way : WAYS) {
      verdict(
          "A larger batch learns more slowly at first (1000 below 100 after an epoch), %s: %s.",
          way.label, Contrast.of(first(large, way), first(small, way)).verdict(Order.BELOW));
      verdict(
          "In the end roughly the same, 1000 and 100 within %s points, %s: %s.",
          MARGIN, way.label, Contrast.of(last(large, way), last(small, way)).alike(MARGIN));
    }
    verdict(
        """
        What the code itself can be shown to cost under zero-out (and replace-one): at most %s with
        batches of 100, where 3.9 is stated, and %s with 1000, where 14.5 is. Its lots are shuffled,
        so sampling may not be counted on; and a larger batch makes it cheaper, not dearer, since
        its noise does not shrink with the batch as an example's part of the mean does.
        """,
        cost(small), cost(large));
    verdict(
        """
        "A higher batch size adding more noise" is not the reason: the code adds the same noise to
        every mean, and a larger batch makes fewer steps an epoch. With noise on the sum a larger
        batch has less of it in the mean.
        """);
  }
}
