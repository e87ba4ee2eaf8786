package dev.discreet.core.engine.cpu.internal.kernels;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums that are rounded to whole numbers while they are in the nearest cache. */
final class SimdRoundedProducts {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> I = VectorSpecies.of(int.class, S.vectorShape());
  private static final int L = S.length();

  /** Twelve rows of two vectors. */
  private final float[] block = new float[24 * L];

  /** All bits for as many lanes as a vector has, then none: what is kept of a vector cut short. */
  private final int[] keep = new int[2 * L];

  SimdRoundedProducts() {
    Arrays.fill(keep, 0, L, -1);
  }

  /** As {@link Kernels#drain} of whole vectors. */
  static void drain(float[] a, int from, int to, float scale, int[] high, int[] low) {
    FloatVector zero = FloatVector.zero(S);
    FloatVector rounder = FloatVector.broadcast(S, ScalarKernels.ROUNDER);
    FloatVector down = FloatVector.broadcast(S, 0x1p-16f);
    FloatVector up = FloatVector.broadcast(S, -0x1p16f);
    int bits = Float.floatToRawIntBits(ScalarKernels.ROUNDER);
    for (int i = from; i < to; i += L) {
      FloatVector x = FloatVector.fromArray(S, a, i).mul(scale);
      FloatVector upper = x.fma(down, rounder);
      FloatVector lower = upper.sub(rounder).fma(up, x).add(rounder);
      upper.reinterpretAsInts().sub(bits).add(IntVector.fromArray(I, high, i)).intoArray(high, i);
      lower.reinterpretAsInts().sub(bits).add(IntVector.fromArray(I, low, i)).intoArray(low, i);
      zero.intoArray(a, i);
    }
  }

  /** See {@link Kernels#outerRounded}. */
  void outer(
      float[] in,
      int[] base,
      int inAt,
      int depth,
      float[] delta,
      int[] deltaBase,
      int columns,
      int from,
      int to,
      float share,
      float[] parameters,
      int at,
      int stride,
      float scale,
      int[] high,
      int[] low) {
    int width;
    for (int j = 0; j < columns; j += width) {
      width = columns - j > L ? 2 * L : L;
      int lanes = Math.min(width, columns - j);
      int rows;
      for (int k = 0; k < depth; k += rows) {
        int left = depth - k;
        // The rest is cut into twelves and eights; rows past the last are left in the block.
        boolean tall = width == 2 * L && left > 8 && (left <= 12 || left > 16);
        rows = Math.min(tall ? 12 : 8, left);
        int f = inAt + k;
        if (tall) {
          SimdTallBlocks.outer12x2(
              in, base, f, delta, deltaBase, j, from, to, block, 0, 2 * L, 0, false);
        } else if (width == L) {
          SimdRunBlocks.outer8x1(
              in, base, f, delta, deltaBase, j, from, to, block, 0, 2 * L, 0, 7, false);
        } else {
          SimdRunBlocks.outer8x2(
              in, base, f, delta, deltaBase, j, from, to, block, 0, 2 * L, 0, 7, false);
        }
        int first = at + j + k * stride;
        int near = rows;
        if (lanes < width) {
          // What a vector reaches past the end of a row must be this call's own rows.
          int room = at + depth * stride - first - width;
          near = stride > columns || room < 0 ? 0 : Math.min(rows, room / stride + 1);
        }
        addRows(near, width, lanes, share, parameters, first, stride, scale, high, low);
        for (int i = near; i < rows; i++) {
          for (int c = 0; c < lanes; c++) {
            int place = first + i * stride + c;
            float sum = block[i * 2 * L + c];
            ScalarKernels.drain(
                share == 0 ? sum : Math.fma(share, parameters[place], sum),
                place,
                scale,
                high,
                low);
          }
        }
      }
    }
  }

  /**
   * Rounds rows of the block and adds them up.
   *
   * @param width of the block, one vector or two
   * @param lanes of it that count; what lies behind them is written back as it was
   */
  private void addRows(
      int rows,
      int width,
      int lanes,
      float share,
      float[] parameters,
      int at,
      int stride,
      float scale,
      int[] high,
      int[] low) {
    FloatVector rounder = FloatVector.broadcast(S, ScalarKernels.ROUNDER);
    FloatVector down = FloatVector.broadcast(S, 0x1p-16f);
    FloatVector up = FloatVector.broadcast(S, -0x1p16f);
    FloatVector part = FloatVector.broadcast(S, share);
    int bits = Float.floatToRawIntBits(ScalarKernels.ROUNDER);
    for (int c = 0; c < width; c += L) {
      IntVector kept = IntVector.fromArray(I, keep, Math.max(0, L - (lanes - c)));
      for (int i = 0; i < rows; i++) {
        int place = at + i * stride + c;
        FloatVector x = FloatVector.fromArray(S, block, i * 2 * L + c);
        if (share != 0) {
          x = part.fma(FloatVector.fromArray(S, parameters, place), x);
        }
        x = x.mul(scale);
        FloatVector upper = x.fma(down, rounder);
        FloatVector lower = upper.sub(rounder).fma(up, x).add(rounder);
        upper
            .reinterpretAsInts()
            .sub(bits)
            .and(kept)
            .add(IntVector.fromArray(I, high, place))
            .intoArray(high, place);
        lower
            .reinterpretAsInts()
            .sub(bits)
            .and(kept)
            .add(IntVector.fromArray(I, low, place))
            .intoArray(low, place);
      }
    }
  }
}
