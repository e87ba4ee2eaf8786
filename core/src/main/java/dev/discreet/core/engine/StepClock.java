package dev.discreet.core.engine;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Says how long each part of a step took. Whoever ends a part says which it was, and all time since
 * the part before counts for it, so the parts make up the whole step. It costs a look at the
 * system's clock for each part. Only the thread that takes the step may use it. The times depend on
 * private data: they are for the operator's eyes only.
 */
public final class StepClock {
  private final long[] nanos = new long[StepPhase.values().length];
  private long began = System.nanoTime();
  private long last = began;

  /** A new step begins. */
  public void begin() {
    Arrays.fill(nanos, 0);
    began = System.nanoTime();
    last = began;
  }

  /** All time since the last part was spent on this. */
  public void spent(StepPhase on) {
    long now = System.nanoTime();
    nanos[on.ordinal()] += now - last;
    last = now;
  }

  /**
   * As the other, where several threads worked together: what is missing of their time was spent
   * waiting.
   *
   * @param busy the nanoseconds that each thread worked
   */
  public void spent(StepPhase on, long[] busy) {
    long before = nanos[on.ordinal()];
    spent(on);
    long all = nanos[on.ordinal()] - before;
    long worked = 0;
    for (long each : busy) {
      worked += each;
    }
    long waited = Math.max(0, all - worked / busy.length);
    nanos[on.ordinal()] -= waited;
    nanos[StepPhase.WAITING.ordinal()] += waited;
  }

  /** All parts of the step so far together. */
  public double seconds() {
    return (last - began) * 1e-9;
  }

  /** The seconds of each part of the step so far, without those that took no time. */
  public Map<StepPhase, Double> phases() {
    Map<StepPhase, Double> seconds = new EnumMap<>(StepPhase.class);
    for (StepPhase phase : StepPhase.values()) {
      if (nanos[phase.ordinal()] > 0) {
        seconds.put(phase, nanos[phase.ordinal()] * 1e-9);
      }
    }
    return seconds;
  }
}
