package dev.discreet.recipe;

import dev.discreet.account.RunAccount;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.train.Result;
import dev.discreet.recipe.setup.TrainingSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A run that is done.
 *
 * <pre>{@code
 * FinishedRun run = Recipe.of().with("data", "mnist").with("epsilon", "3").prepare().start();
 * run.save(Path.of("runs", "mnist"));
 * }</pre>
 *
 * @param prepared what was run
 * @param result the model, and what it cost
 * @param observed what it told its operator on the way
 * @param account what it took of the account of its people, if there is one, or that it passed it
 *     over
 * @param folder where its files are; empty where the recipe set no {@code out}
 */
@PublicApi
public record FinishedRun(
    PreparedRecipe prepared,
    Result result,
    RunObserver observed,
    Optional<RunAccount> account,
    Optional<Path> folder) {

  /** This run with its files in a folder. */
  FinishedRun in(Path written) {
    return new FinishedRun(prepared, result, observed, account, Optional.of(written));
  }

  /** {@return the trained model} */
  public Model model() {
    return result.model();
  }

  /**
   * Writes the folder that {@code discreet train} would, but for the report: model, ledger,
   * statement, metrics, and the run itself as {@code run.yaml} and {@code run.json}.
   *
   * @param folder a new one
   * @return where it is now: another folder beside it, where that name was taken meanwhile
   * @throws IOException where a file cannot be written
   */
  public Path save(Path folder) throws IOException {
    return new OutFolder(folder, false).checked().write(files()::writeTo);
  }

  /**
   * Its files, to be written into a folder.
   *
   * @return the files
   */
  public RunFolder files() {
    TrainingSetup setup = prepared.setup();
    return new RunFolder(setup, result, released(), observed.thresholds(), account);
  }

  /**
   * What its steps cost one after the other.
   *
   * @return the cost by step
   */
  public StepCosts spending() {
    TrainingSetup setup = prepared.setup();
    return new StepCosts(setup.plan(), setup.first(), setup.delta());
  }

  /** Files of a stopped run tell no cost of a part: when it stopped may have been chosen. */
  private StepCosts released() {
    TrainingSetup setup = prepared.setup();
    return result.steps() < setup.plan().steps()
            && result.privacy() instanceof Privacy.Guaranteed kept
        ? StepCosts.allAtOnce(setup.plan(), kept.guarantee().epsilon())
        : spending();
  }
}
