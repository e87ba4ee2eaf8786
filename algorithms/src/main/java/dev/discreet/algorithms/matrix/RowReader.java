package dev.discreet.algorithms.matrix;

/** Private examples as rows of bounded whole numbers; read by several threads at once. */
@FunctionalInterface
public interface RowReader {
  /** One is this many steps. */
  int ONE = 1 << 15;

  /**
   * Writes whole numbers in [−{@link #ONE}, {@link #ONE}] that depend on this example alone. What
   * is no example is a row of zeros, and no exception tells.
   *
   * @param to of the row's length, holding zeros
   */
  void read(int example, int[] to);
}
