package dev.discreet.cli.train;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What somebody set, as text, and where: options, a run file, or one over the other. */
record Given(Map<Setting<?>, Value> values) {

  /**
   * @param place begins a message about the value: {@code run.yaml, line 3: }, empty for options
   */
  record Value(List<String> texts, String place) {}

  Given {
    values = new LinkedHashMap<>(values);
    Map<String, Setting<?>> seen = new LinkedHashMap<>();
    for (Setting<?> setting : values.keySet()) {
      Setting<?> other = setting.rivals().isEmpty() ? null : seen.put(setting.rivals(), setting);
      if (other != null && set(values, setting) && set(values, other)) {
        String place = values.get(setting).place();
        String before = place.isEmpty() ? "--" : "";
        throw new IllegalArgumentException(
            place
                + before
                + other.name()
                + " and "
                + before
                + setting.name()
                + " cannot stand together: each decides what the other does");
      }
    }
  }

  /** A flag that is false is not set. */
  private static boolean set(Map<Setting<?>, Value> values, Setting<?> setting) {
    return setting.kind() != Setting.Kind.FLAG
        || !values.get(setting).texts().equals(List.of("false"));
  }

  static Given nothing() {
    return new Given(Map.of());
  }

  /** These over {@code file}: each replaces its namesake there, and its rivals. */
  Given over(Given file) {
    Map<Setting<?>, Value> all = new LinkedHashMap<>(file.values);
    for (Setting<?> setting : values.keySet()) {
      all.keySet()
          .removeIf(
              other ->
                  other.equals(setting)
                      || (!setting.rivals().isEmpty() && setting.rivals().equals(other.rivals())));
    }
    all.putAll(values);
    return new Given(all);
  }

  <T> Optional<T> get(Setting<T> setting) {
    Value value = values.get(setting);
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(setting.read().apply(value.texts()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(value.place() + e.getMessage(), e);
    }
  }

  boolean has(Setting<Boolean> flag) {
    return get(flag).orElse(false);
  }

  /** Reads every value once, so that a wrong one is told before anything is done. */
  Given checked() {
    values.keySet().forEach(this::get);
    return this;
  }
}
