package dev.discreet.core.train;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.nn.Parameter.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of trainable parameters that are treated alike. Frozen ones are in no range.
 *
 * @param group the clipping group, which decides the noise
 * @param decayed whether weight decay applies
 */
record Range(int from, int to, int group, boolean decayed) {

  /**
   * The ranges of a layout whose slice i is in clipping group {@code group[i]}, or frozen at −1.
   */
  static List<Range> of(Layout layout, int[] group, boolean weightsOnly) {
    List<Range> ranges = new ArrayList<>();
    List<Slice> slices = layout.slices();
    for (int i = 0; i < slices.size(); i++) {
      if (group[i] >= 0) {
        Slice slice = slices.get(i);
        add(ranges, new Range(slice.offset(), slice.end(), group[i], decayed(slice, weightsOnly)));
      }
    }
    return List.copyOf(ranges);
  }

  static boolean decayed(Slice slice, boolean weightsOnly) {
    return !weightsOnly || slice.parameter().role() == Role.WEIGHT;
  }

  private static void add(List<Range> ranges, Range next) {
    Range last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (last != null
        && last.to == next.from
        && last.group == next.group
        && last.decayed == next.decayed) {
      ranges.set(ranges.size() - 1, new Range(last.from, next.to, last.group, last.decayed));
    } else {
      ranges.add(next);
    }
  }
}
