package dev.discreet.core.train;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who listens to a run, and when. Someone who sees values without noise could stop the run because
 * of them, and no ledger accounts for that. So such values are held back until nothing is left to
 * decide.
 */
final class RunListeners {
  private final TrainingOptions options;
  private final boolean seesAll;
  private final Map<Class<?>, Event.OperatorOnly> held = new LinkedHashMap<>();
  private boolean stopped;

  /**
   * @param seesAll whether un-noised values are told on the way
   */
  RunListeners(TrainingOptions options, boolean seesAll) {
    this.options = options;
    this.seesAll = seesAll;
  }

  boolean seesAll() {
    return seesAll;
  }

  /** Whether the run was asked to stop. */
  boolean stopped() {
    return stopped;
  }

  /** Tells what happened before this part of the run. Nobody is asked whether to stop at it. */
  void announce(Event.Resumed event) {
    hear(event);
  }

  void tell(Event.Released event) {
    hear(event);
    stopped |= options.stop().test(event);
  }

  void tell(Event.OperatorOnly event) {
    if (seesAll) {
      hear(event);
    } else {
      held.merge(event.getClass(), event, (earlier, later) -> later.after(earlier));
    }
  }

  /**
   * Tells, when the run is over, what was held back: the last event of each kind, and the time of
   * all steps together.
   */
  void end() {
    held.values().forEach(this::hear);
    held.clear();
  }

  private void hear(Event event) {
    for (Listener listener : options.listeners()) {
      listener.on(event);
    }
  }
}
