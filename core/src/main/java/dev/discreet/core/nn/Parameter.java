package dev.discreet.core.nn;

import java.io.Serializable;
import java.util.List;

/**
 * One named array of a layer's parameters, as the engine stores it: the output channel is the last
 * and fastest index, so a dense weight is in×out and a convolution's height×width×in×out.
 *
 * @param name its name within the layer: weight or bias
 * @param role what it is to the layer
 * @param dimensions of the array, slowest first
 * @param fanIn how many inputs one output sums over; what initialisers scale by
 * @param fanOut how many outputs one input goes to
 */
public record Parameter(String name, Role role, List<Integer> dimensions, int fanIn, int fanOut)
    implements Serializable {
  /** What a parameter is to its layer. */
  public enum Role {
    /** What inputs are multiplied by. */
    WEIGHT,
    /** What is added to an output, whatever comes in. */
    BIAS,
    /** The factor of a normalisation, 1 at the start. */
    SCALE,
    /** The summand of a normalisation, 0 at the start. */
    SHIFT
  }

  /** Takes a copy of the dimensions. */
  public Parameter {
    dimensions = List.copyOf(dimensions);
  }

  /** {@return how many numbers it has} */
  public int size() {
    // Plain, because engines ask in every step.
    int size = 1;
    for (int dimension : dimensions) {
      size = Math.multiplyExact(size, dimension);
    }
    return size;
  }
}
