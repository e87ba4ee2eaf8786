package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.GradientTransform;
import dev.discreet.core.optimize.MovingAverage;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.schedule.Schedule;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Everything that is chosen about a run but its data. {@link Trainer} says what each of it means.
 *
 * @param average the decay of the moving average
 * @param augmentation the views that stand for an example in training
 * @param start what the run begins with, where that is not new parameters
 * @param delta to state where the plan has no target
 * @param otherPeople whether it was declared that public rows are other people's
 * @param evaluateEvery steps between evaluations; 0 for every epoch
 * @param checkpoints the folder that they are kept in
 * @param saveEvery steps between checkpoints; 0 for none
 * @param engine empty for the standard one
 * @param budgets gives a budget to each session of a run
 * @param use what raw rows and outputs of the model mean
 */
record TrainingOptions(
    Network network,
    PrivacyPlan plan,
    Optional<Schedule> learningRate,
    Map<String, Double> rateFactors,
    Optimizer optimizer,
    WeightDecay weightDecay,
    OptionalDouble average,
    double noiseBeforeClipping,
    Augmentation augmentation,
    Optional<GradientTransform> transform,
    Initialiser initialiser,
    long initialSeed,
    Optional<GivenStart> start,
    Optional<FirstRelease> first,
    List<String> frozen,
    List<List<String>> clippingGroups,
    OptionalDouble delta,
    OptionalLong declaredUnits,
    OptionalLong insecureSeed,
    boolean otherPeople,
    long evaluateEvery,
    List<Listener> listeners,
    boolean watchPrivate,
    Predicate<Event.Released> stop,
    Optional<Path> journal,
    Optional<Path> checkpoints,
    long saveEvery,
    Optional<Engine> engine,
    Supplier<Budget> budgets,
    Optional<ModelUse> use) {

  TrainingOptions {
    Check.that(network != null, "network", "given", null);
    Check.that(plan != null, "plan", "given", null);
    rateFactors.forEach(
        (layer, factor) ->
            Check.that(
                factor > 0 && Double.isFinite(factor),
                "rate factor of layer " + layer,
                "finite and greater than 0 (freeze a layer that is not to move)",
                factor));
    // In order of names, as provenance shows them.
    rateFactors = Collections.unmodifiableMap(new TreeMap<>(rateFactors));
    average.ifPresent(MovingAverage::checkDecay);
    Check.nonNegative(noiseBeforeClipping, "noise before clipping");
    List<?> besides = plan.besides();
    first.ifPresent(
        release ->
            Check.that(
                besides.contains(release.mechanism()),
                "plan",
                "one that has the first release besides its steps (PrivacyPlan.besides)",
                besides));
    frozen = List.copyOf(frozen);
    clippingGroups = clippingGroups.stream().map(List::copyOf).toList();
    delta.ifPresent(Check::delta);
    declaredUnits.ifPresent(units -> Check.that(units >= 1, "declared units", "at least 1", units));
    Check.that(evaluateEvery >= 0, "steps between evaluations", "at least 1", evaluateEvery);
    listeners = List.copyOf(listeners);
    Check.that(
        saveEvery >= (checkpoints.isPresent() ? 1 : 0),
        "steps between checkpoints",
        "at least 1",
        saveEvery);
  }

  /** Whether the plan has noise: a run without it is asked for by name. */
  boolean isPrivate() {
    return plan.noise().isPrivate();
  }

  /** What the run begins with. */
  InitialParameters initialParameters() {
    return start
        .<InitialParameters>map(GivenStart::described)
        .orElseGet(() -> new InitialParameters.Drawn(initialiser, initialSeed));
  }

  /** All defaults. */
  static TrainingOptions of(Network network, PrivacyPlan plan) {
    return new Draft(network, plan).options();
  }

  /** These options with another choice; they stay as they are. */
  TrainingOptions with(Consumer<Draft> choice) {
    Draft draft = new Draft(network, plan);
    draft.learningRate = learningRate;
    draft.rateFactors = rateFactors;
    draft.optimizer = optimizer;
    draft.weightDecay = weightDecay;
    draft.average = average;
    draft.noiseBeforeClipping = noiseBeforeClipping;
    draft.augmentation = augmentation;
    draft.transform = transform;
    draft.initialiser = initialiser;
    draft.initialSeed = initialSeed;
    draft.start = start;
    draft.first = first;
    draft.frozen = frozen;
    draft.clippingGroups = clippingGroups;
    draft.delta = delta;
    draft.declaredUnits = declaredUnits;
    draft.insecureSeed = insecureSeed;
    draft.otherPeople = otherPeople;
    draft.evaluateEvery = evaluateEvery;
    draft.listeners = listeners;
    draft.watchPrivate = watchPrivate;
    draft.stop = stop;
    draft.journal = journal;
    draft.checkpoints = checkpoints;
    draft.saveEvery = saveEvery;
    draft.engine = engine;
    draft.budgets = budgets;
    draft.use = use;
    choice.accept(draft);
    return draft.options();
  }

  /** Options that can be changed, beginning with the default of each. */
  static final class Draft {
    private final Network network;
    private final PrivacyPlan plan;
    Optional<Schedule> learningRate = Optional.empty();
    Map<String, Double> rateFactors = Map.of();
    Optimizer optimizer = new Optimizer.Sgd();
    WeightDecay weightDecay = new WeightDecay.None();
    OptionalDouble average = OptionalDouble.empty();
    double noiseBeforeClipping;
    Augmentation augmentation = Augmentation.NONE;
    Optional<GradientTransform> transform = Optional.empty();
    Initialiser initialiser = Initialiser.STANDARD;
    long initialSeed;
    Optional<GivenStart> start = Optional.empty();
    Optional<FirstRelease> first = Optional.empty();
    List<String> frozen = List.of();
    List<List<String>> clippingGroups = List.of();
    OptionalDouble delta = OptionalDouble.empty();
    OptionalLong declaredUnits = OptionalLong.empty();
    OptionalLong insecureSeed = OptionalLong.empty();
    boolean otherPeople;
    long evaluateEvery;
    List<Listener> listeners = List.of();
    boolean watchPrivate;
    Predicate<Event.Released> stop = event -> false;
    Optional<Path> journal = Optional.empty();
    Optional<Path> checkpoints = Optional.empty();
    long saveEvery;
    Optional<Engine> engine = Optional.empty();
    Supplier<Budget> budgets = Budget::unlimited;
    Optional<ModelUse> use = Optional.empty();

    private Draft(Network network, PrivacyPlan plan) {
      this.network = network;
      this.plan = plan;
    }

    private TrainingOptions options() {
      return new TrainingOptions(
          network,
          plan,
          learningRate,
          rateFactors,
          optimizer,
          weightDecay,
          average,
          noiseBeforeClipping,
          augmentation,
          transform,
          initialiser,
          initialSeed,
          start,
          first,
          frozen,
          clippingGroups,
          delta,
          declaredUnits,
          insecureSeed,
          otherPeople,
          evaluateEvery,
          listeners,
          watchPrivate,
          stop,
          journal,
          checkpoints,
          saveEvery,
          engine,
          budgets,
          use);
    }
  }
}
