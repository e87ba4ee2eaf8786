package dev.discreet.lab.training;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.recipe.PreparedRecipe;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.DataSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A network trained by a recipe and, where a document needs it, with what no run file can say.
 *
 * @param rows that are trained on; all where none are said
 * @param tested how many rows of the test set, always the same; all where none are said
 * @param variation of the training itself
 * @param seed of start, lots and noise
 */
public record Training(
    Recipe recipe,
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

  /** What a document does in a training and no user should. Implemented by records. */
  public interface Variation {
    /**
     * @param training the whole of it, this included
     * @param all rows of the training set, of which some may be trained on
     */
    Trainer of(Trainer trainer, Training training, Examples all);

    /** The recipe without those settings that this carries out in a way of its own. */
    default Recipe left(Recipe recipe) {
      return recipe;
    }

    /** Whether a checkpoint has all of its state. */
    default boolean resumes(Training training) {
      return true;
    }
  }

  public static Training of(Recipe recipe, long seed) {
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

  public Training withSeed(long other) {
    return new Training(recipe, rows, tested, variation, other);
  }

  /** The name of its data. */
  public String dataName() {
    return recipe.get(DataSettings.DATA).orElseThrow();
  }

  @Override
  public Outcome run(Workshop workshop) throws IOException {
    return Workshop.outcome(result(workshop));
  }

  /** The same for trials that look at more than what comes out. */
  public Result result(Workshop workshop) throws IOException {
    return result(workshop, trainer -> trainer);
  }

  /**
   * The same for trials that do more.
   *
   * @param more what they add to the trainer
   */
  public Result result(Workshop workshop, UnaryOperator<Trainer> more) throws IOException {
    boolean resumes = variation.map(by -> by.resumes(this)).orElse(true);
    return on(cut(data(workshop)), workshop, varied(data(workshop)).andThen(more)::apply, resumes);
  }

  /** The same, but a stopped run begins anew: for trials that gather what no checkpoint has. */
  public Result inOneGo(Workshop workshop, UnaryOperator<Trainer> more) throws IOException {
    return on(cut(data(workshop)), workshop, more, false);
  }

  /** The same on rows that are there already. */
  public Result on(DataSet data, Workshop workshop) throws IOException {
    return on(data, workshop, trainer -> trainer, true);
  }

  /** A training of which only the model matters. */
  public Result untested(Workshop workshop) throws IOException {
    DataSet data = data(workshop);
    return workshop.train(
        prepared(new DataSet(data.name(), data.task(), data.train(), Optional.empty())));
  }

  private UnaryOperator<Trainer> varied(DataSet all) {
    return trainer ->
        variation.map(by -> by.of(trainer, this, all.train().examples())).orElse(trainer);
  }

  private PreparedRecipe prepared(DataSet data) throws IOException {
    Recipe left = variation.map(by -> by.left(recipe)).orElse(recipe);
    return Recipes.seeded(left, seed).prepare(data);
  }

  private Result on(DataSet data, Workshop workshop, UnaryOperator<Trainer> more, boolean resumes)
      throws IOException {
    PreparedRecipe prepared = prepared(data).with(more);
    int rows = data.train().examples().size();
    long epoch = Math.max(1, Math.round(rows / prepared.plan().expectedLot()));
    return resumes ? workshop.trainInParts(prepared, epoch) : workshop.train(prepared);
  }

  /** The whole set, with pixels as the recipe has them. */
  public DataSet data(Workshop workshop) throws IOException {
    DataSet data = workshop.data(dataName());
    return recipe.sets(DataSettings.MEAN) ? UnitPixels.of(dataName(), data) : data;
  }

  /** Those rows of a set that this trains and is tested on. */
  public DataSet cut(DataSet data) {
    Examples all = data.train().examples();
    Examples test = data.test().orElseThrow().examples();
    Examples train =
        rows.map(
                some ->
                    some.bySeed
                        ? RandomSubset.of(all, RandomSubset.order(all.size(), seed), 0, some.size)
                        : RandomSubset.some(all, some.size))
            .orElse(all);
    return with(data, train, tested.map(size -> RandomSubset.some(test, size)).orElse(test));
  }

  /** A set of other rows of a published one; those to test on are declared public. */
  public static DataSet with(DataSet data, Examples train, Examples test) {
    return data.with(part(train, false), Optional.of(part(test, true))).published();
  }

  private static DataSet.Part part(Examples rows, boolean isPublic) {
    return new DataSet.Part(rows, Units.each(rows.size()), isPublic);
  }
}
