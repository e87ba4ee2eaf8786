package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.Quantity;
import dev.discreet.cli.train.Setting.Group;
import dev.discreet.cli.train.Setting.Kind;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.SamplingKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The table of everything that can be set. Options, help, run files, saved runs and provenance are
 * made from it, so that none of them can know of more or less than the others.
 */
final class Settings {
  private static final long MOST = 1_000_000_000_000L;

  // Filled while this class is loaded, by the lines below, and never after.
  private static final List<Setting<?>> TABLE = new ArrayList<>();

  private static final Map<String, Sampling> SAMPLERS =
      Map.of(
          "poisson", Sampling.POISSON,
          "fixed-size", Sampling.FIXED_SIZE,
          "full-batch", Sampling.FULL_BATCH,
          "shuffled", Sampling.SHUFFLED_EPOCHS);

  // --- Data.
  static final Setting<String> DATA =
      one(
          Group.DATA,
          "data",
          "NAME|PATH",
          "A named or generated set (discreet data list), or a file or folder of examples."
              + " Default: digits.",
          Function.identity());
  static final Setting<Path> LABELS =
      one(
          Group.DATA,
          "labels",
          "FILE",
          "The labels that belong to an IDX or NumPy file.",
          Settings::path);
  static final Setting<String> LABEL =
      one(
          Group.DATA,
          "label",
          "COLUMN",
          "What to predict: employed=0|1 for classes, income=0..200000 for a number in bounds"
              + " (NumPy: without a name).",
          Function.identity());
  static final Setting<List<String>> COLUMN =
      repeated(
          Group.DATA,
          "column",
          "COLUMN",
          "A column to predict from, once for each: age=0..120, or sex=male|female.");
  static final Setting<String> UNIT_COLUMN =
      one(
          Group.DATA,
          "unit-column",
          "NAME",
          "The column that says which rows are one person's. Default: each row is a unit.",
          Function.identity());
  static final Setting<String> BOUNDS =
      one(
          Group.DATA,
          "bounds",
          "LOW..HIGH",
          "Public bounds of inputs that are plain numbers (NumPy).",
          Function.identity());
  static final Setting<List<Double>> MEAN =
      one(
          Group.DATA,
          "mean",
          "M,...",
          "Public means to normalise images by, one a channel. Default: those of a named set,"
              + " else 0.",
          numbers("mean", "finite", Double::isFinite));
  static final Setting<List<Double>> DEVIATION =
      one(
          Group.DATA,
          "deviation",
          "S,...",
          "Public deviations beside --mean. Default: those of a named set, else 1.",
          numbers("deviation", "greater than 0", value -> value > 0));
  static final Setting<Path> PUBLIC_TEST =
      one(
          Group.DATA,
          "public-test",
          "PATH",
          "Rows to test on that you declare public: their metrics go into files.",
          Settings::path);
  static final Setting<Double> TEST_SHARE =
      one(
          Group.DATA,
          "test-share",
          "S",
          "How much of a private file is held out to test on. Default: 0.2.",
          Quantity.real("test share", "in [0, 1)", value -> value >= 0 && value < 1));
  static final Setting<Path> DATA_DIR =
      one(
          Group.DATA,
          "data-dir",
          "DIR",
          "Where named sets lie. Default: the environment's DISCREET_DATA, else a cache folder.",
          Settings::path);
  static final Setting<Long> DATA_SEED =
      one(
          Group.DATA,
          "data-seed",
          "N",
          "Seed of a generated set. Default: 0.",
          Quantity.whole("data seed", 0, MOST));

  // --- Model.
  static final Setting<String> MODEL =
      one(
          Group.MODEL,
          "model",
          "NAME|SPEC",
          "linear, logistic, mlp(N), mnist-cnn, cifar-cnn, or layers such as \"conv(16,8) relu"
              + " dense(10)\". Default: by the data's shape.",
          Function.identity());
  static final Setting<Initialiser> INITIALISER =
      one(
          Group.MODEL,
          "initialiser",
          "NAME",
          "How parameters begin: pytorch-uniform, he-normal, he-uniform, xavier-normal,"
              + " xavier-uniform, lecun-normal or zeros. Default: pytorch-uniform.",
          Initialiser::named);
  static final Setting<Long> INITIAL_SEED =
      one(
          Group.MODEL,
          "initial-seed",
          "N",
          "Seed of the initial parameters, which are public. Default: 0.",
          Quantity.whole("initial seed", 0, MOST));
  static final Setting<Path> START_FROM =
      one(
          Group.MODEL,
          "start-from",
          "DIR",
          "Begin with the parameters of a run's folder: public ones, or paid for elsewhere.",
          Settings::path);
  static final Setting<List<String>> FREEZE =
      repeated(
          Group.MODEL, "freeze", "LAYER", "A layer that keeps its parameters, by its name: 0, 3.");
  static final Setting<Double> EMA =
      one(
          Group.MODEL,
          "ema",
          "D",
          "Decay of the moving average that is the model; 0 for none. Default: by the number of steps.",
          Quantity.real("ema", "in [0, 1)", value -> value >= 0 && value < 1));

  // --- Privacy.
  static final Setting<Double> EPSILON =
      rival(
          "noise",
          one(
              Group.PRIVACY,
              "epsilon",
              "E",
              "What the run may cost; the noise is found for it. Default: 3.",
              Quantity.real("epsilon", "in (0, infinity)", v -> v > 0 && Double.isFinite(v))));
  static final Setting<Double> NOISE_MULTIPLIER =
      rival(
          "noise",
          one(
              Group.PRIVACY,
              "noise-multiplier",
              "S",
              "In place of --epsilon: noise ÷ clipping threshold.",
              Quantity.real(
                  "noise multiplier",
                  "in (0, infinity) (a run without noise is asked for by --non-private)",
                  value -> value > 0 && Double.isFinite(value))));
  static final Setting<Boolean> NON_PRIVATE =
      rival(
          "noise",
          flag(
              Group.PRIVACY,
              "non-private",
              "In place of --epsilon: protect no one. Everything written says so first."));
  static final Setting<Double> DELTA =
      one(
          Group.PRIVACY,
          "delta",
          "D",
          "Failure probability that goes with epsilon. Default: 1e-5.",
          Quantity.real("delta", "in (0, 1)", value -> value > 0 && value < 1));
  static final Setting<Neighbouring> NEIGHBOURING =
      one(
          Group.PRIVACY,
          "neighbouring",
          "RELATION",
          "add/remove, replace-one or zero-out. Default: add/remove.",
          Neighbouring::of);
  static final Setting<String> UNIT =
      one(
          Group.PRIVACY,
          "unit",
          "NOUN",
          "Who is protected, as a singular noun. Default: example; unit with --unit-column.",
          Settings::noun);
  static final Setting<Long> DECLARED_UNITS =
      one(
          Group.PRIVACY,
          "declared-units",
          "N",
          "The public number of units. Default: the number there is, which is thereby public.",
          Quantity.whole("declared units", 1, Integer.MAX_VALUE - 4095));
  static final Setting<ScheduleShape> NOISE_SCHEDULE =
      one(
          Group.PRIVACY,
          "noise-schedule",
          "SHAPE",
          "How the noise of steps compares, as --schedule. Default: constant.",
          ScheduleShape::parse);
  static final Setting<List<Double>> NOISE_WEIGHTS =
      one(
          Group.PRIVACY,
          "noise-weights",
          "W,...",
          "How the noise of clipping groups compares. Default: the same on every coordinate.",
          numbers("noise weights", "greater than 0", value -> value > 0));
  static final Setting<String> HELD_OUT =
      one(
          Group.PRIVACY,
          "held-out",
          "HOW",
          "Metrics of private held-out rows: released (noised, on the ledger), console (yours"
              + " alone) or none. Default: released; console where that is not possible.",
          choice("held-out", "released", "console", "none"));
  static final Setting<Long> DECLARED_HELD_OUT =
      one(
          Group.PRIVACY,
          "declared-held-out",
          "N",
          "The public number of held-out units, which their score is divided by. Default: by"
              + " --declared-units and --test-share, else the number there is.",
          Quantity.whole("declared held-out", 1, Integer.MAX_VALUE - 4095));
  static final Setting<Double> METRIC_SHARE =
      one(
          Group.PRIVACY,
          "metric-share",
          "S",
          "Share of the budget for the released metric. Default: 0.01.",
          Quantity.real("metric share", "in (0, 0.5]", value -> value > 0 && value <= 0.5));
  static final Setting<Long> INSECURE_SEED =
      one(
          Group.PRIVACY,
          "insecure-seed",
          "N",
          "Draw lots and noise from a seed: repeatable, and protects no one. Everything written"
              + " says so.",
          Quantity.whole("insecure seed", 0, MOST));

  // --- Lots and length.
  static final Setting<Sampling> SAMPLER =
      one(
          Group.LOTS,
          "sampler",
          "NAME",
          "poisson, fixed-size, full-batch or shuffled. Default: poisson.",
          text -> SAMPLERS.get(choice("sampler", names(SAMPLERS)).apply(text)));
  static final Setting<Double> LOT_SIZE =
      rival(
          "size",
          one(
              Group.LOTS,
              "lot-size",
              "L",
              "Units in a lot, on average. Default: by the number of units.",
              Quantity.real("lot size", "in (0, infinity)", v -> v > 0 && Double.isFinite(v))));
  static final Setting<Double> SAMPLING_RATE =
      rival(
          "size",
          one(
              Group.LOTS,
              "sampling-rate",
              "Q",
              "In place of --lot-size: the share of all units that a lot has.",
              Quantity.real("sampling rate", "in (0, 1]", value -> value > 0 && value <= 1)));
  static final Setting<Double> EPOCHS =
      rival(
          "length",
          one(
              Group.LOTS,
              "epochs",
              "N",
              "How often each unit is drawn, on average. Default: by the data.",
              Quantity.real("epochs", "in (0, infinity)", v -> v > 0 && Double.isFinite(v))));
  static final Setting<Long> STEPS =
      rival(
          "length",
          one(
              Group.LOTS,
              "steps",
              "T",
              "In place of --epochs: how many steps.",
              Quantity.whole("steps", 1, MOST)));

  // --- Clipping.
  static final Setting<Double> CLIP =
      rival(
          "threshold",
          one(
              Group.CLIPPING,
              "clip",
              "C",
              "The most that a unit's gradient may weigh. Default: by the data.",
              positive("clip")));
  static final Setting<List<Double>> CLIP_PER_LAYER =
      rival(
          "threshold",
          one(
              Group.CLIPPING,
              "clip-per-layer",
              "C,...",
              "In place of --clip: a threshold for each trainable layer (or clipping group); one"
                  + " number is that of all together, divided evenly.",
              numbers("clip per layer", "greater than 0", value -> value > 0)));
  static final Setting<ScheduleShape> CLIP_SCHEDULE =
      one(
          Group.CLIPPING,
          "clip-schedule",
          "SHAPE",
          "How the threshold changes over steps, as --schedule. Default: constant.",
          ScheduleShape::parse);
  static final Setting<List<String>> CLIPPING_GROUP =
      repeated(
          Group.CLIPPING,
          "clipping-group",
          "LAYERS",
          "Layers that are clipped together: 0,3. Once for each group. Default: each layer.");
  static final Setting<String> CLIPPING =
      one(
          Group.CLIPPING,
          "clipping",
          "RULE",
          "flat, automatic, normalised or global. Default: flat.",
          choice("clipping", "flat", "automatic", "normalised", "global"));
  static final Setting<Double> CLIPPING_GAMMA =
      one(
          Group.CLIPPING,
          "clipping-gamma",
          "G",
          "Of automatic: C/(norm + G). Default: 0.01.",
          positive("clipping gamma"));
  static final Setting<Double> CLIPPING_CUTOFF =
      one(
          Group.CLIPPING,
          "clipping-cutoff",
          "Z",
          "Of global: longer gradients are dropped. Default: 1.",
          positive("clipping cutoff"));
  static final Setting<Long> NORM_PROJECTIONS =
      one(
          Group.CLIPPING,
          "norm-projections",
          "K",
          "Clip by norms that K random projections estimate (DP-SGD-JL; DP-Adam-JL with"
              + " --optimizer adam). Needs more noise. Default: exact norms.",
          Quantity.whole("norm projections", 1, SamplingKey.DIRECTIONS));
  static final Setting<Double> NOISE_BEFORE_CLIPPING =
      one(
          Group.CLIPPING,
          "noise-before-clipping",
          "S",
          "Deviation of noise on each gradient before it is clipped, against clipping's bias."
              + " Default: 0.",
          nonNegative("noise before clipping"));

  // --- Optimizer.
  static final Setting<String> OPTIMIZER =
      one(
          Group.OPTIMIZER,
          "optimizer",
          "NAME",
          "sgd, momentum, nesterov, adam, adamw or dp-adam. Default: sgd.",
          choice("optimizer", "sgd", "momentum", "nesterov", "adam", "adamw", "dp-adam"));
  static final Setting<Double> LEARNING_RATE =
      one(
          Group.OPTIMIZER,
          "learning-rate",
          "R",
          "Default: by lot size, noise and clipping threshold.",
          nonNegative("learning rate"));
  static final Setting<ScheduleShape> SCHEDULE =
      one(
          Group.OPTIMIZER,
          "schedule",
          "SHAPE",
          "Of the learning rate: constant, linear, cosine (to 0 at the end; linear(F) to F of its"
              + " start, linear(F,T) by step T) or step(F,T), times F every T steps. Default:"
              + " constant.",
          ScheduleShape::parse);
  static final Setting<Long> WARM_UP =
      one(
          Group.OPTIMIZER,
          "warm-up",
          "T",
          "Steps in which the learning rate rises to its start. Default: 0.",
          Quantity.whole("warm-up", 0, 1 << 24));
  static final Setting<Double> MOMENTUM =
      one(
          Group.OPTIMIZER,
          "momentum",
          "M",
          "Of momentum and nesterov. Default: 0.9.",
          share("momentum"));
  static final Setting<Double> BETA1 =
      one(Group.OPTIMIZER, "beta1", "B", "Of the adams. Default: 0.9.", share("beta1"));
  static final Setting<Double> BETA2 =
      one(Group.OPTIMIZER, "beta2", "B", "Of the adams. Default: 0.999.", share("beta2"));
  static final Setting<Double> ADAM_EPSILON =
      one(
          Group.OPTIMIZER,
          "adam-epsilon",
          "E",
          "Of adam and adamw. Default: 1e-8.",
          nonNegative("adam epsilon"));
  static final Setting<Double> ADAM_FLOOR =
      one(
          Group.OPTIMIZER,
          "adam-floor",
          "G",
          "Of dp-adam: the least second moment. Default: 1e-8.",
          positive("adam floor"));
  static final Setting<Double> WEIGHT_DECAY =
      one(
          Group.OPTIMIZER,
          "weight-decay",
          "L",
          "How strongly parameters are pulled to zero. Default: 0.",
          nonNegative("weight decay"));
  static final Setting<String> WEIGHT_DECAY_MODE =
      one(
          Group.OPTIMIZER,
          "weight-decay-mode",
          "MODE",
          "decoupled, or before-clipping as part of each gradient. Default: decoupled.",
          choice("weight decay mode", "decoupled", "before-clipping"));
  static final Setting<String> WEIGHT_DECAY_ON =
      one(
          Group.OPTIMIZER,
          "weight-decay-on",
          "WHAT",
          "all parameters, or weights only and no biases. Default: all.",
          choice("weight decay on", "all", "weights"));

  // --- The run.
  static final Setting<Long> THREADS =
      one(
          Group.RUN,
          "threads",
          "N",
          "Default: one for each core. The result is the same on any number.",
          Quantity.whole("threads", 1, 1024));
  static final Setting<Long> EVALUATE_EVERY =
      one(
          Group.RUN,
          "evaluate-every",
          "T",
          "Steps between evaluations. Default: an epoch.",
          Quantity.whole("evaluate every", 1, MOST));
  static final Setting<Path> CHECKPOINTS =
      one(
          Group.RUN,
          "checkpoints",
          "DIR",
          "Keep there what --resume needs, and the ledger's journal.",
          Settings::path);
  static final Setting<Long> CHECKPOINT_EVERY =
      one(
          Group.RUN,
          "checkpoint-every",
          "T",
          "Steps between checkpoints. Default: an epoch.",
          Quantity.whole("checkpoint every", 1, MOST));
  static final Setting<Path> OUT =
      one(Group.RUN, "out", "DIR", "The folder to write. Default: runs/DATA-TIME.", Settings::path);

  // --- This call.
  static final Setting<Boolean> RESUME =
      flag(Group.CALL, "resume", "Go on with the run that --checkpoints has.");
  static final Setting<Boolean> FORCE =
      flag(Group.CALL, "force", "Replace an earlier run's folder or run file.");
  static final Setting<Path> SAVE_RUN =
      one(
          Group.CALL,
          "save-run",
          "FILE",
          "Write the run with all its defaults filled in, as a run file.",
          Settings::path);
  static final Setting<Boolean> DRY_RUN =
      flag(Group.CALL, "dry-run", "Print the plan and stop before the first step.");
  static final Setting<Boolean> JSON = flag(Group.CALL, "json", "Print one JSON object.");
  static final Setting<Boolean> QUIET =
      flag(Group.CALL, "quiet", "No plan and no progress: only the result.");

  private Settings() {}

  static List<Setting<?>> all() {
    return List.copyOf(TABLE);
  }

  static Stream<Setting<?>> of(Group group) {
    return TABLE.stream().filter(setting -> setting.group() == group);
  }

  static Optional<Setting<?>> named(String name) {
    return TABLE.stream().filter(setting -> setting.name().equals(name)).findFirst();
  }

  /** The name that a sampler has in the table. */
  static String name(Sampling sampling) {
    return SAMPLERS.entrySet().stream()
        .filter(entry -> entry.getValue() == sampling)
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private static <T> Setting<T> add(Setting<T> setting) {
    TABLE.add(setting);
    return setting;
  }

  private static <T> Setting<T> one(
      Group group, String name, String label, String description, Function<String, T> read) {
    return add(
        new Setting<>(
            name, group, Kind.ONE, label, "", description, texts -> read.apply(texts.get(0))));
  }

  private static Setting<List<String>> repeated(
      Group group, String name, String label, String description) {
    return add(
        new Setting<>(name, group, Kind.REPEATED, label, "", description, Function.identity()));
  }

  private static Setting<Boolean> flag(Group group, String name, String description) {
    return add(
        new Setting<>(
            name,
            group,
            Kind.FLAG,
            "",
            "",
            description,
            texts -> choice(name, "true", "false").apply(texts.get(0)).equals("true")));
  }

  /** The setting just added, as one that cannot stand beside others of that name. */
  private static <T> Setting<T> rival(String rivals, Setting<T> from) {
    TABLE.remove(TABLE.size() - 1);
    return add(
        new Setting<>(
            from.name(),
            from.group(),
            from.kind(),
            from.label(),
            rivals,
            from.description(),
            from.read()));
  }

  private static String[] names(Map<String, ?> map) {
    return map.keySet().stream().sorted().toArray(String[]::new);
  }

  private static Function<String, String> choice(String name, String... allowed) {
    return text -> {
      Check.that(
          List.of(allowed).contains(text), name, "one of " + String.join(", ", allowed), text);
      return text;
    };
  }

  private static Function<String, Double> positive(String name) {
    return Quantity.real(name, "in (0, infinity)", v -> v > 0 && Double.isFinite(v));
  }

  private static Function<String, Double> nonNegative(String name) {
    return Quantity.real(name, "in [0, infinity)", v -> v >= 0 && Double.isFinite(v));
  }

  private static Function<String, Double> share(String name) {
    return Quantity.real(name, "in [0, 1)", value -> value >= 0 && value < 1);
  }

  private static Function<String, List<Double>> numbers(
      String name, String range, java.util.function.DoublePredicate allowed) {
    Function<String, Double> number = Quantity.real(name, range, allowed);
    return text -> Arrays.stream(text.split(",", -1)).map(String::strip).map(number).toList();
  }

  private static Path path(String text) {
    Check.that(!text.isBlank(), "file", "named", text);
    return Path.of(text);
  }

  private static String noun(String text) {
    Check.that(!text.isBlank() && Check.oneLine(text), "unit", "a singular noun on one line", text);
    return text;
  }
}
