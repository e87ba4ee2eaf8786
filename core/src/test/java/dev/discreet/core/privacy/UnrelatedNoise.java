package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Whether the noise of some releases has anything to do with each other. It looks at ranks alone,
 * so the noise may have any law and any size. A pair of releases raises a false alarm with
 * probability below 1e-8.
 */
final class UnrelatedNoise {
  /** How many coordinates each release has to have. */
  static final int SIZE = 1000;

  /** Deviations; a thousand bounded terms exceed it with probability below 2e-12. */
  private static final double FAR = 7.5;

  private static final int CELLS = 8;

  private UnrelatedNoise() {}

  /** A release's noise, and the ranks of its values and of their sizes. */
  private record Ranked(String name, long[] sizes, int[] byValue, int[] bySize) {
    static Ranked of(String name, long[] noise) {
      assertEquals(SIZE, noise.length, name);
      long[] sizes = Arrays.stream(noise).map(Math::abs).toArray();
      return new Ranked(name, sizes, ranks(noise), ranks(sizes));
    }
  }

  /** That no two of them are related, also where the coordinates of one are shifted. */
  static void check(Map<String, long[]> releases) {
    List<Ranked> all = new ArrayList<>();
    new TreeMap<>(releases).forEach((name, noise) -> all.add(Ranked.of(name, noise)));
    for (Ranked one : all) {
      for (Ranked other : all.subList(0, all.indexOf(one))) {
        pair(other.name + " and " + one.name, one, other);
      }
    }
  }

  private static void pair(String what, Ranked a, Ranked b) {
    // Sizes are spread over billions of grid steps: three in common are as good as impossible.
    Set<Long> sizes = Arrays.stream(a.sizes).boxed().collect(Collectors.toSet());
    long common = Arrays.stream(b.sizes).filter(sizes::contains).count();
    assertTrue(common <= 2, () -> what + ": " + common + " sizes in common");
    correlation(what + ", values", a.byValue, b.byValue);
    correlation(what + ", sizes", a.bySize, b.bySize);
    cells(what, a.byValue, b.byValue);
  }

  /** Each coordinate's place when they are sorted, twice its distance from the middle. */
  private static int[] ranks(long[] values) {
    Integer[] order = IntStream.range(0, SIZE).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparingLong(i -> values[i]));
    int[] ranks = new int[SIZE];
    for (int place = 0; place < SIZE; place++) {
      ranks[order[place]] = 2 * place - (SIZE - 1);
    }
    return ranks;
  }

  /** Spearman's, for one shifted against the other by any number of coordinates. */
  private static void correlation(String what, int[] a, int[] b) {
    int squares = product(a, a, 0);
    int[] twice = Arrays.copyOf(b, 2 * SIZE);
    System.arraycopy(b, 0, twice, SIZE, SIZE);
    for (int shift = 0; shift < SIZE; shift++) {
      double z = (double) product(a, twice, shift) / squares * Math.sqrt(SIZE - 1);
      int by = shift;
      assertTrue(Math.abs(z) < FAR, () -> what + ": correlated by " + z + ", shifted by " + by);
    }
  }

  private static int product(int[] a, int[] b, int from) {
    int sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += a[i] * b[from + i];
    }
    return sum;
  }

  /** Any dependence, coordinate by coordinate: pairs fall into all cells of a square alike. */
  private static void cells(String what, int[] a, int[] b) {
    int[][] counts = new int[CELLS][CELLS];
    for (int i = 0; i < SIZE; i++) {
      counts[cell(a[i])][cell(b[i])]++;
    }
    double each = (double) SIZE / (CELLS * CELLS);
    double statistic = 0;
    for (int[] row : counts) {
      for (int count : row) {
        statistic += (count - each) * (count - each) / each;
      }
    }
    Alarm.chiSquared(what + ", cells", statistic, (CELLS - 1) * (CELLS - 1));
  }

  private static int cell(int rank) {
    return (rank + SIZE - 1) / 2 * CELLS / SIZE;
  }

  /** That so many choices of each among tens of thousands hardly ever fall on the same. */
  static void checkChoices(List<int[]> choices) {
    for (int i = 0; i < choices.size(); i++) {
      int[] own = choices.get(i);
      Set<Integer> others = new HashSet<>();
      for (int j = 0; j < i; j++) {
        Arrays.stream(choices.get(j)).forEach(others::add);
      }
      long common = Arrays.stream(own).filter(others::contains).count();
      long again = own.length - Arrays.stream(own).distinct().count();
      assertTrue(common + again <= 8, () -> common + " choices in common, " + again + " repeated");
    }
  }
}
