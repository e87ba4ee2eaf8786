package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.show;

import dev.discreet.algorithms.geometry.ClippingBias;
import dev.discreet.algorithms.geometry.GradientCloud;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.ParameterWatch;
import dev.discreet.lab.training.RandomSubset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;

/**
 * The trials of {@link ClipGeometry}: a training that is looked into on its way. One that is
 * stopped begins anew, for what was seen is in no checkpoint.
 */
final class GradientLooks {
  static final int SIDES = 8;
  static final List<Double> THRESHOLDS = List.of(1.0, 0.1);
  private static final int BINS = 40;

  // More points than this make a picture large, not clear.
  private static final int DOTS = 200;

  /** Of the gradients, each measured by itself: how far the parts differ gives an interval. */
  private static final int PARTS = 10;

  private static final int FLIPS = 200;

  private GradientLooks() {}

  /**
   * One training to look into.
   *
   * @param looks the epochs after which gradients are looked at
   * @param manySides that of them which is seen from eight sides
   * @param gradients how many make a cloud
   * @param truth how many make ∇f: all, or others than those of the cloud
   */
  record Run(
      String data,
      String network,
      double lot,
      double rate,
      double epochs,
      List<Double> looks,
      double manySides,
      int gradients,
      int truth) {
    /** As pages call the data. */
    String label(Outcomes outcomes) {
      return data.equals("cifar10") ? outcomes.cifar() : "MNIST";
    }

    /** The same training, so many times shorter, with as many looks. */
    Run shorter(double times) {
      return new Run(
          data,
          network,
          100,
          rate,
          epochs / times,
          looks.stream().map(epoch -> epoch / times).toList(),
          manySides / times,
          gradients / 10,
          500);
    }

    List<Trial> trials(Effort effort) {
      return effort
          .seeds(1)
          .mapToObj(
              seed ->
                  new Trial(
                      data
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
                          + " around that of "
                          + truth
                          + ", seed "
                          + seed,
                      workshop -> look(workshop, this, seed)))
          .toList();
    }
  }

  static List<Run> runs(Effort effort) {
    List<Run> full =
        List.of(
            new Run(
                "mnist",
                "mnist-cnn",
                600,
                0.5,
                60,
                List.of(0.0, 4.0, 9.0, 10.0, 59.0),
                9,
                400,
                60_000),
            new Run(
                "cifar10", "cifar-cnn", 500, 0.5, 10, List.of(0.0, 1.0, 4.0, 9.0), 9, 200, 10_000));
    return effort.quick() ? full.stream().map(run -> run.shorter(500)).toList() : full;
  }

  static String at(double epoch) {
    return " at " + show(epoch);
  }

  /** {@code alignment}, {@code symmetric} or {@code bound} under a threshold: one for each part. */
  static String under(String what, double threshold, double epoch) {
    return what + " " + show(threshold) + at(epoch);
  }

  static String coordinate(int side, int axis, double epoch) {
    return "side " + (side + 1) + " " + (axis == 0 ? "x" : "y") + at(epoch);
  }

  private static Outcome look(Workshop workshop, Run run, long seed) throws IOException {
    DataSet data = workshop.data(run.data);
    Examples train = data.train().examples();
    Network network = Network.named(run.network);
    int[] order = RandomSubset.order(train.size(), seed);
    int[] seen = Arrays.copyOf(order, run.gradients);
    int[] others =
        run.truth == train.size()
            ? order
            : Arrays.copyOfRange(order, run.gradients, run.gradients + run.truth);
    Map<String, List<Double>> measures = new LinkedHashMap<>();
    try (PublicGradients engine =
        Engine.standard().withThreads(workshop.threads()).open(network.on(train.input()), train)) {
      Trainer trainer =
          Trainer.of(
                  network,
                  PrivacyPlan.target(3, 1e-5).lotSize(run.lot).epochs(run.epochs).clip(1).build())
              .learningRate(run.rate)
              .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
              .insecureSeed(seed)
              .transform(
                  new ParameterWatch(
                      train.input(),
                      (step, theta) -> {
                        for (double epoch : run.looks) {
                          if (step == (long) (epoch * train.size() / run.lot + 1e-6)) {
                            double[] truth = mean(workshop, engine, theta, others);
                            measure(measures, run, epoch, engine, theta, seen, truth);
                          }
                        }
                      }));
      TestSet test =
          TestSet.declaredPublic(
              RandomSubset.some(
                  data.test().orElseThrow().examples(), run.epochs < 5 ? 1000 : 10_000));
      Outcome trained = Workshop.outcome(workshop.train(trainer, train, test));
      measures.putAll(trained.measures());
    }
    return new Outcome(measures);
  }

  private static double[] mean(
      Workshop workshop, PublicGradients engine, float[] theta, int[] examples) {
    double[] mean = new double[theta.length];
    double[] sum = new double[theta.length];
    for (int from = 0; from < examples.length; from += 1000) {
      workshop.checkStopped();
      int to = Math.min(examples.length, from + 1000);
      engine.gradientSum(theta, Arrays.copyOfRange(examples, from, to), sum);
      for (int i = 0; i < mean.length; i++) {
        mean[i] += sum[i] / examples.length;
      }
    }
    return mean;
  }

  private static void measure(
      Map<String, List<Double>> measures,
      Run run,
      double epoch,
      PublicGradients engine,
      float[] theta,
      int[] seen,
      double[] truth) {
    GradientCloud cloud = GradientCloud.declaredPublic(engine, theta, seen).around(truth);
    measures.put(
        "cosines" + at(epoch),
        Arrays.stream(cloud.cosines(BINS).counts()).mapToObj(count -> (double) count).toList());
    List<double[]> directions = new ArrayList<>(List.of(truth));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 4; i++) {
      directions.add(DoubleStream.generate(random::nextGaussian).limit(theta.length).toArray());
    }
    // The first is along ∇f.
    measures.put(
        "symmetry" + at(epoch),
        Numbers.brief(directions.stream().map(cloud::symmetryAlong).toList()));
    measures.put(
        "chance" + at(epoch),
        Numbers.brief(
            directions.stream().map(each -> cloud.symmetryByChance(each, FLIPS, 1)).toList()));
    double length = Math.sqrt(Arrays.stream(truth).map(x -> x * x).sum());
    measures.put("length" + at(epoch), List.of(Numbers.brief(length)));
    biases(measures, run, epoch, engine, theta, seen, truth, length);
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

  private static void biases(
      Map<String, List<Double>> measures,
      Run run,
      double epoch,
      PublicGradients engine,
      float[] theta,
      int[] seen,
      double[] truth,
      double length) {
    int size = run.gradients / PARTS;
    for (int part = 0; part < PARTS; part++) {
      int[] some = Arrays.copyOfRange(seen, part * size, (part + 1) * size);
      GradientCloud cloud = GradientCloud.declaredPublic(engine, theta, some).around(truth);
      for (double threshold : THRESHOLDS) {
        ClippingBias bias = cloud.clippingBias(threshold);
        add(measures, under("alignment", threshold, epoch), bias.alignment() / length);
        add(measures, under("symmetric", threshold, epoch), bias.symmetric() / length);
        add(measures, under("bound", threshold, epoch), bias.bound() / length);
      }
    }
  }

  private static void add(Map<String, List<Double>> measures, String name, double value) {
    measures.computeIfAbsent(name, key -> new ArrayList<>()).add(Numbers.brief(value));
  }
}
