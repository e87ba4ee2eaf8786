package dev.discreet.core.nn;

import dev.discreet.accounting.Check;

/**
 * The shape of one example's values at some layer, channels last. A vector is 1×1×n, a sequence
 * 1×length×n.
 */
public record Shape(int height, int width, int channels) {
  public Shape {
    Check.that(height >= 1, "height", "at least 1", height);
    Check.that(width >= 1, "width", "at least 1", width);
    Check.that(channels >= 1, "channels", "at least 1", channels);
    Check.that(
        (long) height * width * channels <= Integer.MAX_VALUE / 2,
        "shape",
        "at most 2^30 values",
        height + "x" + width + "x" + channels);
  }

  public static Shape vector(int size) {
    return new Shape(1, 1, size);
  }

  /** Reads what {@link #toString} writes: {@code 28x28x1}, or {@code 10} for a vector. */
  public static Shape parse(String text) {
    Check.that(
        text.matches("\\d{1,9}(x\\d{1,9}x\\d{1,9})?"),
        "shape",
        "HEIGHTxWIDTHxCHANNELS or SIZE",
        text);
    String[] sides = text.split("x");
    return sides.length == 1
        ? vector(Integer.parseInt(text))
        : new Shape(
            Integer.parseInt(sides[0]), Integer.parseInt(sides[1]), Integer.parseInt(sides[2]));
  }

  public int positions() {
    return height * width;
  }

  public int size() {
    return height * width * channels;
  }

  @Override
  public String toString() {
    return positions() == 1 ? Integer.toString(channels) : height + "x" + width + "x" + channels;
  }
}
