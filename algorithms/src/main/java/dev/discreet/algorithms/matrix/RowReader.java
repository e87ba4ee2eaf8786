package dev.discreet.algorithms.matrix;

/** Private examples as rows of bounded whole numbers. Several threads read at once. */
@FunctionalInterface
public interface RowReader {
  /** The number of steps that stand for the value 1. */
  int ONE = 1 << 15;

  /**
   * Writes whole numbers in [−{@link #ONE}, {@link #ONE}] that depend on this example alone. An
   * example that cannot be used is a row of zeros, and no exception reveals it.
   *
   * @param to of the row's length, filled with zeros
   */
  void read(int example, int[] to);
}
