package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Mechanism;
import dev.discreet.algorithms.pca.PcaLayer;
import dev.discreet.cli.console.Costs;
import dev.discreet.core.evaluate.LabelUnit;
import dev.discreet.core.evaluate.ScoreHeadline;
import dev.discreet.core.evaluate.ScoreNoise;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Task;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.overtime.SharedNoise;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.core.train.Estimate;
import dev.discreet.data.DataSet;
import dev.discreet.data.Split;
import dev.discreet.recipe.PreparedRecipe;
import dev.discreet.recipe.RunToFolder;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.ScheduleShape;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.recipe.setup.TrainingSetup.HeldOut;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A run in words, before its first step. Only public facts: the report shows the same rows. */
final class PlanTable {
  private PlanTable() {}

  static Map<String, String> rows(TrainingSetup setup, Guarantee cost) {
    ResolvedPlan plan = setup.plan();
    Map<String, String> rows = new LinkedHashMap<>();
    if (setup.startsNotPrivate()) {
      rows.put(
          "privacy", "NONE, because of its start: what that tells of its data, this may tell too");
    }
    rows.put("data", data(setup));
    rows.put(
        "model",
        setup.layout().network()
            + String.format(Locale.ROOT, " (%,d parameters)", setup.layout().parameters()));
    setup.pca().ifPresent(each -> rows.put("pca", directions(each)));
    setup
        .centre()
        .ifPresent(
            each ->
                rows.put(
                    "centre",
                    "the mean of the features, released once with noise multiplier "
                        + Digits.plain(each.noiseMultiplier())
                        + " and taken off them"));
    setup.start().ifPresent(start -> rows.put(start.title(), start.words()));
    String moving = layers(setup);
    if (!moving.isEmpty()) {
      rows.put("layers", moving);
    }
    if (cost == null) {
      rows.put("privacy", "NONE: this run is non-private by request and protects no one");
    } else {
      rows.put("will spend", RunToFolder.words(cost));
      weak(rows, cost, plan);
      rows.put(
          "protects",
          (setup.startsNotPrivate() ? "no one; with a public start: " : "")
              + "each single "
              + plan.unit()
              + " ("
              + plan.neighbouring().label()
              + ")"
              + averaged(plan)
              + declared(setup)
              + insecure(setup));
      rows.put(
          "noise",
          "multiplier "
              + Digits.plain(plan.multiplier(0))
              + (plan.noise() instanceof Schedule.Constant ? "" : " at first")
              + plan.overTime().map(shared -> overTime(plan, shared)).orElse("")
              + clip(setup));
    }
    rows.put(
        "lots",
        String.format(
            Locale.ROOT,
            "%s, %s of %,d expected; %,d steps, %s epochs",
            setup.chosen().text(LotSettings.SAMPLER),
            Digits.plain(plan.expectedUnits()),
            setup.units(),
            plan.steps(),
            Digits.plain(plan.epochs())));
    if (setup.chosen().isSet(LotSettings.AUGMENT)) {
      rows.put(
          "views",
          setup.chosen().text(LotSettings.VIEWS)
              + " of each example, averaged before clipping: "
              + setup.chosen().text(LotSettings.AUGMENT));
    }
    rows.put("optimizer", optimizer(setup));
    LangevinWords.words(setup).ifPresent(words -> rows.put("langevin", words));
    setup.projection().ifPresent(each -> rows.put("projected", each.words()));
    if (setup.chosen().has(PrivacySettings.PUBLIC_ROWS_ARE_OTHER_PEOPLE)) {
      rows.put("public rows", "declared to be other people's; not compared with the private ones");
    }
    rows.put("test", test(setup));
    if (setup.chosen().has(RunSettings.WATCH_PRIVATE)) {
      rows.put(
          "watched",
          "un-noised values are shown on the way: if it is stopped, its length is outside the"
              + " guarantee");
    }
    return rows;
  }

  private static String directions(PcaLayer pca) {
    return pca.k()
        + (pca.k() == 1 ? " direction" : " directions")
        + ", released once before the first step with noise multiplier "
        + Digits.plain(pca.noiseMultiplier())
        + ", on the same ledger; the model's first layer";
  }

  private static String data(TrainingSetup setup) {
    Task task = setup.data().task();
    String target =
        task.match(
            classes -> classes.names().size() + " classes", number -> number.name() + " in bounds");
    return String.format(
        Locale.ROOT,
        "%s: %s, %s; %,d %ss to train on (%s)",
        setup.data().name(),
        setup.layout().input(),
        target,
        setup.plan().publicNumber(),
        setup.plan().unit(),
        setup.chosen().isSet(UnitSettings.DECLARED_UNITS)
            ? "declared public"
            : "taken as public: no --declared-units");
  }

  /** What the promise rests on besides. */
  private static String declared(TrainingSetup setup) {
    boolean each = setup.chosen().has(UnitSettings.ONE_ROW_EACH);
    String rows = each ? "; it was declared that each has one row" : "";
    if (!(setup.data().train() instanceof DataSet.Part train)) {
      return rows;
    }
    return rows
        + (train.by() == Split.By.PUBLIC_ID ? "; the set of their ids was declared public" : "")
        + (train.taken().isEmpty() ? "" : ". " + train.taken());
  }

  /** Adds a row on what is weak about the promise: before anything is spent, and again after it. */
  static void weak(Map<String, String> rows, Guarantee cost, ResolvedPlan plan) {
    Costs.weak(cost, plan.unit(), plan.publicNumber()).ifPresent(words -> rows.put("WEAK", words));
  }

  /** Whether the groups themselves are what is protected. */
  private static boolean whole(ResolvedPlan plan) {
    return plan.unit().equals(MicroBatches.UNIT);
  }

  private static String averaged(ResolvedPlan plan) {
    return plan.microBatches()
        .map(
            batches ->
                "; one of about "
                    + batches.size()
                    + " that are averaged, "
                    + (whole(plan)
                        ? "alone, is promised less"
                        : "so it moves a sum by twice the threshold"))
        .orElse("");
  }

  /** The layers that do not move as the others do. */
  private static String layers(TrainingSetup setup) {
    List<String> said = new ArrayList<>();
    if (!setup.frozen().isEmpty()) {
      said.add(String.join(", ", setup.frozen()) + " stand still");
    }
    String factors = setup.chosen().text(ModelSettings.RATE_FACTOR);
    if (!factors.isEmpty()) {
      said.add("factors of the learning rate " + factors.replace(",", ", "));
    }
    return String.join("; ", said);
  }

  private static String insecure(TrainingSetup setup) {
    return setup.chosen().isSet(PrivacySettings.INSECURE_SEED)
        ? "; INSECURE: drawn from a seed, so no one"
        : "";
  }

  private static String clip(TrainingSetup setup) {
    ResolvedPlan plan = setup.plan();
    if (!plan.clipping().bounds()) {
      return "";
    }
    double[] thresholds = plan.thresholds(0);
    boolean flat =
        plan.clipping().equals(new ClippingRule.Flat()) || plan.clipping().estimated().isPresent();
    double before = setup.chosen().get(ClippingSettings.NOISE_BEFORE_CLIPPING).orElse(0.0);
    return "; gradients "
        + (before == 0 ? "" : "get noise of deviation " + Digits.exact(before) + " and are ")
        + "clipped"
        + (flat ? "" : " by the rule " + setup.chosen().text(ClippingSettings.CLIPPING))
        + " to "
        + (thresholds.length == 1
            ? Digits.plain(thresholds[0])
            : thresholds.length + " thresholds, the first " + Digits.plain(thresholds[0]))
        + plan.clipping()
            .estimated()
            .map(by -> ", norms estimated from " + by.projections() + " projections")
            .orElse("")
        + plan.adaptive().map(each -> adaptive(plan, each)).orElse("");
  }

  private static String overTime(ResolvedPlan plan, SharedNoise shared) {
    return ", shared by "
        + shared.bands()
        + " steps in a row: sums of gradients are as exact as with independent noise of multiplier "
        + Digits.plain(plan.comparableMultiplier(0))
        + "; charged whole at the first step, never resumed";
  }

  /** Counts and gradient share the noise of a step. */
  private static String adaptive(ResolvedPlan plan, AdaptiveClipping adaptive) {
    double[] gradient = plan.multipliers(0);
    return " at first, then to the quantile "
        + Digits.plain(adaptive.quantile())
        + " of their norms by noised counts (which leave gradients a multiplier of "
        + Digits.plain(together(gradient))
        + ")";
  }

  /** The noise multiplier of one Gaussian that stands for all groups together. */
  private static double together(double[] multipliers) {
    double sum = 0;
    for (double each : multipliers) {
      sum += 1 / (each * each);
    }
    return 1 / Math.sqrt(sum);
  }

  private static String optimizer(TrainingSetup setup) {
    String text =
        setup.chosen().text(OptimizerSettings.OPTIMIZER)
            + ", learning rate "
            + setup.chosen().text(OptimizerSettings.LEARNING_RATE);
    double ema = setup.chosen().get(ModelSettings.EMA).orElse(0.0);
    return text
        + changing(setup, OptimizerSettings.SCHEDULE)
        + (ema == 0 ? "" : ", moving average " + Digits.exact(ema));
  }

  /** How something changes over the steps; empty where it does not. */
  static String changing(TrainingSetup setup, Setting<ScheduleShape> schedule) {
    return setup
        .chosen()
        .get(schedule)
        .filter(shape -> !shape.equals(ScheduleShape.CONSTANT))
        .map(shape -> " " + shape.text())
        .orElse("");
  }

  private static String test(TrainingSetup setup) {
    HeldOut heldOut = setup.heldOut();
    return switch (heldOut) {
      case PUBLIC -> "on public rows: their metrics go into files";
      case RELEASED -> "on private held-out rows: released once, on the ledger" + noise(setup);
      case CONSOLE -> "on private held-out rows: on this console only, outside the guarantee";
      case NONE -> "none";
    };
  }

  /** Two deviations of the score's noise: it may be more than the score is worth. */
  private static String noise(TrainingSetup setup) {
    ScoreNoise noise = scoreNoise(setup);
    LabelUnit label = setup.data().task().labelUnit();
    String size =
        setup
            .data()
            .task()
            .match(
                classes -> "± " + ScoreHeadline.points(noise) + " points",
                number ->
                    "an RMSE of "
                        + ScoreHeadline.root(noise.twice(), label)
                        + " cannot be told from 0");
    return noise.drowns()
        ? "; IT WILL SAY NOTHING, for its noise leaves most of what is possible ("
            + size
            + "): "
            + ScoreHeadline.HELP
        : ", " + size + " (--metric-share buys less noise)";
  }

  private static ScoreNoise scoreNoise(TrainingSetup setup) {
    // The score is the last of them.
    List<Mechanism> besides = setup.plan().besides();
    Mechanism.Gaussian score = (Mechanism.Gaussian) besides.get(besides.size() - 1);
    return ScoreNoise.of(setup.layout(), (TestSet.Released) setup.test(), score.noiseMultiplier());
  }

  /** What only the operator sees: it depends on this machine. */
  static Map<String, String> machine(TrainingSetup setup, Optional<Estimate> found) {
    Map<String, String> rows = new LinkedHashMap<>();
    if (found.isEmpty()) {
      rows.put(
          "time", "not estimated: the engine " + setup.engine().name() + " is on other machines");
      return rows;
    }
    Estimate estimate = found.get();
    rows.put(
        "memory",
        String.format(
            Locale.ROOT,
            "about %,d MB of the %,d MB that Java may take",
            Math.round(estimate.bytes() / 1e6),
            Math.round(Runtime.getRuntime().maxMemory() / 1e6)));
    if (estimate.fileBytes() > 0) {
      rows.put(
          "temporary file",
          String.format(
              Locale.ROOT,
              "about %,d MB in %s, for features that are computed once",
              Math.round(estimate.fileBytes() / 1e6),
              System.getProperty("java.io.tmpdir")));
    }
    rows.put(
        "time",
        String.format(
            Locale.ROOT,
            "about %s on %s (%.3g ms a step, measured on random inputs)",
            Progress.duration(estimate.seconds()),
            setup.engine().threads() == 0
                ? setup.engine().device()
                : setup.engine().threads() + " threads",
            1e3 * estimate.stepSeconds()));
    return rows;
  }

  static Map<String, Object> fields(
      PreparedRecipe run, Optional<Estimate> estimate, Map<String, String> rows) {
    TrainingSetup setup = run.setup();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("epsilon", run.cost().map(Guarantee::epsilon).orElse(Double.POSITIVE_INFINITY));
    if (run.planCost().isPresent() && !setup.startsNotPrivate()) {
      Guarantee cost = run.planCost().get();
      if (run.cost().isPresent()) {
        fields.put("epsilonLower", cost.epsilonLower());
      } else {
        fields.put("epsilonWithSecretKeys", cost.epsilon());
      }
      fields.put("delta", cost.delta());
      fields.putAll(Costs.weakFields(cost, setup.plan().unit(), setup.plan().publicNumber()));
      fields.put("accountant", cost.accountant());
      fields.put("noiseMultiplier", setup.plan().multiplier(0));
    }
    fields.put("samplingRate", setup.plan().expectedUnits() / setup.units());
    fields.put("plannedSteps", setup.plan().steps());
    if (setup.heldOut() == HeldOut.RELEASED) {
      fields.put("heldOutSaysNothing", scoreNoise(setup).drowns());
    }
    run.outlook().ifPresent(outlook -> fields.put("account", outlook.fields()));
    estimate.ifPresent(
        each -> {
          fields.put("estimatedSeconds", each.seconds());
          fields.put("estimatedBytes", each.bytes());
        });
    fields.put("plan", rows);
    return fields;
  }
}
