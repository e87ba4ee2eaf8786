package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout.Node;

/** A function of each value by itself. */
final class ActivationOp extends Op {
  private final Kernels kernels;
  private final Pointwise function;
  private final int size;

  ActivationOp(Kernels kernels, Node node, int tile, float[] in, float[] dIn) {
    super(in, dIn, buffer(tile, node.output().size()), buffer(tile, node.output().size()));
    this.kernels = kernels;
    this.function = Pointwise.of((Layer.Activation) node.layer());
    this.size = node.output().size();
  }

  @Override
  void forward(int n, Pass pass) {
    kernels.activate(function, in, out, n * size);
  }

  @Override
  void backward(int n, Pass pass) {
    if (dIn != null) {
      kernels.activateBack(function, in, out, dOut, dIn, n * size);
    }
  }
}
