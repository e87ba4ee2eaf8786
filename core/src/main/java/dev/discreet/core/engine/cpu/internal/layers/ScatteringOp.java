package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.features.ScatteringFilters;
import dev.discreet.core.engine.cpu.internal.features.ScatteringTransform;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Scattering;

/** Features of images, computed anew each time. Nothing before it wants a gradient. */
public final class ScatteringOp extends LayerOp {
  private final ScatteringTransform transform;
  private final int inputs;
  private final int outputs;

  public ScatteringOp(Kernels kernels, Node node, Scattering layer, int tile, float[] in) {
    super(in, null, buffer(tile, node.output().size()), buffer(tile, node.output().size()));
    this.transform =
        new ScatteringTransform(kernels, new ScatteringFilters(layer, node.input(), kernels));
    this.inputs = node.input().size();
    this.outputs = node.output().size();
  }

  @Override
  public void forward(int n, TileContext context) {
    for (int e = 0; e < n; e++) {
      transform.apply(in, e * inputs, out, e * outputs);
    }
  }

  /** There are no parameters, and the image does not move. */
  @Override
  public void tangent(int n, Tangents tangents) {}

  @Override
  public void backward(int n, TileContext context) {}
}
