package dev.discreet.recipe.tune;

import dev.discreet.account.Account;
import dev.discreet.account.Purpose;
import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.algorithms.tuning.Search;
import dev.discreet.algorithms.tuning.Tuner;
import dev.discreet.algorithms.tuning.Tuner.Scored;
import dev.discreet.algorithms.tuning.Tuner.Winner;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.Origin;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.PreparedRun;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.recipe.RunObserver;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.recipe.setup.TrainingSetup.HeldOut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
public record TuneRun(TunePlan plan, Consumer<String> say) {

  /**
   * @param winner its privacy is that of the whole search
   * @param thresholds where adaptive clipping led the winner; empty without it
   * @param all every run in the order of candidates; empty where only the best may be seen
   * @param account what the search took of the account of its people, if there is one, or that it
   *     passed it over
   */
  public record Done(
      int candidate,
      Result winner,
      List<Double> thresholds,
      List<Result> all,
      Optional<RunAccount> account) {
    public Done {
      all = List.copyOf(all);
    }

    /** With what each of its statements says of the account. */
    private Done told(Optional<RunAccount> by) {
      return by.map(
              each ->
                  new Done(
                      candidate,
                      winner.noting(each.paragraph()),
                      thresholds,
                      all.stream().map(run -> run.noting(each.paragraph())).toList(),
                      by))
          .orElse(this);
    }
  }

  private static final StatementParagraph SECRET =
      new StatementParagraph(
          "Secret",
          "How many runs there were, how long they took and what became of those that lost is not"
              + " covered, and must not be told.");

  private static final String ON_TOP =
      "The cost of private models that candidates of the search began with comes on top.";

  private record Trained(Result result, RunObserver observed) {}

  /**
   * A search that the account of its data pays for, if there is one.
   *
   * @param folder where the files will be, for that account
   */
  public Done run(Path journal, String folder) {
    String name = Account.newRun();
    String unit = plan.setups().get(0).plan().unit();
    Purpose purpose = new Purpose("tune", plan.digest(), folder);
    Done done = run(journal, plan.payer().budget(name, purpose, unit));
    return done.told(plan.payer().told(name));
  }

  /**
   * Charges the whole search, and then runs it.
   *
   * @param journal a new file: when the first run begins, it has the cost of the whole search on
   *     the disk, and nothing of any run, since their number is a secret
   * @param budget is asked for that cost before it is charged
   */
  public Done run(Path journal, Budget budget) {
    TrainingSetup setup = plan.setups().get(0);
    ResolvedPlan first = setup.plan();
    PrivacyStatement statement =
        PrivacyStatement.of(first.unit(), plan.ledger(), plan.cost(), false)
            .among(first.publicNumber());
    // Of every candidate, drawn or not: what cannot run is refused before anything is charged.
    List<PreparedRun> prepared =
        plan.setups().stream().map(each -> each.prepared(each.trainer())).toList();
    charge(setup, journal, budget);
    return plan.section()
        .search()
        .match(random -> random(random, prepared, statement), grid -> grid(prepared, statement));
  }

  private Done random(
      Search.Random search, List<PreparedRun> prepared, PrivacyStatement statement) {
    say.accept(
        "searching; how many runs there are and how they do is a secret that the cost rests on,"
            + " and is not shown");
    Winner<Trained> winner =
        Tuner.random(
            search.runs(),
            plan.ledgers(),
            randomness(),
            (candidate, draw) -> train(prepared, candidate, draw, line -> {}));
    winner.output().observed.warnings().forEach(line -> say.accept("of the best run: " + line));
    return done(winner, statement, List.of());
  }

  private Done grid(List<PreparedRun> prepared, PrivacyStatement statement) {
    List<Scored<Trained>> all =
        Tuner.grid(plan.ledgers(), (candidate, draw) -> shown(prepared, candidate, draw));
    // Not before the last run: they are un-noised, and the search could still be stopped.
    all.forEach(run -> run.output().observed.warnings().forEach(say));
    return done(Tuner.best(all), statement, all);
  }

  private void charge(TrainingSetup setup, Path file, Budget budget) {
    ResolvedPlan first = setup.plan();
    PrivacyUnit unit = new PrivacyUnit(first.unit(), setup.chosen().has(UnitSettings.ONE_ROW_EACH));
    Journal journal = Journal.newFile(file, first.neighbouring(), first.unit());
    LedgerFile whole =
        new LedgerFile(
                plan.ledger(),
                first.unit(),
                first.publicNumber(),
                setup.chosen().isSet(UnitSettings.DECLARED_UNITS),
                plan.cost().accountant())
            .on(unit.declared(), setup.data().train().declared(first.unit()))
            .on(scored(setup))
            .on(onTop());
    try (PrivacySession session = PrivacySession.open(journal, randomness(), budget)) {
      try {
        session.chargeElsewhere(whole);
      } finally {
        // A search that was refused leaves no file behind.
        if (session.ledger().entries().isEmpty()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the score of private held-out rows rests on. */
  private static List<String> scored(TrainingSetup setup) {
    return setup.heldOut() == HeldOut.RELEASED
        ? setup.data().test().stream().map(part -> part.declared(setup.plan().unit())).toList()
        : List.of();
  }

  /** What candidates begin with, each once. */
  private List<Origin> starts() {
    return plan.setups().stream()
        .flatMap(setup -> setup.start().stream())
        .map(start -> start.planned().origin())
        .distinct()
        .toList();
  }

  /** Whichever candidate wins was compared with what others made of their starts. */
  private List<String> onTop() {
    return starts().stream().anyMatch(start -> start.standing() == Origin.Standing.RELEASED)
        ? List.of(ON_TOP)
        : List.of();
  }

  /** Says with what candidates began, other than the run that it is said of. */
  private List<StatementParagraph> otherStarts(Result result, String unit) {
    String own =
        result.provenance().configuration().start().origin().map(Origin::provenance).orElse("");
    return starts().stream()
        .filter(start -> !start.provenance().equals(own))
        .map(
            start ->
                new StatementParagraph(
                    "Another start",
                    "Of another candidate of the search: " + start.statement(unit).body()))
        .toList();
  }

  private Randomness randomness() {
    return seed().map(Randomness::insecure).orElseGet(Randomness::secure);
  }

  private Optional<Long> seed() {
    return plan.setups().get(0).chosen().get(PrivacySettings.INSECURE_SEED);
  }

  private Done done(Winner<Trained> winner, PrivacyStatement statement, List<Scored<Trained>> all) {
    return new Done(
        winner.candidate(),
        paid(winner.output().result, statement),
        winner.output().observed.thresholds(),
        all.stream().map(each -> paid(each.output().result, statement)).toList(),
        Optional.empty());
  }

  /** Trains and tells the score: every run of a grid is paid for, and so is its score. */
  private Scored<Trained> shown(List<PreparedRun> prepared, int candidate, long draw) {
    Scored<Trained> run = train(prepared, candidate, draw, say);
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
   * @param prepared the candidates: what one run of each costs is computed once
   * @param progress hears of a public phase before the run
   */
  private Scored<Trained> train(
      List<PreparedRun> prepared, int candidate, long draw, Consumer<String> progress) {
    TrainingSetup setup = plan.setups().get(candidate);
    PreparedRun run = prepared.get(candidate);
    run.planCost();
    RunObserver observer = new RunObserver();
    Result result =
        run.with(trainer -> drawn(setup.started(trainer, progress, () -> false), draw))
            .start(observer);
    return new Scored<>(
        new Trained(result, observer),
        score(result),
        ((Privacy.Guaranteed) result.privacy()).ledger());
  }

  /** A seed of its own for each run: with the same seed, all would be the same run. */
  private Trainer drawn(Trainer trainer, long draw) {
    return seed().map(seed -> trainer.insecureSeed(seed + 1 + draw)).orElse(trainer);
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

  /**
   * The same result with the cost of the whole search, which is what was paid to find it, and with
   * all that this cost is no promise without.
   */
  private Result paid(Result result, PrivacyStatement statement) {
    Privacy.Guaranteed alone = (Privacy.Guaranteed) result.privacy();
    List<StatementParagraph> notes = new ArrayList<>(alone.notes());
    notes.addAll(otherStarts(result, alone.file().unit()));
    notes.addAll(plan.section().search().match(random -> List.of(SECRET), grid -> List.of()));
    Privacy.Guaranteed privacy =
        new Privacy.Guaranteed(
            statement.file(alone.file().declared()).on(alone.file().conditions()).on(onTop()),
            statement,
            notes,
            alone.secure(),
            alone.steered(),
            !onTop().isEmpty());
    Model model = result.model();
    return new Result(
        privacy,
        new Model(
            model.layout(),
            model.parameters(),
            ModelPrivacy.of(privacy, result.provenance().configuration().start().origin()),
            model.use()),
        result.steps(),
        result.evaluations(),
        result.provenance(),
        result.heldOut());
  }
}
