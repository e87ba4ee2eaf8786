package dev.discreet.core.engine.cpu.internal.kernels;

import jdk.incubator.vector.FloatVector;

/**
 * The two products of {@link Kernels} with the Vector API. Eight or twelve rows by two vectors of
 * sums stay in registers; a block that reaches past the last row repeats that row, which costs what
 * an idle register would.
 */
final class SimdProducts {
  private static final int L = FloatVector.SPECIES_PREFERRED.length();

  /** From this length a run pays for the start of its own loop. */
  private static final int LONG = 16;

  private static final int[] SPILL_ROWS = WindowTables.steps(12, 2 * L);

  private final float[] spill = new float[24 * L];

  void multiply(
      float[] in,
      int[] base,
      int rows,
      int[] offset,
      PackedMatrix w,
      float[] out,
      int[] outBase,
      int outAt) {
    int run = run(offset);
    int width;
    for (int j = 0; j < w.columns; j += width) {
      width = w.width(j);
      int lanes = Math.min(width, w.columns - j);
      boolean whole = lanes == width;
      int step;
      for (int r = 0; r < rows; r += step) {
        int left = rows - r;
        boolean tall = run >= LONG && width == 2 * L && (left > 16 || left > 8 && left <= 12);
        step = tall ? 12 : 8;
        // A block that ends inside a vector goes to the spill first: a store must not touch what
        // lies behind the row.
        float[] to = whole ? out : spill;
        int[] toBase = whole ? outBase : SPILL_ROWS;
        int first = whole ? r : 0;
        int last = whole ? rows - 1 : step - 1;
        int at = whole ? outAt + j : 0;
        if (tall) {
          for (int k = 0; k < w.depth; k += run) {
            int p = w.panel(j) + (k + 1) * width;
            SimdTallBlocks.multiply12x2(
                in, base, r, rows - 1, offset[k], run, w.data, p, k == 0, to, toBase, first, last,
                at);
          }
        } else {
          block(in, base, r, rows - 1, offset, w, j, to, toBase, first, last, at);
        }
        for (int i = 0; !whole && i < Math.min(step, rows - r); i++) {
          System.arraycopy(spill, i * 2 * L, out, outAt + outBase[r + i] + j, lanes);
        }
      }
    }
  }

  private static void block(
      float[] in,
      int[] base,
      int r,
      int last,
      int[] offset,
      PackedMatrix w,
      int column,
      float[] out,
      int[] outBase,
      int outRow,
      int outLast,
      int outAt) {
    int p = w.panel(column);
    if (w.width(column) == L) {
      SimdScatteredBlocks.multiply8x1(
          in, base, r, last, offset, w.data, p, w.depth, out, outBase, outRow, outLast, outAt);
    } else {
      SimdScatteredBlocks.multiply8x2(
          in, base, r, last, offset, w.data, p, w.depth, out, outBase, outRow, outLast, outAt);
    }
  }

  void outer(
      float[] in,
      int[] base,
      int[] offset,
      float[] delta,
      int[] deltaBase,
      int deltaAt,
      int columns,
      int from,
      int to,
      float[] gradient,
      int at,
      int stride,
      boolean add) {
    int depth = offset.length;
    int run = run(offset);
    boolean runs = run % 8 == 0;
    int width;
    for (int j = 0; j < columns; j += width) {
      width = columns - j > L ? 2 * L : L;
      int lanes = Math.min(width, columns - j);
      int d = deltaAt + j;
      int rows;
      for (int k = 0; k < depth; k += rows) {
        boolean whole = lanes == width;
        // A run is cut into twelves and eights.
        int left = run - k % run;
        boolean tall = runs && width == 2 * L && (left >= 24 || left == 12);
        rows = tall ? 12 : Math.min(8, depth - k);
        int first = at + j + k * stride;
        if (!whole && add) {
          for (int i = 0; i < rows; i++) {
            System.arraycopy(gradient, first + i * stride, spill, i * 2 * L, lanes);
          }
        }
        float[] to8 = whole ? gradient : spill;
        int start = whole ? at + j : 0;
        int step = whole ? stride : 2 * L;
        int row = whole ? k : 0;
        int last = whole ? depth - 1 : rows - 1;
        int f = offset[k];
        if (tall) {
          SimdTallBlocks.outer12x2(
              in, base, f, delta, deltaBase, d, from, to, to8, start, step, row, add);
        } else if (runs && width == L) {
          SimdRunBlocks.outer8x1(
              in, base, f, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        } else if (runs) {
          SimdRunBlocks.outer8x2(
              in, base, f, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        } else if (width == L) {
          SimdScatteredBlocks.outer8x1(
              in, base, offset, k, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        } else {
          SimdScatteredBlocks.outer8x2(
              in, base, offset, k, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        }
        for (int i = 0; !whole && i < rows; i++) {
          System.arraycopy(spill, i * 2 * L, gradient, first + i * stride, lanes);
        }
      }
    }
  }

  /** The length of the runs of places side by side that make up the table; 1 if they differ. */
  private static int run(int[] offset) {
    int run = 1;
    while (run < offset.length && offset[run] == offset[run - 1] + 1) {
      run++;
    }
    for (int k = run; k < offset.length; k++) {
      if (k % run != 0 && offset[k] != offset[k - 1] + 1) {
        return 1;
      }
    }
    return offset.length % run == 0 ? run : 1;
  }
}
