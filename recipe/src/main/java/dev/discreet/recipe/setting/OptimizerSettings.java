package dev.discreet.recipe.setting;

import dev.discreet.accounting.Digits;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.recipe.setting.Setting.Group;
import java.util.List;

/** How released gradients move a model. */
public final class OptimizerSettings {
  /** The default weight decay of adamw, which is PyTorch's. */
  static final double ADAMW_DECAY = 0.01;

  private static final Optimizer.Adam ADAM = new Optimizer.Adam();
  private static final ValueType<ScheduleShape> SHAPE =
      ValueType.of("SHAPE", ScheduleShape::parse, ScheduleShape::text);
  public static final Setting<OptimizerKind> OPTIMIZER =
      setting(
              "optimizer",
              ValueType.oneOf("NAME", List.of(OptimizerKind.values()), OptimizerKind::label),
              "")
          .otherwise(OptimizerKind.SGD);
  public static final Setting<Double> LEARNING_RATE =
      setting("learning-rate", ValueType.nonNegative("R"), "")
          .derived("by lot size, noise and clipping threshold");
  public static final Setting<ScheduleShape> SCHEDULE =
      setting(
              "schedule",
              SHAPE,
              "Of the learning rate: constant, linear, cosine (to 0 at the end; linear(F)"
                  + " to F of its start, linear(F,T) by step T) or step(F,T), times F every T"
                  + " steps.")
          .otherwise(ScheduleShape.CONSTANT);
  public static final Setting<Long> WARM_UP =
      setting(
              "warm-up",
              ValueType.whole("T", 0, 1 << 24),
              "Steps in which the learning rate rises to its start.")
          .otherwise(0L)
          .called("warm-up");
  public static final Setting<Double> MOMENTUM =
      setting("momentum", ValueType.share("M"), "Of momentum and nesterov.").otherwise(0.9);
  public static final Setting<Double> BETA1 =
      setting("beta1", ValueType.share("B"), "Of the adams.").otherwise(ADAM.beta1());
  public static final Setting<Double> BETA2 =
      setting("beta2", ValueType.share("B"), "Of the adams.").otherwise(ADAM.beta2());
  public static final Setting<Double> ADAM_EPSILON =
      setting("adam-epsilon", ValueType.nonNegative("E"), "Of adam and adamw.")
          .otherwise(ADAM.epsilon());
  public static final Setting<Double> ADAM_FLOOR =
      setting("adam-floor", ValueType.positive("G"), "Of dp-adam: the least second moment.")
          .otherwise(1e-8);
  public static final Setting<Double> TEMPERATURE =
      setting(
              "temperature",
              ValueType.nonNegative("T"),
              "Of langevin: its noise, which comes on top of the private one and protects"
                  + " no one.")
          .derived("1/units, that of the posterior");
  public static final Setting<ScheduleShape> TEMPERATURE_SCHEDULE =
      setting(
              "temperature-schedule",
              SHAPE,
              "How the temperature changes over steps, as --schedule.")
          .otherwise(ScheduleShape.CONSTANT);
  public static final Setting<Long> LANGEVIN_SEED =
      setting(
              "langevin-seed",
              ValueType.whole("N", 0, NumberText.MOST),
              "Seed of langevin's noise, which is public.")
          .otherwise(0L);
  public static final Setting<Long> PROJECT_ONTO =
      setting(
              "project-onto",
              ValueType.whole("K", 1, Integer.MAX_VALUE),
              "Project released gradients onto the top K directions of public examples'"
                  + " gradients.")
          .derived("no projection");
  public static final Setting<Long> PUBLIC_EXAMPLES =
      setting(
              "public-examples",
              ValueType.whole("M", 1, Integer.MAX_VALUE),
              "Of --project-onto: how many public examples, the first there are.")
          .otherwise(100L);
  public static final Setting<String> PUBLIC_DATA =
      setting(
              "public-data",
              ValueType.text("NAME|PATH"),
              "Where they come from: a named or generated set, or rows like those of --data"
                  + " that you declare public.")
          .derived("the public rows to test on, fewer by these");
  public static final Setting<Long> PUBLIC_SEED =
      setting(
              "public-seed",
              ValueType.whole("N", 0, NumberText.MOST),
              "Seed of --public-data where it is generated.")
          .otherwise(1L);
  public static final Setting<Long> PROJECT_EVERY =
      setting(
              "project-every",
              ValueType.whole("S", 1, NumberText.MOST),
              "Steps between new directions.")
          .otherwise(1L);
  public static final Setting<Long> PROJECT_FROM =
      setting(
              "project-from",
              ValueType.whole("T", 0, NumberText.MOST),
              "Steps before the first projection.")
          .otherwise(0L);
  public static final Setting<Double> WEIGHT_DECAY =
      setting(
              "weight-decay",
              ValueType.nonNegative("L"),
              "How strongly parameters are pulled to zero.")
          .derived("0; " + Digits.exact(ADAMW_DECAY) + " of adamw");
  public static final Setting<String> WEIGHT_DECAY_MODE =
      setting(
              "weight-decay-mode",
              ValueType.oneOf("MODE", "decoupled", "before-clipping"),
              "decoupled, or before-clipping as part of each gradient.")
          .otherwise("decoupled");
  public static final Setting<String> WEIGHT_DECAY_ON =
      setting(
              "weight-decay-on",
              ValueType.oneOf("WHAT", "all", "weights"),
              "all parameters, or weights only and no biases.")
          .otherwise("all");

  private OptimizerSettings() {}

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.OPTIMIZER, name, type, help);
  }
}
