package dev.discreet.recipe.setting;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.recipe.setting.Setting.Group;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The table of everything that can be set. Options, help, run files, saved runs and provenance are
 * made from it, so that none of them can know of more or less than the others. The rows here are
 * those that the guarantee depends on.
 */
public final class Settings extends LearningSettings {
  private static final Map<String, Sampling> SAMPLERS =
      Map.of(
          "poisson", Sampling.POISSON,
          "fixed-size", Sampling.FIXED_SIZE,
          "full-batch", Sampling.FULL_BATCH,
          "shuffled", Sampling.SHUFFLED_EPOCHS);

  // --- Privacy.
  public static final Setting<Double> EPSILON =
      rival(
          "noise",
          one(
              Group.PRIVACY,
              "epsilon",
              "E",
              "What the run may cost; the noise is found for it. Default: 3.",
              NumberText.real("epsilon", "in (0, infinity)", v -> v > 0 && Double.isFinite(v))));
  public static final Setting<Double> NOISE_MULTIPLIER =
      rival(
          "noise",
          one(
              Group.PRIVACY,
              "noise-multiplier",
              "S",
              "In place of --epsilon: noise ÷ clipping threshold.",
              NumberText.real(
                  "noise multiplier",
                  "in (0, infinity) (a run without noise is asked for by --non-private)",
                  value -> value > 0 && Double.isFinite(value))));
  public static final Setting<Double> NOISE_TEMPERATURE =
      rival(
          "noise",
          one(
              Group.PRIVACY,
              "noise-temperature",
              "T",
              "In place of --epsilon: noise by which steps of --learning-rate are Langevin dynamics"
                  + " of this temperature.",
              positive("noise temperature")));
  public static final Setting<Boolean> NON_PRIVATE =
      rival(
          "noise",
          flag(
              Group.PRIVACY,
              "non-private",
              "In place of --epsilon: protect no one. Everything written says so first."));
  public static final Setting<Double> DELTA =
      one(
          Group.PRIVACY,
          "delta",
          "D",
          "Failure probability that goes with epsilon. Default: the largest power of ten that is at"
              + " most 1/(10 * units) and at most 1e-5.",
          NumberText.real("delta", "in (0, 1)", value -> value > 0 && value < 1));
  public static final Setting<Neighbouring> NEIGHBOURING =
      one(
          Group.PRIVACY,
          "neighbouring",
          "RELATION",
          "add/remove, replace-one or zero-out. Default: add/remove.",
          Neighbouring::of);
  public static final Setting<String> UNIT =
      one(
          Group.PRIVACY,
          "unit",
          "NOUN",
          "Who is protected, as a singular noun. Default: example; unit with --unit-column or"
              + " --unit-map.",
          SettingTable::noun);
  public static final Setting<Boolean> ONE_ROW_EACH =
      flag(
          Group.PRIVACY,
          "one-row-each",
          "Declare that each --unit has one row, where no column or map says whose a row is.");
  public static final Setting<Long> EXAMPLES_PER_UNIT =
      one(
          Group.PRIVACY,
          "examples-per-unit",
          "B",
          "The most examples of one unit that are trained on, spread evenly over its own. Default:"
              + " all.",
          NumberText.whole("examples per unit", 1, Integer.MAX_VALUE));
  public static final Setting<Long> DECLARED_UNITS =
      one(
          Group.PRIVACY,
          "declared-units",
          "N",
          "Declare a public number of units to train on, without those held out. Default: the number"
              + " there is, which is then taken as public.",
          NumberText.whole("declared units", 1, Integer.MAX_VALUE - 4095));
  public static final Setting<ScheduleShape> NOISE_SCHEDULE =
      one(
          Group.PRIVACY,
          "noise-schedule",
          "SHAPE",
          "How the noise of steps compares, as --schedule. Default: constant.",
          ScheduleShape::parse);
  public static final Setting<List<Double>> NOISE_WEIGHTS =
      one(
          Group.PRIVACY,
          "noise-weights",
          "W,...",
          "How the noise of clipping groups compares. Default: the same on every coordinate.",
          numbers("noise weights", "greater than 0", value -> value > 0));
  public static final Setting<String> HELD_OUT =
      one(
          Group.PRIVACY,
          "held-out",
          "HOW",
          "Metrics of private held-out rows: released (noised, on the ledger), console (yours"
              + " alone) or none. Default: released; console where that is not possible.",
          choice("held-out", "released", "console", "none"));
  public static final Setting<Long> DECLARED_HELD_OUT =
      one(
          Group.PRIVACY,
          "declared-held-out",
          "N",
          "Declare a public number of held-out units, which their score is divided by. Default: by"
              + " --declared-units and --test-share, else the number there is, taken as public.",
          NumberText.whole("declared held-out", 1, Integer.MAX_VALUE - 4095));
  public static final Setting<Double> METRIC_SHARE =
      rival(
          "metric",
          one(
              Group.PRIVACY,
              "metric-share",
              "S",
              "Share of the budget for the released metric. Default: 0.01.",
              NumberText.real("metric share", "in (0, 0.5]", value -> value > 0 && value <= 0.5)));
  public static final Setting<Double> METRIC_NOISE =
      rival(
          "metric",
          one(
              Group.PRIVACY,
              "metric-noise",
              "S",
              "In place of --metric-share, beside --noise-multiplier: the released metric's own"
                  + " noise multiplier. Default: 20.",
              positive("metric noise")));
  public static final Setting<Double> PCA_SHARE =
      rival(
          "directions",
          one(
              Group.PRIVACY,
              "pca-share",
              "S",
              "Share of the budget for the directions of --pca. Default: 0.1.",
              NumberText.real("pca share", "in (0, 0.5]", value -> value > 0 && value <= 0.5)));
  public static final Setting<Double> PCA_NOISE =
      rival(
          "directions",
          one(
              Group.PRIVACY,
              "pca-noise",
              "S",
              "In place of --pca-share: the noise multiplier of the directions. Default: by the"
                  + " share; 4 in a run without --epsilon.",
              positive("pca noise")));
  public static final Setting<Boolean> PUBLIC_ROWS_ARE_OTHER_PEOPLE =
      flag(
          Group.PRIVACY,
          "public-rows-are-other-people",
          "Declare that public rows which look like private ones, as in tables of few values, are"
              + " other people's. They are not compared then, and the statement says so.");
  public static final Setting<Long> INSECURE_SEED =
      one(
          Group.PRIVACY,
          "insecure-seed",
          "N",
          "Draw lots and noise from a seed: repeatable, and protects no one. Everything written"
              + " says so.",
          NumberText.whole("insecure seed", 0, MOST));

  // --- Lots and length.
  public static final Setting<Sampling> SAMPLER =
      one(
          Group.LOTS,
          "sampler",
          "NAME",
          "poisson, fixed-size, full-batch or shuffled. Default: poisson.",
          text -> SAMPLERS.get(choice("sampler", names(SAMPLERS)).apply(text)));
  public static final Setting<Double> LOT_SIZE =
      rival(
          "size",
          one(
              Group.LOTS,
              "lot-size",
              "L",
              "Units in a lot, on average. Default: by the number of units.",
              NumberText.real("lot size", "in (0, infinity)", v -> v > 0 && Double.isFinite(v))));
  public static final Setting<Double> SAMPLING_RATE =
      rival(
          "size",
          one(
              Group.LOTS,
              "sampling-rate",
              "Q",
              "In place of --lot-size: the share of all units that a lot has.",
              NumberText.real("sampling rate", "in (0, 1]", value -> value > 0 && value <= 1)));
  public static final Setting<Double> EPOCHS =
      rival(
          "length",
          one(
              Group.LOTS,
              "epochs",
              "N",
              "How often each unit is drawn, on average. Default: by the data.",
              NumberText.real("epochs", "in (0, infinity)", v -> v > 0 && Double.isFinite(v))));
  public static final Setting<Long> STEPS =
      rival(
          "length",
          one(
              Group.LOTS,
              "steps",
              "T",
              "In place of --epochs: how many steps.",
              NumberText.whole("steps", 1, MOST)));

  // --- Clipping.
  public static final Setting<Double> CLIP =
      rival(
          "threshold",
          one(
              Group.CLIPPING,
              "clip",
              "C",
              "The most that a unit's gradient may weigh. Default: by the data.",
              positive("clip")));
  public static final Setting<List<Double>> CLIP_PER_LAYER =
      rival(
          "threshold",
          one(
              Group.CLIPPING,
              "clip-per-layer",
              "C,...",
              "In place of --clip: a threshold for each trainable layer (or clipping group); one"
                  + " number is that of all together, divided evenly.",
              numbers("clip per layer", "greater than 0", value -> value > 0)));
  public static final Setting<ScheduleShape> CLIP_SCHEDULE =
      one(
          Group.CLIPPING,
          "clip-schedule",
          "SHAPE",
          "How the threshold changes over steps, as --schedule. Default: constant.",
          ScheduleShape::parse);
  public static final Setting<List<String>> CLIPPING_GROUP =
      repeated(
          Group.CLIPPING,
          "clipping-group",
          "LAYERS",
          "Layers that are clipped together: 0,3. Once for each group. Default: each layer.");
  public static final Setting<String> CLIPPING =
      one(
          Group.CLIPPING,
          "clipping",
          "RULE",
          "flat, automatic, normalised or global. Default: flat.",
          choice("clipping", "flat", "automatic", "normalised", "global"));
  public static final Setting<Double> CLIPPING_GAMMA =
      one(
          Group.CLIPPING,
          "clipping-gamma",
          "G",
          "Of automatic: C/(norm + G). Default: 0.01.",
          positive("clipping gamma"));
  public static final Setting<Double> CLIPPING_CUTOFF =
      one(
          Group.CLIPPING,
          "clipping-cutoff",
          "Z",
          "Of global: longer gradients are dropped. Default: 1.",
          positive("clipping cutoff"));
  public static final Setting<Double> CLIP_QUANTILE =
      one(
          Group.CLIPPING,
          "clip-quantile",
          "G",
          "Let the threshold follow this quantile of the norms, from --clip, by noised counts out"
              + " of the same budget. Default: it stays.",
          NumberText.real("clipping quantile", "in (0, 1)", v -> v > 0 && v < 1));
  public static final Setting<Double> CLIP_QUANTILE_RATE =
      one(
          Group.CLIPPING,
          "clip-quantile-rate",
          "R",
          "Of --clip-quantile: a step moves the threshold by at most about e^R. Default: 0.2.",
          positive("clipping rate"));
  public static final Setting<Double> COUNT_NOISE =
      one(
          Group.CLIPPING,
          "count-noise",
          "S",
          "Of --clip-quantile: deviation of the noise on a count. Default: a twentieth of the lot.",
          positive("count noise"));
  public static final Setting<Long> NORM_PROJECTIONS =
      one(
          Group.CLIPPING,
          "norm-projections",
          "K",
          "Clip by norms that K random projections estimate (DP-SGD-JL; DP-Adam-JL with"
              + " --optimizer adam). Needs more noise. Default: exact norms.",
          NumberText.whole("norm projections", 1, SamplingKey.DIRECTIONS));
  public static final Setting<Double> NOISE_BEFORE_CLIPPING =
      one(
          Group.CLIPPING,
          "noise-before-clipping",
          "S",
          "Deviation of noise on each gradient before it is clipped, against clipping's bias."
              + " Default: 0.",
          nonNegative("noise before clipping"));
  public static final Setting<Long> MICRO_BATCH =
      one(
          Group.CLIPPING,
          "micro-batch",
          "M",
          "Average about M units and clip their mean as one: less to clip, twice as far moved by"
              + " one unit. Default: 1.",
          NumberText.whole("micro-batch", 1, Integer.MAX_VALUE));

  private Settings() {}

  public static List<Setting<?>> all() {
    return rows();
  }

  public static Stream<Setting<?>> of(Group group) {
    return rows().stream().filter(setting -> setting.group() == group);
  }

  public static Optional<Setting<?>> named(String name) {
    return rows().stream().filter(setting -> setting.name().equals(name)).findFirst();
  }

  /** The name that a sampler has in the table. */
  public static String name(Sampling sampling) {
    return SAMPLERS.entrySet().stream()
        .filter(entry -> entry.getValue() == sampling)
        .findFirst()
        .orElseThrow()
        .getKey();
  }
}
