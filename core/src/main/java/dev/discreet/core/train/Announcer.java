package dev.discreet.core.train;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who listens to a run, and when. Whoever sees un-noised values can let them decide when it stops,
 * and no ledger has that: so they are held back until nothing is left to decide.
 */
final class Announcer {
  private final TrainingOptions options;
  private final boolean seesAll;
  private final Map<Class<?>, Event.OperatorOnly> held = new LinkedHashMap<>();
  private boolean stopped;

  /**
   * @param seesAll whether un-noised values are told on the way
   */
  Announcer(TrainingOptions options, boolean seesAll) {
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

  /** Tells what nobody can stop at: it was before. */
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

  /** The run is over: tells what was held back, the last of each kind, and all time together. */
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
