package dev.discreet.data.rows;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.PixelScale;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Images of one byte a value, channels last, with a target each. A value v becomes (v/255 −
 * mean)/deviation of its channel; both are public figures that the caller gives.
 */
public final class ByteImages implements Examples {
  private final Shape shape;
  private final RowStore pixels;
  private final float[] targets;
  private final float[][] value;

  /** Images in memory, with a class each. The pixels are not copied. */
  public ByteImages(Shape shape, byte[] pixels, byte[] labels, double[] mean, double[] deviation) {
    this(
        shape,
        new RowStore(shape.size(), pixels),
        new float[labels.length],
        new PixelScale(boxed(mean), boxed(deviation)).ofBytes(shape.channels()));
    Check.that(
        pixels.length == (long) labels.length * shape.size(),
        "pixels",
        shape.size() + " for each of " + labels.length + " labels",
        pixels.length);
    for (int i = 0; i < labels.length; i++) {
      targets[i] = labels[i] & 0xff;
    }
  }

  /**
   * @param value what becomes of each byte, by channel; one table where all channels share it
   */
  public ByteImages(Shape shape, RowStore pixels, float[] targets, float[][] value) {
    this.shape = shape;
    this.pixels = pixels;
    this.targets = targets;
    this.value = value;
  }

  private static List<Double> boxed(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  @Override
  public int size() {
    return targets.length;
  }

  @Override
  public Shape input() {
    return shape;
  }

  @Override
  public int targets() {
    return 1;
  }

  @Override
  public void input(int example, float[] to, int at) {
    ByteBuffer chunk = pixels.chunk(example);
    int offset = pixels.offset(example);
    if (chunk.hasArray()) {
      scale(chunk.array(), chunk.arrayOffset() + offset, to, at);
    } else {
      byte[] row = new byte[shape.size()];
      chunk.get(offset, row);
      scale(row, 0, to, at);
    }
  }

  private void scale(byte[] from, int first, float[] to, int at) {
    int channels = value.length;
    for (int c = 0; c < channels; c++) {
      float[] table = value[c];
      for (int i = c; i < shape.size(); i += channels) {
        to[at + i] = table[from[first + i] & 0xff];
      }
    }
  }

  @Override
  public void target(int example, float[] to, int at) {
    to[at] = targets[example];
  }
}
