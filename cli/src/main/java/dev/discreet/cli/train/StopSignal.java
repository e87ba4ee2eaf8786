package dev.discreet.cli.train;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Ctrl-C. While a run is planned it ends the process, and says that nothing was spent. Of a run
 * that has begun, the first asks it to stop after its step and waits until all is written; the
 * second ends the process at once.
 *
 * <p>The signal itself is heard where Java lets us, so that the process goes on as before until
 * everything is written: once Java shuts down, an engine on other machines lets go of them. Where
 * it does not, a hook of Java's shutdown does the same.
 */
public final class StopSignal implements AutoCloseable {
  private static final int INTERRUPTED = 130;
  private static final int TERMINATED = 143;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Consumer<String> say;
  private final Thread hook;
  private final List<Runnable> asBefore;
  private volatile boolean asked;
  // 0 until a signal was heard.
  private volatile int code;
  private boolean begun;

  /**
   * The signal of work that has begun.
   *
   * @param say hears that stopping was asked for
   */
  public StopSignal(Consumer<String> say) {
    this(say, true);
  }

  private StopSignal(Consumer<String> say, boolean begun) {
    this.say = say;
    this.begun = begun;
    hook = new Thread(this::shutDown, "discreet-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    asBefore = List.of(on("INT", INTERRUPTED), on("TERM", TERMINATED));
  }

  /** The signal of work that is still being planned. */
  static StopSignal planning(Consumer<String> say) {
    return new StopSignal(say, false);
  }

  private Runnable on(String name, int ending) {
    return handle(name, () -> heard(ending));
  }

  /** Comes on a thread of its own. */
  private void heard(int ending) {
    synchronized (this) {
      if (asked) {
        Runtime.getRuntime().halt(ending);
      }
      if (begun) {
        asked = true;
        code = ending;
      }
    }
    if (code != 0) {
      say.accept("stopping after this step, to write what there is; again to end at once");
    } else {
      System.exit(ending); // the hook has the last word
    }
  }

  private void shutDown() {
    if (!ask()) {
      say.accept("stopped while planning: nothing is spent, and no run is written");
      return;
    }
    handle("INT", () -> Runtime.getRuntime().halt(INTERRUPTED));
    handle("TERM", () -> Runtime.getRuntime().halt(TERMINATED));
    say.accept("stopping after this step, to write what there is; again to end at once");
    try {
      finished.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says that the plan is done; false where stopping was asked for before, and nothing begins. */
  synchronized boolean begin() {
    begun = !asked;
    return begun;
  }

  private synchronized boolean ask() {
    asked = true;
    return begun;
  }

  public boolean asked() {
    return asked;
  }

  /** What a process ends with that did what it was asked; 0 where no signal was heard. */
  public int code() {
    return code;
  }

  /** Lets a process that was asked to end do so. Call it after the last word is flushed. */
  @Override
  public void close() {
    finished.countDown();
    if (code != 0 || !asked) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process began to end just now, and the hook will find nothing to wait for.
      }
    }
    if (!asked) {
      asBefore.forEach(Runnable::run);
    }
  }

  /**
   * Only the JDK's own class can tell of signals. Where there is none, the hook hears of the first,
   * the second Ctrl-C does nothing, and kill -9 remains.
   *
   * @return makes it as it was before
   */
  private static Runnable handle(String name, Runnable heard) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                heard.run();
                return null;
              });
      var handle = signal.getMethod("handle", signal, handler);
      Object one = signal.getConstructor(String.class).newInstance(name);
      Object before = handle.invoke(null, one, ours);
      return () -> {
        try {
          handle.invoke(null, one, before);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
          // Then it stays as it is.
        }
      };
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return () -> {};
    }
  }
}
