package dev.discreet.lab.training;

import dev.discreet.lab.Numbers;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.OptimizerKind;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import java.util.List;

/** Recipes as experiments write them. */
public final class Recipes {
  /** Pixels in [0, 1], as documents 001 and 004 have them. */
  public static final String UNIT_PIXELS = "mean=0 deviation=1 ";

  private Recipes() {}

  /** Plain SGD without averaging, where the settings do not say otherwise. */
  public static Recipe of(String data, String model, String settings, Object... values) {
    return with(
        Recipe.of().with("data", data).with("model", model),
        "optimizer=sgd ema=0 " + settings,
        values);
  }

  /**
   * With more settings, as {@link Recipe#text} has them: {@code lot-size=600 clip=%s}.
   *
   * @param values as {@link Numbers#format} has them
   */
  public static Recipe with(Recipe recipe, String settings, Object... values) {
    // All at once: a recipe checks itself whenever it is made.
    SettingValues all = recipe.values();
    for (String each : Numbers.format(settings, values).strip().split(" +")) {
      int at = each.indexOf('=');
      Setting<?> setting = RunFile.setting("", each.substring(0, at));
      all = all.withTexts(setting, List.of(each.substring(at + 1)));
    }
    return Recipe.of(all);
  }

  /** What a run may spend, as a setting; of an infinite ε, that it protects no one. */
  public static String budget(double epsilon, double delta) {
    return Double.isInfinite(epsilon)
        ? "non-private=true"
        : Numbers.format("epsilon=%s delta=%s", epsilon, delta);
  }

  /** With start, lots and all noise from a seed. */
  static Recipe seeded(Recipe recipe, long seed) {
    boolean noisy =
        recipe.get(OptimizerSettings.OPTIMIZER).filter(OptimizerKind.LANGEVIN::equals).isPresent();
    Recipe drawn = with(recipe, "initial-seed=%s insecure-seed=%s", seed, seed);
    return noisy ? with(drawn, "langevin-seed=%s", seed) : drawn;
  }
}
