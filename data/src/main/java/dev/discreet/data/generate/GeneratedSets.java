package dev.discreet.data.generate;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The generated sets by name. */
public final class GeneratedSets {
  private static final Map<String, Generator> ALL = all();

  private GeneratedSets() {}

  private static Map<String, Generator> all() {
    Map<String, Generator> all = new LinkedHashMap<>();
    all.put("digits", new DigitImages());
    all.put("linear-1d", Linear.ONE);
    all.put("linear-2d", Linear.TWO);
    all.put("gaussians", Gaussians.USUAL);
    all.put("census", new Census(false));
    all.put("census-50k", new Census(true));
    return Collections.unmodifiableMap(all);
  }

  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /** The set in its usual sizes. */
  public static DataSet make(String name, long seed) {
    GeneratedSet description = describe(name);
    return make(name, seed, description.train(), description.test());
  }

  /**
   * @param train at least 1
   * @param test 0 for a set without rows to test on
   */
  public static DataSet make(String name, long seed, int train, int test) {
    return generator(name).make(name, seed, train, test);
  }

  /** What is known of a set without making it. */
  public static GeneratedSet describe(String name) {
    return generator(name).describe(name);
  }

  private static Generator generator(String name) {
    Check.that(ALL.containsKey(name), "generated set", "one of " + names(), name);
    return ALL.get(name);
  }
}
