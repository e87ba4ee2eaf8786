package dev.discreet.core.engine.cpu.internal.kernels;

/**
 * A matrix of weights, depth × columns with a first row of biases, cut into panels of two vectors'
 * width (the last may be one vector wide) so that a kernel reads it straight through. Columns past
 * the end are zero.
 */
public final class PackedMatrix {
  final int depth;
  final int columns;
  final int lanes;
  final float[] data;

  public PackedMatrix(int depth, int columns, int lanes) {
    this.depth = depth;
    this.columns = columns;
    this.lanes = lanes;
    int width = (columns + lanes - 1) / lanes * lanes;
    this.data = new float[(depth + 1) * width];
  }

  /** Where the panel that starts at a column lies. */
  int panel(int column) {
    return (depth + 1) * column;
  }

  /** Width of the panel that starts at a column. */
  int width(int column) {
    return columns - column > lanes ? 2 * lanes : lanes;
  }

  /**
   * Row k is {@code from[at + k·rowStride + j·columnStride]}, j the column. Loads the rows of part
   * {@code part} of {@code parts}.
   */
  public void load(float[] from, int at, int rowStride, int columnStride, int part, int parts) {
    int end = (int) ((part + 1L) * depth / parts);
    for (int k = (int) ((long) part * depth / parts); k < end; k++) {
      loadRow(k, from, at + k * rowStride, columnStride);
    }
  }

  void loadRow(int k, float[] from, int at, int columnStride) {
    int width;
    for (int j = 0; j < columns; j += width) {
      width = width(j);
      int count = Math.min(width, columns - j);
      int to = panel(j) + (k + 1) * width;
      if (columnStride == 1) {
        System.arraycopy(from, at + j, data, to, count);
      } else {
        for (int i = 0; i < count; i++) {
          data[to + i] = from[at + (j + i) * columnStride];
        }
      }
    }
  }

  public void loadBias(float[] from, int at) {
    loadRow(-1, from, at, 1);
  }
}
