package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.centre.CentredFeatures;
import dev.discreet.algorithms.pca.PcaLayer;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.NoiseAmount;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.train.PreparedRun;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.data.Split;
import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PretrainSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Setting.Group;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.Settings;
import dev.discreet.recipe.setting.UnitSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A run with every choice made and nothing done yet.
 *
 * @param units the declared number of units
 * @param delta at which epsilon is stated
 * @param test null for none
 * @param frozen names of layers that stand still
 * @param start what the trainer is to begin with; empty for new parameters
 * @param chosen every setting of the run, given or by default
 */
public record TrainingSetup(
    TrainingRows data,
    Layout layout,
    ResolvedPlan plan,
    Trainer trainer,
    Engine engine,
    long units,
    double delta,
    HeldOut heldOut,
    TestSet test,
    List<String> frozen,
    Optional<RunStart> start,
    Optional<PublicProjection> projection,
    Optional<PcaLayer> pca,
    Optional<CentredFeatures> centre,
    SettingValues chosen) {

  /** What becomes of metrics of the rows to test on. */
  public enum HeldOut {
    PUBLIC,
    RELEASED,
    CONSOLE,
    NONE
  }

  /**
   * @param payer who pays for the run, and may be asked for a share
   * @param progress hears a line now and then while something is fetched
   */
  public static TrainingSetup of(
      EffectiveSettings choices,
      TrainingRows opened,
      PayingAccount payer,
      Consumer<String> progress)
      throws IOException {
    DataChoices.note(choices, !opened.train().rowsAreUnits(), progress);
    TrainingRows bounded =
        choices
            .get(UnitSettings.EXAMPLES_PER_UNIT)
            .map(most -> opened.atMost(Math.toIntExact(most)))
            .orElse(opened);
    Optional<PublicProjection> projection = PublicProjection.of(choices, bounded, progress);
    TrainingRows data = projection.map(PublicProjection::data).orElse(bounded);
    long found = data.train().unitCount();
    Check.that(
        found >= 2,
        "units to train on",
        "at least 2",
        found + " (outside the guarantee, for your eyes)");
    boolean isPrivate = !choices.given().has(PrivacySettings.NON_PRIVATE);
    if (isPrivate) {
      data.train()
          .checkNumber(
              choices.isGiven(UnitSettings.DECLARED_UNITS), UnitSettings.DECLARED_UNITS.name());
    }
    long units = choices.get(UnitSettings.DECLARED_UNITS).orElse(found);
    Shape input = data.train().input();
    Optional<PcaLayer> pca = PcaChoices.of(choices, input, units, isPrivate, payer);
    TrainingDefaults defaults =
        new TrainingDefaults(
            units, pca.map(each -> Shape.vector(each.k())).orElse(input), data.task(), isPrivate);
    Engine engine =
        Engine.named(
            choices.get(RunSettings.ENGINE).orElse(RunSettings.ENGINE.fixed().orElseThrow()));
    DataChoices.refuseCluster(choices);
    choices.refuse(
        "is for discreet regress", Settings.of(Group.REGRESSION).toArray(Setting[]::new));
    choices.get(RunSettings.MASTER);
    choices.get(RunSettings.SPARK_CONF);
    if (choices.isGiven(RunSettings.THREADS)) {
      engine = engine.withThreads(choices.get(RunSettings.THREADS).orElseThrow().intValue());
    }
    double delta = choices.or(PrivacySettings.DELTA, defaults.delta());
    FeatureChoices features = FeatureChoices.of(choices, defaults, delta, payer);
    StartChoices model = StartChoices.of(choices, data, defaults, pca, features, engine, progress);
    Layout layout = model.layout();
    PlanChoices planned =
        new PlanChoices(choices, defaults.on(layout), layout, model.frozen(), payer);
    planned
        .groups()
        .forEach(group -> group.forEach(layer -> StartChoices.checkLayer(layout, layer)));
    OptimizerChoices optimizer = new OptimizerChoices(choices);
    long steps = planned.steps();
    PrivacyPlan plan = features.planned(PcaChoices.planned(planned.plan(steps), pca));
    HeldOut heldOut = heldOut(choices, data, plan);
    TestSet test = test(choices, data, heldOut);
    if (isPrivate) {
      // A candidate of a search may have another relation than the data were opened for.
      data.train().check(plan.neighbouring());
      data.train().check(plan.protects());
    }
    Augmentation augmentation = augmentation(choices, features.views(input));
    ResolvedPlan resolved = (test == null ? plan : test.planned(plan)).forUnits(units);
    Trainer trainer =
        (isPrivate
                ? Trainer.of(layout.network(), plan)
                : Trainer.nonPrivate(layout.network(), plan))
            .engine(engine)
            .use(UseChoices.of(choices, data.task()))
            .delta(planned.delta())
            .optimizer(optimizer.optimizer(units, steps))
            .weightDecay(optimizer.weightDecay())
            .learningRate(planned.learningRate(resolved, optimizer.adaptive()))
            .initialiser(
                choices.or(ModelSettings.INITIALISER), choices.or(ModelSettings.INITIAL_SEED))
            .noiseBeforeClipping(choices.or(ClippingSettings.NOISE_BEFORE_CLIPPING))
            .augmentation(augmentation)
            .clippingGroups(planned.groups());
    if (choices.isGiven(UnitSettings.DECLARED_UNITS)) {
      trainer = trainer.declaredUnits(units);
    }
    double ema = choices.or(ModelSettings.EMA, defaults.ema(steps));
    trainer = ema > 0 ? trainer.ema(ema) : trainer;
    trainer = trainer.freeze(model.frozen().toArray(String[]::new));
    trainer = trainer.rateFactors(model.rateFactors());
    if (pca.isPresent()) {
      trainer = trainer.first(pca.get());
    }
    if (features.centre().isPresent()) {
      trainer = trainer.first(features.centre().get());
    }
    if (projection.isPresent()) {
      trainer = trainer.transform(projection.get().transform(layout, model.frozen()));
    }
    if (choices.isGiven(PrivacySettings.INSECURE_SEED)) {
      trainer = trainer.insecureSeed(choices.get(PrivacySettings.INSECURE_SEED).orElseThrow());
    }
    if (choices.isGiven(RunSettings.EVALUATE_EVERY)) {
      trainer = trainer.evaluateEvery(choices.get(RunSettings.EVALUATE_EVERY).orElseThrow());
    }
    trainer = watched(trainer, choices, isPrivate);
    trainer = publicRows(trainer, choices, data, isPrivate);
    trainer = checkpoints(trainer, choices, resolved);
    choices.get(RunSettings.OUT);
    return new TrainingSetup(
        data,
        layout,
        resolved,
        trainer,
        engine,
        units,
        planned.delta(),
        heldOut,
        test,
        model.frozen(),
        model.start(),
        projection,
        pca,
        features.centre(),
        choices.chosen());
  }

  /** Warnings where a declared number is far from the true one; for the operator's eyes only. */
  public List<String> farFromDeclared() {
    List<String> lines = new ArrayList<>();
    far("to train on", units, data.train().unitCount()).ifPresent(lines::add);
    Optional.ofNullable(test)
        .flatMap(TestSet::released)
        .flatMap(held -> far("held out", held.declaredUnits(), held.rows().unitCount()))
        .ifPresent(lines::add);
    return lines;
  }

  private Optional<String> far(String what, long declared, long found) {
    return Math.abs(found - declared) <= 0.05 * declared
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%,d %ss are %s, and the public number is %,d: what is released is divided by that"
                    + " (outside the guarantee, for your eyes)",
                found,
                plan.unit(),
                what,
                declared));
  }

  private static Augmentation augmentation(
      EffectiveSettings choices, Optional<Augmentation> standard) {
    Optional<Augmentation> kinds =
        standard
            .map(views -> choices.or(LotSettings.AUGMENT, views))
            .or(() -> choices.get(LotSettings.AUGMENT));
    if (kinds.isEmpty()) {
      choices.refuse("needs --augment, which says what the views are", LotSettings.VIEWS);
      return Augmentation.NONE;
    }
    return kinds.get().of(choices.or(LotSettings.VIEWS, kinds.get().moves() ? 8L : 2L).intValue());
  }

  /** Refuses public test rows that are private ones: their metrics would go into files. */
  private static Trainer publicRows(
      Trainer trainer, EffectiveSettings choices, TrainingRows data, boolean isPrivate) {
    Optional<DataSet.Part> tested = data.publicTest();
    if (isPrivate) {
      tested.ifPresent(
          test -> DataChoices.refuseOverlap(choices, test.examples(), data.task(), data));
    }
    if (tested.isEmpty()
        && !choices.isGiven(OptimizerSettings.PROJECT_ONTO)
        && !choices.isGiven(PretrainSettings.PRETRAIN_DATA)) {
      choices.refuse(
          "needs public rows: --public-test, --pretrain-data or --project-onto",
          PrivacySettings.PUBLIC_ROWS_ARE_OTHER_PEOPLE);
    }
    return choices.get(PrivacySettings.PUBLIC_ROWS_ARE_OTHER_PEOPLE).orElse(false)
        ? trainer.publicRowsAreOtherPeople()
        : trainer;
  }

  private static Trainer watched(Trainer trainer, EffectiveSettings choices, boolean isPrivate) {
    if (!isPrivate) {
      choices.refuse("is for private runs; this one shows all", RunSettings.WATCH_PRIVATE);
    }
    return choices.get(RunSettings.WATCH_PRIVATE).orElse(false) ? trainer.watchPrivate() : trainer;
  }

  private static Trainer checkpoints(
      Trainer trainer, EffectiveSettings choices, ResolvedPlan plan) {
    var folder = choices.get(RunSettings.CHECKPOINTS);
    if (folder.isEmpty()) {
      choices.refuse(
          "needs --checkpoints, the folder to keep them in", RunSettings.CHECKPOINT_EVERY);
      return trainer;
    }
    long epoch = Math.max(1, Math.round(plan.sampler().units() / plan.expectedLot()));
    return trainer.checkpoints(folder.get(), choices.or(RunSettings.CHECKPOINT_EVERY, epoch));
  }

  private static HeldOut heldOut(EffectiveSettings choices, TrainingRows data, PrivacyPlan plan) {
    if (data.test().isEmpty() || data.test().get().isPublic()) {
      choices.refuse(
          data.test().isEmpty() ? "needs rows to test on" : "is for private rows; these are public",
          PrivacySettings.OF_HELD_OUT_ROWS.toArray(Setting[]::new));
      return data.test().isEmpty() ? HeldOut.NONE : HeldOut.PUBLIC;
    }
    boolean isPrivate = plan.noise().isPrivate();
    // Only for this relation is it proven how far one unit moves the score.
    boolean proven =
        isPrivate && plan.neighbouring() == Neighbouring.ADD_REMOVE && plan.microBatch() == 1;
    String how = choices.or(PrivacySettings.HELD_OUT, proven ? "released" : "console");
    Check.that(
        isPrivate || !how.equals("released"),
        "held-out",
        "console or none in a run that is --non-private",
        how);
    if (!how.equals("released")) {
      choices.refuse(
          "is for --held-out released",
          PrivacySettings.HELD_OUT_FIGURES,
          PrivacySettings.METRIC_SHARE,
          PrivacySettings.METRIC_NOISE,
          PrivacySettings.DECLARED_HELD_OUT);
    }
    if (!(plan.noise() instanceof NoiseAmount.Given)) {
      choices.refuse(
          "needs --noise-multiplier; a target has --metric-share", PrivacySettings.METRIC_NOISE);
    }
    return HeldOut.valueOf(how.toUpperCase(Locale.ROOT));
  }

  /** Null for none. */
  private static TestSet test(EffectiveSettings choices, TrainingRows data, HeldOut heldOut) {
    if (heldOut == HeldOut.NONE) {
      return null;
    }
    DataSet.Part part = data.test().orElseThrow();
    return switch (heldOut) {
      // A run compares rows that are public beside private ones.
      case PUBLIC ->
          data.publicTest().isPresent()
              ? TestSet.declaredPublic(part.examples())
              : TestSet.allPublished(part.examples());
      case RELEASED -> released(choices, part);
      default -> new TestSet.OperatorOnly(part.examples());
    };
  }

  private static TestSet released(EffectiveSettings choices, DataSet.Part part) {
    Optional<Double> noise = choices.get(PrivacySettings.METRIC_NOISE);
    double share =
        noise.isPresent()
            ? PrivacySettings.METRIC_SHARE.fixed().orElseThrow()
            : choices.or(PrivacySettings.METRIC_SHARE);
    TestSet.Released score = new TestSet.Released(part, share);
    TestSet.Released released =
        choices.or(PrivacySettings.HELD_OUT_FIGURES).equals(PrivacySettings.ALL_FIGURES)
            ? score.withAllFigures()
            : score;
    TestSet.Released noised = noise.map(released::noise).orElse(released);
    return choices
        .get(PrivacySettings.DECLARED_HELD_OUT)
        .map(noised::declaring)
        .or(() -> heldOutBeside(choices, part).map(noised::following))
        .orElse(noised);
  }

  /**
   * The public number of held-out units that follows from a declared number of units to train on.
   * The true number would tell how many units there are in all.
   */
  private static Optional<Long> heldOutBeside(EffectiveSettings choices, DataSet.Part part) {
    Optional<Long> trained = choices.get(UnitSettings.DECLARED_UNITS);
    if (trained.isEmpty()) {
      return Optional.empty();
    }
    Check.that(
        part.by() != Split.By.NOTHING && !DataChoices.areGivenInJava(choices),
        "declared held-out",
        "given beside declared units, for these rows were not held out by a test share that it"
            + " would follow from",
        "none");
    double share = choices.or(DataSettings.TEST_SHARE);
    return trained.map(number -> Math.max(1, Math.round(number * share / (1 - share))));
  }

  /** The run of a trainer that has the plan of this setup, which is not resolved again. */
  public PreparedRun prepared(Trainer trainer) {
    return trainer.prepare(data.train(), test, plan);
  }

  /**
   * A trainer with the start of this run, which may have to be trained first.
   *
   * @param stop whether to end a public phase early
   */
  public Trainer started(Trainer trainer, Consumer<String> progress, BooleanSupplier stop) {
    if (start.isEmpty()) {
      return trainer;
    }
    Transfer ready = start.get().ready(progress, stop);
    return startsNotPrivate() ? trainer.startFromNotPrivate(ready) : trainer.startFrom(ready);
  }

  /** Whether its model is not private, whatever its steps cost. */
  public boolean startsNotPrivate() {
    return start.filter(RunStart::notPrivate).isPresent();
  }

  /** What is released before the first step. */
  public List<Mechanism> first() {
    return Stream.concat(
            pca.stream().map(PcaLayer::mechanism), centre.stream().map(CentredFeatures::mechanism))
        .<Mechanism>map(each -> each)
        .toList();
  }

  public boolean isPrivate() {
    return plan.isPrivate();
  }
}
