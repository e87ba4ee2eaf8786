package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layer.Conv;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.Arrays;

/**
 * A convolution's weights and index tables. The gradient by the input is a product of the same kind
 * as the output: input pixels are sorted by their phase, their place modulo the stride, and all
 * pixels of a phase see the output's gradient through the same taps.
 */
final class ConvWeights implements Weights {
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
  final Panels[] forward;

  /** Null where no one needs the gradient by the input. */
  final Phase[] phases;

  /** Rim of zeros around the output's gradient, so that taps beyond it find zeros. */
  final int rimY;

  final int rimX;
  final int rimmedWidth;
  final int rimmedSize;

  /** The weights in use: the parameters, or the standardised ones. */
  private float[] used;

  private int usedAt;
  private final Standardised standardised;

  /** Input pixels of one phase. */
  static final class Phase {
    /** Where the pixels' taps begin in the rimmed gradient, and where their gradient goes. */
    final int[] base;

    final int[] place;
    final int[] offset;

    /** For each tap, its row of weights: the window's place times channels times outputs. */
    final int[] tap;

    final Panels[] weights;

    Phase(int[] base, int[] place, int[] offset, int[] tap, Panels[] weights) {
      this.base = base;
      this.place = place;
      this.offset = offset;
      this.tap = tap;
      this.weights = weights;
    }
  }

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
    this.paddedSize = (input.height() + 2 * w.padY()) * paddedWidth * input.channels();
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
    this.forward = new Panels[groups];
    Arrays.setAll(forward, g -> new Panels(offset.length, outputs, lanes));
    this.rimY = (w.height() - 1) / w.strideY();
    this.rimX = (w.width() - 1) / w.strideX();
    // The last input rows may lie beyond what any window reached; their taps need a rim there too.
    int highest = (input.height() - 1 + w.padY()) / w.strideY();
    int widest = (input.width() - 1 + w.padX()) / w.strideX();
    this.rimmedWidth = rimX + Math.max(output.width(), widest + 1);
    int rimmedHeight = rimY + Math.max(output.height(), highest + 1);
    this.rimmedSize = rimmedHeight * rimmedWidth * conv.outputs();
    this.phases = needsInputGradient ? phases(lanes) : null;
    this.standardised =
        conv.standardised() ? new Standardised(offset.length, conv.outputs()) : null;
  }

  private Phase[] phases(int lanes) {
    Window w = conv.window();
    Phase[] all = new Phase[w.strideY() * w.strideX()];
    for (int phase = 0; phase < all.length; phase++) {
      int py = phase / w.strideX();
      int px = phase % w.strideX();
      int tapsY = Math.max(0, (w.height() - py + w.strideY() - 1) / w.strideY());
      int tapsX = Math.max(0, (w.width() - px + w.strideX() - 1) / w.strideX());
      int[] taps = new int[tapsY * tapsX];
      int[] offsets = new int[taps.length * outputs];
      for (int t = 0; t < taps.length; t++) {
        int i = t / tapsX;
        int j = t % tapsX;
        int place = (py + i * w.strideY()) * w.width() + px + j * w.strideX();
        taps[t] = place * channels * conv.outputs();
        for (int o = 0; o < outputs; o++) {
          offsets[t * outputs + o] = -(i * rimmedWidth + j) * conv.outputs() + o;
        }
      }
      int[] bases = new int[input.positions()];
      int[] places = new int[input.positions()];
      int count = 0;
      for (int y = 0; y < input.height(); y++) {
        for (int x = 0; x < input.width(); x++) {
          if ((y + w.padY()) % w.strideY() == py && (x + w.padX()) % w.strideX() == px) {
            int row = rimY + (y + w.padY()) / w.strideY();
            int column = rimX + (x + w.padX()) / w.strideX();
            bases[count] = (row * rimmedWidth + column) * conv.outputs();
            places[count++] = (y * input.width() + x) * input.channels();
          }
        }
      }
      Panels[] panels = new Panels[groups];
      Arrays.setAll(panels, g -> new Panels(offsets.length, channels, lanes));
      all[phase] =
          new Phase(
              Arrays.copyOf(bases, count), Arrays.copyOf(places, count), offsets, taps, panels);
    }
    return all;
  }

  @Override
  public void load(float[] parameters) {
    used = parameters;
    usedAt = node.slices().get(0).offset();
    if (standardised != null) {
      standardised.load(parameters, usedAt);
      used = standardised.weights;
      usedAt = 0;
    }
    int all = conv.outputs();
    for (int g = 0; g < groups; g++) {
      int at = usedAt + g * outputs;
      forward[g].load(used, at, all, 1);
      if (node.slices().size() > 1) {
        forward[g].loadBias(parameters, node.slices().get(1).offset() + g * outputs);
      }
      for (int p = 0; phases != null && p < phases.length; p++) {
        Phase phase = phases[p];
        for (int t = 0; t < phase.tap.length; t++) {
          for (int o = 0; o < outputs; o++) {
            phase.weights[g].loadRow(t * outputs + o, used, at + phase.tap[t] + o, all);
          }
        }
      }
    }
  }

  @Override
  public void measure(float[] parameters) {}

  /** Turns a gradient by the used weights into one by the parameters, in place. */
  void toParameters(float[] gradient, int at) {
    if (standardised != null) {
      standardised.back(gradient, at);
    }
  }
}
