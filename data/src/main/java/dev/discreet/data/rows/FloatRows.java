package dev.discreet.data.rows;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;

/** Examples of plain numbers, scaled already. */
record FloatRows(Shape input, RowStore inputs, float[] values) implements Examples {
  @Override
  public int size() {
    return values.length;
  }

  @Override
  public int targets() {
    return 1;
  }

  @Override
  public void input(int example, float[] to, int at) {
    inputs
        .chunk(example)
        .asFloatBuffer()
        .get(inputs.offset(example) / Float.BYTES, to, at, input.size());
  }

  @Override
  public void target(int example, float[] to, int at) {
    to[at] = values[example];
  }
}
