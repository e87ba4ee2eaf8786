package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.WindowTables;
import dev.discreet.core.nn.Window;
import java.util.Arrays;

/** A convolution, channels last, as products over index tables: no copy of the windows is made. */
public final class ConvOp extends MaterialisedOp {
  private final ConvWeights weights;
  private final boolean frozen;
  private final float[] padded;
  private final float[] dPadded;
  private final float[] shares;
  private final int[] base;
  private final int[] outBase;
  private final int[] shareBase;
  private final int[] across;

  public ConvOp(
      Kernels kernels, ConvWeights weights, int tile, boolean frozen, float[] in, float[] dIn) {
    super(
        kernels,
        weights.node.slices(),
        tile,
        in,
        dIn,
        buffer(tile, weights.output.size()),
        buffer(tile, weights.output.size()));
    this.weights = weights;
    this.frozen = frozen;
    Window w = weights.conv.window();
    this.padded = w.padY() + w.padX() > 0 ? buffer(tile, weights.paddedSize) : in;
    this.base = WindowTables.tiled(weights.base, tile, weights.paddedSize);
    this.outBase = WindowTables.steps(tile * weights.output.positions(), weights.conv.outputs());
    boolean back = dIn != null;
    int positions = tile * weights.output.positions();
    int depth = weights.offset.length;
    this.dPadded = !back ? null : padded == in ? dIn : buffer(tile, weights.paddedSize);
    this.shares = back ? buffer(positions, depth) : null;
    this.shareBase = back ? WindowTables.steps(positions, depth) : null;
    this.across = WindowTables.steps(weights.outputs, 1);
  }

  /** The places of a later group: those of the first, moved. */
  private static int[] offsets(int[] places, int shift) {
    return shift == 0 ? places : Arrays.stream(places).map(place -> place + shift).toArray();
  }

  @Override
  public void forward(int n, TileContext context) {
    if (padded != in) {
      copyRows(n, in, padded, true);
    }
    product(n, padded, weights, out);
  }

  private void product(int n, float[] from, ConvWeights by, float[] to) {
    for (int g = 0; g < weights.groups; g++) {
      kernels.multiply(
          from,
          base,
          n * weights.output.positions(),
          offsets(weights.offset, g * weights.channels),
          by.forward[g],
          to,
          outBase,
          g * weights.outputs);
    }
  }

  /** As a dense layer's: the input by how the weights move, and how the input moves by them. */
  @Override
  public void tangent(int n, Tangents tangents) {
    float[] moving = tangents.of(padded);
    float[] moved = tangents.of(out);
    float[] other = tangents.of(dOut);
    if (padded != in) {
      copyRows(n, tangents.of(in), moving, true);
    }
    product(n, padded, (ConvWeights) tangents.direction.along(weights.node), moved);
    product(n, moving, (ConvWeights) tangents.direction.linear(weights.node), other);
    kernels.addScaled(1, other, 0, moved, 0, n * weights.output.size());
  }

  /** The input into the middle of the padded one, or the padded gradient's middle back. */
  private void copyRows(int n, float[] inside, float[] outside, boolean inwards) {
    Window w = weights.conv.window();
    int row = weights.input.width() * weights.input.channels();
    int paddedRow = weights.paddedWidth * weights.input.channels();
    int corner = w.padY() * paddedRow + w.padX() * weights.input.channels();
    for (int e = 0; e < n; e++) {
      for (int y = 0; y < weights.input.height(); y++) {
        int inner = e * weights.input.size() + y * row;
        int outer = e * weights.paddedSize + corner + y * paddedRow;
        if (inwards) {
          System.arraycopy(inside, inner, outside, outer, row);
        } else {
          System.arraycopy(outside, outer, inside, inner, row);
        }
      }
    }
  }

  @Override
  public void backward(int n, TileContext context) {
    int positions = weights.output.positions();
    int all = weights.conv.outputs();
    if (!frozen) {
      int weightSize = slices.get(0).size();
      for (int g = 0; g < weights.groups; g++) {
        for (int e = 0; e < n; e++) {
          kernels.outer(
              padded,
              base,
              offsets(weights.offset, g * weights.channels),
              dOut,
              outBase,
              g * weights.outputs,
              weights.outputs,
              e * positions,
              (e + 1) * positions,
              gradients,
              e * size + g * weights.outputs,
              all,
              false);
        }
      }
      for (int e = 0; e < n; e++) {
        weights.toParameters(gradients, e * size);
        if (weights.conv.bias()) {
          kernels.columnSums(
              dOut, e * positions * all, positions, all, gradients, e * size + weightSize);
        }
      }
    }
    if (dIn != null) {
      Arrays.fill(dPadded, 0, n * weights.paddedSize, 0);
      for (int g = 0; g < weights.groups; g++) {
        kernels.multiply(
            dOut,
            outBase,
            n * positions,
            offsets(across, g * weights.outputs),
            weights.backward[g],
            shares,
            shareBase,
            0);
        kernels.addRuns(
            shares,
            n * positions,
            weights.runs,
            weights.runLength,
            dPadded,
            base,
            g * weights.channels);
      }
      if (dPadded != dIn) {
        copyRows(n, dIn, dPadded, false);
      }
    }
  }
}
