package dev.discreet.algorithms.query;

import java.io.Serializable;

/**
 * A sum over the values of a column, in whole numbers: each value adds by itself, so values may be
 * cut into parts in any way.
 */
@FunctionalInterface
interface ValueSum extends Serializable {
  /**
   * @param values those that count; NaN for a missing one
   */
  long[] over(double[] values);
}
