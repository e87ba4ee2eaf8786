package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.Task;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.TrainingRows;
import dev.discreet.data.generate.GeneratedSets;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.OptimizerKind;
import dev.discreet.recipe.setting.PretrainSettings;
import java.io.IOException;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A phase on public data before the private one: without noise, and named as what it is. Only what
 * has a name is taken for public, and no row of it may be a private one.
 *
 * @param title of its data, as a statement shows it
 * @param trainer seeded, so that a run can be repeated and resumed: there is no one to protect
 */
record Pretraining(
    String title, Examples examples, double epochs, Trainer trainer, Into into, Transfer planned)
    implements RunStart {
  private static final ModelPrivacy UNTRAINED = ModelPrivacy.none("NOT PRIVATE: not trained yet.");

  static Pretraining of(
      EffectiveSettings choices,
      TrainingRows data,
      Into into,
      Engine engine,
      Consumer<String> progress)
      throws IOException {
    String name = choices.get(PretrainSettings.PRETRAIN_DATA).orElseThrow();
    Check.that(
        DataSets.names().contains(name),
        "pretrain data",
        "public, as named and generated sets are ("
            + String.join(", ", DataSets.names())
            + "), for this phase protects no one",
        name);
    long seed = choices.or(PretrainSettings.PRETRAIN_SEED);
    DataSet set = DataChoices.openBeside(choices, name, seed, progress);
    Examples examples = set.train().examples();
    Check.that(
        examples.input().equals(into.layout().input()),
        "shape of " + name,
        "that of the private data, " + into.layout().input(),
        examples.input());
    DataChoices.refuseOverlap(choices, examples, set.task(), data);
    Layout layout = headed(into, set.task());
    double epochs = choices.or(PretrainSettings.PRETRAIN_EPOCHS);
    PrivacyPlanBuilder builder =
        PrivacyPlan.nonPrivate()
            .lotSize(
                choices.or(
                    PretrainSettings.PRETRAIN_LOT_SIZE,
                    (double) Math.min(PretrainSettings.MOST_IN_A_LOT, examples.size())))
            .epochs(epochs);
    // Only steps with a threshold draw dropout masks by example. This threshold is never reached.
    PrivacyPlan plan = (layout.hasDropout() ? builder.clip(1e6) : builder).build();
    plan.forUnits(examples.size());
    OptimizerKind optimizer = choices.or(PretrainSettings.PRETRAIN_OPTIMIZER);
    Trainer trainer =
        Trainer.nonPrivate(layout.network(), plan)
            .engine(engine)
            .optimizer(optimizer.make())
            .learningRate(
                choices.or(
                    PretrainSettings.PRETRAIN_LEARNING_RATE,
                    optimizer.adaptive()
                        ? PretrainSettings.ADAM_RATE
                        : PretrainSettings.PLAIN_RATE))
            .initialiser(into.initialiser(), into.seed())
            .insecureSeed(seed);
    boolean generated = GeneratedSets.names().contains(name);
    String title = name + (generated ? ", generated from seed " + seed : ", a named public set");
    float[] untrained = layout.initial(into.initialiser(), into.seed());
    Transfer planned = into.from(new Model(layout, untrained, UNTRAINED)).declaredPublic(title);
    return new Pretraining(title, examples, epochs, trainer, into, planned);
  }

  /** The private network with a head for the public task, whose classes all count alike. */
  private static Layout headed(Into into, Task task) {
    Layout layout = ModelChoices.evenly(into.layout().network()).on(into.layout().input());
    if (ModelChoices.fits(layout, task)) {
      return layout;
    }
    Model any = new Model(layout, new float[layout.parameters()], UNTRAINED);
    Network network = Transfer.headReplaced(any, task.outputs()).network();
    Layout headed = network.on(layout.input());
    ModelChoices.check(headed, task);
    return headed;
  }

  @Override
  public Transfer ready(Consumer<String> progress, BooleanSupplier stop) {
    progress.accept("public phase on " + title + ": protects no one, and has no one to protect");
    Model model =
        trainer
            .listener(
                event -> {
                  if (event instanceof Event.EpochDone done) {
                    String all = Digits.plain(epochs);
                    progress.accept("public phase: epoch " + done.epoch() + " of " + all);
                  }
                })
            .stopWhen(event -> stop.getAsBoolean())
            .train(examples)
            .model();
    return into.from(model).declaredPublic(title);
  }

  @Override
  public String title() {
    return "public phase";
  }

  @Override
  public double drawnBefore() {
    return epochs * examples.size();
  }

  @Override
  public String words() {
    return String.format(
        Locale.ROOT,
        "%s epoch%s on %s: %,d public examples, non-private by name; %s begin there",
        Digits.plain(epochs),
        epochs == 1 ? "" : "s",
        title,
        examples.size(),
        RunStart.layers(planned));
  }

  /** Refuses settings of a public phase where none is asked for. */
  static void refuseWithout(EffectiveSettings choices) {
    choices.refuse(
        "needs --pretrain-data",
        PretrainSettings.PRETRAIN_SEED,
        PretrainSettings.PRETRAIN_EPOCHS,
        PretrainSettings.PRETRAIN_LOT_SIZE,
        PretrainSettings.PRETRAIN_OPTIMIZER,
        PretrainSettings.PRETRAIN_LEARNING_RATE);
  }
}
