package dev.discreet.cli.train;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Ctrl-C. While a run is planned it ends the process, and says that nothing was spent. Of a run
 * that has begun, the first asks it to stop after its step and waits until all is written; the
 * second ends the process at once.
 */
public final class StopSignal implements AutoCloseable {
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean asked;
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
    this.begun = begun;
    hook =
        new Thread(
            () -> {
              if (!ask()) {
                say.accept("stopped while planning: nothing is spent, and no run is written");
                return;
              }
              endAtOnceOn("INT");
              endAtOnceOn("TERM");
              say.accept("stopping after this step, to write what there is; again to end at once");
              try {
                finished.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "discreet-stop");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** The signal of work that is still being planned. */
  static StopSignal planning(Consumer<String> say) {
    return new StopSignal(say, false);
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

  /** Lets a process that was asked to end do so. Call it after the last word is flushed. */
  @Override
  public void close() {
    finished.countDown();
    if (!asked) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process began to end just now, and the hook will find nothing to wait for.
      }
    }
  }

  /**
   * While Java shuts down it ignores further signals, and only the JDK's own class can change that.
   * Where there is none, the second Ctrl-C does nothing, and kill -9 remains.
   */
  private static void endAtOnceOn(String name) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ending =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                Runtime.getRuntime().halt(name.equals("INT") ? 130 : 143);
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), ending);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // Then the second Ctrl-C does nothing, as said above.
    }
  }
}
