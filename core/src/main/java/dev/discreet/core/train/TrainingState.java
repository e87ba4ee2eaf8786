package dev.discreet.core.train;

import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.optimize.MovingAverage;
import dev.discreet.core.optimize.OptimizerState;
import dev.discreet.core.train.internal.Thresholds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What changes in a run. All of it is computed from releases, so that files may keep it. */
final class TrainingState {
  final float[] theta;
  final OptimizerState optimizer;
  final Thresholds thresholds;
  // Null where none is asked for.
  private final MovingAverage average;

  /** Steps taken, or charged and lost. */
  long step;

  /** On the public test set, in order of time, those of earlier parts of the run included. */
  final List<Event.Evaluated> evaluations = new ArrayList<>();

  /** The released score of the model as it is now; empty where it has none. */
  Optional<NoisyScore> heldOut = Optional.empty();

  TrainingState(PreparedRun run) {
    TrainingOptions options = run.options();
    theta = run.initialParameters();
    optimizer =
        new OptimizerState(
            options.optimizer(),
            options.weightDecay().atUpdates(),
            theta.length,
            run.plan().groups(),
            run.ranges());
    thresholds = new Thresholds(run.plan());
    average =
        options.average().isPresent()
            ? new MovingAverage(options.average().getAsDouble(), theta)
            : null;
  }

  /** One step further, by a released gradient. */
  void move(float[] gradient, double rate, double[] variances) {
    optimizer.update(step, theta, gradient, rate, variances);
    if (average != null) {
      average.add(theta);
    }
    heldOut = Optional.empty();
    step++;
  }

  /** The parameters that the result will have, not a copy. */
  float[] model() {
    return average == null ? theta : average.mean();
  }

  /** Begins with the parameters as they are now. */
  void beginHere() {
    if (average != null) {
      average.restore(0, theta);
    }
  }

  /** An evaluation of the model as it is now; a later one of the same step counts. */
  void add(Event.Evaluated evaluation) {
    evaluations.removeIf(earlier -> earlier.step() == evaluation.step());
    evaluations.add(evaluation);
  }

  void restore(Checkpoint saved) {
    System.arraycopy(saved.theta(), 0, theta, 0, theta.length);
    optimizer.restore(saved.optimizerSteps(), saved.first(), saved.second(), saved.noise());
    if (average != null) {
      average.restore(saved.averagedSteps(), saved.average());
    }
    thresholds.restore(saved.thresholds());
    step = saved.step();
    heldOut = saved.heldOut();
    evaluations.addAll(saved.evaluations());
  }

  Checkpoint checkpoint(Map<String, String> configuration) {
    return new Checkpoint(
        configuration,
        step,
        theta,
        optimizer.steps(),
        optimizer.first,
        optimizer.second,
        optimizer.noise,
        thresholds.moved(),
        average == null ? 0 : average.steps(),
        average == null ? new float[0] : average.mean(),
        heldOut,
        List.copyOf(evaluations));
  }
}
