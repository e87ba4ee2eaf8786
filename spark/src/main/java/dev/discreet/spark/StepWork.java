package dev.discreet.spark;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.PartialSums;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import java.io.Serializable;

/**
 * What executors know of a run: enough to sum over units. They never hear of noise.
 *
 * @param run a name of its own for the run, by which an executor finds its buffers again
 * @param lanes of the driver
 * @param threads of one task
 */
record StepWork(
    String run,
    Layout layout,
    UnitRule rule,
    int targets,
    Sampler sampler,
    Grid grid,
    int lanes,
    int threads)
    implements Serializable {

  PartialSums open() {
    return Engine.named("cpu")
        .withThreads(threads)
        .partialSums(layout, rule, targets, sampler, grid, lanes);
  }

  /** One step, as it is sent to the executors; its text tells nothing. */
  static final class Step implements Serializable {
    private final StepWork work;
    private final long release;
    private final float[] parameters;
    private final double[] thresholds;
    private final double noiseBeforeClipping;
    private final byte[] secret;
    // One for all tasks of an executor.
    private transient StepRequest request;

    Step(StepWork work, StepRequest of) {
      this.work = work;
      this.release = of.release();
      this.parameters = of.parameters();
      this.thresholds = of.thresholds();
      this.noiseBeforeClipping = of.noiseBeforeClipping();
      this.secret = of.key().forWorkers();
    }

    StepWork work() {
      return work;
    }

    synchronized StepRequest request() {
      if (request == null) {
        request =
            new StepRequest(
                release, parameters, thresholds, SamplingKey.ofWorker(secret), noiseBeforeClipping);
      }
      return request;
    }
  }
}
