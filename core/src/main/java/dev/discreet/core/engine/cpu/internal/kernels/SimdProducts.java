package dev.discreet.core.engine.cpu.internal.kernels;

import jdk.incubator.vector.FloatVector;

/**
 * The two products of {@link Kernels} with the Vector API. As many sums as the registers hold stay
 * in them; a block that reaches past the last row repeats that row, which costs what an idle
 * register would.
 */
final class SimdProducts {
  private static final int L = FloatVector.SPECIES_PREFERRED.length();

  /** Vector registers: AVX2 and older Intel and AMD have 16, AVX-512 and ARM have 32. */
  static final int REGISTERS =
      L < 16 && System.getProperty("os.arch").matches("amd64|x86_64|x86|i386") ? 16 : 32;

  /** Rows of blocks over runs that are two vectors wide. */
  static final int TALL = REGISTERS == 32 ? 12 : 6;

  static final int LOW = REGISTERS == 32 ? 8 : 4;

  /** From this length a run that is not the only one pays for the start of its own loop. */
  private static final int LONG = 16;

  private static final int[] SPILL_ROWS = WindowTables.steps(12, 2 * L);

  /** Twelve rows of two vectors, and what a vector reaches past them. */
  private final float[] spill = new float[26 * L];

  private float[] edge = {};

  /** How often blocks of a height were multiplied; one vector wide, at place 1. */
  private final int[] calls = new int[13];

  /** How often {@link #outer} was cut into pieces. */
  private int outers;

  /** So many blocks of a height are cut into pieces of few multiply-adds for each sum. */
  static final int COLD = 64;

  static final int PIECE = 8;

  private final SimdPackedProducts packed;

  // The product at hand.
  private float[] in;
  private int[] base;
  private int rows;
  private int[] offset;
  private int run;
  private PackedMatrix w;
  private float[] out;
  private int[] outBase;
  private int outAt;

  SimdProducts(SimdPackedProducts packed) {
    this.packed = packed;
  }

  void multiply(
      float[] in,
      int[] base,
      int rows,
      int[] offset,
      PackedMatrix w,
      float[] out,
      int[] outBase,
      int outAt) {
    this.in = in;
    this.base = base;
    this.rows = rows;
    this.offset = offset;
    this.run = run(offset);
    this.w = w;
    this.out = out;
    this.outBase = outBase;
    this.outAt = outAt;
    int width;
    for (int j = 0; j < w.columns; j += width) {
      width = w.width(j);
      int height;
      for (int r = 0; r < rows; r += height) {
        height = width == L ? 8 : height(rows - r);
        block(r, height, j, width);
      }
    }
  }

  private boolean runs() {
    return run >= LONG || run == w.depth && run > 0;
  }

  /** How many of the rows that are left a block of two vectors takes. */
  private int height(int left) {
    if (!runs()) {
      return 8;
    }
    return left > 2 * LOW || left > LOW && left <= TALL ? TALL : LOW;
  }

  /**
   * How much of a run is multiplied at a time. Java compiles a method that was called a hundred
   * times sooner than one that has done as much in a few calls, and until then it takes a thousand
   * times as long.
   */
  private int piece(int height) {
    boolean cold = calls[height] < COLD;
    calls[height] += cold ? 1 : 0;
    return cold && run > PIECE && run % PIECE == 0 ? PIECE : run;
  }

  /**
   * A block that ends inside a vector goes to the spill first: a store must not touch what lies
   * behind the row.
   */
  private void block(int r, int height, int j, int width) {
    int lanes = Math.min(width, w.columns - j);
    boolean whole = lanes == width;
    float[] to = whole ? out : spill;
    int[] toBase = whole ? outBase : SPILL_ROWS;
    int first = whole ? r : 0;
    int end = whole ? rows - 1 : height - 1;
    int at = whole ? outAt + j : 0;
    int last = rows - 1;
    int p = w.panel(j);
    if (runs()) {
      int piece = piece(width == L ? 1 : height);
      for (int k = 0; k < w.depth; k += piece) {
        boolean begin = k == 0;
        int f = offset[k];
        int q = p + (k + 1) * width;
        if (width == L) {
          SimdRunBlocks.multiply8x1(
              in, base, r, last, f, piece, w.data, q, begin, to, toBase, first, end, at);
        } else if (height == 12) {
          SimdTallBlocks.multiply12x2(
              in, base, r, last, f, piece, w.data, q, begin, to, toBase, first, end, at);
        } else if (height == 8) {
          SimdRunBlocks.multiply8x2(
              in, base, r, last, f, piece, w.data, q, begin, to, toBase, first, end, at);
        } else if (height == 6) {
          SimdLowBlocks.multiply6x2(
              in, base, r, last, f, piece, w.data, q, begin, to, toBase, first, end, at);
        } else {
          SimdLowBlocks.multiply4x2(
              in, base, r, last, f, piece, w.data, q, begin, to, toBase, first, end, at);
        }
      }
    } else if (width == 2 * L && REGISTERS == 32) {
      SimdScatteredBlocks.multiply8x2(
          in, base, r, last, offset, w.data, p, w.depth, to, toBase, first, end, at);
    } else {
      for (int c = 0; c < width; c += L) {
        SimdScatteredBlocks.multiply8x1(
            in, base, r, last, offset, w.data, p + c, width > L, w.depth, to, toBase, first, end,
            at + c);
      }
    }
    for (int i = 0; !whole && i < Math.min(height, rows - r); i++) {
      System.arraycopy(spill, i * 2 * L, out, outAt + outBase[r + i] + j, lanes);
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
    if (outers < COLD && to - from > PIECE) {
      outers++;
      for (int r = from; r < to; r += PIECE) {
        outer(
            in,
            base,
            offset,
            delta,
            deltaBase,
            deltaAt,
            columns,
            r,
            Math.min(to, r + PIECE),
            gradient,
            at,
            stride,
            add || r > from);
      }
      return;
    }
    int depth = offset.length;
    int run = run(offset);
    if (run == depth && SimdPackedProducts.pays(depth, columns)) {
      packedOuter(
          in, base, offset[0], depth, delta, deltaBase, deltaAt, columns, from, to, gradient, at,
          stride, add);
      return;
    }
    boolean runs = run % LOW == 0;
    boolean wide = runs || REGISTERS == 32;
    int width;
    for (int j = 0; j < columns; j += width) {
      width = columns - j > L && wide ? 2 * L : L;
      int lanes = Math.min(width, columns - j);
      int d = deltaAt + j;
      int rows;
      for (int k = 0; k < depth; k += rows) {
        boolean whole = lanes == width;
        // Rows that lie one after another are spilled so too, each over the end of the one before.
        int spillStep = columns <= width && stride == columns ? columns : 2 * L;
        // A run is cut into twelves and eights, with sixteen registers into fours.
        int left = run - k % run;
        boolean tall = runs && width == 2 * L && LOW == 8 && (left >= 24 || left == 12);
        rows = tall ? 12 : Math.min(runs && width == 2 * L ? LOW : 8, depth - k);
        int first = at + j + k * stride;
        if (!whole && add) {
          load(gradient, first, stride, rows, lanes, spillStep);
        }
        float[] to8 = whole ? gradient : spill;
        int start = whole ? at + j : 0;
        int step = whole ? stride : spillStep;
        int row = whole ? k : 0;
        int last = whole ? depth - 1 : rows - 1;
        int f = offset[k];
        if (tall) {
          SimdTallBlocks.outer12x2(
              in, base, f, delta, deltaBase, d, from, to, to8, start, step, row, add);
        } else if (runs && width == 2 * L && LOW == 4) {
          SimdLowBlocks.outer4x2(
              in, base, f, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        } else if (runs && width == 2 * L) {
          SimdRunBlocks.outer8x2(
              in, base, f, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        } else if (run % 8 == 0) {
          SimdRunBlocks.outer8x1(
              in, base, f, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        } else if (width == L) {
          SimdScatteredBlocks.outer8x1(
              in, base, offset, k, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        } else {
          SimdScatteredBlocks.outer8x2(
              in, base, offset, k, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        }
        if (!whole) {
          store(gradient, first, stride, rows, lanes, spillStep);
        }
      }
    }
  }

  private void packedOuter(
      float[] in,
      int[] base,
      int inAt,
      int depth,
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
    int rows = SimdPackedProducts.rows(columns);
    for (int r = from; r < to || r == from; r += rows) {
      int end = Math.min(to, r + rows);
      boolean more = add || r > from;
      packed.loadDeltas(delta, deltaBase, deltaAt, columns, r, end, stride);
      for (int k = 0; k < depth; k += SimdPackedProducts.ROWS) {
        int height = Math.min(SimdPackedProducts.ROWS, depth - k);
        packed.loadInputs(in, base, inAt + k, r);
        for (int j = 0; j < columns; j += 2 * L) {
          int lanes = Math.min(2 * L, columns - j);
          int first = at + j + k * stride;
          if (lanes == 2 * L && height == SimdPackedProducts.ROWS) {
            packed.outer(j, gradient, first, more);
          } else {
            edge(j, height, lanes, gradient, first, stride, more);
          }
        }
      }
    }
  }

  /** A block that reaches past the last row or column, by way of a copy as wide as the result. */
  private void edge(
      int column, int rows, int lanes, float[] gradient, int first, int stride, boolean add) {
    int size = SimdPackedProducts.ROWS * stride + 2 * L;
    if (edge.length < size) {
      edge = new float[size];
    }
    for (int i = 0; add && i < rows; i++) {
      System.arraycopy(gradient, first + i * stride, edge, i * stride, lanes);
    }
    packed.outer(column, edge, 0, add);
    for (int i = 0; i < rows; i++) {
      System.arraycopy(edge, i * stride, gradient, first + i * stride, lanes);
    }
  }

  private void load(float[] gradient, int first, int stride, int rows, int lanes, int step) {
    if (step == stride && lanes == stride) {
      System.arraycopy(gradient, first, spill, 0, rows * stride);
      return;
    }
    for (int i = 0; i < rows; i++) {
      System.arraycopy(gradient, first + i * stride, spill, i * step, lanes);
    }
  }

  private void store(float[] gradient, int first, int stride, int rows, int lanes, int step) {
    if (step == stride && lanes == stride) {
      System.arraycopy(spill, 0, gradient, first, rows * stride);
      return;
    }
    for (int i = 0; i < rows; i++) {
      System.arraycopy(spill, i * step, gradient, first + i * stride, lanes);
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
