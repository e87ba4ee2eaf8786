package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;

/**
 * One group of integers, value = integer·2^exponent, with its sensitivity in one norm.
 *
 * @param sensitivity how far adding or removing one unit moves the values; under replace-one, half
 *     of how far a neighbour moves them
 */
public record GridVector(long[] integers, int exponent, Norm norm, double sensitivity)
    implements BoundedValue {
  public GridVector {
    Check.that(norm != null, "norm", "L1 or L2", null);
    Check.that(
        sensitivity > 0 && Double.isFinite(sensitivity),
        "sensitivity",
        "finite and greater than 0",
        sensitivity);
  }

  @Override
  public int[] groupEnds() {
    return new int[] {integers.length};
  }

  @Override
  public double[] sensitivities() {
    return new double[] {sensitivity};
  }
}
