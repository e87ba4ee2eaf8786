package dev.discreet.core.engine.cpu.internal.kernels;

/**
 * The inner loops, one worker's own. Two implementations give the same bits: {@link ScalarKernels},
 * obviously right, and {@link SimdKernels}. Arrays that hold activations or gradients have {@link
 * #SLACK} spare floats at their end, so that a vector may be read across the end of a row.
 */
public interface Kernels {
  /** At least as many as two vectors have lanes. */
  int SLACK = 64;

  /** Lanes of a vector; panels are made for it. */
  int lanes();

  /**
   * out[outAt + outBase[r] + j] = b[j] + Σₖ in[base[r] + offset[k]]·w[k][j], summed in order of k
   * by fused multiply-adds that start from b.
   */
  void multiply(
      float[] in,
      int[] base,
      int rows,
      int[] offset,
      PackedMatrix weights,
      float[] out,
      int[] outBase,
      int outAt);

  /**
   * gradient[at + k·columns + j] = Σᵣ in[base[r] + offset[k]]·delta[deltaBase[r] + j] for r from
   * {@code from} to {@code to}, in order of r, starting from 0 or, with {@code add}, from what is
   * there.
   */
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
      boolean add);

  /**
   * {@link #outer} over places side by side from {@code inAt}, {@link #addScaled} of the parameters
   * by {@code share} unless that is 0, and {@link #drain}, in one pass that writes no gradient: for
   * k below {@code depth} and j below {@code columns} the rounded sum goes to place {@code at +
   * k·stride + j} of high and low. Nothing else of them is written, and none of what lies beyond
   * the last row is read.
   */
  void outerRounded(
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
      int[] low);

  /**
   * Adds each row of shares to where its window lies: to[toAt + base[r] + runs[j] + i] +=
   * shares[r][j · length + i], row by row.
   */
  void addRuns(float[] shares, int rows, int[] runs, int length, float[] to, int[] base, int toAt);

  /** out[outAt + j] = Σᵣ a[at + r·columns + j], in order of r. */
  void columnSums(float[] a, int at, int rows, int columns, float[] out, int outAt);

  /**
   * Σ a[i]² over [from, to), within 2⁻¹⁵/lanes of itself; above it by up to 2⁻¹⁴⁹ a value, for
   * squares that vanish in single precision must not make a norm look smaller than it is; and not
   * finite where single precision cannot hold it.
   */
  double sumOfSquares(float[] a, int from, int to);

  /** to[toAt + i] = fma(factor, a[from + i], to[toAt + i]). */
  void addScaled(float factor, float[] a, int from, float[] to, int toAt, int length);

  /** {@link #addScaled} of each row with its factor, one after another. */
  void addScaledRows(
      float[] factor, int rows, float[] a, int from, int stride, float[] to, int toAt, int length);

  /** a[i] *= factor. */
  void scale(float factor, float[] a, int from, int length);

  /**
   * Rounds a[i]·scale, below 2³⁰, to a whole number, adds its upper part (in 2¹⁶) and its lower one
   * (between ±2¹⁵) to two sums, and sets a[i] to 0. Each sum holds 2¹⁵ such numbers.
   */
  void drain(float[] a, int from, int to, float scale, int[] high, int[] low);

  /** out = f(in) on each value. */
  void activate(PointwiseFunction f, float[] in, float[] out, int length);

  /** dIn = dOut·f′, from what went in and what came out. */
  void activateBack(
      PointwiseFunction f, float[] in, float[] out, float[] dOut, float[] dIn, int length);

  /**
   * Max pooling of one example: for each position the largest over its taps, and which tap it was
   * (the first of equals). A tap wins where best − tap has its sign bit set: integer arithmetic
   * does that several times faster than this Java's vector masks.
   */
  void maxPool(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float[] out,
      int[] winner,
      int outAt);

  /** dIn = for each input the sum, in order, of the dOut of the positions where it won. */
  void maxPoolBack(
      float[] dIn,
      int inAt,
      WindowTables.Seen seen,
      int channels,
      float[] dOut,
      int[] winner,
      int at);

  /** Average pooling of one example: the sum over each position's taps times {@code share}. */
  void averagePool(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float share,
      float[] out,
      int outAt);

  /** Adds each dOut times {@code share} to all of its taps. */
  void averagePoolBack(
      float[] dIn,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float share,
      float[] dOut,
      int at);
}
