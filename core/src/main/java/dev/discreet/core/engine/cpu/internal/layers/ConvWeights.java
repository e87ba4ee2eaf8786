package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.PackedMatrix;
import dev.discreet.core.nn.Layer.Conv;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.Arrays;

/**
 * A convolution's weights and index tables. The gradient by the input is taken in two steps: a
 * product of the output's gradient with the transposed weights gives each window's share, and the
 * windows' shares are added up where they overlap.
 */
public final class ConvWeights implements LayerWeights {
  final Node node;
  final Conv conv;
  final Shape input;
  final Shape output;
  final int groups;

  /** Channels that one output sees. */
  final int channels;

  /** Outputs of one group. */
  final int outputs;

  /** Where each position's window begins in the padded input, and the places inside it. */
  final int[] base;

  final int[] offset;
  final int paddedWidth;
  final int paddedSize;

  /** One matrix a group. */
  final PackedMatrix[] forward;

  /** Transposed, one a group; null where no one needs the gradient by the input. */
  final PackedMatrix[] backward;

  /** Where the runs of values that lie side by side begin in a window, and how long each is. */
  final int[] runs;

  final int runLength;

  private final StandardisedWeights standardised;

  ConvWeights(Node node, int lanes, boolean needsInputGradient) {
    this.node = node;
    this.conv = (Conv) node.layer();
    this.input = node.input();
    this.output = node.output();
    this.groups = conv.groups();
    this.channels = input.channels() / groups;
    this.outputs = conv.outputs() / groups;
    Window w = conv.window();
    this.paddedWidth = input.width() + 2 * w.padX();
    this.paddedSize =
        Math.multiplyExact(
            Math.multiplyExact(input.height() + 2 * w.padY(), paddedWidth), input.channels());
    this.base = new int[output.positions()];
    for (int p = 0; p < base.length; p++) {
      int y = p / output.width() * w.strideY();
      int x = p % output.width() * w.strideX();
      base[p] = (y * paddedWidth + x) * input.channels();
    }
    this.offset = new int[w.size() * channels];
    for (int k = 0; k < offset.length; k++) {
      int place = k / channels;
      int y = place / w.width();
      int x = place % w.width();
      offset[k] = (y * paddedWidth + x) * input.channels() + k % channels;
    }
    this.forward = new PackedMatrix[groups];
    Arrays.setAll(forward, g -> new PackedMatrix(offset.length, outputs, lanes));
    this.backward = needsInputGradient ? new PackedMatrix[groups] : null;
    if (needsInputGradient) {
      Arrays.setAll(backward, g -> new PackedMatrix(outputs, offset.length, lanes));
    }
    // With one group a whole row of the window lies side by side, else one pixel's channels.
    this.runLength = groups == 1 ? w.width() * channels : channels;
    this.runs = new int[offset.length / runLength];
    Arrays.setAll(runs, i -> offset[i * runLength]);
    this.standardised =
        conv.standardised() ? new StandardisedWeights(offset.length, conv.outputs()) : null;
  }

  @Override
  public void load(float[] parameters, int part, int parts) {
    if (part > 0) {
      return; // A convolution has few weights.
    }
    int at = node.slices().get(0).offset();
    if (standardised == null) {
      pack(parameters, at, parameters);
    } else {
      standardised.load(parameters, at, gain().offset());
      pack(standardised.weights, 0, parameters);
    }
  }

  @Override
  public void loadUsed(float[] weights, int part, int parts) {
    if (part == 0) {
      pack(weights, node.slices().get(0).offset(), weights);
    }
  }

  private void pack(float[] used, int usedAt, float[] parameters) {
    int all = conv.outputs();
    for (int g = 0; g < groups; g++) {
      int at = usedAt + g * outputs;
      forward[g].load(used, at, all, 1, 0, 1);
      if (conv.bias()) {
        forward[g].loadBias(parameters, node.slices().get(1).offset() + g * outputs);
      }
      if (backward != null) {
        backward[g].load(used, at, 1, all, 0, 1);
      }
    }
  }

  /** The gains of standardised weights, which come last. */
  private Slice gain() {
    return node.slices().get(node.slices().size() - 1);
  }

  /**
   * Turns a gradient by the used weights into one by the parameters, in place.
   *
   * @param at where the layer's parameters begin
   */
  void toParameters(float[] gradient, int at) {
    if (standardised != null) {
      standardised.back(gradient, at, at + gain().offset() - node.slices().get(0).offset());
    }
  }

  /** Turns how the parameters move into how the used weights do, in place. */
  void alongParameters(float[] moving) {
    if (standardised != null) {
      standardised.along(moving, node.slices().get(0).offset(), gain().offset());
    }
  }
}
