package dev.discreet.core.engine.cpu.internal.kernels;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Weight gradients of large dense layers: rows that lie a page apart are first laid side by side,
 * where the nearest cache and the table of pages hold them. That pays where each is read often.
 */
final class SimdPackedProducts {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final int L = S.length();

  /** Rows of a block. */
  static final int ROWS = SimdProducts.TALL;

  /** From how many blocks along either side. */
  private static final int OFTEN = 8;

  /** Floats of deltas that stay in a second-level cache. */
  private static final int CACHE = 128 * 1024;

  /**
   * The values of one row after another or, where there are few registers, one place of all rows
   * after another: the block for the first is faster, but the compiler fills sixteen registers with
   * the values of a row and puts sums into memory.
   */
  private float[] strip = {};

  /** Two vectors wide, with a first row of zeros. */
  private float[] panels = {};

  private int[] base = {};
  private final int[] places = new int[ROWS];
  private int stride;
  private int rows;

  static boolean pays(int depth, int columns) {
    return depth >= OFTEN * ROWS && columns >= OFTEN * 2 * L;
  }

  /** How many rows to take at a time. */
  static int rows(int columns) {
    return Math.max(ROWS, CACHE / columns);
  }

  /**
   * Takes the deltas of the rows.
   *
   * @param stride from one row of the results to the next
   */
  void loadDeltas(
      float[] delta, int[] deltaBase, int deltaAt, int columns, int from, int to, int stride) {
    rows = to - from;
    this.stride = stride;
    for (int i = 0; i < ROWS; i++) {
      places[i] = i * stride;
    }
    base = WindowTables.steps(ROWS, rows);
    int count = (columns + 2 * L - 1) / (2 * L);
    if (panels.length < count * (rows + 1) * 2 * L) {
      panels = new float[count * (rows + 1) * 2 * L];
    }
    for (int c = 0; c < count; c++) {
      Arrays.fill(panels, panel(c), panel(c) + 2 * L, 0);
    }
    for (int r = 0; r < rows; r++) {
      int d = deltaBase[from + r] + deltaAt;
      for (int c = 0; c < count; c++) {
        int p = panel(c) + (r + 1) * 2 * L;
        FloatVector.fromArray(S, delta, d + c * 2 * L).intoArray(panels, p);
        FloatVector.fromArray(S, delta, d + c * 2 * L + L).intoArray(panels, p + L);
      }
    }
  }

  private int panel(int count) {
    return count * (rows + 1) * 2 * L;
  }

  /** Takes as many values side by side of each row as a block has rows. */
  void loadInputs(float[] in, int[] base, int inAt, int from) {
    if (strip.length < rows * ROWS + L) {
      strip = new float[rows * ROWS + L];
    }
    for (int r = 0; r < rows; r++) {
      int at = base[from + r] + inAt;
      if (SimdProducts.REGISTERS == 32) {
        for (int i = 0; i < ROWS; i += L) {
          FloatVector.fromArray(S, in, at + i).intoArray(strip, r * ROWS + i);
        }
      } else {
        for (int i = 0; i < ROWS; i++) {
          strip[i * rows + r] = in[at + i];
        }
      }
    }
  }

  /** The block of the values and the deltas from a column, which begins a panel. */
  void outer(int column, float[] gradient, int at, boolean add) {
    int p = panel(column / (2 * L)) + 2 * L;
    int end = ROWS - 1;
    if (SimdProducts.REGISTERS == 32) {
      SimdPackedBlocks.outer12x2(strip, panels, p, rows, gradient, at, stride, add);
    } else {
      SimdLowBlocks.multiply6x2(
          strip, base, 0, end, 0, rows, panels, p, !add, gradient, places, 0, end, at);
    }
  }
}
