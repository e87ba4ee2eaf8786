package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Supplier;

/** What an answer took of the processor: the same however busy the machine is with others. */
public final class CpuTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private CpuTime() {}

  public static <T> T within(double seconds, Supplier<T> work) {
    long start = THREADS.getCurrentThreadCpuTime();
    T answer = work.get();
    double took = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    assertTrue(took <= seconds, "took " + took + " s of the processor");
    return answer;
  }

  public static void within(double seconds, Runnable work) {
    within(
        seconds,
        () -> {
          work.run();
          return 0;
        });
  }
}
