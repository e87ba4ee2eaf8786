package dev.discreet.lab.training;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A network trained by a recipe, and where a document needs it, with what no run file can say.
 *
 * @param rows that are trained on; all where none are said
 * @param tested how many rows of the test set, always the same; all where none are said
 * @param variation of the training itself
 * @param seed of start, lots and noise
 */
public record Training(
    TrainingRecipe recipe,
    Optional<Rows> rows,
    Optional<Integer> tested,
    Optional<Variation> variation,
    long seed)
    implements Trial {

  /**
   * Some rows of the training set.
   *
   * @param bySeed whether each seed has others, or all have the same
   */
  public record Rows(int size, boolean bySeed) {}

  /** What a document does to a training that is not for users. Implemented by records. */
  public interface Variation {
    /**
     * @param training the whole of it, this included
     * @param all rows of the training set, of which some may be trained on
     */
    Trainer of(Trainer trainer, Training training, Examples all);

    /** Whether a checkpoint has all of its state. */
    default boolean resumes(Training training) {
      return true;
    }
  }

  public static Training of(TrainingRecipe recipe, long seed) {
    return new Training(recipe, Optional.empty(), Optional.empty(), Optional.empty(), seed);
  }

  /** On so many rows, the same for all seeds. */
  public Training rows(int size) {
    return new Training(recipe, Optional.of(new Rows(size, false)), tested, variation, seed);
  }

  /** On so many rows, others for each seed. */
  public Training rowsOfSeed(int size) {
    return new Training(recipe, Optional.of(new Rows(size, true)), tested, variation, seed);
  }

  public Training tested(int size) {
    return new Training(recipe, rows, Optional.of(size), variation, seed);
  }

  public Training varied(Variation by) {
    return new Training(recipe, rows, tested, Optional.of(by), seed);
  }

  @Override
  public Outcome run(Workshop workshop) throws IOException {
    return Workshop.outcome(result(workshop, trainer -> trainer));
  }

  /**
   * The same for trials that look at more than what comes out.
   *
   * @param more what they add to the trainer
   */
  public Result result(Workshop workshop, UnaryOperator<Trainer> more) throws IOException {
    return result(workshop, more, variation.map(by -> by.resumes(this)).orElse(true));
  }

  /** The same, but a run that is stopped begins anew: for looks that no checkpoint has. */
  public Result inOneGo(Workshop workshop, UnaryOperator<Trainer> more) throws IOException {
    return result(workshop, more, false);
  }

  private Result result(Workshop workshop, UnaryOperator<Trainer> more, boolean inParts)
      throws IOException {
    DataSet data = data(workshop);
    Examples train = trained(data.train().examples());
    Trainer plain = recipe.trainer(data, train.size(), seed);
    Trainer trainer =
        more.apply(variation.map(by -> by.of(plain, this, data.train().examples())).orElse(plain));
    TestSet test = TestSet.declaredPublic(tested(data));
    long epoch = Math.max(1, Math.round(train.size() / recipe.lot(train.size())));
    return inParts
        ? workshop.trainInParts(trainer, epoch, train, test)
        : workshop.train(trainer, train, test);
  }

  /** A training of which only the model matters. */
  public Result untested(Workshop workshop) throws IOException {
    DataSet data = data(workshop);
    Examples train = trained(data.train().examples());
    return workshop.train(recipe.trainer(data, train.size(), seed), train, null);
  }

  /** The set with pixels as the recipe has them. */
  public DataSet data(Workshop workshop) throws IOException {
    String name = recipe.text("data");
    DataSet data = workshop.data(name);
    return recipe.has("mean") ? UnitPixels.of(name, data) : data;
  }

  /** Those of a training set that are trained on. */
  public Examples trained(Examples all) {
    return rows.map(
            some ->
                some.bySeed
                    ? RandomSubset.of(all, RandomSubset.order(all.size(), seed), 0, some.size)
                    : RandomSubset.some(all, some.size))
        .orElse(all);
  }

  public Examples tested(DataSet data) {
    Examples all = data.test().orElseThrow().examples();
    return tested.map(size -> RandomSubset.some(all, size)).orElse(all);
  }
}
