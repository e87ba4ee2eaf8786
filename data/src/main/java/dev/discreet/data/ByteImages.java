package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;

/**
 * Images of one byte a value in memory, channels last, with a class each. A value v becomes (v/255
 * − mean)/deviation of its channel; both are public figures that the caller gives.
 */
public final class ByteImages implements Examples {
  private final Shape shape;
  private final byte[] pixels;
  private final byte[] labels;
  private final float[][] value;

  /** The arrays are not copied. */
  public ByteImages(Shape shape, byte[] pixels, byte[] labels, double[] mean, double[] deviation) {
    Check.that(
        pixels.length == (long) labels.length * shape.size(),
        "pixels",
        shape.size() + " for each of " + labels.length + " labels",
        pixels.length);
    Check.that(
        mean.length == shape.channels() && deviation.length == shape.channels(),
        "mean and deviation",
        "one for each of " + shape.channels() + " channels",
        mean.length + " and " + deviation.length);
    this.shape = shape;
    this.pixels = pixels;
    this.labels = labels;
    this.value = new float[shape.channels()][256];
    for (int c = 0; c < value.length; c++) {
      Check.positive(deviation[c], "deviation");
      for (int v = 0; v < 256; v++) {
        value[c][v] = (float) ((v / 255.0 - mean[c]) / deviation[c]);
      }
    }
  }

  @Override
  public int size() {
    return labels.length;
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
    int from = example * shape.size();
    if (value.length == 1) {
      float[] table = value[0];
      for (int i = 0; i < shape.size(); i++) {
        to[at + i] = table[pixels[from + i] & 0xff];
      }
      return;
    }
    for (int i = 0; i < shape.size(); i++) {
      to[at + i] = value[i % value.length][pixels[from + i] & 0xff];
    }
  }

  @Override
  public void target(int example, float[] to, int at) {
    to[at] = labels[example] & 0xff;
  }
}
