package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.cpu.Cpu;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.train.Model;
import dev.discreet.core.train.TestSet;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A run with every choice made and nothing done yet.
 *
 * @param units the declared number of them
 * @param delta at which epsilon is stated
 * @param test null for none
 * @param chosen every setting of the run as text, given or by default
 */
record TrainingSetup(
    DataSet data,
    Layout layout,
    ResolvedPlan plan,
    Trainer trainer,
    Cpu cpu,
    long units,
    double delta,
    HeldOut heldOut,
    TestSet test,
    Map<Setting<?>, List<String>> chosen) {

  /** What becomes of metrics of the rows to test on. */
  enum HeldOut {
    PUBLIC,
    RELEASED,
    CONSOLE,
    NONE
  }

  static TrainingSetup of(Choices choices, DataSet data) throws IOException {
    long found = data.train().units().count();
    Check.that(found >= 2, "units to train on", "at least 2", found);
    long units = choices.get(Settings.DECLARED_UNITS).orElse(found);
    boolean isPrivate = !choices.given().has(Settings.NON_PRIVATE);
    TrainingDefaults defaults =
        new TrainingDefaults(units, data.train().examples().input(), data.task(), isPrivate);
    Layout layout = ModelChoices.layout(choices, data, defaults);
    PlanChoices planned = new PlanChoices(choices, defaults, layout);
    planned.groups().forEach(group -> group.forEach(layer -> checkLayer(layout, layer)));
    choices.get(Settings.FREEZE).orElse(List.of()).forEach(layer -> checkLayer(layout, layer));
    OptimizerChoices optimizer = new OptimizerChoices(choices);
    long steps = planned.steps();
    PrivacyPlan plan = planned.plan(steps);
    HeldOut heldOut = heldOut(choices, data, plan);
    TestSet test = test(choices, data, heldOut);
    ResolvedPlan resolved = (test == null ? plan : test.planned(plan)).forUnits(units);
    Cpu cpu = Cpu.all();
    if (choices.isGiven(Settings.THREADS)) {
      cpu = cpu.withThreads(choices.get(Settings.THREADS).orElseThrow().intValue());
    }
    Trainer trainer =
        (isPrivate
                ? Trainer.of(layout.network(), plan)
                : Trainer.nonPrivate(layout.network(), plan))
            .engine(cpu)
            .declaredUnits(units)
            .delta(planned.delta())
            .optimizer(optimizer.optimizer())
            .weightDecay(optimizer.weightDecay())
            .learningRate(planned.learningRate(resolved, optimizer.adaptive()))
            .initialiser(
                choices.or(Settings.INITIALISER, "pytorch-uniform"),
                choices.or(Settings.INITIAL_SEED, "0"))
            .noiseBeforeClipping(choices.or(Settings.NOISE_BEFORE_CLIPPING, "0"))
            .clippingGroups(planned.groups());
    double ema = choices.or(Settings.EMA, Digits.exact(defaults.ema(steps)));
    trainer = ema > 0 ? trainer.ema(ema) : trainer;
    trainer = frozen(trainer, choices);
    trainer = started(trainer, choices, layout);
    if (choices.isGiven(Settings.INSECURE_SEED)) {
      trainer = trainer.insecureSeed(choices.get(Settings.INSECURE_SEED).orElseThrow());
    }
    if (choices.isGiven(Settings.EVALUATE_EVERY)) {
      trainer = trainer.evaluateEvery(choices.get(Settings.EVALUATE_EVERY).orElseThrow());
    }
    trainer = checkpoints(trainer, choices, resolved);
    choices.get(Settings.OUT);
    return new TrainingSetup(
        data,
        layout,
        resolved,
        trainer,
        cpu,
        units,
        planned.delta(),
        heldOut,
        test,
        choices.chosen());
  }

  /** Before the plan is shown, and not only when the trainer meets it. */
  private static void checkLayer(Layout layout, String layer) {
    List<String> names = layout.slices().stream().map(Layout.Slice::name).toList();
    Check.that(
        names.stream().anyMatch(name -> name.startsWith(layer + ".")),
        "layer",
        "the name of one with parameters, as in " + names,
        layer);
  }

  private static Trainer frozen(Trainer trainer, Choices choices) {
    List<String> layers = choices.get(Settings.FREEZE).orElse(List.of());
    return trainer.freeze(layers.toArray(String[]::new));
  }

  private static Trainer started(Trainer trainer, Choices choices, Layout layout)
      throws IOException {
    var folder = choices.get(Settings.START_FROM);
    if (folder.isEmpty()) {
      return trainer;
    }
    Model model = Model.load(folder.get());
    Check.that(
        model.layout().equals(layout),
        "network of " + folder.get(),
        "that of this run, " + layout.network() + " on " + layout.input(),
        model.layout().network() + " on " + model.layout().input());
    return trainer.startFrom(model.parameters());
  }

  private static Trainer checkpoints(Trainer trainer, Choices choices, ResolvedPlan plan) {
    var folder = choices.get(Settings.CHECKPOINTS);
    if (folder.isEmpty()) {
      choices.refuse(
          "needs --checkpoints, the folder to keep them in",
          Settings.CHECKPOINT_EVERY,
          Settings.RESUME);
      return trainer;
    }
    long epoch = Math.max(1, Math.round(plan.sampler().units() / plan.expectedLot()));
    return trainer.checkpoints(
        folder.get(), choices.or(Settings.CHECKPOINT_EVERY, Long.toString(epoch)));
  }

  private static HeldOut heldOut(Choices choices, DataSet data, PrivacyPlan plan) {
    if (data.test().isEmpty() || data.test().get().isPublic()) {
      choices.refuse(
          data.test().isEmpty() ? "needs rows to test on" : "is for private rows; these are public",
          Settings.HELD_OUT,
          Settings.METRIC_SHARE,
          Settings.METRIC_NOISE,
          Settings.DECLARED_HELD_OUT);
      return data.test().isEmpty() ? HeldOut.NONE : HeldOut.PUBLIC;
    }
    boolean isPrivate = !(plan.noise() instanceof PrivacyPlan.Amount.Nothing);
    // How far one unit moves the score is proven for this relation alone.
    boolean proven = isPrivate && plan.neighbouring() == Neighbouring.ADD_REMOVE;
    String how = choices.or(Settings.HELD_OUT, proven ? "released" : "console");
    Check.that(
        isPrivate || !how.equals("released"),
        "held-out",
        "console or none in a run that is --non-private",
        how);
    if (!how.equals("released")) {
      choices.refuse(
          "is for --held-out released",
          Settings.METRIC_SHARE,
          Settings.METRIC_NOISE,
          Settings.DECLARED_HELD_OUT);
    }
    if (!(plan.noise() instanceof PrivacyPlan.Amount.Given)) {
      choices.refuse(
          "needs --noise-multiplier; a target has --metric-share", Settings.METRIC_NOISE);
    }
    return HeldOut.valueOf(how.toUpperCase(Locale.ROOT));
  }

  /** Null for none. */
  private static TestSet test(Choices choices, DataSet data, HeldOut heldOut) {
    if (heldOut == HeldOut.NONE) {
      return null;
    }
    DataSet.Part part = data.test().orElseThrow();
    return switch (heldOut) {
      case PUBLIC -> TestSet.declaredPublic(part.examples());
      case RELEASED -> released(choices, part);
      default -> new TestSet.OperatorOnly(part.examples());
    };
  }

  private static TestSet released(Choices choices, DataSet.Part part) {
    long declared = declaredHeldOut(choices, part);
    if (choices.isGiven(Settings.METRIC_NOISE)) {
      double noise = choices.get(Settings.METRIC_NOISE).orElseThrow();
      return new TestSet.Released(part.examples(), part.units(), 0.01, noise, declared);
    }
    double share = choices.or(Settings.METRIC_SHARE, "0.01");
    return new TestSet.Released(part.examples(), part.units(), share).declaring(declared);
  }

  /** Whoever declares how many are trained on does not tell how many there are by the others. */
  private static long declaredHeldOut(Choices choices, DataSet.Part part) {
    Optional<Long> declared = choices.get(Settings.DECLARED_HELD_OUT);
    Optional<Long> trained = choices.get(Settings.DECLARED_UNITS);
    if (declared.isPresent() || trained.isEmpty()) {
      return declared.orElse((long) Math.max(1, part.units().count()));
    }
    double share = choices.or(Settings.TEST_SHARE, "0.2");
    return Math.max(1, Math.round(trained.get() * share / (1 - share)));
  }

  boolean isPrivate() {
    return plan.isPrivate();
  }
}
