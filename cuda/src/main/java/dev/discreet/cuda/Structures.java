package dev.discreet.cuda;

import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The structures of step.cu, number by number as they are declared there. */
final class Structures {
  /** Bytes of a {@code Slice}. */
  static final int SLICE = 48;

  private Structures() {}

  private static ByteBuffer ints(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.nativeOrder());
    for (int number : numbers) {
      bytes.putInt(number);
    }
    return bytes;
  }

  static ByteBuffer conv(Node node, Window w, int groups) {
    Shape in = node.input();
    Shape out = node.output();
    return ints(
        in.height(),
        in.width(),
        in.channels(),
        out.height(),
        out.width(),
        out.channels(),
        w.height(),
        w.width(),
        w.strideY(),
        w.strideX(),
        w.padY(),
        w.padX(),
        in.channels() / groups,
        out.channels() / groups);
  }

  static ByteBuffer pool(Node node, Window w) {
    Shape in = node.input();
    Shape out = node.output();
    return ints(
        in.height(),
        in.width(),
        in.channels(),
        out.height(),
        out.width(),
        w.height(),
        w.width(),
        w.strideY(),
        w.strideX(),
        w.padY(),
        w.padX());
  }

  static ByteBuffer norm(Shape shape, int groups, boolean perPosition) {
    return ints(
        shape.positions(),
        shape.channels(),
        shape.channels() / groups,
        perPosition ? 1 : shape.positions(),
        perPosition ? 1 : 0);
  }

  /**
   * For each number of a window's depth, its place in the window (y · 2¹⁶ + x) and its channel.
   *
   * @param channels of one group
   */
  static int[] places(Window w, int channels) {
    int[] table = new int[2 * w.size() * channels];
    for (int k = 0; k < w.size() * channels; k++) {
      int place = k / channels;
      table[2 * k] = place / w.width() << 16 | place % w.width();
      table[2 * k + 1] = k % channels;
    }
    return table;
  }

  /** For each output position of a convolution, where its window begins on the padded input. */
  static int[] positions(Node node, Window w) {
    int width = node.output().width();
    int[] table = new int[node.output().positions()];
    for (int p = 0; p < table.length; p++) {
      table[p] = p / width * w.strideY() << 16 | p % width * w.strideX();
    }
    return table;
  }
}
