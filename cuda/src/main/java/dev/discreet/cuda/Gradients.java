package dev.discreet.cuda;

import dev.discreet.core.nn.Layout.Slice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where the gradients of one slice of parameters are after a pass, example by example.
 *
 * @param slice in the parameter vector
 * @param group its clipping group
 * @param a the first example's gradient, or the input of a dense layer
 * @param strideA numbers from one example to the next
 * @param sizeA numbers of an example
 * @param b the gradient by the outputs of a dense layer, whose outer product with the inputs is
 *     that by the weights; 0 where {@code a} has it written out
 */
record Gradients(
    Slice slice, int group, Kind kind, long a, int strideA, int sizeA, long b, int sizeB) {
  /** In which form an example's gradient stands there. */
  enum Kind {
    /** Number by number. */
    FLAT,
    /** As a row of inputs and a row of slopes. */
    PRODUCT,
    /** As rows of a table, at the places of their tokens. */
    ROWS
  }

  /** As kernels read it. */
  ByteBuffer bytes() {
    return ByteBuffer.allocate(Structures.SLICE)
        .order(ByteOrder.nativeOrder())
        .putLong(a)
        .putLong(b)
        .putInt(strideA)
        .putInt(sizeA)
        .putInt(sizeB)
        .putInt(sizeB)
        .putInt(slice.offset())
        .putInt(slice.size())
        .putInt(group)
        .putInt(0);
  }
}
