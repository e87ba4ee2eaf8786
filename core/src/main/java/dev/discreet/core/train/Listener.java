package dev.discreet.core.train;

/** Hears what happens in a run, on the trainer's thread. */
@FunctionalInterface
public interface Listener {
  void on(Event event);
}
