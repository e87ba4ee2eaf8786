package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.algorithms.geometry.ClippedQuadratic;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.RandomSubset;
import dev.discreet.report.Article.Table;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Document 002, part 1: noise on each gradient before it is clipped, against clipping's bias. */
public final class PreNoise implements Experiment {
  private static final double CLIP = 1;
  private static final List<Double> SMALL = List.of(0.0, 2.0, 4.0, 8.0, 16.0);

  // Around ‖g‖/√d, where such noise is as long as a gradient.
  private static final List<Double> IMAGES = List.of(0.0, 0.003, 0.01, 0.03);

  @Override
  public String name() {
    return "pre-noise";
  }

  @Override
  public String document() {
    return "002 part 1";
  }

  @Override
  public String summary() {
    return "correcting clipping's bias by noise before clipping";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    SMALL.forEach(k -> all.addAll(quadratic(k, effort)));
    for (double clip : clips(effort)) {
      images(effort).forEach(k -> all.addAll(mnist(clip, k, effort)));
    }
    return all;
  }

  private static List<Double> images(Effort effort) {
    return effort.pick(List.of(0.0, 0.01), IMAGES);
  }

  private static List<Double> clips(Effort effort) {
    return effort.pick(List.of(0.1), List.of(0.1, 1.0));
  }

  /** Bad example 1. */
  private static List<Trial> quadratic(double before, Effort effort) {
    SlideDescent descent =
        new SlideDescent(
            ClippedQuadratic.badExample1(), 100, CLIP, before, 0, 0, 0.5, effort.pick(200, 1000));
    return effort
        .seeds(5)
        .mapToObj(
            seed ->
                new Trial(
                    descent.text() + ", seed " + seed,
                    workshop -> {
                      List<Double> path = descent.path(workshop, seed);
                      return Outcome.of("rest", SlideDescent.rest(path))
                          .with("path", Numbers.brief(path));
                    }))
        .toList();
  }

  private static List<Trial> mnist(double clip, double before, Effort effort) {
    int size = effort.pick(2000, 10_000);
    double epochs = effort.pick(0.5, 10.0);
    // The same step for either threshold, so that bias alone tells them apart.
    double rate = 0.5 / clip;
    return effort
        .seeds(3)
        .mapToObj(
            seed ->
                new Trial(
                    "mnist, "
                        + size
                        + " images, mnist-cnn, lot 250, epochs "
                        + show(epochs)
                        + ", rate "
                        + show(rate)
                        + ", C = "
                        + show(clip)
                        + ", ε = 3 at δ = 1e-5, noise before clipping "
                        + show(before)
                        + ", seed "
                        + seed,
                    workshop -> {
                      DataSet data = workshop.data("mnist");
                      Examples all = data.train().examples();
                      Trainer trainer =
                          Trainer.of(
                                  Network.named("mnist-cnn"),
                                  PrivacyPlan.target(3, 1e-5)
                                      .lotSize(250)
                                      .epochs(epochs)
                                      .clip(clip)
                                      .build())
                              .learningRate(rate)
                              .noiseBeforeClipping(before)
                              .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
                              .insecureSeed(seed);
                      return Workshop.outcome(
                          workshop.train(
                              trainer,
                              RandomSubset.of(all, RandomSubset.order(all.size(), seed), 0, size),
                              TestSet.declaredPublic(
                                  RandomSubset.some(
                                      data.test().orElseThrow().examples(),
                                      effort.pick(1000, 10_000)))));
                    }))
        .toList();
  }

  /** Where E clip(x − s + kξ) is zero: the place that descent with such noise goes to. */
  static double resting(ClippedQuadratic loss, double threshold, double before) {
    if (before == 0) {
      return loss.clippedOptima(threshold)[0];
    }
    double low = Arrays.stream(loss.samples()).min().orElseThrow();
    double high = Arrays.stream(loss.samples()).max().orElseThrow();
    for (int turn = 0; turn < 100; turn++) {
      double middle = (low + high) / 2;
      // clip(y + kξ, C) is k·clip(y/k + ξ, C/k).
      double slope =
          Arrays.stream(loss.samples())
              .map(s -> ClippedQuadratic.ofGaussian((middle - s) / before, threshold / before))
              .sum();
      if (slope < 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    ClippedQuadratic loss = ClippedQuadratic.badExample1();
    Finding.Builder finding =
        new Finding.Builder(
            "Noise on each gradient before it is clipped makes the distribution more symmetric,"
                + " and so corrects clipping's bias. The slide has no figures.",
            "where descent rests on bad example 1 (optimum 1), and MNIST test accuracy, %");
    List<List<String>> exact = new ArrayList<>();
    Picture picture =
        new Picture(
                name() + "-bad-example-1", "bad example 1 with noise before clipping", "step", "x")
            .even();
    for (double k : SMALL) {
      finding.row(
          new Row(
              "bad example 1, C = 1",
              "noise before clipping " + show(k),
              outcomes.sample(quadratic(k, effort), "rest"),
              2));
      exact.add(
          List.of(
              show(k),
              format("%.3f", resting(loss, CLIP, k)),
              format("%.3f", 1 - resting(loss, CLIP, k)),
              format("%.3f", slope(loss, k))));
      List<Double> path = outcomes.meanCurve(quadratic(k, effort), "path");
      picture.curve("noise " + show(k), false, i -> i, path);
    }
    finding.table(
        new Table(
            "Bad example 1, exactly: the remaining bias, and what is left of the slope there",
            List.of("noise before clipping", "rests at", "off by", "slope (1 without clipping)"),
            exact));
    picture.into(
        finding,
        "x over the steps, mean over seeds; the optimum is 1, clipping alone rests at −2½.");
    images(finding, effort, outcomes);
    verdicts(finding, loss, effort, outcomes);
    return finding
        .assumed(
            "Bad example 1 with 100 copies of each sample, full batches, no private noise: only the"
                + " bias is looked at. MNIST: 10,000 images, lot 250, 10 epochs, ε = 3; rates are"
                + " such that a clipped gradient moves as far at either threshold.")
        .assumed(
            "Guarantee and cost are those of the run without the noise, which is added before"
                + " clipping and is on no ledger.")
        .assumed(
            "Runs of a seed share images, start and lots: differences are taken seed by seed. The"
                + " run file trains on all 60,000 images, for a run file cannot cut a set.")
        .runFile(
            "data: mnist\nmodel: mnist-cnn\nlot-size: 250\nepochs: 10\nclip: 0.1\nepsilon: 3\n"
                + "delta: 1e-5\noptimizer: sgd\nlearning-rate: 5\nnoise-before-clipping: 0.01\n"
                + "ema: 0\n")
        .build();
  }

  /** How steep the clipped gradient is where it is zero: how fast descent gets there. */
  private static double slope(ClippedQuadratic loss, double before) {
    double rest = resting(loss, CLIP, before);
    double near = 1e-4;
    return IntStream.of(-1, 1)
            .mapToDouble(
                side ->
                    side
                        * Arrays.stream(loss.samples())
                            .map(
                                s ->
                                    before == 0
                                        ? Math.max(-CLIP, Math.min(CLIP, rest + side * near - s))
                                        : before
                                            * ClippedQuadratic.ofGaussian(
                                                (rest + side * near - s) / before, CLIP / before))
                            .average()
                            .orElseThrow())
            .sum()
        / (2 * near);
  }

  private void images(Finding.Builder finding, Effort effort, Outcomes outcomes)
      throws IOException {
    Picture picture =
        new Picture(
                name() + "-mnist",
                "MNIST with noise before clipping",
                "noise before clipping",
                "test accuracy, %")
            .even();
    for (double clip : clips(effort)) {
      List<Point> points = new ArrayList<>();
      for (double k : images(effort)) {
        Sample accuracy = outcomes.sample(mnist(clip, k, effort), "accuracy");
        finding.row(
            new Row("mnist, C = " + show(clip), "noise before clipping " + show(k), accuracy, 2));
        if (accuracy.size() > 0) {
          points.add(new Point(k, accuracy.mean()));
        }
      }
      picture.line("C = " + show(clip), false, points);
    }
    picture.into(finding, "Test accuracy over the noise before clipping, ε = 3.");
  }

  private static void verdicts(
      Finding.Builder finding, ClippedQuadratic loss, Effort effort, Outcomes outcomes) {
    finding.verdict(
        "Bad example 1, noise 8 moves the resting place towards the optimum: "
            + outcomes
                .paired(quadratic(8, effort), quadratic(0, effort), "rest")
                .verdict(Order.ABOVE)
            + format(
                ". Exactly, from %.2f to %.2f, at the price of a slope of %.2f.",
                resting(loss, CLIP, 0), resting(loss, CLIP, 8), slope(loss, 8)));
    for (double clip : clips(effort)) {
      for (double k : images(effort)) {
        if (k > 0) {
          finding.verdict(
              "MNIST, C = "
                  + show(clip)
                  + ", noise "
                  + show(k)
                  + " better than none: "
                  + outcomes
                      .paired(mnist(clip, k, effort), mnist(clip, 0, effort), "accuracy")
                      .verdict(Order.ABOVE)
                  + ".");
        }
      }
    }
  }
}
