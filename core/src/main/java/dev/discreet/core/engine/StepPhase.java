package dev.discreet.core.engine;

import dev.discreet.accounting.PublicApi;

/**
 * What a training step does, one after the other: its time is said for each of these.
 *
 * <pre>{@code
 * Trainer told =
 *     trainer.listener(
 *         event -> {
 *           if (event instanceof Event.Timing timing) {
 *             System.out.println(timing.phases().get(StepPhase.NOISE) / timing.steps());
 *           }
 *         });
 * }</pre>
 */
@PublicApi
public enum StepPhase {
  /** The charge: budget, ledger and journal. */
  CHARGE("charge"),
  /** Parameters are brought into the form that products want. */
  WEIGHTS("weights"),
  /** The lot is drawn, and sorted by chunk. */
  LOT("lot"),
  /** Gradients are computed, clipped and added up; what an engine does that says no more. */
  GRADIENTS("gradients"),
  /** Threads wait for work or for the last of them: the mean over the threads. */
  WAITING("waiting"),
  /** The sums of the threads are added up. */
  GATHER("gather"),
  /** Noise is drawn and added. */
  NOISE("noise"),
  /** The noisy integers become the mean gradient. */
  MEAN("mean"),
  /** The gradient moves the parameters: transform, optimizer, moving average. */
  UPDATE("update");

  private final String label;

  StepPhase(String label) {
    this.label = label;
  }

  /**
   * As tables and JSON name it.
   *
   * @return one word
   */
  public String label() {
    return label;
  }
}
