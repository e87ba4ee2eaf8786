package dev.discreet.recipe.setting;

import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.recipe.setting.Setting.Group;
import java.util.List;

/** How lots are drawn, how many, and what a step sees of an example. */
public final class LotSettings {
  public static final Setting<Sampling> SAMPLER =
      setting("sampler", ValueType.oneOf("NAME", List.of(Sampling.values()), LotSettings::name), "")
          .derived("poisson; cyclic with --noise-over-time");
  public static final Setting<Double> LOT_SIZE =
      setting("lot-size", ValueType.positive("L"), "Units in a lot, on average.")
          .derived("by the number of units")
          .rivals("size");
  public static final Setting<Double> SAMPLING_RATE =
      setting(
              "sampling-rate",
              ValueType.real("Q", "in (0, 1]", value -> value > 0 && value <= 1),
              "In place of --lot-size: the share of all units that a lot has.")
          .rivals("size");
  public static final Setting<Double> EPOCHS =
      setting("epochs", ValueType.positive("N"), "How often each unit is drawn, on average.")
          .derived("by the data")
          .rivals("length");
  public static final Setting<Long> STEPS =
      setting(
              "steps",
              ValueType.whole("T", 1, NumberText.MOST),
              "In place of --epochs: how many steps.")
          .rivals("length");

  /** What makes views; how many is a setting of its own. */
  public static final Setting<Augmentation> AUGMENT =
      setting(
          "augment",
          new ValueType<>(
              ValueType.Form.LIST,
              "KIND,...",
              "",
              (what, texts) -> Augmentation.parse(texts.get(0), 1),
              kinds -> List.of(kinds.toString())),
          "Of images: a unit's gradient is the mean over views of its examples. flip mirrors every"
              + " second one; crop(N) and shift(N) move by up to N pixels, with the mirrored rim or"
              + " with 0 beyond it.");

  public static final Setting<Long> VIEWS =
      setting(
              "views",
              ValueType.whole("K", 1, Augmentation.MOST_VIEWS),
              "Of --augment: views of each example, itself among them.")
          .derived("8; 2 for flip alone");

  private LotSettings() {}

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.LOTS, name, type, help);
  }

  private static String name(Sampling sampling) {
    return switch (sampling) {
      case POISSON -> "poisson";
      case FIXED_SIZE -> "fixed-size";
      case FULL_BATCH -> "full-batch";
      case SHUFFLED_EPOCHS -> "shuffled";
      case CYCLIC -> "cyclic";
    };
  }
}
