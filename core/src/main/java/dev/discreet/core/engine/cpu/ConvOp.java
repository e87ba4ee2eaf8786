package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Window;

/** A convolution, channels last, as products over index tables: no copy of the windows is made. */
final class ConvOp extends MaterialisedOp {
  private final ConvWeights weights;
  private final boolean frozen;
  private final float[] padded;
  private final float[] rimmed;
  private final int[] base;
  private final int[] outBase;
  private final int[] groupOffset;
  private final int[][] phaseBase;
  private final int[][] phasePlace;

  ConvOp(Kernels kernels, ConvWeights weights, int tile, boolean frozen, float[] in, float[] dIn) {
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
    this.base = Tables.tiled(weights.base, tile, weights.paddedSize);
    this.outBase = Tables.steps(tile * weights.output.positions(), weights.conv.outputs());
    this.groupOffset = new int[weights.offset.length];
    boolean back = dIn != null;
    this.rimmed = back ? buffer(tile, weights.rimmedSize) : null;
    int phases = back ? weights.phases.length : 0;
    this.phaseBase = new int[phases][];
    this.phasePlace = new int[phases][];
    for (int p = 0; p < phases; p++) {
      phaseBase[p] = Tables.tiled(weights.phases[p].base, tile, weights.rimmedSize);
      phasePlace[p] = Tables.tiled(weights.phases[p].place, tile, weights.input.size());
    }
  }

  /** The window's places for a group: those of the first, moved by its channels. */
  private int[] offsets(int group) {
    if (group == 0) {
      return weights.offset;
    }
    for (int k = 0; k < groupOffset.length; k++) {
      groupOffset[k] = weights.offset[k] + group * weights.channels;
    }
    return groupOffset;
  }

  @Override
  void forward(int n, Pass pass) {
    if (padded != in) {
      Window w = weights.conv.window();
      int row = weights.input.width() * weights.input.channels();
      int paddedRow = weights.paddedWidth * weights.input.channels();
      int corner = w.padY() * paddedRow + w.padX() * weights.input.channels();
      copyRows(
          n, in, row, 0, row, weights.input.size(), padded, paddedRow, corner, weights.paddedSize);
    }
    for (int g = 0; g < weights.groups; g++) {
      kernels.multiply(
          padded,
          base,
          n * weights.output.positions(),
          offsets(g),
          weights.forward[g],
          out,
          outBase,
          g * weights.outputs);
    }
  }

  private static void copyRows(
      int n,
      float[] from,
      int fromRow,
      int fromAt,
      int length,
      int fromSize,
      float[] to,
      int toRow,
      int toAt,
      int toSize) {
    int rows = fromSize / fromRow;
    for (int e = 0; e < n; e++) {
      for (int y = 0; y < rows; y++) {
        System.arraycopy(
            from, e * fromSize + fromAt + y * fromRow, to, e * toSize + toAt + y * toRow, length);
      }
    }
  }

  @Override
  void backward(int n, Pass pass) {
    int positions = weights.output.positions();
    int all = weights.conv.outputs();
    if (!frozen) {
      int weightSize = slices.get(0).size();
      for (int g = 0; g < weights.groups; g++) {
        for (int e = 0; e < n; e++) {
          kernels.outer(
              padded,
              base,
              offsets(g),
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
        if (slices.size() > 1) {
          kernels.columnSums(
              dOut, e * positions * all, positions, all, gradients, e * size + weightSize);
        }
      }
    }
    if (dIn != null) {
      int row = weights.output.width() * all;
      int rimmedRow = weights.rimmedWidth * all;
      int corner = weights.rimY * rimmedRow + weights.rimX * all;
      copyRows(
          n,
          dOut,
          row,
          0,
          row,
          weights.output.size(),
          rimmed,
          rimmedRow,
          corner,
          weights.rimmedSize);
      for (int p = 0; p < phaseBase.length; p++) {
        ConvWeights.Phase phase = weights.phases[p];
        for (int g = 0; g < weights.groups; g++) {
          int shift = g * weights.outputs;
          int[] offset = phase.offset;
          if (shift > 0) {
            offset = offset.clone();
            for (int i = 0; i < offset.length; i++) {
              offset[i] += shift;
            }
          }
          kernels.multiply(
              rimmed,
              phaseBase[p],
              n * phase.base.length,
              offset,
              phase.weights[g],
              dIn,
              phasePlace[p],
              g * weights.channels);
        }
      }
    }
  }
}
