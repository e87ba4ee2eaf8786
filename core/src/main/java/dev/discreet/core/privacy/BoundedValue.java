package dev.discreet.core.privacy;

/**
 * A vector of integers on a power-of-two grid, value = integer·2^exponent. Its coordinates form
 * groups, and one unit can move each group by at most a stated distance.
 */
public interface BoundedValue {
  long[] integers();

  int exponent();

  /**
   * Where each group of coordinates ends; groups follow one another. The last end is the length.
   */
  int[] groupEnds();

  /** How far adding or removing one unit can move each group, measured in {@link #norm}. */
  double[] sensitivities();

  /**
   * The norm in which the sensitivities are measured. A session refuses noise that is scaled to
   * another norm: a vector's distance is up to √d times larger in ℓ₁ than in ℓ₂.
   */
  default Norm norm() {
    return Norm.L2;
  }
}
