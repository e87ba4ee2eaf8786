package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;

import dev.discreet.algorithms.projected.ProjectedGradients;
import dev.discreet.algorithms.projected.Subspace;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.RandomSubset;
import dev.discreet.lab.training.Training;
import dev.discreet.lab.training.TrainingRecipe;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The trials of {@link GradientSubspace}. */
abstract class SubspaceRuns extends Study {
  static final int SIZE = 10_000;
  static final double EPOCHS = 30;
  private static final double LOT = 250;

  final int size = effort.pick(1000, SIZE);

  SubspaceRuns(Setup setup) {
    super(setup);
  }

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
      return noise > 0 ? format("σ = %s", noise) : format("ε = %s", epsilon);
    }

    TrainingRecipe recipe(int size, double epochs) {
      TrainingRecipe recipe =
          TrainingRecipe.of(data, "mnist-cnn")
              .with("lot-size", LOT)
              .with("epochs", epochs)
              .with("clip", 1)
              .with("delta", 1e-5)
              .with("learning-rate", rate);
      recipe = noise > 0 ? recipe.with("noise-multiplier", noise) : recipe.with("epsilon", epsilon);
      return k == 0
          ? recipe
          : recipe
              .with("project-onto", k)
              .with("public-examples", m)
              .with("project-every", s)
              .with("project-from", Math.round(from * size / LOT));
    }

    String method() {
      return k == 0
          ? format("DP-SGD, rate %s", rate)
          : format("projected, rate %s, k = %d, m = %d, s = %d", rate, k, m, s)
              + (from > 0 ? format(", from epoch %s", from) : "");
    }
  }

  /**
   * Projection by public examples that are taken from the training set, behind the private ones.
   */
  private record TakenPublicRows() implements Training.Variation {
    @Override
    public Trainer of(Trainer trainer, Training training, Examples all) {
      TrainingRecipe recipe = training.recipe();
      int[] order = RandomSubset.order(all.size(), training.seed());
      int first = training.rows().orElseThrow().size();
      int size = (int) recipe.number("public-examples");
      return trainer.transform(
          ProjectedGradients.of(
                  RandomSubset.of(all, order, first, size), (int) recipe.number("project-onto"))
              .every((int) recipe.number("project-every"))
              .from((long) recipe.number("project-from")));
    }

    /** A space that is kept for several steps is not in a checkpoint. */
    @Override
    public boolean resumes(Training training) {
      return training.recipe().number("project-every") == 1;
    }
  }

  final List<Trial> trials(Setting setting, int seeds) {
    TrainingRecipe recipe = setting.recipe(size, effort.pick(2.0, EPOCHS));
    return seeds(
        seeds,
        seed -> {
          Training training =
              Training.of(recipe, seed).rowsOfSeed(size).tested(effort.pick(1000, 10_000));
          return setting.k > 0 ? training.varied(new TakenPublicRows()) : training;
        });
  }

  /** The second moment's eigenvalues after a training with that noise; 0 for SGD. */
  final List<Trial> spectrum(double noise) {
    TrainingRecipe recipe =
        TrainingRecipe.of("mnist", "mlp(128,128)")
            .with("lot-size", LOT)
            .with("epochs", effort.pick(1.0, EPOCHS))
            .with("learning-rate", 0.1);
    TrainingRecipe noisy =
        noise > 0
            ? recipe.with("clip", 1).with("noise-multiplier", noise).with("delta", 1e-5)
            : recipe.with("non-private", true);
    return seeds(
        3,
        seed ->
            new Spectrum(
                Training.of(noisy, seed).rowsOfSeed(size).tested(effort.pick(1000, 10_000)),
                effort.pick(60, 400)));
  }

  /** A training, and the spectrum of so many gradients after it, as they are and of length 1. */
  private record Spectrum(Training training, int gradients) implements Trial {
    @Override
    public Outcome run(Workshop workshop) throws IOException {
      Result result = training.result(workshop, trainer -> trainer);
      Examples all = training.data(workshop).train().examples();
      int[] order = RandomSubset.order(all.size(), training.seed());
      Examples seen = RandomSubset.of(all, order, 0, gradients);
      float[][] rows;
      try (PublicGradients engine =
          Engine.standard().withThreads(workshop.threads()).open(result.model().layout(), seen)) {
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
