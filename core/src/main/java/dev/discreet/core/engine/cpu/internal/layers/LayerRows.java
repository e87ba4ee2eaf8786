package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.WindowTables;
import dev.discreet.core.nn.Layout.Node;
import java.util.Arrays;

/**
 * What many units add to a dense layer: for each a row of the layer's inputs followed by a one, and
 * a row of its clipped gradient by the layer's outputs. A unit's clipped gradient is the product of
 * the two; the one makes that of the biases. What a step wrote stays in memory until the next one
 * writes there.
 */
public final class LayerRows {
  /** So many outputs of a few inputs, for as many units as a chunk has, stay in a core's cache. */
  static final int COLUMNS = 256;

  private final int inputs;
  private final int outputs;
  private float[] inputRows = new float[0];
  private float[] deltaRows = new float[0];
  private int[] inputBase = new int[0];

  /** For each part of the outputs, where it begins in each row. */
  private final int[][] deltaBase;

  LayerRows(Node node) {
    this.inputs = node.input().size() + 1;
    this.outputs = node.output().size();
    this.deltaBase = new int[(outputs + COLUMNS - 1) / COLUMNS][0];
  }

  /** Floats that a unit takes. */
  int width() {
    return inputs + outputs;
  }

  /** Into how many parts the outputs are cut. */
  int parts() {
    return deltaBase.length;
  }

  /** How many outputs a part has. */
  int columns(int part) {
    return Math.min(COLUMNS, outputs - part * COLUMNS);
  }

  /** Makes room for so many units. */
  void reserve(int rows) {
    if (inputBase.length < rows) {
      inputRows = new float[rows * inputs + Kernels.SLACK];
      deltaRows = new float[rows * outputs + Kernels.SLACK];
      inputBase = WindowTables.steps(rows, inputs);
      Arrays.setAll(
          deltaBase,
          part -> {
            int[] base = WindowTables.steps(rows, outputs);
            Arrays.setAll(base, row -> base[row] + part * COLUMNS);
            return base;
          });
    }
  }

  /** The unit of this row adds nothing. */
  void clear(int row) {
    Arrays.fill(inputRows, row * inputs, (row + 1) * inputs, 0);
    Arrays.fill(deltaRows, row * outputs, (row + 1) * outputs, 0);
  }

  /** What one unit adds: its inputs, and its gradient by the outputs times a factor. */
  void set(int row, float[] in, int inAt, float[] delta, int deltaAt, float factor) {
    System.arraycopy(in, inAt, inputRows, row * inputs, inputs - 1);
    inputRows[(row + 1) * inputs - 1] = 1;
    for (int j = 0; j < outputs; j++) {
      deltaRows[row * outputs + j] = factor * delta[deltaAt + j];
    }
  }

  /**
   * Adds the rounded sum over rows {@code from} to {@code to} − 1 of some inputs' gradients to high
   * and low, where one input follows another.
   *
   * @param input the first of them
   * @param depth how many they are
   * @param part of the outputs
   * @param share of the parameters that is added to the sum before it is rounded
   * @param parameters those of these inputs and outputs
   */
  void sum(
      Kernels kernels,
      int from,
      int to,
      int input,
      int depth,
      int part,
      float share,
      float[] parameters,
      float scale,
      int[] high,
      int[] low) {
    kernels.outerRounded(
        inputRows,
        inputBase,
        input,
        depth,
        deltaRows,
        deltaBase[part],
        columns(part),
        from,
        to,
        share,
        parameters,
        0,
        columns(part),
        scale,
        high,
        low);
  }
}
