package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;

/**
 * The shape of one example's values at some layer, channels last. A vector is 1×1×n, a sequence
 * 1×length×n.
 *
 * <pre>{@code
 * Shape image = new Shape(28, 28, 1);
 * Shape vector = Shape.vector(10);
 * }</pre>
 *
 * @param height how many rows of positions there are
 * @param width how many positions a row has
 * @param channels how many numbers each position has
 */
@PublicApi
public record Shape(int height, int width, int channels) implements Serializable {
  /** Refuses an empty shape, and one of more than 2³⁰ values. */
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

  /**
   * The shape of a vector.
   *
   * @param size how many numbers it has
   * @return 1×1×size
   */
  public static Shape vector(int size) {
    return new Shape(1, 1, size);
  }

  /**
   * Reads what {@link #toString} writes: {@code 28x28x1}, or {@code 10} for a vector.
   *
   * @param text the text of a shape
   * @return the shape
   */
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

  /** {@return how many positions there are, each with all its channels} */
  public int positions() {
    return height * width;
  }

  /** {@return how many numbers there are in all} */
  public int size() {
    return height * width * channels;
  }

  @Override
  public String toString() {
    return positions() == 1 ? Integer.toString(channels) : height + "x" + width + "x" + channels;
  }
}
