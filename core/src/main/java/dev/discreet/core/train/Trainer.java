package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Origin;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.GradientTransform;
import dev.discreet.core.optimize.MovingAverage;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.schedule.Schedule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Trains a network under a plan. A trainer is a description: every setting gives a new one, and
 * {@link #train} may be called any number of times, each call with keys, a ledger and a budget of
 * its own.
 *
 * <pre>{@code
 * Result result = Trainer.of(network, plan).learningRate(0.5).train(trainSet, testSet);
 * }</pre>
 *
 * <p><b>Formal guarantee.</b> The result, its files and every {@link Event.Released} depend on the
 * training examples, and on test examples that are not public, only through releases of a {@link
 * dev.discreet.core.privacy.PrivacySession}; no more steps are taken than the plan has. The result
 * carries the ledger of the whole plan, so that it holds whenever the run was stopped, and by
 * whatever was released before; not if un-noised values were watched and steered. What a run begins
 * with is not in it: a run that begins with what is neither public nor private is not private.
 */
public final class Trainer {
  final Network network;
  final PrivacyPlan plan;
  final boolean isPrivate;
  Schedule learningRate;
  Optimizer optimizer = new Optimizer.Sgd();
  WeightDecay weightDecay = new WeightDecay.None();
  OptionalDouble average = OptionalDouble.empty();
  List<String> frozen = List.of();
  List<List<String>> clippingGroups = List.of();
  Initialiser initialiser = Initialiser.PYTORCH_UNIFORM;
  long initialSeed;
  // Null for new parameters; the shape also where any will do.
  float[] start;
  Origin origin;
  Shape startInput;
  Map<String, Double> rateFactors = Map.of();
  OptionalLong insecureSeed = OptionalLong.empty();
  double noiseBeforeClipping;
  // Null for none.
  GradientTransform transform;
  FirstRelease first;
  OptionalDouble delta = OptionalDouble.empty();
  boolean otherPeople;
  long declaredUnits;
  long evaluateEvery;
  List<Listener> listeners = List.of();
  boolean watchPrivate;
  Predicate<Event.Released> stop = event -> false;
  Path journal;
  Path folder;
  long saveEvery;
  Engine engines = Engine.standard();

  private Trainer(Network network, PrivacyPlan plan, boolean isPrivate) {
    this.network = network;
    this.plan = plan;
    this.isPrivate = isPrivate;
  }

  private Trainer(Trainer from) {
    this(from.network, from.plan, from.isPrivate);
    learningRate = from.learningRate;
    optimizer = from.optimizer;
    weightDecay = from.weightDecay;
    average = from.average;
    frozen = from.frozen;
    clippingGroups = from.clippingGroups;
    initialiser = from.initialiser;
    initialSeed = from.initialSeed;
    start = from.start;
    origin = from.origin;
    startInput = from.startInput;
    rateFactors = from.rateFactors;
    insecureSeed = from.insecureSeed;
    noiseBeforeClipping = from.noiseBeforeClipping;
    transform = from.transform;
    first = from.first;
    otherPeople = from.otherPeople;
    delta = from.delta;
    declaredUnits = from.declaredUnits;
    evaluateEvery = from.evaluateEvery;
    listeners = from.listeners;
    watchPrivate = from.watchPrivate;
    stop = from.stop;
    journal = from.journal;
    folder = from.folder;
    saveEvery = from.saveEvery;
    engines = from.engines;
  }

  /** A private run. A plan without noise is refused: that is {@link #nonPrivate}. */
  public static Trainer of(Network network, PrivacyPlan plan) {
    Check.that(
        plan.noise().isPrivate(),
        "plan",
        "private (a run without noise is asked for by name: Trainer.nonPrivate)",
        "a plan without noise");
    return new Trainer(network, plan, true);
  }

  /**
   * A run that protects no one, and whose result says so first.
   *
   * @param plan made by {@link PrivacyPlan#nonPrivate}; it may still clip
   */
  public static Trainer nonPrivate(Network network, PrivacyPlan plan) {
    Check.that(
        !plan.noise().isPrivate(),
        "plan of a non-private run",
        "without noise (PrivacyPlan.nonPrivate)",
        "a private plan");
    return new Trainer(network, plan, false);
  }

  public Trainer learningRate(double rate) {
    return learningRate(Schedule.constant(rate));
  }

  /** By step, from 0. */
  public Trainer learningRate(Schedule rate) {
    Trainer next = new Trainer(this);
    next.learningRate = rate;
    return next;
  }

  public Trainer optimizer(Optimizer optimizer) {
    Trainer next = new Trainer(this);
    next.optimizer = optimizer;
    return next;
  }

  public Trainer weightDecay(WeightDecay decay) {
    Trainer next = new Trainer(this);
    next.weightDecay = decay;
    return next;
  }

  /**
   * The model is the exponential moving average of the parameters after each step. Its start is
   * corrected for, so a run shorter than its memory gets a plain mean.
   *
   * @param decay in [0, 1); 0.999 remembers about a thousand steps
   */
  public Trainer ema(double decay) {
    Trainer next = new Trainer(this);
    next.average = OptionalDouble.of(MovingAverage.checkDecay(decay));
    return next;
  }

  /** Layers that keep their parameters: names as in the layout, {@code "0"} or {@code "3.body"}. */
  public Trainer freeze(String... layers) {
    Trainer next = new Trainer(this);
    next.frozen = List.of(layers);
    return next;
  }

  /**
   * Which layers each clipping group of the plan has, by name. Unless told, a plan with one group
   * has all in it, and a plan with as many groups as there are trainable layers has one for each.
   */
  public Trainer clippingGroups(List<List<String>> layers) {
    Trainer next = new Trainer(this);
    next.clippingGroups = layers.stream().map(List::copyOf).toList();
    return next;
  }

  /** How parameters begin. They are public; the seed is 0 unless told. */
  public Trainer initialiser(Initialiser initialiser, long seed) {
    Trainer next = new Trainer(this);
    next.initialiser = initialiser;
    next.initialSeed = seed;
    return next;
  }

  /**
   * Begins with these parameters, which are thereby declared public. What a run has learned is none
   * of them: that is a {@link Transfer}.
   *
   * @param what they are, in a few words, which statement, provenance and model repeat
   */
  public Trainer startFromPublic(float[] parameters, String what) {
    Trainer next = new Trainer(this);
    next.start = parameters.clone();
    next.origin = Origin.declared(what);
    next.startInput = null;
    return next;
  }

  /**
   * Begins with what another model has learned. Only this run's data is accounted; statement,
   * provenance and model say what the start was and what it says of itself. A private run refuses
   * one that is neither private by its own line nor declared public.
   */
  public Trainer startFrom(Transfer transfer) {
    Check.that(
        !isPrivate || transfer.isPublicOrPrivate(),
        "model that a private run starts from",
        "private too, or declared public (Transfer.declaredPublic), or taken by name for what it is"
            + " (Trainer.startFromNotPrivate)",
        transfer.privacy());
    return startFrom(transfer, transfer.origin());
  }

  /**
   * Begins with what another model has learned that is neither private nor declared public. What
   * comes out is not private whatever this run adds, and everything says so first.
   */
  public Trainer startFromNotPrivate(Transfer transfer) {
    return startFrom(
        transfer, new Origin(Origin.Standing.NOT_PRIVATE, transfer.origin().provenance()));
  }

  private Trainer startFrom(Transfer transfer, Origin origin) {
    Check.that(
        network.equals(transfer.network()),
        "network",
        "that of the transfer, " + transfer.network(),
        network);
    Trainer next = new Trainer(this);
    next.start = transfer.start();
    next.origin = origin;
    next.startInput = transfer.input();
    return next;
  }

  /**
   * Learning rates of layers, as factors of the scheduled one: names as in {@link #freeze}, and of
   * two that fit the longer decides. A layer that is to stand still is frozen instead: it then gets
   * no noise, and costs no time.
   */
  public Trainer rateFactors(Map<String, Double> factors) {
    factors.forEach(
        (layer, factor) ->
            Check.that(
                factor > 0 && Double.isFinite(factor),
                "rate factor of layer " + layer,
                "finite and greater than 0 (freeze a layer that is not to move)",
                factor));
    Trainer next = new Trainer(this);
    next.rateFactors = new TreeMap<>(factors);
    return next;
  }

  /**
   * Draws lots and noise from a seed that anyone can guess: the run can be repeated to the bit and
   * protects no one, and everything that it puts out says so.
   */
  public Trainer insecureSeed(long seed) {
    Trainer next = new Trainer(this);
    next.insecureSeed = OptionalLong.of(seed);
    return next;
  }

  /**
   * Noise on each unit's gradient before it is clipped; against clipping's bias, not for privacy.
   */
  public Trainer noiseBeforeClipping(double deviation) {
    Trainer next = new Trainer(this);
    next.noiseBeforeClipping = Check.nonNegative(deviation, "noise before clipping");
    return next;
  }

  /**
   * Changes each mean gradient after its release: post-processing, and free. A run whose private
   * examples are among the transform's public ones is refused, unless {@link
   * #publicRowsAreOtherPeople} declares that they only look so.
   */
  public Trainer transform(GradientTransform transform) {
    Trainer next = new Trainer(this);
    next.transform = transform;
    return next;
  }

  /**
   * Declares that public examples which look like private ones are other people's, as in tables of
   * few values they often are: they are not compared then. The run records it, and its statement
   * repeats it.
   */
  public Trainer publicRowsAreOtherPeople() {
    Trainer next = new Trainer(this);
    next.otherPeople = true;
    return next;
  }

  /**
   * Makes a release in the run's own session before the first step, and begins with what it gives.
   * The plan must have it besides its steps. Layers that are to stay as released are frozen.
   */
  public Trainer first(FirstRelease release) {
    Check.that(
        plan.besides().contains(release.mechanism()),
        "plan",
        "one that has the first release besides its steps (PrivacyPlan.besides)",
        plan.besides());
    Trainer next = new Trainer(this);
    next.first = release;
    return next;
  }

  /**
   * The δ to state where the plan has no target. Unless told it is made from the public number of
   * units: {@link dev.discreet.accounting.calibration.DefaultDelta}.
   */
  public Trainer delta(double delta) {
    Trainer next = new Trainer(this);
    next.delta = OptionalDouble.of(Check.delta(delta));
    return next;
  }

  /**
   * Declares a public number of units, which the plan is resolved for. Unless told it is the number
   * there is: that is then taken as public, and the statement says so. The data may have some units
   * more or less; with far more than declared, a lot could be too large for its sum's stated
   * sensitivity, and the run is refused before anything is spent.
   */
  public Trainer declaredUnits(long units) {
    Check.that(units >= 1, "declared units", "at least 1", units);
    Trainer next = new Trainer(this);
    next.declaredUnits = units;
    return next;
  }

  /** Evaluates after every so many steps; every epoch unless told. The last step always is. */
  public Trainer evaluateEvery(long steps) {
    Check.that(steps >= 1, "steps between evaluations", "at least 1", steps);
    Trainer next = new Trainer(this);
    next.evaluateEvery = steps;
    return next;
  }

  /** Steps between evaluations; 0 for every epoch. */
  public long evaluateEvery() {
    return evaluateEvery;
  }

  /** One more listener. */
  public Trainer listener(Listener listener) {
    Trainer next = new Trainer(this);
    next.listeners = new ArrayList<>(listeners);
    next.listeners.add(listener);
    return next;
  }

  /**
   * Tells {@link Event.OperatorOnly} events while the run can still be stopped, and not only after
   * its last step. The result says that it was watched: when such a run stopped may depend on
   * un-noised values, and is outside the guarantee.
   */
  public Trainer watchPrivate() {
    Trainer next = new Trainer(this);
    next.watchPrivate = true;
    return next;
  }

  /**
   * Stops when this is true of an event. It sees released values only, and the result states the
   * whole plan's cost whenever that was: the moment may depend on all that was released before.
   */
  public Trainer stopWhen(Predicate<Event.Released> condition) {
    Trainer next = new Trainer(this);
    next.stop = condition;
    return next;
  }

  /**
   * Keeps the ledger's journal in a new file, durable from before the first release. Unless this or
   * {@link #checkpoints} is asked for, a crash takes the ledger with it.
   */
  public Trainer journal(Path file) {
    Trainer next = new Trainer(this);
    next.journal = file;
    return next;
  }

  /**
   * Keeps the ledger's journal in a folder and, after every so many steps, what {@link #resume}
   * needs. The folder is the operator's: a crash in mid-run loses the steps since the last
   * checkpoint, and they stay charged.
   */
  public Trainer checkpoints(Path folder, long everySteps) {
    Check.that(everySteps >= 1, "steps between checkpoints", "at least 1", everySteps);
    Trainer next = new Trainer(this);
    next.folder = folder;
    next.saveEvery = everySteps;
    return next;
  }

  /** Where gradients come from; this machine's cores unless told. */
  public Trainer engine(Engine engines) {
    Trainer next = new Trainer(this);
    next.engines = engines;
    return next;
  }

  /** Trains on rows that say whose they are, without a test set. */
  public Result train(PrivateData rows) {
    return train(rows, null);
  }

  /**
   * Trains on rows that say whose they are.
   *
   * @param test null for none
   */
  public Result train(PrivateData rows, TestSet test) {
    return new TrainingRun(this, rows, test).train(false);
  }

  /** Trains on examples that are a unit each, without a test set. */
  public Result train(Examples train) {
    return train(train, null);
  }

  /**
   * Trains on examples that are a unit each. A plan that names another unit is refused, unless it
   * declares that each has one row.
   */
  public Result train(Examples train, TestSet test) {
    return train(train, Units.each(train.size()), test);
  }

  /**
   * @param units whom the plan protects, and which examples each has
   * @param test null for none
   */
  public Result train(Examples train, Units units, TestSet test) {
    return train(PrivateData.of(train, units), test);
  }

  /** Goes on with a run on examples that are a unit each. */
  public Result resume(Examples train, TestSet test) {
    return resume(train, Units.each(train.size()), test);
  }

  public Result resume(Examples train, Units units, TestSet test) {
    return resume(PrivateData.of(train, units), test);
  }

  /**
   * Goes on with a run of the same settings that was cut short, from its last checkpoint. It draws
   * new keys; steps that were charged and lost are not taken again.
   */
  public Result resume(PrivateData rows, TestSet test) {
    Check.that(folder != null, "checkpoints", "set, to resume from", "none");
    return new TrainingRun(this, rows, test).train(true);
  }
}
