package dev.discreet.core.optimize;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.LayerName;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Which clipping group each slice of a layout is in, and which slices are frozen. */
public final class ParameterGroups {
  private ParameterGroups() {}

  /**
   * @param named for each group the layers in it; empty for the default
   * @return for each slice its group, −1 where it is frozen
   */
  public static int[] groups(
      Layout layout, List<String> frozen, List<List<String>> named, int groups) {
    List<Slice> slices = layout.slices();
    int[] group = new int[slices.size()];
    for (String layer : frozen) {
      mark(slices, layer, -1, group);
    }
    if (!named.isEmpty()) {
      byName(slices, named, group);
    } else if (groups > 1) {
      byLayer(slices, group);
    }
    for (int g = 0; g < groups; g++) {
      int wanted = g;
      Check.that(
          Arrays.stream(group).anyMatch(found -> found == wanted),
          "clipping group " + g + " of the plan's " + groups,
          "one with a trainable parameter (trainable layers are the groups unless told)",
          "none");
    }
    int found = 1 + Arrays.stream(group).max().orElse(-1);
    Check.that(found <= groups, "clipping groups", "as many as the plan has, " + groups, found);
    return group;
  }

  /**
   * For each slice the factor of its learning rate, 1 unless given; of two names that fit, the
   * longer decides.
   */
  public static double[] factors(Layout layout, int[] group, Map<String, Double> given) {
    List<Slice> slices = layout.slices();
    double[] factors = new double[slices.size()];
    Arrays.fill(factors, 1);
    given.keySet().stream()
        .sorted(Comparator.comparingInt(String::length))
        .forEach(
            layer -> {
              int[] named = new int[factors.length];
              mark(slices, layer, 1, named);
              boolean trains = false;
              for (int i = 0; i < named.length; i++) {
                trains |= named[i] == 1 && group[i] >= 0;
                factors[i] = named[i] == 1 ? given.get(layer) : factors[i];
              }
              Check.that(trains, "layer with a rate factor", "one that is not frozen", layer);
            });
    return factors;
  }

  private static void byName(List<Slice> slices, List<List<String>> named, int[] group) {
    int[] asked = new int[group.length];
    Arrays.fill(asked, -1);
    for (int g = 0; g < named.size(); g++) {
      for (String layer : named.get(g)) {
        mark(slices, layer, g, asked);
      }
    }
    for (int i = 0; i < group.length; i++) {
      Check.that(
          group[i] < 0 || asked[i] >= 0,
          "parameter " + slices.get(i).name(),
          "in a clipping group or frozen",
          "neither");
      group[i] = group[i] < 0 ? -1 : asked[i];
    }
  }

  private static void byLayer(List<Slice> slices, int[] group) {
    int next = -1;
    LayerName last = null;
    for (int i = 0; i < group.length; i++) {
      if (group[i] >= 0) {
        LayerName layer = slices.get(i).layer();
        next += layer.equals(last) ? 0 : 1;
        last = layer;
        group[i] = next;
      }
    }
  }

  private static void mark(List<Slice> slices, String layer, int value, int[] group) {
    boolean any = false;
    for (int i = 0; i < group.length; i++) {
      if (slices.get(i).layer().isIn(layer)) {
        group[i] = value;
        any = true;
      }
    }
    Check.that(
        any,
        "layer",
        "the name of one with parameters, as in " + slices.stream().map(Slice::name).toList(),
        layer);
  }
}
