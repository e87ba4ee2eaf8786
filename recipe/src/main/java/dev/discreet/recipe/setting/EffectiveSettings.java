package dev.discreet.recipe.setting;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings that a run really has: each as it was given, or else its default. It keeps both as
 * the run asks for them, so that in the end the whole run can be written down.
 */
public final class EffectiveSettings {
  private final SettingValues given;
  private final Map<Setting<?>, List<String>> chosen = new LinkedHashMap<>();

  public EffectiveSettings(SettingValues given) {
    this.given = given;
  }

  public SettingValues given() {
    return given;
  }

  public boolean isGiven(Setting<?> setting) {
    return given.isSet(setting);
  }

  /** What was given for a setting that has no default. */
  public <T> Optional<T> get(Setting<T> setting) {
    Optional<T> value = given.get(setting);
    value.ifPresent(any -> chosen.put(setting, given.values().get(setting).texts()));
    return value;
  }

  /** What was given, or a default that is always the same. */
  public <T> T or(Setting<T> setting) {
    return or(setting, setting.fixed().orElseThrow());
  }

  /** What was given, or a default that follows from other settings and public facts. */
  public <T> T or(Setting<T> setting, T otherwise) {
    Optional<T> value = get(setting);
    if (value.isEmpty()) {
      chosen.put(setting, setting.write(otherwise));
    }
    return value.orElse(otherwise);
  }

  /** Refuses a setting that would have no effect: whoever set it believes that it has one. */
  public void refuse(String why, Setting<?>... settings) {
    for (Setting<?> setting : settings) {
      if (isGiven(setting)) {
        String place = given.values().get(setting).place();
        String name = place.isEmpty() ? setting.option() : setting.name();
        throw new IllegalArgumentException(place + name + " " + why);
      }
    }
  }

  /** Everything that was asked for and is part of a run, in the order of the table. */
  public SettingValues chosen() {
    Map<Setting<?>, SettingValues.Value> ordered = new LinkedHashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      if (setting.inRunFile() && chosen.containsKey(setting)) {
        ordered.put(setting, new SettingValues.Value(chosen.get(setting), ""));
      }
    }
    return new SettingValues(ordered);
  }
}
