package dev.discreet.core.optimize;

import java.util.stream.IntStream;

/**
 * Work on long arrays in blocks of a fixed size, on the cores of the common pool. The blocks do not
 * depend on how many there are, so neither does the result.
 */
public final class ParallelBlocks {
  private static final int SIZE = 1 << 16;

  private ParallelBlocks() {}

  /** What is done with the places from {@code from} up to {@code to}. */
  public interface Part {
    void run(int from, int to);
  }

  /** What the places from {@code from} up to {@code to} add to a sum. */
  interface Term {
    double of(int from, int to);
  }

  public static void each(int from, int to, Part part) {
    if (to - from <= SIZE) {
      part.run(from, to);
    } else {
      IntStream.range(0, (to - from + SIZE - 1) / SIZE)
          .parallel()
          .forEach(
              block -> {
                int start = from + block * SIZE;
                part.run(start, Math.min(to, start + SIZE));
              });
    }
  }

  /** Terms are added in order of blocks, whichever was done first. */
  static double sum(int from, int to, Term term) {
    double[] terms = new double[(to - from + SIZE - 1) / SIZE];
    each(from, to, (start, end) -> terms[(start - from) / SIZE] = term.of(start, end));
    double sum = 0;
    for (double each : terms) {
      sum += each;
    }
    return sum;
  }
}
