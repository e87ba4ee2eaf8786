package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.nn.Layout.Node;

/** A summand for each value, so its gradient is that of the output. */
public final class ShiftOp extends MaterialisedOp {
  private final StepWeights shared;
  private final int offset;

  public ShiftOp(
      Kernels kernels, StepWeights shared, Node node, int tile, float[] in, float[] dIn) {
    super(
        kernels,
        node.slices(),
        tile,
        in,
        dIn,
        buffer(tile, node.output().size()),
        buffer(tile, node.output().size()));
    this.shared = shared;
    this.offset = slices.get(0).offset();
  }

  @Override
  public void forward(int n, TileContext context) {
    add(n, in, shared.parameters(), out);
  }

  @Override
  public void tangent(int n, Tangents tangents) {
    add(n, tangents.of(in), tangents.direction.values(), tangents.of(out));
  }

  private void add(int n, float[] values, float[] parameters, float[] to) {
    for (int e = 0; e < n; e++) {
      int at = e * size;
      for (int i = 0; i < size; i++) {
        to[at + i] = values[at + i] + parameters[offset + i];
      }
    }
  }

  @Override
  public void backward(int n, TileContext context) {
    System.arraycopy(dOut, 0, gradients, 0, n * size);
    if (dIn != null) {
      System.arraycopy(dOut, 0, dIn, 0, n * size);
    }
  }
}
