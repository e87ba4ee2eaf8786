package dev.discreet.core.parallel;

import dev.discreet.accounting.Check;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * A fixed number of threads, the caller's among them, that do one thing together.
 *
 * <p>A step of training hands them work many times, each time for less than a thread takes to fall
 * asleep and wake up. So who has nothing to do looks for work for {@link #PATIENCE} before it
 * sleeps, and so does a caller for the end of the work.
 *
 * <p>One thread at a time may call {@link #run}; another one is refused.
 */
public final class ThreadTeam implements AutoCloseable {
  /** Nanoseconds; waking all of sixteen threads takes about 30,000. */
  private static final long PATIENCE = 50_000;

  private static final int LOOKS = 64;

  private static final ThreadLocal<ThreadTeam> OF_THIS_THREAD = new ThreadLocal<>();

  private final int size;
  private final long patience;
  private final Worker[] others;
  private final Thread[] threads;

  /** How often work was handed over, times 2¹⁶, and how many take part in the last of it. */
  private volatile long handed;

  private volatile boolean closed;
  private volatile Thread waiting;
  private final AtomicInteger unfinished = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  // Written before `handed` is, and read after it.
  private IntConsumer task;

  /** Two threads that both hand over work would leave part of it undone. */
  private final AtomicBoolean running = new AtomicBoolean();

  /** The team that worked for the thread before this one. */
  private ThreadTeam before;

  private int holders = 1;

  /**
   * A team of its caller and as many other threads as are missing.
   *
   * @param size of the team
   */
  public ThreadTeam(int size) {
    Check.that(size >= 1 && size <= 1024, "threads", "in [1, 1024]", size);
    this.size = size;
    // Who looks for work takes the core of one who has some, where there are fewer cores.
    this.patience = size <= Runtime.getRuntime().availableProcessors() ? PATIENCE : 0;
    this.others = new Worker[size - 1];
    this.threads = new Thread[size - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = new Worker(i + 1);
      threads[i] = new Thread(others[i], "discreet-engine");
      threads[i].setDaemon(true);
      threads[i].start();
    }
  }

  /**
   * A team that works for this thread until it is closed: for everything in {@link ParallelBlocks},
   * and for engines with as many threads.
   *
   * @param size of the team
   * @return a new team
   */
  public static ThreadTeam forThisThread(int size) {
    ThreadTeam team = new ThreadTeam(size);
    team.before = OF_THIS_THREAD.get();
    OF_THIS_THREAD.set(team);
    return team;
  }

  /**
   * The team that works for this thread if it has this size, otherwise a new one. Whoever asks must
   * close it.
   *
   * @param size of the team
   * @return a team
   */
  public static ThreadTeam of(int size) {
    ThreadTeam team = OF_THIS_THREAD.get();
    if (team == null || team.closed || team.size != size) {
      return new ThreadTeam(size);
    }
    team.holders++;
    return team;
  }

  /** The team that works for this thread; null where none does, or where it works already. */
  static ThreadTeam idle() {
    ThreadTeam team = OF_THIS_THREAD.get();
    // Whoever held it last may have closed it on another thread.
    return team == null || team.closed || team.running.get() ? null : team;
  }

  /** {@return how many threads there are, the caller's among them} */
  public int size() {
    return size;
  }

  /**
   * Runs the task once for each number below the size; returns when all are done.
   *
   * @param task what to do
   */
  public void run(IntConsumer task) {
    run(size, task);
  }

  /**
   * Runs the task once for each number below {@code members}; returns when all are done.
   *
   * @param members how many take part, at most the size
   * @param task what to do; the caller's thread has number 0
   */
  public void run(int members, IntConsumer task) {
    Check.that(members >= 1 && members <= size, "members", "in [1, " + size + "]", members);
    if (!running.compareAndSet(false, true)) {
      throw new IllegalStateException("a team was asked to work while it works");
    }
    try {
      if (members > 1) {
        hand(members, task);
      }
      try {
        task.accept(0);
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
      // Everyone must have stopped before the caller may touch the buffers again.
      join();
    } finally {
      running.set(false);
    }
    rethrow(failure.getAndSet(null));
  }

  /** Throws what a task threw; nothing if null. */
  static void rethrow(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    } else if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }

  private void hand(int members, IntConsumer work) {
    task = work;
    unfinished.set(members - 1);
    handed = ((handed >>> 16) + 1) << 16 | members;
    for (int i = 0; i < members - 1; i++) {
      if (others[i].asleep) {
        LockSupport.unpark(threads[i]);
      }
    }
  }

  /** Waits, also when interrupted. */
  private void join() {
    long end = 0;
    for (int looks = 1; unfinished.get() > 0 && patience > 0; looks++) {
      Thread.onSpinWait();
      if (looks % LOOKS == 0) {
        long now = System.nanoTime();
        end = end == 0 ? now + patience : end;
        if (now >= end) {
          break;
        }
      }
    }
    boolean interrupted = false;
    waiting = Thread.currentThread();
    while (unfinished.get() > 0) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    waiting = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    if (--holders > 0) {
      return;
    }
    if (OF_THIS_THREAD.get() == this) {
      OF_THIS_THREAD.set(before);
    }
    closed = true;
    for (Thread each : threads) {
      LockSupport.unpark(each);
    }
  }

  private final class Worker implements Runnable {
    private final int number;
    private volatile boolean asleep;

    Worker(int number) {
      this.number = number;
    }

    @Override
    public void run() {
      long seen = 0;
      while (true) {
        seen = next(seen);
        if (closed) {
          return;
        }
        // Only members may read the task: the others may see that of the next hand-over.
        if (number < (seen & 0xffff)) {
          try {
            task.accept(number);
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
          }
          if (unfinished.decrementAndGet() == 0) {
            LockSupport.unpark(waiting);
          }
        }
      }
    }

    /** Waits for the hand-over after the one that was seen. */
    private long next(long seen) {
      long end = 0;
      for (int looks = 1; handed == seen && !closed && patience > 0; looks++) {
        Thread.onSpinWait();
        if (looks % LOOKS == 0) {
          long now = System.nanoTime();
          end = end == 0 ? now + patience : end;
          if (now >= end) {
            break;
          }
        }
      }
      asleep = true;
      while (handed == seen && !closed) {
        LockSupport.park(ThreadTeam.this);
      }
      asleep = false;
      return handed;
    }
  }
}
