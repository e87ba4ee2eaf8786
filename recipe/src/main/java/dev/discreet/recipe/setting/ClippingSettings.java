package dev.discreet.recipe.setting;

import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.recipe.setting.Setting.Group;
import java.util.List;

/** How a unit's part in a step is bounded. */
public final class ClippingSettings {
  private static final ValueType<ScheduleShape> SHAPE =
      ValueType.of("SHAPE", ScheduleShape::parse, ScheduleShape::text);
  public static final Setting<Double> CLIP =
      setting("clip", ValueType.positive("C"), "The most that a unit's gradient may weigh.")
          .derived("by the data")
          .rivals("threshold");
  public static final Setting<List<Double>> CLIP_PER_LAYER =
      setting(
              "clip-per-layer",
              ValueType.numbers("C,...", "greater than 0", value -> value > 0),
              "In place of --clip: a threshold for each trainable layer (or clipping"
                  + " group); one number is that of all together, divided evenly.")
          .rivals("threshold");
  public static final Setting<ScheduleShape> CLIP_SCHEDULE =
      setting("clip-schedule", SHAPE, "How the threshold changes over steps, as --schedule.")
          .otherwise(ScheduleShape.CONSTANT);
  public static final Setting<List<String>> CLIPPING_GROUP =
      setting(
              "clipping-group",
              ValueType.repeated("LAYERS"),
              "Layers that are clipped together: 0,3. Once for each group.")
          .derived("each layer");
  public static final Setting<String> CLIPPING =
      setting(
              "clipping",
              ValueType.oneOf("RULE", "flat", "automatic", "psac", "normalised", "global"),
              "")
          .otherwise("flat");
  public static final Setting<Double> CLIPPING_GAMMA =
      setting("clipping-gamma", ValueType.positive("G"), "Of automatic: C/(norm + G).")
          .otherwise(0.01);
  public static final Setting<Double> CLIPPING_R =
      setting("clipping-r", ValueType.positive("R"), "Of psac: C/(norm + R/(norm + R)).")
          .otherwise(0.1);
  public static final Setting<Double> CLIPPING_CUTOFF =
      setting(
              "clipping-cutoff",
              ValueType.positive("Z"),
              "Of global: longer gradients are dropped.")
          .otherwise(1.0);
  public static final Setting<Double> CLIP_QUANTILE =
      setting(
              "clip-quantile",
              ValueType.real("G", "in (0, 1)", v -> v > 0 && v < 1),
              "Let the threshold follow this quantile of the norms, from --clip, by noised"
                  + " counts out of the same budget.")
          .derived("it stays")
          .called("clipping quantile");
  public static final Setting<Double> CLIP_QUANTILE_RATE =
      setting(
              "clip-quantile-rate",
              ValueType.positive("R"),
              "Of --clip-quantile: a step moves the threshold by at most about e^R.")
          .otherwise(AdaptiveClipping.RATE)
          .called("clipping rate");
  public static final Setting<Double> COUNT_NOISE =
      setting(
              "count-noise",
              ValueType.positive("S"),
              "Of --clip-quantile: deviation of the noise on a count.")
          .derived("a twentieth of the lot");
  public static final Setting<Long> NORM_PROJECTIONS =
      setting(
              "norm-projections",
              ValueType.whole("K", 1, SamplingKey.DIRECTIONS),
              "Clip by norms that K random projections estimate (DP-SGD-JL; DP-Adam-JL with"
                  + " --optimizer adam). Needs more noise.")
          .derived("exact norms");
  public static final Setting<Double> NOISE_BEFORE_CLIPPING =
      setting(
              "noise-before-clipping",
              ValueType.nonNegative("S"),
              "Deviation of noise on each gradient before it is clipped, against clipping's"
                  + " bias.")
          .otherwise(0.0);
  public static final Setting<Long> MICRO_BATCH =
      setting(
              "micro-batch",
              ValueType.whole("M", 1, Integer.MAX_VALUE),
              "Average about M units and clip their mean as one: less to clip, twice as far"
                  + " moved by one unit.")
          .otherwise(1L)
          .called("micro-batch");

  private ClippingSettings() {}

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.CLIPPING, name, type, help);
  }
}
