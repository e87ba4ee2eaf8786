package dev.discreet.recipe;

import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.SettingValues;
import java.io.IOException;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Opens the rows of a recipe where an engine that is not on this machine reaches them. Found by
 * {@link ServiceLoader}, beside the engine; one that computes on this machine has none.
 */
public interface EngineRows {

  /** The name of the engine that computes on these rows. */
  String engine();

  /**
   * The settings as they hold on rows of this engine: with its defaults where they say nothing.
   * Refuses what it cannot do, before anything is opened.
   */
  SettingValues completed(SettingValues given);

  /** Whether the data lie on this machine, so that an account can be looked for beside them. */
  boolean isHere(String data);

  /** Opens the rows; nothing is spent by that. */
  TrainingRows open(String data, EffectiveSettings choices, Preparation how) throws IOException;

  /** Who opens the rows of an engine; empty where they are on this machine. */
  static Optional<EngineRows> of(String engine) {
    return ServiceLoader.load(EngineRows.class, EngineRows.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.engine().equals(engine))
        .findFirst();
  }
}
