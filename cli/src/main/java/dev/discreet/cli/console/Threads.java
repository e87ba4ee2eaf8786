package dev.discreet.cli.console;

import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** How many threads the process works on, beside those of the engine. */
public final class Threads {
  private Threads() {}

  /**
   * How many processors this Java may use: those of the machine, unless the process is bound to
   * some of them or a container has fewer.
   */
  public static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /**
   * What is not the engine's work, such as reading, runs on the common pool. It takes its size from
   * this property when it is first used, so call this before; the thread that asks for work counts
   * as one.
   *
   * @param threads as the verb was told; where it was not, the pool has one for each processor
   */
  public static void limit(Optional<Long> threads, CommandSpec verb) {
    threads.ifPresent(
        number -> {
          warn(number, verb);
          System.setProperty(
              "java.util.concurrent.ForkJoinPool.common.parallelism", String.valueOf(number - 1));
        });
  }

  /** Says where there are more threads than can run at once. */
  public static void warn(long threads, CommandSpec verb) {
    if (threads > processors()) {
      verb.commandLine()
          .getErr()
          .println(
              verb.qualifiedName()
                  + ": "
                  + threads
                  + " threads share the "
                  + processors()
                  + " processors that this Java may use, and wait for each other: as many threads"
                  + " as processors are quicker (docs/threads.md)");
    }
  }
}
