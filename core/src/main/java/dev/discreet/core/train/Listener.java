package dev.discreet.core.train;

import dev.discreet.accounting.PublicApi;

/**
 * Hears what happens in a run, on the trainer's thread.
 *
 * <pre>{@code
 * Listener console = event -> System.out.println(event);
 * Result result = trainer.listener(console).train(examples);
 * }</pre>
 */
@PublicApi
@FunctionalInterface
public interface Listener {
  /**
   * Is told what happened. The run waits until this returns.
   *
   * @param event what happened
   */
  void on(Event event);
}
