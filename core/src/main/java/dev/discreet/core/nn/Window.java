package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;

/**
 * What a convolution or a pooling sees: its size, how far it moves, and the rim of zeros.
 *
 * <pre>{@code
 * Network network = Network.builder().conv(16, new Window(8, 4, 2, 1, 3, 0)).flatten().dense(10).build();
 * }</pre>
 *
 * @param height how many rows of positions it sees
 * @param width how many positions of a row it sees
 * @param strideY how far it moves down
 * @param strideX how far it moves to the right
 * @param padY how many rows of zeros stand above and below the input
 * @param padX how many columns of zeros stand left and right of it
 */
@PublicApi
public record Window(int height, int width, int strideY, int strideX, int padY, int padX)
    implements Serializable {
  /** Refuses an empty window, one that does not move, and a rim that would fill it. */
  public Window {
    Check.that(height >= 1 && height <= 1 << 14, "window height", "in [1, 16384]", height);
    Check.that(width >= 1 && width <= 1 << 14, "window width", "in [1, 16384]", width);
    Check.that(strideY >= 1, "stride", "at least 1", strideY);
    Check.that(strideX >= 1, "stride", "at least 1", strideX);
    Check.that(padY >= 0 && padY < height, "pad", "in [0, " + (height - 1) + "]", padY);
    Check.that(padX >= 0 && padX < width, "pad", "in [0, " + (width - 1) + "]", padX);
  }

  /**
   * A window whose height and width are the same in all that it has.
   *
   * @param size height and width
   * @param stride how far it moves
   * @param pad how wide the rim of zeros is
   * @return the window
   */
  public static Window square(int size, int stride, int pad) {
    return new Window(size, size, stride, stride, pad, pad);
  }

  /** {@return how many positions it sees} */
  public int size() {
    return height * width;
  }

  /** The grid of positions on an input; the last ones that do not fit whole are left out. */
  Shape over(Shape input, int channels, Object layer) {
    Check.that(
        input.height() + 2 * padY >= height && input.width() + 2 * padX >= width,
        "input of " + layer,
        "at least " + Math.max(1, height - 2 * padY) + "x" + Math.max(1, width - 2 * padX),
        input);
    return new Shape(
        (input.height() + 2 * padY - height) / strideY + 1,
        (input.width() + 2 * padX - width) / strideX + 1,
        channels);
  }
}
