package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.PackedMatrix;
import dev.discreet.core.nn.Layout.Node;

/** A dense layer's weights as its products read them; packed once a step, read by all workers. */
final class DenseWeights implements LayerWeights {
  final PackedMatrix forward;

  /** Transposed; null where no one needs the gradient by the input. */
  final PackedMatrix backward;

  private final Node node;
  private final int inputs;
  private final int outputs;

  DenseWeights(Node node, int lanes, boolean needsInputGradient) {
    this.node = node;
    this.inputs = node.input().size();
    this.outputs = node.output().size();
    this.forward = new PackedMatrix(inputs, outputs, lanes);
    this.backward = needsInputGradient ? new PackedMatrix(outputs, inputs, lanes) : null;
  }

  @Override
  public void load(float[] parameters, int part, int parts) {
    int at = node.slices().get(0).offset();
    forward.load(parameters, at, outputs, 1, part, parts);
    if (part == 0 && node.slices().size() > 1) {
      forward.loadBias(parameters, node.slices().get(1).offset());
    }
    if (backward != null) {
      backward.load(parameters, at, 1, outputs, part, parts);
    }
  }
}
