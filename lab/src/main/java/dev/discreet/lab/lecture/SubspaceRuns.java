package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.recipe.setting.OptimizerSettings.PROJECT_EVERY;
import static dev.discreet.recipe.setting.OptimizerSettings.PROJECT_FROM;
import static dev.discreet.recipe.setting.OptimizerSettings.PROJECT_ONTO;
import static dev.discreet.recipe.setting.OptimizerSettings.PUBLIC_EXAMPLES;

import dev.discreet.accounting.Ledger;
import dev.discreet.algorithms.projected.ProjectedGradients;
import dev.discreet.algorithms.projected.Subspace;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.RandomSubset;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
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

  /** What a training with that noise costs, in full length. */
  static Ledger ledger(double noise) {
    return PrivacyPlan.noise(noise)
        .lotSize(LOT)
        .epochs(EPOCHS)
        .clip(1)
        .build()
        .forUnits(SIZE)
        .ledger();
  }

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

    Recipe recipe(int size, double epochs) {
      return Recipes.of(
          data,
          "mnist-cnn",
          "lot-size=%s epochs=%s clip=1 delta=1e-5 learning-rate=%s %s%s",
          LOT,
          epochs,
          rate,
          noise > 0 ? format("noise-multiplier=%s", noise) : format("epsilon=%s", epsilon),
          k == 0
              ? ""
              : format(
                  " project-onto=%s public-examples=%s project-every=%s project-from=%s",
                  k, m, s, Math.round(from * size / LOT)));
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
      Recipe recipe = training.recipe();
      int[] order = RandomSubset.order(all.size(), training.seed());
      int first = training.rows().orElseThrow().size();
      Examples taken = RandomSubset.of(all, order, first, number(recipe, PUBLIC_EXAMPLES));
      return trainer.transform(
          ProjectedGradients.of(taken, number(recipe, PROJECT_ONTO))
              .every(number(recipe, PROJECT_EVERY))
              .from(number(recipe, PROJECT_FROM)));
    }

    private static int number(Recipe recipe, dev.discreet.recipe.setting.Setting<Long> setting) {
      return recipe.get(setting).orElseThrow().intValue();
    }

    /** A run file would take them from the test set. */
    @Override
    public Recipe left(Recipe recipe) {
      return recipe
          .without(PUBLIC_EXAMPLES)
          .without(PROJECT_ONTO)
          .without(PROJECT_EVERY)
          .without(PROJECT_FROM);
    }

    /** A space that is kept for several steps is not in a checkpoint. */
    @Override
    public boolean resumes(Training training) {
      return number(training.recipe(), PROJECT_EVERY) == 1;
    }
  }

  final List<Trial> trials(Setting setting, int seeds) {
    Recipe recipe = setting.recipe(size, effort.pick(2.0, EPOCHS));
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
    Recipe recipe =
        Recipes.of(
            "mnist",
            "mlp(128,128)",
            "lot-size=%s epochs=%s learning-rate=0.1 %s",
            LOT,
            effort.pick(1.0, EPOCHS),
            noise > 0
                ? format("clip=1 noise-multiplier=%s delta=1e-5", noise)
                : "non-private=true");
    return seeds(
        3,
        seed ->
            new Spectrum(
                Training.of(recipe, seed).rowsOfSeed(size).tested(effort.pick(1000, 10_000)),
                effort.pick(60, 400)));
  }

  /** A training, and the spectrum of so many gradients after it, as they are and of length 1. */
  private record Spectrum(Training training, int gradients) implements Trial {
    @Override
    public Outcome run(Workshop workshop) throws IOException {
      Result result = training.result(workshop);
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
