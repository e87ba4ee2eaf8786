package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.show;

import dev.discreet.algorithms.projected.ProjectedGradients;
import dev.discreet.algorithms.projected.Subspace;
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
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.RandomSubset;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The trials of {@link GradientSubspace}. */
final class SubspaceRuns {
  static final int SIZE = 10_000;
  static final double EPOCHS = 30;
  private static final double LOT = 250;

  private SubspaceRuns() {}

  /**
   * Plain or projected DP-SGD.
   *
   * @param noise 0 for what ε asks for
   * @param k directions that are kept; 0 for no projection
   * @param m public images
   * @param s steps between new spaces
   * @param from the first epoch that is projected
   */
  record Setting(
      String data, double epsilon, double noise, double rate, int k, int m, int s, double from) {
    static Setting plain(String data, double epsilon, double rate) {
      return new Setting(data, epsilon, 0, rate, 0, 0, 0, 0);
    }

    static Setting projected(String data, double epsilon, double rate) {
      return new Setting(data, epsilon, 0, rate, 50, 100, 1, 0);
    }

    Setting k(int value) {
      return new Setting(data, epsilon, noise, rate, value, m, s, from);
    }

    Setting m(int value) {
      return new Setting(data, epsilon, noise, rate, k, value, s, from);
    }

    Setting s(int value) {
      return new Setting(data, epsilon, noise, rate, k, m, value, from);
    }

    Setting noise(double value) {
      return new Setting(data, epsilon, value, rate, k, m, s, from);
    }

    Setting rate(double value) {
      return new Setting(data, epsilon, noise, value, k, m, s, from);
    }

    Setting from(double epoch) {
      return new Setting(data, epsilon, noise, rate, k, m, s, epoch);
    }

    /** How much noise, as a page says it. */
    String amount() {
      return noise > 0 ? "σ = " + show(noise) : "ε = " + show(epsilon);
    }

    PrivacyPlan plan(double epochs) {
      return (noise > 0 ? PrivacyPlan.noise(noise) : PrivacyPlan.target(epsilon, 1e-5))
          .lotSize(LOT)
          .epochs(epochs)
          .clip(1)
          .build();
    }

    String method() {
      return k == 0
          ? "DP-SGD, rate " + show(rate)
          : "projected, rate "
              + show(rate)
              + ", k = "
              + k
              + ", m = "
              + m
              + ", s = "
              + s
              + (from > 0 ? ", from epoch " + show(from) : "");
    }
  }

  static List<Trial> trials(Setting setting, int seeds, Effort effort) {
    int size = effort.pick(1000, SIZE);
    double epochs = effort.pick(2.0, EPOCHS);
    return effort
        .seeds(seeds)
        .mapToObj(
            seed ->
                new Trial(
                    setting.data
                        + ", "
                        + size
                        + " images, mnist-cnn, lot 250, C = 1, epochs "
                        + show(epochs)
                        + ", "
                        + setting.amount()
                        + ", δ = 1e-5, "
                        + setting.method()
                        + ", seed "
                        + seed,
                    workshop -> run(workshop, setting, size, epochs, seed)))
        .toList();
  }

  private static Outcome run(Workshop workshop, Setting setting, int size, double epochs, long seed)
      throws IOException {
    DataSet data = workshop.data(setting.data);
    Examples all = data.train().examples();
    int[] order = RandomSubset.order(all.size(), seed);
    Trainer trainer =
        Trainer.of(Network.named("mnist-cnn"), setting.plan(epochs))
            .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
            .learningRate(setting.rate)
            .insecureSeed(seed);
    if (setting.k > 0) {
      trainer =
          trainer.transform(
              ProjectedGradients.of(RandomSubset.of(all, order, size, setting.m), setting.k)
                  .every(setting.s)
                  .from(Math.round(setting.from * size / LOT)));
    }
    Examples train = RandomSubset.of(all, order, 0, size);
    TestSet test = test(data, size >= SIZE);
    // A space that is kept for several steps is not in a checkpoint.
    return Workshop.outcome(
        setting.s > 1
            ? workshop.train(trainer, train, test)
            : workshop.trainInParts(trainer, 200, train, test));
  }

  private static TestSet test(DataSet data, boolean whole) {
    return TestSet.declaredPublic(
        RandomSubset.some(data.test().orElseThrow().examples(), whole ? 10_000 : 1000));
  }

  /** The second moment's eigenvalues after a training with that noise; 0 for SGD. */
  static List<Trial> spectrum(double noise, Effort effort) {
    int size = effort.pick(1000, SIZE);
    double epochs = effort.pick(1.0, EPOCHS);
    int gradients = effort.pick(60, 400);
    return effort
        .seeds(3)
        .mapToObj(
            seed ->
                new Trial(
                    "mnist, "
                        + size
                        + " images, mlp(128,128), lot 250, rate 0.1, "
                        + (noise > 0 ? "C = 1, σ = " + show(noise) : "SGD without clipping")
                        + ", epochs "
                        + show(epochs)
                        + ", spectrum of "
                        + gradients
                        + " gradients as they are and of length 1, seed "
                        + seed,
                    workshop -> eigenvalues(workshop, noise, size, epochs, gradients, seed)))
        .toList();
  }

  private static Outcome eigenvalues(
      Workshop workshop, double noise, int size, double epochs, int gradients, long seed)
      throws IOException {
    DataSet data = workshop.data("mnist");
    Examples all = data.train().examples();
    int[] order = RandomSubset.order(all.size(), seed);
    Network network = Network.named("mlp(128,128)", 10);
    Trainer trainer =
        (noise > 0
                ? Trainer.of(
                    network, PrivacyPlan.noise(noise).lotSize(LOT).epochs(epochs).clip(1).build())
                : Trainer.nonPrivate(
                    network, PrivacyPlan.nonPrivate().lotSize(LOT).epochs(epochs).build()))
            .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
            .learningRate(0.1)
            .insecureSeed(seed);
    var result =
        workshop.train(trainer, RandomSubset.of(all, order, 0, size), test(data, size >= SIZE));
    Examples seen = RandomSubset.of(all, order, 0, gradients);
    float[][] rows;
    try (PublicGradients engine =
        Engine.standard().withThreads(workshop.threads()).open(network.on(all.input()), seen)) {
      rows =
          engine.perExampleGradients(
              result.model().parameters(), IntStream.range(0, gradients).toArray());
    }
    Outcome outcome = Workshop.outcome(result).with("eigenvalues", eigenvalues(rows));
    double[] squares = new double[gradients];
    for (int i = 0; i < gradients; i++) {
      for (float value : rows[i]) {
        squares[i] += (double) value * value;
      }
      float length = (float) Math.sqrt(squares[i]);
      for (int j = 0; j < rows[i].length && length > 0; j++) {
        rows[i][j] /= length;
      }
    }
    return outcome
        .with("unit eigenvalues", eigenvalues(rows))
        .with(
            "squared norms",
            Numbers.brief(
                Arrays.stream(squares).boxed().sorted(Comparator.reverseOrder()).toList()));
  }

  private static List<Double> eigenvalues(float[][] rows) {
    return Numbers.brief(
        Arrays.stream(Subspace.of(rows, rows.length).spectrum().eigenvalues()).boxed().toList());
  }

  /** What part of the sum the first so many are, in percent. */
  static double share(List<Double> values, int first) {
    return 100
        * values.stream().limit(first).mapToDouble(x -> x).sum()
        / values.stream().mapToDouble(x -> x).sum();
  }
}
