package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.recipe.setting.Setting.Group;
import dev.discreet.recipe.setting.Setting.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a table of settings is made with. {@link Settings} is the whole of it; the classes between
 * the two hold its rows by theme, so that each fits on a page or two.
 */
public abstract class SettingTable {
  public static final long MOST = 1_000_000_000_000L;

  // Filled while these classes are loaded, by their rows, and never after.
  private static final List<Setting<?>> TABLE = new ArrayList<>();

  /** Rows in the order of their groups, and in a group as they are written. */
  public static List<Setting<?>> rows() {
    return TABLE.stream().sorted(Comparator.comparing(Setting::group)).toList();
  }

  private static <T> Setting<T> add(Setting<T> setting) {
    TABLE.add(setting);
    return setting;
  }

  public static <T> Setting<T> one(
      Group group, String name, String label, String description, Function<String, T> read) {
    return add(
        new Setting<>(
            name, group, Kind.ONE, label, "", description, texts -> read.apply(texts.get(0))));
  }

  public static Setting<List<String>> repeated(
      Group group, String name, String label, String description) {
    return add(
        new Setting<>(name, group, Kind.REPEATED, label, "", description, Function.identity()));
  }

  public static Setting<Boolean> flag(Group group, String name, String description) {
    return add(
        new Setting<>(
            name,
            group,
            Kind.FLAG,
            "",
            "",
            description,
            texts -> choice(name, "true", "false").apply(texts.get(0)).equals("true")));
  }

  /** The setting just added, as one that cannot stand beside others of that name. */
  public static <T> Setting<T> rival(String rivals, Setting<T> from) {
    TABLE.remove(TABLE.size() - 1);
    return add(
        new Setting<>(
            from.name(),
            from.group(),
            from.kind(),
            from.label(),
            rivals,
            from.description(),
            from.read()));
  }

  public static String[] names(Map<String, ?> map) {
    return map.keySet().stream().sorted().toArray(String[]::new);
  }

  public static Function<String, String> choice(String name, String... allowed) {
    return text -> {
      Check.that(
          List.of(allowed).contains(text), name, "one of " + String.join(", ", allowed), text);
      return text;
    };
  }

  public static Function<String, Double> positive(String name) {
    return NumberText.real(name, "in (0, infinity)", v -> v > 0 && Double.isFinite(v));
  }

  public static Function<String, Double> nonNegative(String name) {
    return NumberText.real(name, "in [0, infinity)", v -> v >= 0 && Double.isFinite(v));
  }

  public static Function<String, Double> share(String name) {
    return NumberText.real(name, "in [0, 1)", value -> value >= 0 && value < 1);
  }

  public static Function<String, List<Double>> numbers(
      String name, String range, java.util.function.DoublePredicate allowed) {
    Function<String, Double> number = NumberText.real(name, range, allowed);
    return text -> Arrays.stream(text.split(",", -1)).map(String::strip).map(number).toList();
  }

  public static Path path(String text) {
    Check.that(!text.isBlank(), "file", "named", text);
    return Path.of(text);
  }

  public static String noun(String text) {
    Check.that(!text.isBlank() && Check.oneLine(text), "unit", "a singular noun on one line", text);
    return text;
  }
}
