package dev.discreet.core.parallel;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Work on long arrays in blocks of a fixed size, on the team of this thread ({@link
 * ThreadTeam#forThisThread}) or, where it has none, on the cores of the common pool. The blocks do
 * not depend on how many there are, so neither does the result.
 */
public final class ParallelBlocks {
  private static final int SIZE = 1 << 14;

  private ParallelBlocks() {}

  /** What is done with the places from {@code from} up to {@code to}. */
  public interface Part {
    void run(int from, int to);
  }

  /** What the places from {@code from} up to {@code to} add to a sum. */
  public interface Term {
    double of(int from, int to);
  }

  public static void each(int from, int to, Part part) {
    each(
        (to - from + SIZE - 1) / SIZE,
        block -> {
          int start = from + block * SIZE;
          part.run(start, Math.min(to, start + SIZE));
        });
  }

  /**
   * Every block by its number. A member of a team has the same blocks each time, and with them what
   * its core still holds of the arrays. Where a block fails, that is thrown when none is at work
   * any more: until then one may still write.
   */
  public static void each(int blocks, IntConsumer block) {
    ThreadTeam team = ThreadTeam.idle();
    if (blocks <= 1) {
      IntStream.range(0, blocks).forEach(block);
    } else if (team == null) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      IntStream.range(0, blocks)
          .parallel()
          .forEach(
              number -> {
                try {
                  block.accept(number);
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              });
      ThreadTeam.rethrow(failure.get());
    } else {
      int members = Math.min(team.size(), blocks);
      team.run(
          members,
          number -> {
            int end = (int) ((number + 1L) * blocks / members);
            for (int b = (int) ((long) number * blocks / members); b < end; b++) {
              block.accept(b);
            }
          });
    }
  }

  /** Terms are added in order of blocks, whichever was done first. */
  public static double sum(int from, int to, Term term) {
    double[] terms = new double[(to - from + SIZE - 1) / SIZE];
    each(from, to, (start, end) -> terms[(start - from) / SIZE] = term.of(start, end));
    double sum = 0;
    for (double each : terms) {
      sum += each;
    }
    return sum;
  }
}
