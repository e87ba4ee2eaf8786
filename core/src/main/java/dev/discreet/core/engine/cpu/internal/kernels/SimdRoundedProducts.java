package dev.discreet.core.engine.cpu.internal.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums that are rounded to whole numbers while they are in a near cache. */
final class SimdRoundedProducts {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> I = VectorSpecies.of(int.class, S.vectorShape());
  private static final int L = S.length();

  private final SimdPackedProducts packed;

  /** Some whole rows of sums, and what a vector reaches past them. */
  private int blocks;

  private float[] sums = {};

  SimdRoundedProducts(SimdPackedProducts packed) {
    this.packed = packed;
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
    if (sums.length < 12 * columns + 2 * L) {
      sums = new float[12 * columns + 2 * L];
    }
    boolean packs = SimdPackedProducts.pays(depth, columns);
    if (packs) {
      packed.loadDeltas(delta, deltaBase, 0, columns, from, to, columns);
    }
    int rows;
    for (int k = 0; k < depth; k += rows) {
      rows = packs ? SimdPackedProducts.ROWS : height(columns, depth - k);
      if (packs) {
        packed.loadInputs(in, base, inAt + k, from);
      }
      // The last panel first: what its rows reach past their ends is set after it.
      for (int j = (columns - 1) / (2 * L) * 2 * L; j >= 0; j -= 2 * L) {
        if (packs) {
          packed.outer(j, sums, j, false);
        } else {
          block(rows, in, base, inAt + k, delta, deltaBase, j, columns, from, to);
        }
      }
      rows = Math.min(rows, depth - k);
      int first = at + k * stride;
      if (stride == columns) {
        round(0, rows * columns, share, parameters, first, scale, high, low);
      } else {
        for (int i = 0; i < rows; i++) {
          round(i * columns, columns, share, parameters, first + i * stride, scale, high, low);
        }
      }
    }
  }

  /** Rows of a block that may reach past the last one. */
  private static int height(int columns, int left) {
    if (columns <= L) {
      return 8;
    }
    return SimdProducts.LOW == 4 ? 4 : left > 16 || left > 8 && left <= 12 ? 12 : 8;
  }

  private void block(
      int rows,
      float[] in,
      int[] base,
      int f,
      float[] delta,
      int[] deltaBase,
      int j,
      int columns,
      int from,
      int to) {
    // As in SimdProducts: what is called often is compiled soon.
    int piece = blocks < SimdProducts.COLD ? SimdProducts.PIECE : Math.max(1, to - from);
    blocks += blocks < SimdProducts.COLD ? 1 : 0;
    for (int r = from; r < to || r == from; r += piece) {
      block(rows, in, base, f, delta, deltaBase, j, columns, r, Math.min(to, r + piece), r > from);
    }
  }

  private void block(
      int rows,
      float[] in,
      int[] base,
      int f,
      float[] delta,
      int[] deltaBase,
      int j,
      int columns,
      int from,
      int to,
      boolean add) {
    if (columns <= L) {
      SimdRunBlocks.outer8x1(
          in, base, f, delta, deltaBase, j, from, to, sums, j, columns, 0, 7, add);
    } else if (rows == 4) {
      SimdLowBlocks.outer4x2(
          in, base, f, delta, deltaBase, j, from, to, sums, j, columns, 0, 3, add);
    } else if (rows == 8) {
      SimdRunBlocks.outer8x2(
          in, base, f, delta, deltaBase, j, from, to, sums, j, columns, 0, 7, add);
    } else {
      SimdTallBlocks.outer12x2(
          in, base, f, delta, deltaBase, j, from, to, sums, j, columns, 0, add);
    }
  }

  /** Rounds sums, with the parameters' share, and adds them up. */
  private void round(
      int from,
      int length,
      float share,
      float[] parameters,
      int at,
      float scale,
      int[] high,
      int[] low) {
    int whole = S.loopBound(length);
    if (share != 0) {
      FloatVector part = FloatVector.broadcast(S, share);
      for (int i = 0; i < whole; i += L) {
        part.fma(
                FloatVector.fromArray(S, parameters, at + i),
                FloatVector.fromArray(S, sums, from + i))
            .intoArray(sums, from + i);
      }
      for (int i = whole; i < length; i++) {
        sums[from + i] = Math.fma(share, parameters[at + i], sums[from + i]);
      }
    }
    addRounded(sums, from, whole, scale, at, high, low);
    for (int i = whole; i < length; i++) {
      ScalarKernels.drain(sums[from + i], at + i, scale, high, low);
    }
  }

  /** Adds the rounded values to high and low from place {@code at}; whole vectors. */
  static void addRounded(
      float[] a, int from, int length, float scale, int at, int[] high, int[] low) {
    FloatVector rounder = FloatVector.broadcast(S, ScalarKernels.ROUNDER);
    FloatVector down = FloatVector.broadcast(S, 0x1p-16f);
    FloatVector up = FloatVector.broadcast(S, -0x1p16f);
    int bits = Float.floatToRawIntBits(ScalarKernels.ROUNDER);
    for (int i = 0; i < length; i += L) {
      FloatVector x = FloatVector.fromArray(S, a, from + i).mul(scale);
      FloatVector upper = x.fma(down, rounder);
      FloatVector lower = upper.sub(rounder).fma(up, x).add(rounder);
      upper
          .reinterpretAsInts()
          .sub(bits)
          .add(IntVector.fromArray(I, high, at + i))
          .intoArray(high, at + i);
      lower
          .reinterpretAsInts()
          .sub(bits)
          .add(IntVector.fromArray(I, low, at + i))
          .intoArray(low, at + i);
    }
  }
}
