package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.model.Origin;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.GradientTransform;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.core.train.TrainingOptions.Draft;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
 * carries the ledger of the whole plan, so it holds whenever the run was stopped, also where
 * released values decided when. It does not hold where someone watched values without noise and let
 * them decide. What a run begins with is not in it: a run that begins with what is neither public
 * nor private is not private.
 */
@PublicApi
public final class Trainer {
  private final TrainingOptions options;

  private Trainer(TrainingOptions options) {
    this.options = options;
  }

  private Trainer with(Consumer<Draft> choice) {
    return new Trainer(options.with(choice));
  }

  TrainingOptions options() {
    return options;
  }

  /**
   * A private run. A plan without noise is refused: that is {@link #nonPrivate}.
   *
   * @param network what is trained
   * @param plan what the run may cost, and how it is spent
   * @return a trainer with all defaults
   */
  public static Trainer of(Network network, PrivacyPlan plan) {
    Check.that(
        plan.noise().isPrivate(),
        "plan",
        "private (a run without noise is asked for by name: Trainer.nonPrivate)",
        "a plan without noise");
    return new Trainer(TrainingOptions.of(network, plan));
  }

  /**
   * A run that protects no one, and whose result says so first.
   *
   * @param network what is trained
   * @param plan made by {@link PrivacyPlan#nonPrivate}; it may still clip
   * @return a trainer with all defaults
   */
  public static Trainer nonPrivate(Network network, PrivacyPlan plan) {
    Check.that(
        !plan.noise().isPrivate(),
        "plan of a non-private run",
        "without noise (PrivacyPlan.nonPrivate)",
        "a private plan");
    return new Trainer(TrainingOptions.of(network, plan));
  }

  /**
   * One learning rate for all steps.
   *
   * @param rate η, greater than 0
   * @return that trainer; this one stays as it is
   */
  public Trainer learningRate(double rate) {
    return learningRate(Schedule.constant(rate));
  }

  /**
   * By step, from 0.
   *
   * @param rate η at each step
   * @return that trainer; this one stays as it is
   */
  public Trainer learningRate(Schedule rate) {
    return with(draft -> draft.learningRate = Optional.of(rate));
  }

  /**
   * How gradients move the parameters; by plain SGD unless told.
   *
   * @param optimizer the way
   * @return that trainer; this one stays as it is
   */
  public Trainer optimizer(Optimizer optimizer) {
    return with(draft -> draft.optimizer = optimizer);
  }

  /**
   * How parameters are pulled to zero; not at all unless told.
   *
   * @param decay the way
   * @return that trainer; this one stays as it is
   */
  public Trainer weightDecay(WeightDecay decay) {
    return with(draft -> draft.weightDecay = decay);
  }

  /**
   * The model is the exponential moving average of the parameters after each step. Its start is
   * corrected for, so a run shorter than its memory gets a plain mean.
   *
   * @param decay in [0, 1); 0.999 remembers about a thousand steps
   * @return that trainer; this one stays as it is
   */
  public Trainer ema(double decay) {
    return with(draft -> draft.average = OptionalDouble.of(decay));
  }

  /**
   * Layers that keep their parameters: names as in the layout, {@code "0"} or {@code "3.body"}.
   *
   * @param layers their names
   * @return that trainer; this one stays as it is
   */
  public Trainer freeze(String... layers) {
    return with(draft -> draft.frozen = List.of(layers));
  }

  /**
   * Which layers each clipping group of the plan has, by name. Unless told, a plan with one group
   * has all in it, and a plan with as many groups as there are trainable layers has one for each.
   *
   * @param layers for each group, the names of its layers
   * @return that trainer; this one stays as it is
   */
  public Trainer clippingGroups(List<List<String>> layers) {
    return with(draft -> draft.clippingGroups = layers);
  }

  /**
   * How parameters begin. They are public; the seed is 0 unless told.
   *
   * @param initialiser the way
   * @param seed of the random numbers
   * @return that trainer; this one stays as it is
   */
  public Trainer initialiser(Initialiser initialiser, long seed) {
    return with(
        draft -> {
          draft.initialiser = initialiser;
          draft.initialSeed = seed;
        });
  }

  /**
   * Begins with these parameters, which are thereby declared public. What a run has learned is none
   * of them: that is a {@link Transfer}.
   *
   * @param parameters layer after layer
   * @param what they are, in a few words, which statement, provenance and model repeat
   * @return that trainer; this one stays as it is
   */
  public Trainer startFromPublic(float[] parameters, String what) {
    return start(new GivenStart(parameters, Origin.declared(what), Optional.empty()));
  }

  /**
   * Begins with what another model has learned. Only this run's data is accounted; statement,
   * provenance and model say what the start was and what it says of itself. A private run refuses
   * one that is neither private by its own line nor declared public.
   *
   * @param transfer the start
   * @return that trainer; this one stays as it is
   */
  public Trainer startFrom(Transfer transfer) {
    Check.that(
        !options.isPrivate() || transfer.isPublicOrPrivate(),
        "model that a private run starts from",
        "private too, or declared public (Transfer.declaredPublic), or taken by name for what it is"
            + " (Trainer.startFromNotPrivate)",
        transfer.privacy());
    return start(GivenStart.of(transfer, transfer.origin(), options.network()));
  }

  /**
   * Begins with what another model has learned that is neither private nor declared public. What
   * comes out is not private whatever this run adds, and everything says so first.
   *
   * @param transfer the start
   * @return that trainer; this one stays as it is
   */
  public Trainer startFromNotPrivate(Transfer transfer) {
    return start(GivenStart.of(transfer, transfer.origin().notPrivate(), options.network()));
  }

  private Trainer start(GivenStart given) {
    return with(draft -> draft.start = Optional.of(given));
  }

  /**
   * Learning rates of layers, as factors of the scheduled one: names are those of {@link #freeze},
   * and where two names fit a layer the longer one decides. A layer that is to stand still is
   * frozen instead: it then gets no noise, and costs no time.
   *
   * @param factors by the names of layers
   * @return that trainer; this one stays as it is
   */
  public Trainer rateFactors(Map<String, Double> factors) {
    return with(draft -> draft.rateFactors = factors);
  }

  /**
   * Draws lots and noise from a seed that anyone can guess: the run can be repeated to the bit and
   * protects no one, and everything that it puts out says so.
   *
   * @param seed the same seed gives the same run
   * @return that trainer; this one stays as it is
   */
  public Trainer insecureSeed(long seed) {
    return with(draft -> draft.insecureSeed = OptionalLong.of(seed));
  }

  /**
   * Noise on each unit's gradient before it is clipped; against clipping's bias, not for privacy.
   *
   * @param deviation the standard deviation of the noise on each coordinate
   * @return that trainer; this one stays as it is
   */
  public Trainer noiseBeforeClipping(double deviation) {
    return with(draft -> draft.noiseBeforeClipping = deviation);
  }

  /**
   * Views of an image that a step looks at in its place. Predictions and evaluations have none.
   *
   * @param augmentation what the views are, and how many
   * @return that trainer; this one stays as it is
   */
  public Trainer augmentation(Augmentation augmentation) {
    return with(draft -> draft.augmentation = augmentation);
  }

  /**
   * Changes each mean gradient after its release: post-processing, and free. A run whose private
   * examples are among the transform's public ones is refused, unless {@link
   * #publicRowsAreOtherPeople} declares that they only look so.
   *
   * @param transform the change
   * @return that trainer; this one stays as it is
   */
  public Trainer transform(GradientTransform transform) {
    return with(draft -> draft.transform = Optional.of(transform));
  }

  /**
   * Declares that public examples which look like private ones are other people's, as in tables of
   * few values they often are: they are not compared then. The run records it, and its statement
   * repeats it.
   *
   * @return that trainer; this one stays as it is
   */
  public Trainer publicRowsAreOtherPeople() {
    return with(draft -> draft.otherPeople = true);
  }

  /**
   * Makes a release in the run's own session before the first step, and begins with what it gives.
   * The plan must have it besides its steps. Layers that are to stay as released are frozen.
   *
   * @param release what is released first
   * @return that trainer; this one stays as it is
   */
  public Trainer first(FirstRelease release) {
    return with(draft -> draft.first = Optional.of(release));
  }

  /**
   * The δ to state where the plan has no target. Unless told it is made from the public number of
   * units: {@link dev.discreet.accounting.calibration.DefaultDelta}.
   *
   * @param delta δ
   * @return that trainer; this one stays as it is
   */
  public Trainer delta(double delta) {
    return with(draft -> draft.delta = OptionalDouble.of(delta));
  }

  /**
   * Declares a public number of units, which the plan is resolved for. Unless told it is the number
   * there is: that is then taken as public, and the statement says so. The data may have some units
   * more or less; with far more than declared, a lot could be too large for its sum's stated
   * sensitivity, and the run is refused before anything is spent.
   *
   * @param units how many
   * @return that trainer; this one stays as it is
   */
  public Trainer declaredUnits(long units) {
    return with(draft -> draft.declaredUnits = OptionalLong.of(units));
  }

  /**
   * Evaluates after every so many steps; every epoch unless told. The last step is always
   * evaluated.
   *
   * @param steps at least 1
   * @return that trainer; this one stays as it is
   */
  public Trainer evaluateEvery(long steps) {
    Check.that(steps >= 1, "steps between evaluations", "at least 1", steps);
    return with(draft -> draft.evaluateEvery = steps);
  }

  /**
   * Steps between evaluations; 0 for every epoch.
   *
   * @return at least 0
   */
  public long evaluateEvery() {
    return options.evaluateEvery();
  }

  /**
   * One more listener.
   *
   * @param listener is told what happens
   * @return that trainer; this one stays as it is
   */
  public Trainer listener(Listener listener) {
    return with(
        draft ->
            draft.listeners =
                Stream.concat(draft.listeners.stream(), Stream.of(listener)).toList());
  }

  /**
   * Tells {@link Event.OperatorOnly} events while the run can still be stopped, and not only after
   * its last step. The result says that it was watched: when such a run stopped may depend on
   * un-noised values, and is outside the guarantee.
   *
   * @return that trainer; this one stays as it is
   */
  public Trainer watchPrivate() {
    return with(draft -> draft.watchPrivate = true);
  }

  /**
   * Stops when this is true of an event. It sees released values only, and the result states the
   * whole plan's cost whenever that was: the moment may depend on all that was released before.
   *
   * @param condition asked after each event
   * @return that trainer; this one stays as it is
   */
  public Trainer stopWhen(Predicate<Event.Released> condition) {
    return with(draft -> draft.stop = condition);
  }

  /**
   * Keeps the ledger's journal in a new file, durable from before the first release. Unless this or
   * {@link #checkpoints} is asked for, a crash takes the ledger with it.
   *
   * @param file where there is none yet
   * @return that trainer; this one stays as it is
   */
  public Trainer journal(Path file) {
    return with(draft -> draft.journal = Optional.of(file));
  }

  /**
   * Keeps the ledger's journal in a folder and, after every so many steps, what {@link #resume}
   * needs. The folder is the operator's: a crash in mid-run loses the steps since the last
   * checkpoint, and they stay charged.
   *
   * @param folder of the operator
   * @param everySteps at least 1
   * @return that trainer; this one stays as it is
   */
  public Trainer checkpoints(Path folder, long everySteps) {
    return with(
        draft -> {
          draft.checkpoints = Optional.of(folder);
          draft.saveEvery = everySteps;
        });
  }

  /**
   * What raw rows and outputs mean, for whoever will use the model: it carries this with it. The
   * examples to train on are inputs already, and are not changed by it.
   *
   * @param use what goes into the model and what comes out
   * @return that trainer; this one stays as it is
   */
  public Trainer use(ModelUse use) {
    return with(draft -> draft.use = Optional.of(use));
  }

  /**
   * Who computes gradients; this machine's cores unless told.
   *
   * @param engine who computes
   * @return that trainer; this one stays as it is
   */
  public Trainer engine(Engine engine) {
    return with(draft -> draft.engine = Optional.of(engine));
  }

  /**
   * What the run may spend; unless told, all that its plan states. A run that may not spend that is
   * refused before its first release, and leaves no file behind.
   *
   * @param budgets gives a budget of its own to each run that is started or resumed
   * @return that trainer; this one stays as it is
   */
  public Trainer budget(Supplier<Budget> budgets) {
    return with(draft -> draft.budgets = budgets);
  }

  /**
   * Makes everything ready and refuses what cannot work; nothing is spent and nothing is written.
   * With a target this looks for the noise, some tenths of a second.
   *
   * @param rows what to train on
   * @param test null for none
   * @return the run, to be started
   */
  public PreparedRun prepare(PrivateData rows, TestSet test) {
    return PreparedRun.of(this, rows, test, Optional.empty());
  }

  /**
   * As the other, where the plan is resolved already: no noise is looked for.
   *
   * @param rows what to train on
   * @param test null for none
   * @param resolved what {@link TestSet#planned} with this trainer's plan gave for the declared
   *     number of units
   * @return the run, to be started
   */
  public PreparedRun prepare(PrivateData rows, TestSet test, ResolvedPlan resolved) {
    return PreparedRun.of(this, rows, test, Optional.of(resolved));
  }

  /**
   * Trains on rows that say whose they are, without a test set.
   *
   * @param rows what to train on
   * @return the trained model and what it cost
   */
  public Result train(PrivateData rows) {
    return train(rows, null);
  }

  /**
   * Trains on rows that say whose they are.
   *
   * @param rows what to train on
   * @param test null for none
   * @return the trained model and what it cost
   */
  public Result train(PrivateData rows, TestSet test) {
    return prepare(rows, test).start();
  }

  /**
   * Trains on examples that are a unit each, without a test set.
   *
   * @param train what to train on
   * @return the trained model and what it cost
   */
  public Result train(Examples train) {
    return train(train, null);
  }

  /**
   * Trains on examples that are a unit each. A plan that names another unit is refused, unless it
   * declares that each has one row.
   *
   * @param train what to train on
   * @param test null for none
   * @return the trained model and what it cost
   */
  public Result train(Examples train, TestSet test) {
    return train(train, Units.each(train.size()), test);
  }

  /**
   * Trains on examples of which each unit may have several.
   *
   * @param train what to train on
   * @param units whom the plan protects, and which examples each has
   * @param test null for none
   * @return the trained model and what it cost
   */
  public Result train(Examples train, Units units, TestSet test) {
    return train(PrivateData.of(train, units), test);
  }

  /**
   * Goes on with a run on examples that are a unit each.
   *
   * @param train what the run was trained on
   * @param test null for none
   * @return the trained model and what it cost
   */
  public Result resume(Examples train, TestSet test) {
    return resume(train, Units.each(train.size()), test);
  }

  /**
   * Goes on with a run on examples of which each unit may have several.
   *
   * @param train what the run was trained on
   * @param units whom the plan protects, and which examples each has
   * @param test null for none
   * @return the trained model and what it cost
   */
  public Result resume(Examples train, Units units, TestSet test) {
    return resume(PrivateData.of(train, units), test);
  }

  /**
   * Goes on with a run of the same settings that was cut short: {@link PreparedRun#resume}.
   *
   * @param rows what the run was trained on
   * @param test null for none
   * @return the trained model and what it cost
   */
  public Result resume(PrivateData rows, TestSet test) {
    return prepare(rows, test).resume();
  }
}
