package dev.discreet.cli.train;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Says what is being done before a run begins, where it takes so long that a person would wonder.
 */
final class SlowWorkNotice implements AutoCloseable {
  private static final long PATIENCE =
      TimeUnit.SECONDS.toNanos(Long.getLong("discreet.patience", 2));

  /** What takes less than this is not worth a line, however long the rest took. */
  private static final long BLINK = PATIENCE / 8;

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "discreet-planning");
            thread.setDaemon(true);
            return thread;
          });
  private final Consumer<String> say;
  private final long patience;
  private final long began = System.nanoTime();

  SlowWorkNotice(Consumer<String> say) {
    this(say, PATIENCE);
  }

  /**
   * @param patience nanoseconds of silence
   */
  SlowWorkNotice(Consumer<String> say, long patience) {
    this.say = say;
    this.patience = patience;
  }

  /** One part of the work. */
  interface Part<T, E extends Exception> {
    T done() throws E;
  }

  /** Does it, and says so where planning has taken long. */
  <T, E extends Exception> T part(String what, Part<T, E> part) throws E {
    long left = patience - (System.nanoTime() - began);
    Future<?> line =
        clock.schedule(
            () -> say.accept(what + " ..."),
            Math.max(Math.min(BLINK, patience), left),
            TimeUnit.NANOSECONDS);
    try {
      return part.done();
    } finally {
      line.cancel(false);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
