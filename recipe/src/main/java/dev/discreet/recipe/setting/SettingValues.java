package dev.discreet.recipe.setting;

import dev.discreet.core.files.DatabaseAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What somebody set, as text, and where: options, a run file, or one over the other. */
public record SettingValues(Map<Setting<?>, Value> values) {

  /**
   * @param place begins a message about the value: {@code run.yaml, line 3: }, empty for options
   */
  public record Value(List<String> texts, String place) {
    public Value {
      // Here, for every text may be in a message, a run file or a record from now on.
      texts.stream().filter(DatabaseAddress::is).forEach(DatabaseAddress::refuseSecrets);
    }
  }

  public SettingValues {
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
    return setting.type().form() != ValueType.Form.FLAG
        || !values.get(setting).texts().equals(List.of("false"));
  }

  public static SettingValues nothing() {
    return new SettingValues(Map.of());
  }

  /**
   * These values together with those of {@code file}. Each replaces the value of the same setting
   * there, and the settings that it cannot stand beside. A flag that is false decides nothing, so
   * it can stand beside every other.
   */
  public SettingValues over(SettingValues file) {
    Map<Setting<?>, Value> all = new LinkedHashMap<>(file.values);
    for (Setting<?> setting : values.keySet()) {
      boolean rivals = !setting.rivals().isEmpty() && set(values, setting);
      all.keySet()
          .removeIf(
              other ->
                  other.equals(setting) || (rivals && setting.rivals().equals(other.rivals())));
    }
    all.putAll(values);
    return new SettingValues(all);
  }

  public <T> Optional<T> get(Setting<T> setting) {
    Value value = values.get(setting);
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(setting.read(value.texts()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(value.place() + e.getMessage(), e);
    }
  }

  /** What was set, or the default where that is always the same. */
  public <T> T orDefault(Setting<T> setting) {
    return get(setting).or(setting::fixed).orElseThrow();
  }

  public boolean isSet(Setting<?> setting) {
    return values.containsKey(setting);
  }

  /** The values of these settings alone. */
  public SettingValues only(Predicate<Setting<?>> wanted) {
    Map<Setting<?>, Value> some = new LinkedHashMap<>(values);
    some.keySet().removeIf(wanted.negate());
    return new SettingValues(some);
  }

  /** The same in the order of the table. */
  public SettingValues inOrder() {
    Map<Setting<?>, Value> ordered = new LinkedHashMap<>();
    Settings.ALL.stream().filter(this::isSet).forEach(each -> ordered.put(each, values.get(each)));
    return new SettingValues(ordered);
  }

  /**
   * These with one more, which replaces an earlier value and the settings that it cannot stand
   * beside.
   */
  public <T> SettingValues with(Setting<T> setting, T value) {
    return withTexts(setting, setting.write(value));
  }

  /** The same with a value that is given by its texts. */
  public SettingValues withTexts(Setting<?> setting, List<String> texts) {
    return new SettingValues(Map.of(setting, new Value(texts, ""))).over(this);
  }

  /** What was set, as one text; empty for nothing. */
  public String text(Setting<?> setting) {
    return isSet(setting) ? String.join(",", values.get(setting).texts()) : "";
  }

  public boolean has(Setting<Boolean> flag) {
    return get(flag).orElse(false);
  }

  /** Reads every value once, so that a wrong one is told before anything is done. */
  public SettingValues checked() {
    values.keySet().forEach(this::get);
    return this;
  }
}
