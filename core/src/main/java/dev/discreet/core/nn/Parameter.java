package dev.discreet.core.nn;

import java.util.List;

/**
 * One named array of a layer's parameters, as the engine stores it: the output channel is the last
 * and fastest index, so a dense weight is in×out and a convolution's height×width×in×out.
 *
 * @param fanIn how many inputs one output sums over; what initialisers scale by
 */
public record Parameter(String name, Role role, List<Integer> dimensions, int fanIn, int fanOut) {
  public enum Role {
    WEIGHT,
    BIAS,
    /** The factor of a normalisation, 1 at the start. */
    SCALE,
    /** The summand of a normalisation, 0 at the start. */
    SHIFT
  }

  public Parameter {
    dimensions = List.copyOf(dimensions);
  }

  public int size() {
    // Plain, because engines ask in every step.
    int size = 1;
    for (int dimension : dimensions) {
      size = Math.multiplyExact(size, dimension);
    }
    return size;
  }
}
