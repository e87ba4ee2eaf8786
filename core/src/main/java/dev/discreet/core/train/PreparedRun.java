package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.evaluate.HeldOutScore;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Origin;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.ParameterGroups;
import dev.discreet.core.optimize.ParameterRange;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.ResolvedPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A run with everything decided and nothing spent: its plan is resolved, its noise found, and what
 * cannot work was refused.
 *
 * <pre>{@code
 * PreparedRun run = trainer.prepare(rows, test);
 * System.out.println(run.cost());
 * Result result = run.start();
 * }</pre>
 */
@PublicApi
public final class PreparedRun {
  private final Trainer trainer;
  private final PrivateData data;
  // Null for none.
  private final TestSet test;
  private final Layout layout;
  private final ResolvedPlan plan;
  private final Optional<HeldOutScore> score;
  private final int[] group;
  private final List<ParameterRange> ranges;
  private final UnitRule rule;
  private final RunPromise promise;
  private final Configuration configuration;
  private final Engine engine;
  // Null until it is asked for: it takes the accountant a while.
  private Guarantee cost;

  private PreparedRun(
      Trainer trainer, PrivateData data, TestSet test, ResolvedPlan plan, Guarantee known) {
    this.trainer = trainer;
    this.data = atMost(trainer.options(), data);
    this.test = test;
    this.plan = plan;
    this.cost = known;
    TrainingOptions options = trainer.options();
    engine = options.engine().orElseGet(Engine::standard);
    engine.check(plan.sampler());
    engine.check(options.augmentation());
    layout = options.network().on(data.input());
    options.augmentation().check(layout);
    options.use().ifPresent(use -> use.check(layout));
    score =
        Optional.ofNullable(test)
            .flatMap(TestSet::released)
            .filter(released -> options.isPrivate())
            .map(held -> new HeldOutScore(held, held.mechanism(options.plan()), plan));
    Refusals refusals = new Refusals(options, plan);
    refusals.steps();
    group =
        ParameterGroups.groups(layout, options.frozen(), options.clippingGroups(), plan.groups());
    ranges =
        ParameterRange.of(
            layout,
            group,
            options.weightDecay().weightsOnly(),
            ParameterGroups.factors(layout, group, options.rateFactors()));
    rule = rule(options);
    if (!isPlain()) {
      engine.check(layout, rule);
    }
    rule.checkNoise(options.noiseBeforeClipping());
    if (!isPlain()) {
      Grid grid = plan.grid(engine.unitsPerChunk(layout), engine.buckets());
      plan.checkNoise(grid);
      Check.that(
          grid.holds(plan.lotOf(data.unitCount())),
          "declared units",
          "near the number there is, which is far larger (outside the guarantee, for your eyes):"
              + " lots would outgrow the sensitivity of their sums",
          plan.declaredUnits());
    }
    refusals.beginning(layout, engine);
    promise =
        new RunPromise(
            options,
            plan,
            Stream.concat(Stream.of(data), score.stream().map(held -> held.test().rows()))
                .toList());
    configuration = Configuration.of(options, layout, plan, group, promise.declared());
  }

  static PreparedRun of(
      Trainer trainer, PrivateData data, TestSet test, Optional<ResolvedPlan> resolved) {
    TrainingOptions options = trainer.options();
    Check.that(options.learningRate().isPresent(), "learning rate", "given", "none");
    Refusals.people(options, data, test);
    // A network that does not fit is refused before noise is looked for.
    options.network().on(data.input());
    PrivacyPlan wanted = test == null ? options.plan() : test.planned(options.plan());
    long number = options.declaredUnits().orElse(Math.max(1, data.unitCount()));
    Optional<Guarantee> known = resolved.flatMap(found -> wanted.checkResolved(found, number));
    ResolvedPlan plan = resolved.orElseGet(() -> wanted.forUnits(number));
    return new PreparedRun(trainer, data, test, plan, known.orElse(null));
  }

  /**
   * The same run with other settings that leave its plan as it is: a start that had to be trained
   * first, a journal, a listener. Nothing is resolved or accounted again.
   *
   * @param change makes a trainer with those settings from the present one
   * @return that run; this one stays as it is
   */
  public PreparedRun with(UnaryOperator<Trainer> change) {
    Trainer other = change.apply(trainer);
    TrainingOptions before = trainer.options();
    TrainingOptions now = other.options();
    Check.that(
        now.network().equals(before.network())
            && now.plan().equals(before.plan())
            && now.delta().equals(before.delta())
            && now.declaredUnits().equals(before.declaredUnits()),
        "trainer",
        "that of the prepared run, with the same network, plan, delta and declared units",
        "another");
    return new PreparedRun(other, data, test, plan, cost);
  }

  /**
   * The plan with nothing left open.
   *
   * @return the plan in numbers
   */
  public ResolvedPlan plan() {
    return plan;
  }

  /**
   * The network on the shape of the examples.
   *
   * @return every layer and parameter in its place
   */
  public Layout layout() {
    return layout;
  }

  /**
   * The δ at which ε is stated.
   *
   * @return the δ
   */
  public double delta() {
    return plan.target()
        .map(target -> target.delta())
        .orElse(trainer.options().delta().orElse(DefaultDelta.of(plan.publicNumber())));
  }

  /**
   * What the whole plan costs, certified; empty for a run that protects no one: one without noise,
   * with keys that anyone can guess, or with a start that is not private.
   *
   * @return the guarantee
   */
  public Optional<Guarantee> cost() {
    return options().insecureSeed().isEmpty() && !promise.startIs(Origin.Standing.NOT_PRIVATE)
        ? planCost()
        : Optional.empty();
  }

  /**
   * What the whole plan costs a run with secret keys and a public start; empty for a plan without
   * noise. This is a promise only where {@link #cost} is present.
   *
   * @return the cost of the plan's releases
   */
  public Optional<Guarantee> planCost() {
    return options().isPrivate() ? Optional.of(guarantee()) : Optional.empty();
  }

  /**
   * The file that has what the run charges, from before its first release.
   *
   * @return the file; empty where it is kept in memory
   */
  public Optional<Path> journal() {
    return options()
        .checkpoints()
        .map(folder -> folder.resolve(RunFiles.JOURNAL))
        .or(() -> options().journal());
  }

  /**
   * How long the run will take and how much memory; a few seconds go into finding out.
   *
   * @return seconds and bytes; empty where the engine computes on other machines
   */
  public Optional<Estimate> estimate() {
    return engine.rehearses() ? Optional.of(Estimate.of(this)) : Optional.empty();
  }

  /** What the whole plan costs, computed once. */
  private synchronized Guarantee guarantee() {
    if (cost == null) {
      cost = plan.epsilon(delta());
    }
    return cost;
  }

  /** The statement of the whole plan. */
  PrivacyStatement statement() {
    return PrivacyStatement.of(plan.unit(), plan.ledger(), guarantee(), false)
        .among(plan.publicNumber());
  }

  /**
   * Trains. May be called any number of times, each with keys, a ledger and a budget of its own.
   *
   * @param listeners more than the trainer's
   * @return the trained model and what it cost
   */
  public Result start(Listener... listeners) {
    return new TrainingRun(heardBy(listeners)).train(false);
  }

  /**
   * Goes on with a run of the same settings that was cut short, from its last checkpoint. It draws
   * new keys; steps that were charged and lost are not taken again.
   *
   * @param listeners more than the trainer's
   * @return the trained model and what it cost
   */
  public Result resume(Listener... listeners) {
    Check.that(options().checkpoints().isPresent(), "checkpoints", "set, to resume from", "none");
    return new TrainingRun(heardBy(listeners)).train(true);
  }

  private PreparedRun heardBy(Listener... listeners) {
    PreparedRun told = this;
    for (Listener listener : listeners) {
      told = told.with(before -> before.listener(listener));
    }
    return told;
  }

  /**
   * A norm can be estimated for one example only, so of a unit with several the first counts. That
   * depends on the unit alone; a refusal would tell that there is such a unit.
   */
  private static PrivateData atMost(TrainingOptions options, PrivateData data) {
    return options.plan().clipping().estimated().isPresent() ? data.atMost(1) : data;
  }

  private UnitRule rule(TrainingOptions options) {
    boolean[] decayed = new boolean[group.length];
    for (int i = 0; i < decayed.length; i++) {
      decayed[i] =
          ParameterRange.decayed(layout.slices().get(i), options.weightDecay().weightsOnly());
    }
    return new UnitRule(
        plan.clipping(),
        group,
        options.weightDecay().beforeClipping(),
        decayed,
        plan.counts() > 0,
        plan.microBatches().isPresent(),
        options.augmentation());
  }

  TrainingOptions options() {
    return trainer.options();
  }

  PrivateData data() {
    return data;
  }

  Engine engine() {
    return engine;
  }

  /** Null for none. */
  TestSet test() {
    return test;
  }

  Optional<HeldOutScore> score() {
    return score;
  }

  List<ParameterRange> ranges() {
    return ranges;
  }

  UnitRule rule() {
    return rule;
  }

  RunPromise promise() {
    return promise;
  }

  Configuration configuration() {
    return configuration;
  }

  /** Whether gradients are neither clipped nor noised, so that they need not come unit by unit. */
  boolean isPlain() {
    return !plan.clipping().bounds();
  }

  float[] initialParameters() {
    TrainingOptions options = options();
    return options
        .start()
        .map(given -> layout.check(given.parameters()).clone())
        .orElseGet(() -> layout.initial(options.initialiser(), options.initialSeed()));
  }
}
