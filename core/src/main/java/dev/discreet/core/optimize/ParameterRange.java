package dev.discreet.core.optimize;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.nn.Parameter.Role;
import dev.discreet.core.parallel.ParallelBlocks;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of trainable parameters that are treated alike. Frozen ones are in no range.
 *
 * @param group the clipping group, which decides the noise
 * @param decayed whether weight decay applies
 * @param factor of the learning rate
 */
public record ParameterRange(int from, int to, int group, boolean decayed, double factor) {

  public ParameterRange(int from, int to, int group, boolean decayed) {
    this(from, to, group, decayed, 1);
  }

  /**
   * The ranges of a layout whose slice i is in clipping group {@code group[i]}, or frozen at −1,
   * and has {@code factors[i]} times the learning rate.
   */
  public static List<ParameterRange> of(
      Layout layout, int[] group, boolean weightsOnly, double[] factors) {
    List<ParameterRange> ranges = new ArrayList<>();
    List<Slice> slices = layout.slices();
    for (int i = 0; i < slices.size(); i++) {
      if (group[i] >= 0) {
        Slice slice = slices.get(i);
        add(
            ranges,
            new ParameterRange(
                slice.offset(), slice.end(), group[i], decayed(slice, weightsOnly), factors[i]));
      }
    }
    return List.copyOf(ranges);
  }

  public static boolean decayed(Slice slice, boolean weightsOnly) {
    return !weightsOnly || slice.parameter().role() == Role.WEIGHT;
  }

  /** The Euclidean norm of what is in the ranges. */
  public static double norm(List<ParameterRange> ranges, float[] values) {
    double sum = 0;
    for (ParameterRange range : ranges) {
      sum += ParallelBlocks.sum(range.from(), range.to(), (from, to) -> squares(values, from, to));
    }
    return Math.sqrt(sum);
  }

  /** Four sums at once: one would wait for each addition. */
  private static double squares(float[] values, int from, int to) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = from;
    for (; i + 4 <= to; i += 4) {
      a += (double) values[i] * values[i];
      b += (double) values[i + 1] * values[i + 1];
      c += (double) values[i + 2] * values[i + 2];
      d += (double) values[i + 3] * values[i + 3];
    }
    for (; i < to; i++) {
      a += (double) values[i] * values[i];
    }
    return a + b + (c + d);
  }

  private static void add(List<ParameterRange> ranges, ParameterRange next) {
    ParameterRange last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (last != null
        && last.to == next.from
        && last.group == next.group
        && last.decayed == next.decayed
        && last.factor == next.factor) {
      ranges.set(
          ranges.size() - 1,
          new ParameterRange(last.from, next.to, last.group, last.decayed, last.factor));
    } else {
      ranges.add(next);
    }
  }
}
