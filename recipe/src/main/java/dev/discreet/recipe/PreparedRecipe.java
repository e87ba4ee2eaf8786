package dev.discreet.recipe;

import dev.discreet.account.Account;
import dev.discreet.account.AccountOutlook;
import dev.discreet.account.Purpose;
import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.train.Estimate;
import dev.discreet.core.train.Listener;
import dev.discreet.core.train.PreparedRun;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setup.PayingAccount;
import dev.discreet.recipe.setup.RunStart;
import dev.discreet.recipe.setup.TrainingSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A recipe with everything decided and nothing spent: its data are open, its defaults are filled
 * in, its plan is resolved and its noise is found.
 *
 * <pre>{@code
 * PreparedRecipe prepared = Recipe.of().with("data", "mnist").with("epsilon", "3").prepare();
 * System.out.println(prepared.cost());
 * FinishedRun run = prepared.start();
 * }</pre>
 */
@PublicApi
public final class PreparedRecipe {
  private final TrainingSetup setup;
  private final PreparedRun run;
  private final boolean ready;
  private final PayingAccount payer;

  private PreparedRecipe(TrainingSetup setup, PreparedRun run, boolean ready, PayingAccount payer) {
    this.setup = setup;
    this.run = run;
    this.ready = ready;
    this.payer = payer;
  }

  static PreparedRecipe of(RecipeData of, Preparation how) throws IOException {
    TrainingSetup setup =
        how.part(
            "finding the noise that the budget asks for",
            () ->
                TrainingSetup.of(
                    new EffectiveSettings(of.recipe().values()),
                    of.data(),
                    of.payer(),
                    how::progress));
    Check.that(
        of.payer().account().isEmpty()
            || setup.heldOut() != TrainingSetup.HeldOut.CONSOLE
            || of.recipe().sets(PrivacySettings.HELD_OUT),
        "held-out",
        "given where it cannot be released and an account covers the rows: none, or console, which"
            + " the account records",
        "left out");
    PreparedRun run = setup.prepared(setup.trainer());
    how.part("computing what the run costs", run::planCost);
    return new PreparedRecipe(setup, run, setup.start().isEmpty(), of.payer());
  }

  /**
   * The recipe with every default of this run written out.
   *
   * @return that recipe
   */
  public Recipe resolved() {
    return Recipe.of(setup.chosen());
  }

  /** {@return the rows, which are open} */
  public TrainingRows data() {
    return setup.data();
  }

  /** {@return the plan in numbers} */
  public ResolvedPlan plan() {
    return setup.plan();
  }

  /**
   * What the run will have spent, certified; empty for a run that protects no one.
   *
   * @return the guarantee
   */
  public Optional<Guarantee> cost() {
    return setup.startsNotPrivate() ? Optional.empty() : run.cost();
  }

  /**
   * What the run would have spent with secret keys and a public start; empty for a plan without
   * noise. This is a promise only where {@link #cost} is present.
   *
   * @return the cost of the plan's releases
   */
  public Optional<Guarantee> planCost() {
    return run.planCost();
  }

  /**
   * Everything that was decided.
   *
   * @return the decisions
   */
  public TrainingSetup setup() {
    return setup;
  }

  /**
   * What the run would take of the account that pays for it.
   *
   * @return empty where none does, and for a run without noise
   */
  public Optional<AccountOutlook> outlook() {
    return plan().isPrivate() ? payer.outlook(plan().ledger()) : Optional.empty();
  }

  /**
   * Refuses a new run that the account has no room for, with what would fit. A start does this
   * first, before there is a file or a key.
   */
  public void checkRoom() {
    payer.checkRoom(plan());
  }

  /**
   * How long the run will take and how much memory, from a few steps on random inputs.
   *
   * @return seconds and bytes; empty where the engine computes on other machines
   */
  public Optional<Estimate> estimate() {
    double before = setup.start().map(RunStart::drawnBefore).orElse(0.0);
    return run.estimate().map(each -> each.plus(before / plan().expectedUnits()));
  }

  /**
   * The same run with a changed trainer that has the same plan: with a journal, for example.
   *
   * @param change makes the other trainer from this one
   * @return that prepared recipe; this one stays as it is
   */
  public PreparedRecipe with(UnaryOperator<Trainer> change) {
    return new PreparedRecipe(setup, run.with(change), ready, payer);
  }

  /**
   * The same run with its start at hand. A public phase is trained now, where there is one; {@link
   * #start} would do that too.
   *
   * @param progress hears a line now and then
   * @param stop whether to end the public phase early
   * @return that prepared recipe; this one stays as it is
   */
  public PreparedRecipe ready(Consumer<String> progress, BooleanSupplier stop) {
    return ready
        ? this
        : new PreparedRecipe(
            setup, run.with(trainer -> setup.started(trainer, progress, stop)), true, payer);
  }

  /**
   * Trains. Where the recipe sets {@code out}, the run leaves that folder, as {@code discreet
   * train} does but for the report: what it charges is on the disk before it is released, in {@code
   * OUT.unfinished} until the files are written. Where it sets {@code checkpoints}, the journal is
   * kept there, and where the trainer was given a journal, in that file. With none of them, the
   * ledger is in memory, and a crash takes it along.
   *
   * @param listeners are told what happens
   * @return the trained model and its files
   */
  public FinishedRun start(Listener... listeners) {
    return run(false, listeners);
  }

  /**
   * Goes on with a run of this recipe that was cut short, from its last checkpoint.
   *
   * @param listeners are told what happens
   * @return the trained model and its files
   */
  public FinishedRun resume(Listener... listeners) {
    return run(true, listeners);
  }

  private FinishedRun run(boolean resume, Listener... listeners) {
    Path out = setup.chosen().get(RunSettings.OUT).orElse(null);
    if (out == null) {
      if (!resume) {
        checkRoom();
      }
      return trained("", resume, listeners);
    }
    try {
      OutFolder folder = new OutFolder(out, resume).checked();
      setup
          .chosen()
          .get(RunSettings.CHECKPOINTS)
          .ifPresent(each -> folder.apartFrom("checkpoints", each));
      if (resume) {
        Resumption.checkPlace(out, this);
      }
      return new RunToFolder(this, folder, resume, RunToFolder.Output.FILES).done(listeners);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the trainer itself keeps what is charged on the disk. */
  boolean keepsJournal() {
    return run.journal().isPresent();
  }

  /**
   * Trains, and writes nothing but what the trainer itself keeps.
   *
   * @param folder where the files will be, for the account that pays; empty where nowhere
   */
  FinishedRun trained(String folder, boolean resume, Listener... listeners) {
    Optional<Path> journal = run.journal();
    if (resume) {
      journal.ifPresent(payer::refuseResumingOthers);
    }
    RunObserver observed = new RunObserver();
    PreparedRun told = ready(line -> {}, () -> false).run.with(each -> each.listener(observed));
    if (payer.account().isEmpty()) {
      return finished(told, resume, observed, Optional.empty(), listeners);
    }
    // A run that goes on is the one that its journal says; any other is a new one.
    String name = journal.map(payer::run).orElseGet(Account::newRun);
    Purpose purpose = new Purpose("train", RunFolder.settings(setup).digest(), folder);
    if (setup.heldOut() == TrainingSetup.HeldOut.CONSOLE
        || setup.chosen().has(RunSettings.WATCH_PRIVATE)) {
      payer.shown(new Purpose("train, with metrics shown without noise", "", folder));
    }
    PreparedRun paid =
        told.with(each -> each.budget(() -> payer.budget(name, purpose, plan().unit())));
    return finished(paid, resume, observed, Optional.of(name), listeners);
  }

  private FinishedRun finished(
      PreparedRun told,
      boolean resume,
      RunObserver observed,
      Optional<String> name,
      Listener... listeners) {
    Result result = resume ? told.resume(listeners) : told.start(listeners);
    // The session is closed, so the run is settled, and the head is the one after that.
    Optional<RunAccount> account = payer.told(name.orElse(""));
    return new FinishedRun(
        this,
        account.map(each -> result.noting(each.paragraph())).orElse(result),
        observed,
        account,
        Optional.empty());
  }
}
