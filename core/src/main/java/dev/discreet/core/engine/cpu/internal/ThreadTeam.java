package dev.discreet.core.engine.cpu.internal;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** A fixed number of threads, the caller's among them, that do one thing together. */
public final class ThreadTeam implements AutoCloseable {
  private final int size;
  private final ExecutorService others;

  public ThreadTeam(int size) {
    Check.that(size >= 1 && size <= 1024, "threads", "in [1, 1024]", size);
    this.size = size;
    this.others =
        size == 1
            ? null
            : Executors.newFixedThreadPool(
                size - 1,
                task -> {
                  Thread thread = new Thread(task, "discreet-engine");
                  thread.setDaemon(true);
                  return thread;
                });
  }

  public int size() {
    return size;
  }

  /** Runs the task once for each number below the size; returns when all are done. */
  public void run(IntConsumer task) {
    List<Future<?>> running = new ArrayList<>(size);
    for (int i = 1; i < size; i++) {
      int number = i;
      running.add(others.submit(() -> task.accept(number)));
    }
    Throwable failure = null;
    try {
      task.accept(0);
    } catch (Throwable e) {
      failure = e;
    }
    // Everyone must have stopped before the caller may touch the buffers again, whatever happened.
    for (Future<?> each : running) {
      Throwable other = join(each);
      failure = failure == null ? other : failure;
    }
    if (failure instanceof Error error) {
      throw error;
    } else if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  /** Waits, also when interrupted; what the task threw, or null. */
  private static Throwable join(Future<?> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return null;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          return e.getCause();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    if (others != null) {
      others.shutdown();
    }
  }
}
