package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import java.util.Arrays;
import java.util.List;

/**
 * The coordinates of a clipped sum: the trainable parameters, ordered by clipping group and inside
 * a group by place. Every source has them in this order.
 *
 * @param places the place of each coordinate in the parameter vector
 * @param groupEnds where each group ends
 */
public record Coordinates(int[] places, int[] groupEnds) {

  public static Coordinates of(Layout layout, UnitRule rule) {
    List<Slice> slices = layout.slices();
    int[] group = rule.group();
    Check.that(
        group.length == slices.size(),
        "clipping groups",
        "given for each of " + slices.size() + " slices",
        group.length);
    int[] places = new int[layout.parameters()];
    int[] groupEnds = new int[rule.groups()];
    int count = 0;
    for (int g = 0; g < groupEnds.length; g++) {
      for (int s = 0; s < group.length; s++) {
        for (int p = slices.get(s).offset(); group[s] == g && p < slices.get(s).end(); p++) {
          places[count++] = p;
        }
      }
      groupEnds[g] = count;
    }
    return new Coordinates(Arrays.copyOf(places, count), groupEnds);
  }

  public int size() {
    return places.length;
  }

  /** How many coordinates a group has. */
  int dimensions(int group) {
    return groupEnds[group] - (group == 0 ? 0 : groupEnds[group - 1]);
  }
}
