package dev.discreet.lab.training;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.data.Subset;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Some examples of a set, drawn by a seed: parts of one order do not overlap. */
public final class RandomSubset {
  private RandomSubset() {}

  /** The numbers below a size, shuffled. */
  public static int[] order(int size, long seed) {
    int[] order = IntStream.range(0, size).toArray();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = size - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    return order;
  }

  /** So many examples from a place of an order on; fewer where the order ends before. */
  public static Examples of(Examples all, int[] order, int from, int size) {
    Check.that(from >= 0 && from < order.length, "place", "in [0, " + order.length + ")", from);
    return new Subset(
        all, Arrays.copyOfRange(order, from, (int) Math.min(order.length, (long) from + size)));
  }

  /** So many, always the same, but not the first: files may be in the order of their classes. */
  public static Examples some(Examples all, int size) {
    return size >= all.size() ? all : of(all, order(all.size(), 0), 0, size);
  }
}
