package dev.discreet.core.privacy;

/**
 * A vector of integers on a power-of-two grid, value = integer·2^exponent, in groups of coordinates
 * that one unit can move by at most a stated Euclidean distance each.
 */
public interface BoundedValue {
  long[] integers();

  int exponent();

  /**
   * Where each group of coordinates ends; groups follow one another. The last end is the length.
   */
  int[] groupEnds();

  /** How far one unit more or less can move each group. */
  double[] sensitivities();
}
