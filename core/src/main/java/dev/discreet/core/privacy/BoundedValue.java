package dev.discreet.core.privacy;

/**
 * A vector of integers on a power-of-two grid, value = integer·2^exponent, in groups of coordinates
 * that one unit can move by at most a stated distance each.
 */
public interface BoundedValue {
  long[] integers();

  int exponent();

  /**
   * Where each group of coordinates ends; groups follow one another. The last end is the length.
   */
  int[] groupEnds();

  /** How far one unit more or less can move each group, in {@link #norm}. */
  double[] sensitivities();

  /**
   * What the sensitivities are distances of. A session refuses noise that is scaled to another
   * norm: a vector's distance is up to √d times larger in ℓ₁ than in ℓ₂.
   */
  default Norm norm() {
    return Norm.L2;
  }
}
