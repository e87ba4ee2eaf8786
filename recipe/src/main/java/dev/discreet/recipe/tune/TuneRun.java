package dev.discreet.recipe.tune;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.algorithms.tuning.Search;
import dev.discreet.algorithms.tuning.Tuner;
import dev.discreet.algorithms.tuning.Tuner.Scored;
import dev.discreet.algorithms.tuning.Tuner.Winner;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.RunObserver;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setup.TrainingSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The runs of a search. Nothing of them is written before the best is known, and then of the best
 * alone, unless all are paid for.
 *
 * @param say hears what may be told while it runs
 */
public record TuneRun(TunePlan plan, Recipe given, Consumer<String> say) {

  /**
   * @param winner its privacy is that of the whole search
   * @param thresholds where adaptive clipping led the winner; empty without it
   * @param all every run in the order of candidates; empty where only the best may be seen
   */
  public record Done(int candidate, Result winner, List<Double> thresholds, List<Result> all) {
    public Done {
      all = List.copyOf(all);
    }
  }

  private record Trained(Result result, RunObserver observed) {}

  public Done run() {
    ResolvedPlan first = plan.setups().get(0).plan();
    PrivacyStatement statement =
        PrivacyStatement.of(first.unit(), plan.ledger(), plan.delta()).among(first.publicNumber());
    if (plan.section().search() instanceof Search.Random random) {
      say.accept(
          "searching; how many runs there are and how they do is a secret that the cost rests on,"
              + " and is not shown");
      Optional<Long> seed = given.get(PrivacySettings.INSECURE_SEED);
      Randomness randomness = seed.map(Randomness::insecure).orElse(Randomness.secure());
      Winner<Trained> winner =
          Tuner.random(
              random.runs(),
              plan.ledgers(),
              randomness,
              (candidate, draw) -> train(candidate, draw, line -> {}));
      winner.output().observed.warnings().forEach(line -> say.accept("of the best run: " + line));
      return done(winner, statement, List.of());
    }
    List<Scored<Trained>> all = Tuner.grid(plan.ledgers(), this::shown);
    // Not before the last run: they are un-noised, and the search could still be stopped.
    all.forEach(run -> run.output().observed.warnings().forEach(say));
    return done(Tuner.best(all), statement, all);
  }

  private Done done(Winner<Trained> winner, PrivacyStatement statement, List<Scored<Trained>> all) {
    return new Done(
        winner.candidate(),
        paid(winner.output().result, statement),
        winner.output().observed.thresholds(),
        all.stream().map(each -> paid(each.output().result, statement)).toList());
  }

  /** Trains and tells the score: every run of a grid is paid for, and so is its score. */
  private Scored<Trained> shown(int candidate, long draw) {
    Scored<Trained> run = train(candidate, draw, say);
    say.accept(
        "run "
            + (draw + 1)
            + ": "
            + plan.words(candidate)
            + ": score "
            + Digits.plain(run.score()));
    return run;
  }

  /**
   * @param progress hears of a public phase before the run
   */
  private Scored<Trained> train(int candidate, long draw, Consumer<String> progress) {
    TrainingSetup setup = plan.setups().get(candidate);
    RunObserver observer = new RunObserver();
    Trainer trainer = setup.started(setup.trainer(), progress, () -> false);
    Optional<Long> seed = given.get(PrivacySettings.INSECURE_SEED);
    if (seed.isPresent()) {
      // Runs with the same seed would all be the same run.
      trainer = trainer.insecureSeed(seed.get() + 1 + draw);
    }
    Result result = setup.prepared(trainer).start(observer);
    return new Scored<>(
        new Trained(result, observer),
        score(result),
        ((Privacy.Guaranteed) result.privacy()).ledger());
  }

  /** The score of a run, made of what it released; larger is better. */
  public static double score(Result result) {
    if (result.heldOut().isPresent()) {
      return result.heldOut().get().value();
    }
    Evaluation last = result.evaluation().orElseThrow();
    return last.<Double>match(
        Evaluation.Classification::accuracy, error -> 1 - error.meanSquaredError());
  }

  /** The same result with the cost of the whole search, which is what was paid to find it. */
  private Result paid(Result result, PrivacyStatement statement) {
    Privacy.Guaranteed alone = (Privacy.Guaranteed) result.privacy();
    List<StatementParagraph> notes = new ArrayList<>(alone.notes());
    if (plan.section().search() instanceof Search.Random) {
      notes.add(
          new StatementParagraph(
              "Secret",
              "How many runs there were, how long they took and what became of those that lost is"
                  + " not covered, and must not be told."));
    }
    Privacy.Guaranteed privacy =
        new Privacy.Guaranteed(
            statement.file(alone.file().declared()).on(alone.file().conditions()),
            statement,
            notes,
            alone.secure(),
            false,
            alone.onTop());
    Model model = result.model();
    return new Result(
        privacy,
        new Model(
            model.layout(),
            model.parameters(),
            model.promise().restated(alone, privacy),
            model.use()),
        result.steps(),
        result.evaluations(),
        result.provenance(),
        result.heldOut());
  }
}
