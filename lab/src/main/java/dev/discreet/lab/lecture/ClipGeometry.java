package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.algorithms.geometry.ClippingBias;
import dev.discreet.algorithms.geometry.GradientCloud;
import dev.discreet.algorithms.geometry.GradientNoise;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.cpu.Cpu;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.TestSet;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Drawn;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Glimpse;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.report.Article.Figure;
import dev.discreet.report.Article.Table;
import dev.discreet.report.Panels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Document 002, part 1: how gradients are spread while DP-SGD trains. */
public final class ClipGeometry implements Experiment {
  private static final int BINS = 40;
  private static final int SIDES = 8;

  // More points than this make a picture large, not clear.
  private static final int DOTS = 200;
  private static final List<Double> THRESHOLDS = List.of(1.0, 0.1);

  /**
   * One training to look into.
   *
   * @param looks the epochs after which gradients are looked at
   * @param manySides that of them which is seen from eight sides
   * @param gradients how many make a cloud
   */
  private record Run(
      String data,
      String network,
      double lot,
      double rate,
      double epochs,
      List<Double> looks,
      double manySides,
      int gradients) {
    String text() {
      return data
          + ", "
          + network
          + ", lot "
          + show(lot)
          + ", rate "
          + show(rate)
          + ", C = 1, ε = 3 at δ = 1e-5, epochs "
          + show(epochs)
          + ", "
          + gradients
          + " gradients after epochs "
          + looks
          + ", seed 1";
    }
  }

  private static List<Run> runs(Effort effort) {
    // Shortened: as many looks, at steps nearer to each other.
    double shorter = effort.pick(500.0, 1.0);
    return List.of(
        run(
            "mnist",
            "mnist-cnn",
            effort.pick(100.0, 600.0),
            0.5,
            60,
            List.of(0.0, 4.0, 9.0, 10.0, 59.0),
            9,
            shorter,
            effort.pick(40, 400)),
        run(
            "cifar10",
            "cifar-cnn",
            effort.pick(100.0, 500.0),
            0.5,
            10,
            List.of(0.0, 1.0, 4.0, 9.0),
            9,
            shorter,
            effort.pick(20, 200)));
  }

  private static Run run(
      String data,
      String network,
      double lot,
      double rate,
      double epochs,
      List<Double> looks,
      double manySides,
      double shorter,
      int gradients) {
    return new Run(
        data,
        network,
        lot,
        rate,
        epochs / shorter,
        looks.stream().map(epoch -> epoch / shorter).toList(),
        manySides / shorter,
        gradients);
  }

  @Override
  public String name() {
    return "clip-geometry";
  }

  @Override
  public String document() {
    return "002 part 1";
  }

  @Override
  public String summary() {
    return "cosines and clouds of gradients while DP-SGD trains on MNIST and CIFAR-10";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    return runs(effort).stream().map(ClipGeometry::trial).toList();
  }

  private static Trial trial(Run run) {
    return new Trial(run.text(), workshop -> look(workshop, run));
  }

  private static Outcome look(Workshop workshop, Run run) throws IOException {
    DataSet data = workshop.data(run.data);
    Examples train = data.train().examples();
    Examples seen = Drawn.of(train, Drawn.order(train.size(), 1), 0, run.gradients);
    Network network = Network.named(run.network);
    Map<String, List<Double>> measures = new LinkedHashMap<>();
    try (PublicGradients engine =
        Cpu.all().withThreads(workshop.threads()).open(network.on(train.input()), seen)) {
      Trainer trainer =
          Trainer.of(
                  network,
                  PrivacyPlan.target(3, 1e-5).lotSize(run.lot).epochs(run.epochs).clip(1).build())
              .learningRate(run.rate)
              .initialiser(Initialiser.PYTORCH_UNIFORM, 1)
              .insecureSeed(1)
              .transform(
                  new Glimpse(
                      train.input(),
                      (step, theta) -> {
                        for (double epoch : run.looks) {
                          if (step == (long) (epoch * train.size() / run.lot + 1e-6)) {
                            measure(measures, run, epoch, engine, theta);
                          }
                        }
                      }));
      TestSet test =
          TestSet.declaredPublic(
              Drawn.some(data.test().orElseThrow().examples(), run.epochs < 5 ? 1000 : 10_000));
      Outcome trained = Workshop.outcome(workshop.train(trainer, train, test));
      measures.putAll(trained.measures());
    }
    return new Outcome(measures);
  }

  private static void measure(
      Map<String, List<Double>> measures,
      Run run,
      double epoch,
      PublicGradients engine,
      float[] theta) {
    GradientCloud cloud =
        GradientCloud.declaredPublic(engine, theta, IntStream.range(0, run.gradients).toArray());
    String at = " at " + show(epoch);
    measures.put(
        "cosines" + at,
        Arrays.stream(cloud.cosines(BINS).counts()).mapToObj(count -> (double) count).toList());
    measures.put("symmetry" + at, List.of(Numbers.brief(cloud.symmetryAlong(cloud.mean()))));
    SplittableRandom random = new SplittableRandom(1);
    measures.put(
        "symmetries" + at,
        IntStream.range(0, 4)
            .mapToObj(
                side -> {
                  double[] direction = new double[theta.length];
                  Arrays.setAll(direction, i -> random.nextGaussian());
                  return Numbers.brief(cloud.symmetryAlong(direction));
                })
            .toList());
    for (double threshold : THRESHOLDS) {
      ClippingBias bias = cloud.clippingBias(threshold);
      double length = Math.sqrt(bias.unclipped());
      measures.put(
          "bias " + show(threshold) + at,
          List.of(
              Numbers.brief(length),
              Numbers.brief(bias.alignment() / length),
              Numbers.brief(bias.symmetric() / length),
              Numbers.brief(bias.bound() / length)));
    }
    List<double[][]> sides = cloud.projections(epoch == run.manySides ? SIDES : 1, 1);
    for (int side = 0; side < sides.size(); side++) {
      for (int axis = 0; axis < 2; axis++) {
        int along = axis;
        measures.put(
            coordinate(side, axis, epoch),
            Arrays.stream(sides.get(side))
                .limit(DOTS)
                .map(point -> Numbers.brief(point[along]))
                .toList());
      }
    }
  }

  private static String coordinate(int side, int axis, double epoch) {
    return "side " + (side + 1) + " " + (axis == 0 ? "x" : "y") + " at " + show(epoch);
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "The slides show histograms of the cosine between single gradients and the true one,"
                + " and clouds of gradients under random projections, and ask whether a symmetric"
                + " distribution explains why clipping does little harm.",
            "symmetry of the gradients around their mean: 1 is a mirror image");
    List<List<String>> biases = new ArrayList<>();
    for (Run run : runs(effort)) {
      Optional<Outcome> outcome = outcomes.of(trial(run));
      for (double epoch : run.looks) {
        String at = " at " + show(epoch);
        String setting = run.data + ", after epoch " + show(epoch);
        finding.row(
            new Row(setting, "along the mean gradient", sample(outcome, "symmetry" + at), 3));
        finding.row(
            new Row(
                setting,
                "along random directions, mean of four",
                sample(outcome, "symmetries" + at),
                3));
        outcome.ifPresent(done -> biases.addAll(bias(setting, done, at)));
      }
      if (outcome.isPresent()) {
        pictures(finding, run, outcome.get());
        verdict(finding, run, outcome.get());
      } else {
        finding.verdict(run.data + ": not run yet.");
      }
    }
    if (!biases.isEmpty()) {
      finding.table(
          new Table(
              "What clipping does to a step along the mean gradient ∇f: all divided by ‖∇f‖",
              List.of("setting", "C", "‖∇f‖", "E⟨∇f, clip⟩", "if symmetric", "bound", "bias"),
              biases));
    }
    return finding
        .assumed(
            "DP-SGD with C = 1 at ε = 3, δ = 1e-5, the slides' figures; lot 600 and rate 0.5 on"
                + " MNIST, 500 and 0.5 on CIFAR-10, which the document does not give."
                + " Epochs of the clouds are not readable on the slides but for 9; CIFAR-10 is"
                + " trained for 10 epochs only, for two cores.")
        .assumed(
            "\"True gradient\" is the mean over the training images that are looked at (400 and 200"
                + " of them), each gradient counting in its own mean.")
        .assumed(
            "Symmetry is E‖ξ − ξ′‖/E‖ξ + ξ′‖ of deviations along a direction. A small sample of a"
                + " symmetric distribution scores below 1 too, so the verdict compares with normal"
                + " numbers of the same count.")
        .runFile(
            "data: mnist\nmodel: mnist-cnn\nlot-size: 600\nepochs: 60\nclip: 1\nepsilon: 3\n"
                + "delta: 1e-5\noptimizer: sgd\nlearning-rate: 0.5\n")
        .build();
  }

  private static Sample sample(Optional<Outcome> outcome, String measure) {
    return new Sample(
        outcome.map(done -> new Sample(done.curve(measure)).mean()).stream().toList());
  }

  private static List<List<String>> bias(String setting, Outcome outcome, String at) {
    List<List<String>> rows = new ArrayList<>();
    for (double threshold : THRESHOLDS) {
      List<Double> bias = outcome.curve("bias " + show(threshold) + at);
      rows.add(
          List.of(
              setting,
              show(threshold),
              format("%.3g", bias.get(0)),
              format("%.3g", bias.get(1)),
              format("%.3g", bias.get(2)),
              format("%.2g", bias.get(3)),
              format("%+.2g", bias.get(1) - bias.get(2))));
    }
    return rows;
  }

  private void pictures(Finding.Builder finding, Run run, Outcome outcome) {
    List<Panels.Panel> bars = new ArrayList<>();
    List<Panels.Panel> clouds = new ArrayList<>();
    for (double epoch : run.looks) {
      String name = "epoch " + show(epoch);
      bars.add(
          new Panels.Bars(
              name,
              outcome.curve("cosines at " + show(epoch)).stream()
                  .mapToLong(Double::longValue)
                  .toArray(),
              -1,
              1));
      clouds.add(cloud(name, outcome, 0, epoch));
    }
    List<Panels.Panel> sides = new ArrayList<>();
    for (int side = 0; side < SIDES; side++) {
      sides.add(cloud("side " + (side + 1), outcome, side, run.manySides));
    }
    finding.figure(
        new Figure(
            name() + "-" + run.data + "-cosines.svg",
            new Panels(
                    run.data + ": cosine between single gradients and their mean",
                    run.looks.size(),
                    bars)
                .svg(),
            run.data + ": histograms of the cosine between single gradients and their mean."));
    finding.figure(
        new Figure(
            name() + "-" + run.data + "-clouds.svg",
            new Panels(
                    run.data + ": gradients along two random directions", run.looks.size(), clouds)
                .svg(),
            run.data
                + ": gradients under one random projection; the orange cross is their mean, the"
                + " grey lines meet at 0."));
    finding.figure(
        new Figure(
            name() + "-" + run.data + "-sides.svg",
            new Panels(
                    run.data + ": gradients from eight sides, epoch " + show(run.manySides),
                    4,
                    sides)
                .svg(),
            run.data + ": the same gradients under eight random projections."));
  }

  private static Panels.Dots cloud(String name, Outcome outcome, int side, double epoch) {
    List<Double> x = outcome.curve(coordinate(side, 0, epoch));
    List<Double> y = outcome.curve(coordinate(side, 1, epoch));
    double[][] points = new double[x.size()][];
    Arrays.setAll(points, i -> new double[] {x.get(i), y.get(i)});
    return new Panels.Dots(name, points);
  }

  /**
   * What one in twenty samples of that many normal numbers, which are symmetric, scores at most.
   */
  static double chance(int size) {
    double[] scores =
        IntStream.range(0, 100)
            .mapToDouble(
                seed ->
                    GradientCloud.drawn(new double[1], new GradientNoise.Gaussian(1), size, seed)
                        .symmetry())
            .sorted()
            .toArray();
    return scores[4];
  }

  private static void verdict(Finding.Builder finding, Run run, Outcome outcome) {
    double last = run.looks.get(run.looks.size() - 1);
    double chance = chance(run.gradients);
    List<Double> random =
        run.looks.stream()
            .flatMap(epoch -> outcome.curve("symmetries at " + show(epoch)).stream())
            .toList();
    List<Double> along =
        run.looks.stream().map(epoch -> outcome.value("symmetry at " + show(epoch))).toList();
    finding.verdict(
        format(
            "%s: of %d looks along random directions %d are no less symmetric than chance makes %d"
                + " normal numbers (%.3f or more, 19 times in 20); along the mean gradient, which is"
                + " the direction that clipping's bias is about, %d of %d (%.3f at first, %.3f at the"
                + " end).",
            run.data,
            random.size(),
            random.stream().filter(score -> score >= chance).count(),
            run.gradients,
            chance,
            along.stream().filter(score -> score >= chance).count(),
            along.size(),
            along.get(0),
            along.get(along.size() - 1)));
    boolean uphill =
        run.looks.stream()
            .flatMap(
                epoch ->
                    THRESHOLDS.stream()
                        .map(c -> outcome.curve("bias " + show(c) + " at " + show(epoch)).get(1)))
            .anyMatch(alignment -> alignment < 0);
    long bounded =
        run.looks.stream()
            .filter(epoch -> outcome.curve("bias 1 at " + show(epoch)).get(3) > 0)
            .count();
    finding.verdict(
        run.data
            + ": clipped steps point "
            + (uphill
                ? "uphill at some of these epochs."
                : "downhill at all of these epochs, C = 1 or 0.1.")
            + " The theorem's bound needs gradients within C/4 of their mean, and is above 0 at "
            + bounded
            + " of "
            + run.looks.size()
            + " epochs: "
            + (bounded == 0
                ? "it says nothing about these trainings."
                : "elsewhere it says nothing.")
            + format(" Test accuracy at the end: %.1f%%.", outcome.value("accuracy")));
    if (last < 1) {
      finding.verdict(run.data + ": shortened, so \"epoch\" is a small part of one.");
    }
  }
}
