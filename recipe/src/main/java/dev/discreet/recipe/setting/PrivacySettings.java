package dev.discreet.recipe.setting;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.privacy.overtime.NoiseOverTime;
import dev.discreet.recipe.setting.Setting.Group;
import java.util.List;

/** What the guarantee depends on, besides who is protected. */
public final class PrivacySettings {
  /** The default noise multiplier of principal directions that have no share of a budget. */
  public static final double PCA_NOISE_ALONE = 4;

  private static final ValueType<ScheduleShape> SHAPE =
      ValueType.of("SHAPE", ScheduleShape::parse, ScheduleShape::text);
  public static final Setting<Double> EPSILON =
      setting(
              "epsilon",
              ValueType.positive("E"),
              "What the run may cost; the noise is found for it.")
          .otherwise(3.0)
          .rivals("noise");
  public static final Setting<Double> SHARE =
      setting(
              "share",
              ValueType.real("S", "in (0, 1]", value -> value > 0 && value <= 1),
              "In place of --epsilon: the share of the account's ceiling that the run may take.")
          .rivals("noise");
  public static final Setting<Double> NOISE_MULTIPLIER =
      setting(
              "noise-multiplier",
              ValueType.real(
                  "S",
                  "in (0, infinity) (a run without noise is asked for by --non-private)",
                  value -> value > 0 && Double.isFinite(value)),
              "In place of --epsilon: noise ÷ clipping threshold.")
          .rivals("noise");
  public static final Setting<Double> NOISE_TEMPERATURE =
      setting(
              "noise-temperature",
              ValueType.positive("T"),
              "In place of --epsilon: noise by which steps of --learning-rate are Langevin"
                  + " dynamics of this temperature.")
          .rivals("noise");
  public static final Setting<Boolean> NON_PRIVATE =
      setting(
              "non-private",
              ValueType.flag(),
              "In place of --epsilon: protect no one. Everything written says so first.")
          .rivals("noise");
  public static final Setting<Double> DELTA =
      setting(
              "delta",
              ValueType.real("D", "in (0, 1)", value -> value > 0 && value < 1),
              "Failure probability that goes with epsilon.")
          .derived("that of the account; without one, " + DefaultDelta.WORDS);
  public static final Setting<Neighbouring> NEIGHBOURING =
      setting(
              "neighbouring",
              ValueType.oneOf("RELATION", List.of(Neighbouring.values()), Neighbouring::label),
              "")
          .derived(
              Neighbouring.ADD_REMOVE.label()
                  + "; "
                  + Neighbouring.REPLACE_ONE.label()
                  + " with --micro-batch, unless whole groups are protected");
  public static final Setting<ScheduleShape> NOISE_SCHEDULE =
      setting("noise-schedule", SHAPE, "How the noise of steps compares, as --schedule.")
          .otherwise(ScheduleShape.CONSTANT);
  public static final Setting<NoiseOverTime> NOISE_OVER_TIME =
      setting(
              "noise-over-time",
              ValueType.of("NOISE", NoiseOverTime::parse, NoiseOverTime::toString),
              "banded(B): B steps in a row share noise, of which each takes some away again. Sets"
                  + " --sampler cyclic, charges the whole run at its first step and cannot be"
                  + " resumed.")
          .derived("each step has its own");
  public static final Setting<List<Double>> NOISE_WEIGHTS =
      setting(
              "noise-weights",
              ValueType.numbers("W,...", "greater than 0", value -> value > 0),
              "How the noise of clipping groups compares.")
          .derived("the same on every coordinate");
  private static final String SCORE_ALONE = "score";

  /** All figures of held-out rows, and not their score alone. */
  public static final String ALL_FIGURES = "all";

  public static final Setting<String> HELD_OUT =
      setting(
              "held-out",
              ValueType.oneOf("HOW", "released", "console", "none"),
              "Metrics of private held-out rows: released (noised, on the ledger), console"
                  + " (yours alone) or none.")
          .derived("released; console where that is not possible")
          .called("held-out");
  public static final Setting<String> HELD_OUT_FIGURES =
      setting(
              "held-out-figures",
              ValueType.oneOf("WHICH", SCORE_ALONE, ALL_FIGURES),
              "What the one release of --held-out released has: the score alone, or also what"
                  + " balanced accuracy, AUC, F1, calibration and mean absolute error follow from:"
                  + " at the same cost, with a quarter more noise on the score.")
          .otherwise(SCORE_ALONE);
  public static final Setting<Long> DECLARED_HELD_OUT =
      setting(
              "declared-held-out",
              ValueType.whole("N", 1, Integer.MAX_VALUE - 4095),
              "Declare a public number of held-out units, which their score is divided by.")
          .derived(
              "by --declared-units and --test-share, else the number there is, taken as"
                  + " public")
          .called("declared held-out");
  public static final Setting<Double> METRIC_SHARE =
      setting(
              "metric-share",
              ValueType.real("S", "in (0, 0.5]", value -> value > 0 && value <= 0.5),
              "Share of the budget for the released metric.")
          .otherwise(0.01)
          .rivals("metric");
  public static final Setting<Double> METRIC_NOISE =
      setting(
              "metric-noise",
              ValueType.positive("S"),
              "In place of --metric-share, beside --noise-multiplier: the released metric's"
                  + " own noise multiplier.")
          .otherwise(TestSet.Released.NOISE)
          .rivals("metric");

  /** What a run that holds no private rows out has no use for. */
  public static final List<Setting<?>> OF_HELD_OUT_ROWS =
      List.of(HELD_OUT, HELD_OUT_FIGURES, DECLARED_HELD_OUT, METRIC_SHARE, METRIC_NOISE);

  public static final Setting<Double> PCA_SHARE =
      setting(
              "pca-share",
              ValueType.real("S", "in (0, 0.5]", value -> value > 0 && value <= 0.5),
              "Share of the budget for the directions of --pca.")
          .otherwise(0.1)
          .rivals("directions");
  public static final Setting<Double> PCA_NOISE =
      setting(
              "pca-noise",
              ValueType.positive("S"),
              "In place of --pca-share: the noise multiplier of the directions.")
          .derived("by the share; " + Digits.exact(PCA_NOISE_ALONE) + " in a run without --epsilon")
          .rivals("directions");
  public static final Setting<Double> CENTRE_SHARE =
      setting(
              "centre-share",
              ValueType.real("S", "in [0, 0.5]", value -> value >= 0 && value <= 0.5),
              "Share of the budget for the mean of --features, which is released first and taken"
                  + " off them; 0 to leave them.")
          .derived(
              "0.03 under add/remove with --epsilon or --share where nothing else is begun with and"
                  + " the noise on a value has a deviation of at most 0.5; else, and in tune, 0");
  public static final Setting<Boolean> PUBLIC_ROWS_ARE_OTHER_PEOPLE =
      setting(
          "public-rows-are-other-people",
          ValueType.flag(),
          "Declare that public rows which look like private ones, as in tables of few"
              + " values, are other people's. They are not compared then, and the statement"
              + " says so.");
  public static final Setting<String> ACCOUNT =
      setting(
              "account",
              ValueType.text("ACCOUNT"),
              "The account of the people in the data; what is spent is charged to it.")
          .derived("the one that covers the data, if there is one");
  public static final Setting<Boolean> PASS_OVER_ACCOUNT =
      setting(
          "pass-over-account",
          ValueType.flag(),
          "Charge nothing to accounts that cover the data, unless --account names one. They"
              + " record that. A file cannot ask for it.");
  public static final Setting<Boolean> BREAK_ACCOUNT =
      setting(
          "break-account",
          ValueType.flag(),
          "Go on where the account can promise nothing afterwards. It records that first,"
              + " and promises nothing for ever. A file cannot ask for it.");
  public static final Setting<Long> INSECURE_SEED =
      setting(
          "insecure-seed",
          ValueType.whole("N", 0, NumberText.MOST),
          "Draw lots and noise from a seed: repeatable, and protects no one. Everything"
              + " written says so.");

  private PrivacySettings() {}

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.PRIVACY, name, type, help);
  }
}
