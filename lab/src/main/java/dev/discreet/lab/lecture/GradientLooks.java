package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.show;

import dev.discreet.algorithms.geometry.ClippingBias;
import dev.discreet.algorithms.geometry.GradientCloud;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Network;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.GradientChange;
import dev.discreet.lab.training.RandomSubset;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.ModelSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;

/**
 * A training whose gradients are looked at on its way. One that is stopped begins anew, for what
 * was seen is in no checkpoint.
 *
 * @param looks the epochs after which gradients are looked at
 * @param manySides the one of these epochs whose gradients are shown from many sides
 * @param gradients how many make a cloud
 * @param truth how many make ∇f: all, or others than those of the cloud
 * @param thresholds of the clipping whose bias is measured
 * @param bins of the histogram of cosines
 * @param sides how many random projections are drawn
 * @param dots of the pictures: more make them large, not clear
 * @param parts of the gradients, each measured by itself: how far they differ gives an interval
 * @param flips how often signs are drawn anew, for what chance scores
 * @param directions how many random ones the symmetry is measured along, beside ∇f
 * @param seed of all that the looks draw
 */
record GradientLooks(
    Training training,
    List<Double> looks,
    double manySides,
    int gradients,
    int truth,
    List<Double> thresholds,
    int bins,
    int sides,
    int dots,
    int parts,
    int flips,
    int directions,
    long seed)
    implements Trial {

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

  @Override
  public Outcome run(Workshop workshop) throws IOException {
    Examples train = training.data(workshop).train().examples();
    int[] order = RandomSubset.order(train.size(), training.seed());
    int[] seen = Arrays.copyOf(order, gradients);
    int[] others =
        truth == train.size() ? order : Arrays.copyOfRange(order, gradients, gradients + truth);
    double lot = training.recipe().get(LotSettings.LOT_SIZE).orElseThrow();
    Network network = Network.named(training.recipe().get(ModelSettings.MODEL).orElseThrow());
    Map<String, List<Double>> measures = new LinkedHashMap<>();
    try (PublicGradients engine =
        Engine.standard().withThreads(workshop.threads()).open(network.on(train.input()), train)) {
      GradientChange.Change look =
          (step, layout, theta, gradient) -> {
            for (double epoch : looks) {
              if (step == (long) (epoch * train.size() / lot + 1e-6)) {
                double[] mean = mean(workshop, engine, theta, others);
                measure(measures, epoch, engine, theta, seen, mean);
              }
            }
          };
      GradientChange watch = new GradientChange(train.input(), look, "looked at");
      Outcome trained =
          Workshop.outcome(training.inOneGo(workshop, trainer -> trainer.transform(watch)));
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

  private void measure(
      Map<String, List<Double>> measures,
      double epoch,
      PublicGradients engine,
      float[] theta,
      int[] seen,
      double[] truth) {
    GradientCloud cloud = GradientCloud.declaredPublic(engine, theta, seen).around(truth);
    measures.put(
        "cosines" + at(epoch),
        Arrays.stream(cloud.cosines(bins).counts()).mapToObj(count -> (double) count).toList());
    List<double[]> along = new ArrayList<>(List.of(truth));
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < directions; i++) {
      along.add(DoubleStream.generate(random::nextGaussian).limit(theta.length).toArray());
    }
    // The first is along ∇f.
    measures.put(
        "symmetry" + at(epoch), Numbers.brief(along.stream().map(cloud::symmetryAlong).toList()));
    measures.put(
        "chance" + at(epoch),
        Numbers.brief(
            along.stream().map(each -> cloud.symmetryByChance(each, flips, seed)).toList()));
    double length = Math.sqrt(Arrays.stream(truth).map(x -> x * x).sum());
    measures.put("length" + at(epoch), List.of(Numbers.brief(length)));
    biases(measures, epoch, engine, theta, seen, truth, length);
    List<double[][]> views = cloud.projections(epoch == manySides ? sides : 1, seed);
    for (int side = 0; side < views.size(); side++) {
      for (int axis = 0; axis < 2; axis++) {
        int coordinate = axis;
        measures.put(
            coordinate(side, axis, epoch),
            Arrays.stream(views.get(side))
                .limit(dots)
                .map(point -> Numbers.brief(point[coordinate]))
                .toList());
      }
    }
  }

  private void biases(
      Map<String, List<Double>> measures,
      double epoch,
      PublicGradients engine,
      float[] theta,
      int[] seen,
      double[] truth,
      double length) {
    int size = gradients / parts;
    for (int part = 0; part < parts; part++) {
      int[] some = Arrays.copyOfRange(seen, part * size, (part + 1) * size);
      GradientCloud cloud = GradientCloud.declaredPublic(engine, theta, some).around(truth);
      for (double threshold : thresholds) {
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
