package dev.discreet.data.table;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Work for all processors, whose results are taken in the order in which it was given. */
final class OrderedWork<T> implements Closeable {
  private final int threads = Runtime.getRuntime().availableProcessors();
  private final Deque<Future<T>> given = new ArrayDeque<>();
  private final ExecutorService pool =
      Executors.newFixedThreadPool(
          threads,
          task -> {
            Thread thread = new Thread(task, "discreet-table");
            thread.setDaemon(true);
            return thread;
          });

  void give(Callable<T> work) {
    given.add(pool.submit(work));
  }

  /** Whether so much was given that results should be taken first. */
  boolean isFull() {
    return given.size() > threads;
  }

  boolean isEmpty() {
    return given.isEmpty();
  }

  /** The next result, as soon as it is there. */
  T take() throws IOException {
    try {
      return given.remove().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Reading was interrupted.", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException own) {
        throw own;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      // No row may end here.
      throw new IllegalStateException("A part of a table cannot be read.", e.getCause());
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
