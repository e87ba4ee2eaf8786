package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.PointwiseFunction;
import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.Layout.Node;

/** A function of each value by itself. */
public final class ActivationOp extends LayerOp {
  private final Kernels kernels;
  private final PointwiseFunction function;
  private final int size;

  private ActivationOp(
      Kernels kernels,
      PointwiseFunction function,
      int size,
      float[] in,
      float[] dIn,
      float[] out,
      float[] dOut) {
    super(in, dIn, out, dOut);
    this.kernels = kernels;
    this.function = function;
    this.size = size;
  }

  /**
   * @param before the op whose output this one takes, or null if others may take it too
   */
  public static ActivationOp of(
      Kernels kernels,
      Node node,
      Activation activation,
      int tile,
      float[] in,
      float[] dIn,
      LayerOp before) {
    PointwiseFunction function = PointwiseFunction.of(activation);
    int size = node.output().size();
    // A convolution needs its output no more, so most functions can be written over it: a tile
    // then takes far less of the cache.
    boolean inPlace = before instanceof ConvOp && function.slopeFollowsFromValue();
    return inPlace
        ? new ActivationOp(kernels, function, size, in, dIn, in, dIn)
        : new ActivationOp(
            kernels, function, size, in, dIn, buffer(tile, size), buffer(tile, size));
  }

  @Override
  public void forward(int n, TileContext context) {
    kernels.activate(function, in, out, n * size);
  }

  /** Each slope times how its value moves, as on the way back. */
  @Override
  public void tangent(int n, Tangents tangents) {
    kernels.activateBack(function, in, out, tangents.of(in), tangents.of(out), n * size);
  }

  @Override
  public void backward(int n, TileContext context) {
    if (dIn != null) {
      kernels.activateBack(function, in, out, dOut, dIn, n * size);
    }
  }
}
