package dev.discreet.data.generate;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataSet;
import java.util.List;

/** The generated sets by name. */
public final class GeneratedSets {
  private static final List<String> NAMES =
      List.of("digits", "linear-1d", "linear-2d", "gaussians", "census", "census-50k");

  private GeneratedSets() {}

  public static List<String> names() {
    return NAMES;
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
    Check.that(NAMES.contains(name), "generated set", "one of " + NAMES, name);
    return switch (name) {
      case "digits" -> new DigitImages();
      case "linear-1d" -> Linear.ONE;
      case "linear-2d" -> Linear.TWO;
      case "gaussians" -> Gaussians.USUAL;
      case "census" -> new Census(false);
      default -> new Census(true);
    };
  }
}
