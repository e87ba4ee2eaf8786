package dev.discreet.core.engine.cpu.internal.kernels;

import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Index tables that say where the values of windows lie. */
public final class WindowTables {
  private WindowTables() {}

  /** 0, step, 2·step, … */
  public static int[] steps(int count, int step) {
    return IntStream.range(0, count).map(i -> i * step).toArray();
  }

  /** The table for a tile: the same places in every example. */
  public static int[] tiled(int[] places, int tile, int exampleSize) {
    int[] all = new int[tile * places.length];
    for (int e = 0; e < tile; e++) {
      for (int p = 0; p < places.length; p++) {
        all[e * places.length + p] = e * exampleSize + places[p];
      }
    }
    return all;
  }

  /**
   * The other way round: for each input, the positions whose windows see it, in order, and which of
   * their taps it is. All inputs have as many entries; those left over have no tap.
   *
   * @param each entries of an input
   */
  public record Seen(int each, int[] position, int[] tap) {
    private static final int NONE = Integer.MAX_VALUE;

    public static Seen of(Taps taps, int inputs, int channels) {
      int[] count = new int[inputs];
      for (int place : taps.places) {
        count[place / channels]++;
      }
      int each = Arrays.stream(count).max().orElse(0);
      int[] position = new int[inputs * each];
      int[] tap = new int[inputs * each];
      Arrays.fill(tap, NONE);
      Arrays.fill(count, 0);
      for (int p = 0; p < taps.positions(); p++) {
        for (int t = taps.start[p]; t < taps.start[p + 1]; t++) {
          int input = taps.places[t] / channels;
          int at = input * each + count[input]++;
          position[at] = p;
          tap[at] = t - taps.start[p];
        }
      }
      return new Seen(each, position, tap);
    }
  }

  /**
   * For each position of a window, the places it sees that are not on the rim, in reading order.
   *
   * @param start where each position's places begin in {@code places}; one more at the end
   * @param fours whether every position sees four
   */
  public record Taps(int[] start, int[] places, boolean fours) {
    public int positions() {
      return start.length - 1;
    }

    public static Taps of(Window window, Shape input, Shape output) {
      int[] start = new int[output.positions() + 1];
      int[] places = new int[output.positions() * window.size()];
      int count = 0;
      for (int p = 0; p < output.positions(); p++) {
        int top = p / output.width() * window.strideY() - window.padY();
        int left = p % output.width() * window.strideX() - window.padX();
        for (int y = Math.max(0, top); y < Math.min(input.height(), top + window.height()); y++) {
          for (int x = Math.max(0, left); x < Math.min(input.width(), left + window.width()); x++) {
            places[count++] = (y * input.width() + x) * input.channels();
          }
        }
        start[p + 1] = count;
      }
      boolean fours = IntStream.range(0, start.length).allMatch(p -> start[p] == 4 * p);
      return new Taps(start, Arrays.copyOf(places, count), fours);
    }
  }
}
