package dev.discreet.core.engine.cpu;

import dev.discreet.core.engine.DropoutMask;
import dev.discreet.core.nn.Layout.Node;

/** Dropout by the mask that every engine shares. */
final class DropoutOp extends Op {
  private final Node node;
  private final int size;
  private final float[] factor;

  DropoutOp(Node node, int tile, float[] in, float[] dIn) {
    super(in, dIn, buffer(tile, node.output().size()), buffer(tile, node.output().size()));
    this.node = node;
    this.size = node.output().size();
    this.factor = buffer(tile, size);
  }

  @Override
  void forward(int n, Pass pass) {
    for (int e = 0; e < n; e++) {
      DropoutMask mask =
          pass.isPrivate() ? DropoutMask.of(pass.choices()[e], pass.ordinals()[e], node) : null;
      for (int i = 0; i < size; i++) {
        factor[e * size + i] = mask == null ? 1 : mask.keeps(i) ? (float) mask.scale() : 0;
      }
    }
    product(in, out, n);
  }

  @Override
  void tangent(int n, Tangents tangents) {
    product(tangents.of(in), tangents.of(out), n);
  }

  @Override
  void backward(int n, Pass pass) {
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
