package dev.discreet.lab;

import java.io.IOException;

/**
 * One run of an experiment: a record whose components are all that its outcome depends on, the seed
 * included. What could be changed is a component, and no constant of its body.
 */
public interface Trial {
  /** Uses nothing but the components and the workshop; one thread calls it. */
  Outcome run(Workshop workshop) throws IOException;

  /** Whether nothing may run beside it, because it measures time. */
  default boolean alone() {
    return false;
  }

  /** Whether it comes out the same when it is run again, for all that is random has a seed. */
  default boolean isSeeded() {
    return true;
  }

  /** On one line, made of the components. Outcomes are kept and found by it. */
  default String text() {
    return TrialText.of(this);
  }
}
