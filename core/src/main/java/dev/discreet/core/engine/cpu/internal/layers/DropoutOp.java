package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.DropoutMask;
import dev.discreet.core.nn.Layout.Node;

/** Dropout by the mask that every engine shares. */
public final class DropoutOp extends LayerOp {
  private final Node node;
  private final int size;
  private final float[] factor;

  public DropoutOp(Node node, int tile, float[] in, float[] dIn) {
    super(in, dIn, buffer(tile, node.output().size()), buffer(tile, node.output().size()));
    this.node = node;
    this.size = node.output().size();
    this.factor = buffer(tile, size);
  }

  @Override
  public void forward(int n, TileContext context) {
    for (int e = 0; e < n; e++) {
      DropoutMask mask =
          context.isPrivate()
              ? DropoutMask.of(context.choices()[e], context.ordinals()[e], node)
              : null;
      for (int i = 0; i < size; i++) {
        factor[e * size + i] = mask == null ? 1 : mask.keeps(i) ? (float) mask.scale() : 0;
      }
    }
    product(in, out, n);
  }

  @Override
  public void tangent(int n, Tangents tangents) {
    product(tangents.of(in), tangents.of(out), n);
  }

  @Override
  public void backward(int n, TileContext context) {
    if (dIn != null) {
      product(dOut, dIn, n);
    }
  }

  private void product(float[] a, float[] to, int n) {
    for (int i = 0; i < n * size; i++) {
      to[i] = a[i] * factor[i];
    }
  }
}
