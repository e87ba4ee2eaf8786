package dev.discreet.audit.canary;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes canaries with features of their own. Each has the largest value that the rows have, by
 * turns positive and negative, on the few features that vary least among the rows, and zero
 * elsewhere. Where rows are constant on these features, what they add to a gradient is orthogonal
 * to what the canary adds, whatever that constant is.
 */
final class CanaryMaker {
  /** Features of one canary: even, so that a constant cancels. */
  static final int FEATURES = 2;

  // Looking at more rows would not find other features that hardly vary.
  private static final int MOST_ROWS = 2_000;

  private CanaryMaker() {}

  /** As many canaries; they share features where there are too few for all. */
  static List<Canary> make(Examples rows, Task task, int number) {
    int size = rows.input().size();
    int features = size < FEATURES ? 1 : FEATURES;
    double[] spread = new double[size];
    float largest = largest(rows, spread);
    int[] order =
        IntStream.range(0, size)
            .boxed()
            .sorted(Comparator.comparingDouble(feature -> spread[feature]))
            .mapToInt(Integer::intValue)
            .toArray();
    List<Canary> canaries = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      float[] input = new float[size];
      for (int j = 0; j < features; j++) {
        input[order[(i * features + j) % size]] = j % 2 == 0 ? largest : -largest;
      }
      int turn = i;
      float[] target =
          task.match(
              classes -> new float[] {turn % classes.names().size()},
              // Far from anything that the model says.
              number1 -> new float[] {turn % 2 == 0 ? 1e3f : -1e3f});
      canaries.add(new Canary(input, Arrays.copyOf(target, rows.targets())));
    }
    return canaries;
  }

  /** The largest value of the rows, at least 1, and the variance of each feature. */
  private static float largest(Examples rows, double[] spread) {
    int count = Math.min(MOST_ROWS, rows.size());
    float[] row = new float[spread.length];
    double[] first = new double[spread.length];
    float largest = 1;
    int read = 0;
    for (int i = 0; i < count; i++) {
      try {
        rows.input(i, row, 0);
      } catch (RuntimeException e) {
        continue; // A row that cannot be read is none.
      }
      for (int j = 0; j < row.length; j++) {
        if (Float.isFinite(row[j])) {
          first[j] = read == 0 ? row[j] : first[j];
          spread[j] += (row[j] - first[j]) * (row[j] - first[j]);
          largest = Math.max(largest, Math.abs(row[j]));
        }
      }
      read++;
    }
    return largest;
  }
}
