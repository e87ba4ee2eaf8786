package dev.discreet.recipe.setting;

import dev.discreet.recipe.setting.Setting.Group;

/** A phase on public data before the private one. */
public final class PretrainSettings {
  /** The default of a lot, where there are that many examples. */
  public static final int MOST_IN_A_LOT = 128;

  /** The default learning rate of Adam. */
  public static final double ADAM_RATE = 0.002;

  /** The default learning rate of the other optimizers. */
  public static final double PLAIN_RATE = 0.05;

  public static final Setting<String> PRETRAIN_DATA =
      setting(
              "pretrain-data",
              ValueType.text("NAME"),
              "In place of --start-from: train without privacy on this named or generated"
                  + " set first, which is public.")
          .rivals("start");
  public static final Setting<Long> PRETRAIN_SEED =
      setting(
              "pretrain-seed",
              ValueType.whole("N", 0, NumberText.MOST),
              "Seed of that set where it is generated, and of the phase.")
          .otherwise(1L);
  public static final Setting<Double> PRETRAIN_EPOCHS =
      setting(
              "pretrain-epochs",
              ValueType.positive("N"),
              "How often each of its examples is drawn, on average.")
          .otherwise(5.0);
  public static final Setting<Double> PRETRAIN_LOT_SIZE =
      setting("pretrain-lot-size", ValueType.positive("L"), "Examples in a lot, on average.")
          .derived(MOST_IN_A_LOT + ", or all where there are fewer");
  public static final Setting<OptimizerKind> PRETRAIN_OPTIMIZER =
      setting(
              "pretrain-optimizer",
              ValueType.oneOf("NAME", OptimizerKind.ofPublicPhase(), OptimizerKind::label),
              "")
          .otherwise(OptimizerKind.ADAM);
  public static final Setting<Double> PRETRAIN_LEARNING_RATE =
      setting("pretrain-learning-rate", ValueType.positive("R"), "")
          .derived(ADAM_RATE + " for adam, else " + PLAIN_RATE);

  private PretrainSettings() {}

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.PRETRAIN, name, type, help);
  }
}
