package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.ResolvedPlan;
import java.util.Optional;

/** Refuses settings, plans and data that do not go together, before anything is spent. */
record Refusals(TrainingOptions options, ResolvedPlan plan) {

  /**
   * Refuses data whose units have examples that are not there, data that do not keep the plan's
   * promise, and rows to test on that have another shape than those to train on or that are
   * declared public and are among those. A number of units is refused that would tell of people.
   * Held-out rows whose score is released are data like those to train on.
   *
   * @param test null for none
   */
  static void people(TrainingOptions options, PrivateData data, TestSet test) {
    people(options, data);
    if (options.isPrivate()) {
      data.checkNumber(options.declaredUnits().isPresent(), "declared-units");
    }
    Optional.ofNullable(test)
        .flatMap(TestSet::released)
        .ifPresent(
            released -> {
              people(options, released.rows());
              released.rows().checkNumber(released.declared().isPresent(), "declared-held-out");
            });
    Check.that(
        test == null || test.input().equals(data.input()),
        "input of the test set",
        "that of the training set, " + data.input(),
        test == null ? null : test.input());
    if (test != null && test.isCompared() && options.isPrivate() && !options.otherPeople()) {
      // What is said of public rows goes into files.
      PublicPrivateOverlap.refuse(test.examples(), data);
    }
  }

  private static void people(TrainingOptions options, PrivateData data) {
    if (data instanceof LocalData local) {
      local.units().check(local.examples().size());
    }
    if (options.isPrivate()) {
      data.check(options.plan().neighbouring());
      data.check(options.plan().protects());
    }
  }

  /** Refuses settings with which no step could be taken. */
  void steps() {
    // Keys are not saved. New keys make new groups, and the units of an old group are then spread
    // over many.
    Check.that(
        !options.isPrivate()
            || options.checkpoints().isEmpty()
            || !plan.unit().equals(MicroBatches.UNIT),
        "checkpoints of a run that protects whole groups",
        "none: it could not be resumed, for its other part would have other groups",
        options.checkpoints().orElse(null));
    if (plan.overTime().isPresent()) {
      noiseOverTime();
    }
    Check.that(
        options.journal().isEmpty() || options.checkpoints().isEmpty(),
        "journal of a run with checkpoints",
        "none: it is kept in their folder",
        options.journal().orElse(null));
    double least = options.learningRate().orElseThrow().least(0, plan.steps() - 1);
    Check.that(least >= 0, "learning rate", "at least 0 at every step", least);
    options.optimizer().check(plan.steps(), options.weightDecay(), options.transform().isPresent());
  }

  private void noiseOverTime() {
    Check.that(
        options.checkpoints().isEmpty(),
        "checkpoints of a run with noise over time",
        "none: it could not be resumed, for a file with the noise that its steps share would lay"
            + " open what was released",
        options.checkpoints().orElse(null));
    Check.that(
        options.weightDecay().beforeClipping() == 0,
        "weight decay of a run with noise over time",
        "after clipping (what is clipped with the parameters has another sensitivity at each step)",
        options.weightDecay().beforeClipping());
    Check.that(
        !(options.optimizer() instanceof Optimizer.Langevin),
        "optimizer of a run with noise over time",
        "another (Langevin dynamics have independent noise)",
        options.optimizer());
  }

  /** Refuses what the run could not begin with. */
  void beginning(Layout layout, Engine engine) {
    options
        .start()
        .flatMap(GivenStart::input)
        .ifPresent(
            input ->
                Check.that(
                    input.equals(layout.input()),
                    "input of the examples",
                    "that of the model to start from",
                    layout.input()));
    options
        .first()
        .ifPresent(
            first -> {
              Check.that(
                  plan.microBatches().isEmpty(),
                  "plan of a run with a first release",
                  "without micro-batches (what one of them moves in that release is not accounted)",
                  "micro-batches of " + plan.microBatches().map(MicroBatches::size).orElse(1));
              first.check(layout);
              first.check(engine);
            });
  }
}
