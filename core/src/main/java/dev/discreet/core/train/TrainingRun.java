package dev.discreet.core.train;

import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepClock;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.optimize.GradientTransform;
import dev.discreet.core.optimize.ParameterRange;
import dev.discreet.core.parallel.ThreadTeam;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.train.internal.MeanGradients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BiFunction;

/** The loop of a run. What it begins with, how it is evaluated and what is kept stand beside it. */
final class TrainingRun {
  private final PreparedRun run;
  private final TrainingOptions options;
  private final ResolvedPlan plan;
  private final RunListeners listeners;
  private final TrainingState state;
  private final StepClock clock = new StepClock();

  TrainingRun(PreparedRun run) {
    this.run = run;
    this.options = run.options();
    this.plan = run.plan();
    this.listeners = new RunListeners(options, options.watchPrivate() || !options.isPrivate());
    this.state = new TrainingState(run);
  }

  Result train(boolean resumed) {
    return train(resumed, this::result);
  }

  /** Takes the steps, and charges them, for their events alone: what they cost is not stated. */
  void rehearse() {
    train(false, (session, evaluator) -> null);
  }

  private Result train(boolean resumed, BiFunction<PrivacySession, Evaluator, Result> end) {
    // An engine whose threads are elsewhere, 0 here, leaves all of this machine's to the rest.
    int threads = run.engine().threads();
    int here = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
    try (ThreadTeam team = ThreadTeam.forThisThread(here);
        Evaluator evaluator = new Evaluator(run, listeners, state.theta);
        GradientTransform.Running transform = StepGradients.transform(run);
        RunSession opened = RunSession.open(run, resumed)) {
      PrivacySession session = opened.session();
      CheckpointFolder checkpoints =
          new CheckpointFolder(run, run.promise().carried(run.promise().mark(session)));
      PrivateData rows = rows();
      StartingPoint from = StartingPoint.of(run, opened, rows, state, checkpoints, resumed);
      evaluator.isScored(from.scored());
      if (resumed) {
        listeners.announce(new Event.Resumed(state.step, from.lost(), evaluator.score(state)));
      }
      try (MeanGradients gradients = StepGradients.of(run, rows, session, state.thresholds)) {
        gradients.timedBy(clock);
        loop(gradients, transform, evaluator, checkpoints);
      }
      evaluator.release(session, state, checkpoints);
      if (isOver()) {
        listeners.end();
      }
      return end.apply(session, evaluator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a first release and the steps share is computed before either. */
  private PrivateData rows() {
    return options.first().isPresent()
        ? run.engine().features(run.layout(), run.data(), run.rule().augmentation())
        : run.data();
  }

  /** Whether nobody can decide any more how long it is. One that can be resumed is not over. */
  private boolean isOver() {
    return state.step == plan.steps() || options.checkpoints().isEmpty();
  }

  private void loop(
      MeanGradients gradients,
      GradientTransform.Running transform,
      Evaluator evaluator,
      CheckpointFolder checkpoints)
      throws IOException {
    float[] gradient = new float[state.theta.length];
    double[] variances = new double[plan.groups()];
    long first = state.step;
    long refused = 0;
    boolean evaluated = false;
    while (state.step < plan.steps() && !listeners.stopped()) {
      clock.begin();
      double rate = options.learningRate().orElseThrow().at(state.step);
      gradients.at(state.step, state.theta, gradient, variances);
      if (transform != null) {
        transform.apply(state.step, state.theta, gradient);
      }
      state.move(gradient, rate, variances);
      clock.spent(StepPhase.UPDATE);
      long step = state.step;
      listeners.tell(
          new Event.StepDone(
              step, plan.steps(), rate, ParameterRange.norm(run.ranges(), gradient)));
      if (plan.adaptive().isPresent()) {
        listeners.tell(new Event.ThresholdsMoved(step, state.thresholds.moved()));
      }
      listeners.tell(new Event.Timing(step, 1, clock.seconds(), clock.phases()));
      if (gradients.refusedUnits() > refused) {
        refused = gradients.refusedUnits();
        listeners.tell(new Event.RefusedUnits(step, refused, (step - first) * plan.expectedLot()));
      }
      long epoch = epochs(step);
      boolean wholeEpoch = epoch > epochs(step - 1);
      if (wholeEpoch) {
        listeners.tell(new Event.EpochDone(step, epoch));
      }
      long every = options.evaluateEvery();
      evaluated = evaluator.onTheWay() && (every == 0 ? wholeEpoch : step % every == 0);
      if (evaluated) {
        evaluator.evaluate(state);
      }
      checkpoints.saveIfDue(state);
    }
    // Before the last evaluation: a run that is gone on with has it at its end, and not on its way.
    checkpoints.save(state);
    if (!evaluated && (evaluator.onTheWay() || isOver())) {
      evaluator.evaluate(state);
    }
  }

  /** How many epochs are whole; one that a rounding keeps a hair below counts. */
  private long epochs(long steps) {
    return (long) (steps * (plan.expectedLot() / plan.sampler().units()) * (1 + 1e-12));
  }

  private Result result(PrivacySession session, Evaluator evaluator) {
    RunPromise promise = run.promise();
    Privacy privacy =
        promise.privacy(session, run::statement, state.step, evaluator.statement(state.heldOut));
    return new Result(
        privacy,
        new Model(run.layout(), state.model(), promise.ofModel(privacy), options.use()),
        state.step,
        evaluator.evaluations(state),
        new Provenance(run.configuration(), promise.seeds(session), Provenance.thisVersion()),
        state.heldOut);
  }
}
