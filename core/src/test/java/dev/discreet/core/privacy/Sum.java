package dev.discreet.core.privacy;

/** A value to release. */
public record Sum(long[] integers, int exponent, int[] groupEnds, double[] sensitivities)
    implements BoundedValue {

  /** So many zeros in one group of sensitivity 1. */
  public static Sum zeros(int size) {
    return new Sum(new long[size], -20, new int[] {size}, new double[] {1});
  }
}
