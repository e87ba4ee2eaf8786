package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout.Node;

/** A function of each value by itself. */
final class ActivationOp extends Op {
  private final Kernels kernels;
  private final Pointwise function;
  private final int size;

  private ActivationOp(
      Kernels kernels, Node node, float[] in, float[] dIn, float[] out, float[] dOut) {
    super(in, dIn, out, dOut);
    this.kernels = kernels;
    this.function = Pointwise.of((Layer.Activation) node.layer());
    this.size = node.output().size();
  }

  /**
   * @param before the op whose output this one takes, or null if others may take it too
   */
  static ActivationOp of(Kernels kernels, Node node, int tile, float[] in, float[] dIn, Op before) {
    // A convolution needs its output no more, so most functions can be written over it: a tile
    // then takes far less of the cache.
    boolean inPlace =
        before instanceof ConvOp
            && Pointwise.of((Layer.Activation) node.layer()).slopeFollowsFromValue();
    int size = node.output().size();
    return inPlace
        ? new ActivationOp(kernels, node, in, dIn, in, dIn)
        : new ActivationOp(kernels, node, in, dIn, buffer(tile, size), buffer(tile, size));
  }

  @Override
  void forward(int n, Pass pass) {
    kernels.activate(function, in, out, n * size);
  }

  /** Each slope times how its value moves, as on the way back. */
  @Override
  void tangent(int n, Tangents tangents) {
    kernels.activateBack(function, in, out, tangents.of(in), tangents.of(out), n * size);
  }

  @Override
  void backward(int n, Pass pass) {
    if (dIn != null) {
      kernels.activateBack(function, in, out, dOut, dIn, n * size);
    }
  }
}
