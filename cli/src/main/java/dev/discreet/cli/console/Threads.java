package dev.discreet.cli.console;

/** How many threads the process works on, beside those of the engine. */
public final class Threads {
  private Threads() {}

  /**
   * Noise, updates and reading run on the common pool. It takes its size from this property when it
   * is first used, so call this before; the thread that asks for work counts as one.
   */
  public static void limit(int threads) {
    System.setProperty(
        "java.util.concurrent.ForkJoinPool.common.parallelism",
        String.valueOf(Math.max(0, threads - 1)));
  }
}
