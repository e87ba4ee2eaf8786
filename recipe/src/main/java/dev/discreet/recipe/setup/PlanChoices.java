package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Target;
import dev.discreet.core.privacy.overtime.NoiseOverTime;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.ScheduleShape;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.UnitSettings;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The plan that settings ask for. */
final class PlanChoices {
  private final EffectiveSettings choices;
  private final TrainingDefaults defaults;
  private final Layout layout;
  private final List<String> frozen;
  private final PayingAccount payer;
  private final double delta;

  PlanChoices(
      EffectiveSettings choices,
      TrainingDefaults defaults,
      Layout layout,
      List<String> frozen,
      PayingAccount payer) {
    this.choices = choices;
    this.defaults = defaults;
    this.layout = layout;
    this.frozen = frozen;
    this.payer = payer;
    delta = choices.or(PrivacySettings.DELTA, defaults.delta());
  }

  double delta() {
    return delta;
  }

  /** The number of steps. The noise, which takes long to find, is not looked for. */
  long steps() {
    return unnoised().steps();
  }

  private ResolvedPlan unnoised() {
    return sized(PrivacyPlan.noise(1).clip(1)).build().forUnits(defaults.units());
  }

  PrivacyPlan plan(long steps) {
    PrivacyPlanBuilder plan = sized(noise(steps));
    clip(plan, steps);
    choices
        .get(PrivacySettings.NOISE_WEIGHTS)
        .ifPresent(
            weights ->
                plan.noiseWeights(weights.stream().mapToDouble(Double::doubleValue).toArray()));
    return plan.build();
  }

  private PrivacyPlanBuilder noise(long steps) {
    Optional<Double> multiplier = choices.get(PrivacySettings.NOISE_MULTIPLIER);
    if (!defaults.isPrivate()) {
      choices.get(PrivacySettings.NON_PRIVATE);
      choices.refuse(
          "is not for a run that is --non-private",
          PrivacySettings.NOISE_SCHEDULE,
          PrivacySettings.NOISE_OVER_TIME,
          PrivacySettings.NOISE_WEIGHTS,
          ClippingSettings.NORM_PROJECTIONS,
          PrivacySettings.METRIC_SHARE);
      return PrivacyPlan.nonPrivate();
    }
    if (choices.isGiven(PrivacySettings.NOISE_TEMPERATURE)) {
      return PrivacyPlan.noise(langevinNoise());
    }
    ScheduleShape shape = choices.or(PrivacySettings.NOISE_SCHEDULE);
    if (multiplier.isPresent()) {
      return PrivacyPlan.noise(shape.from(multiplier.get(), steps));
    }
    return PrivacyPlan.target(target(choices, delta, payer)).noiseShape(shape.from(1, steps));
  }

  /** What the run may cost, where its noise is found for that. */
  static Target target(EffectiveSettings choices, double delta, PayingAccount payer) {
    return choices
        .get(PrivacySettings.SHARE)
        .map(
            share -> {
              // Whoever repeats the run needs to know of what it took a share.
              choices.get(PrivacySettings.ACCOUNT);
              return payer.target(share, delta);
            })
        .orElseGet(() -> new Target.OfEpsilon(choices.or(PrivacySettings.EPSILON), delta));
  }

  /** The multiplier at which the steps are Langevin dynamics of a temperature. */
  private double langevinNoise() {
    double temperature = choices.get(PrivacySettings.NOISE_TEMPERATURE).orElseThrow();
    String one = "is not for --noise-temperature, whose noise follows from one ";
    constant(one + "learning rate", OptimizerSettings.SCHEDULE);
    constant(one + "threshold", ClippingSettings.CLIP_SCHEDULE);
    constant(one + "temperature", PrivacySettings.NOISE_SCHEDULE);
    if (choices.get(OptimizerSettings.WARM_UP).orElse(0L) > 0) {
      choices.refuse(one + "learning rate", OptimizerSettings.WARM_UP);
    }
    choices.refuse(
        one + "threshold", ClippingSettings.CLIP_PER_LAYER, ClippingSettings.CLIP_QUANTILE);
    Optional<Double> rate = choices.get(OptimizerSettings.LEARNING_RATE);
    Check.that(
        rate.isPresent() && rate.get() > 0,
        "noise temperature",
        "given with a --learning-rate above 0, which it is the temperature at",
        temperature);
    return Optimizer.Langevin.noiseMultiplier(
        rate.get(), temperature, unnoised().expectedLot(), threshold());
  }

  /** Refuses a schedule unless it is constant, as in a saved run, which has all defaults. */
  private void constant(String why, Setting<ScheduleShape> schedule) {
    if (!choices.get(schedule).orElse(ScheduleShape.CONSTANT).equals(ScheduleShape.CONSTANT)) {
      choices.refuse(why, schedule);
    }
  }

  private PrivacyPlanBuilder sized(PrivacyPlanBuilder plan) {
    Optional<NoiseOverTime> shared = choices.get(PrivacySettings.NOISE_OVER_TIME);
    Sampling sampler =
        choices.or(LotSettings.SAMPLER, shared.isPresent() ? Sampling.CYCLIC : Sampling.POISSON);
    int averaged = Math.toIntExact(choices.or(ClippingSettings.MICRO_BATCH));
    PrivacyUnit unit = unit(averaged);
    plan.sampling(sampler).microBatch(averaged).unit(unit.noun()).neighbouring(relation(choices));
    if (shared.isPresent()) {
      if (sampler != Sampling.CYCLIC) {
        choices.refuse("must be cyclic with --noise-over-time", LotSettings.SAMPLER);
      }
      plan.noiseOverTime(shared.get());
    }
    if (unit.oneRowEach()) {
      plan.oneRowEach();
    }
    if (sampler == Sampling.FULL_BATCH) {
      choices.refuse(
          "is not for --sampler full-batch", LotSettings.LOT_SIZE, LotSettings.SAMPLING_RATE);
    } else if (choices.isGiven(LotSettings.SAMPLING_RATE)) {
      plan.samplingRate(choices.get(LotSettings.SAMPLING_RATE).orElseThrow());
    } else {
      plan.lotSize(choices.or(LotSettings.LOT_SIZE, (double) defaults.lotSize()));
    }
    return choices.isGiven(LotSettings.STEPS)
        ? plan.steps(choices.get(LotSettings.STEPS).orElseThrow())
        : plan.epochs(choices.or(LotSettings.EPOCHS, defaults.epochs()));
  }

  private void clip(PrivacyPlanBuilder plan, long steps) {
    boolean asked =
        choices.isGiven(ClippingSettings.CLIP)
            || choices.isGiven(ClippingSettings.CLIP_PER_LAYER)
            || choices.isGiven(ClippingSettings.CLIPPING);
    if (!defaults.isPrivate() && !asked) {
      choices.refuse(
          "needs --clip in a run that is --non-private",
          ClippingSettings.CLIP_SCHEDULE,
          ClippingSettings.CLIP_QUANTILE);
      return;
    }
    adapt(plan);
    ScheduleShape shape =
        choices.isGiven(ClippingSettings.CLIP_QUANTILE)
            ? ScheduleShape.CONSTANT
            : choices.or(ClippingSettings.CLIP_SCHEDULE);
    plan.clipGroups(thresholds().stream().map(threshold -> shape.from(threshold, steps)).toList());
    plan.clipping(rule());
  }

  private void adapt(PrivacyPlanBuilder plan) {
    Optional<Double> quantile = choices.get(ClippingSettings.CLIP_QUANTILE);
    if (quantile.isEmpty()) {
      choices.refuse(
          "needs --clip-quantile",
          ClippingSettings.CLIP_QUANTILE_RATE,
          ClippingSettings.COUNT_NOISE);
      return;
    }
    constant(
        "is not for --clip-quantile, which moves the threshold itself",
        ClippingSettings.CLIP_SCHEDULE);
    AdaptiveClipping how =
        AdaptiveClipping.quantile(quantile.get())
            .withRate(choices.or(ClippingSettings.CLIP_QUANTILE_RATE));
    Optional<Double> noise = choices.get(ClippingSettings.COUNT_NOISE);
    plan.adaptiveClipping(noise.isPresent() ? how.withCountNoise(noise.get()) : how);
  }

  /** The threshold of all clipping groups together, which the default learning rate follows. */
  double threshold() {
    return Math.sqrt(thresholds().stream().mapToDouble(each -> each * each).sum());
  }

  private List<Double> thresholds() {
    Optional<List<Double>> layers = choices.get(ClippingSettings.CLIP_PER_LAYER);
    if (layers.isEmpty()) {
      choices.refuse("needs --clip-per-layer", ClippingSettings.CLIPPING_GROUP);
      return List.of(choices.or(ClippingSettings.CLIP, defaults.clip()));
    }
    int groups = groups().isEmpty() ? trainableLayers() : groups().size();
    List<Double> given = layers.get();
    Check.that(
        given.size() == 1 || given.size() == groups,
        "clip per layer",
        "one number, or one for each of " + groups + " clipping groups",
        given);
    return given.size() == groups
        ? given
        : Collections.nCopies(groups, given.get(0) / Math.sqrt(groups));
  }

  /** Empty where each layer is a group. */
  List<List<String>> groups() {
    return choices.get(ClippingSettings.CLIPPING_GROUP).orElse(List.of()).stream()
        .map(layers -> List.of(layers.strip().split("\\s*,\\s*")))
        .toList();
  }

  private int trainableLayers() {
    long layers =
        layout.slices().stream()
            .map(Layout.Slice::layer)
            .filter(layer -> frozen.stream().noneMatch(layer::isIn))
            .distinct()
            .count();
    return Math.max(1, (int) layers);
  }

  private ClippingRule rule() {
    String rule = choices.or(ClippingSettings.CLIPPING);
    if (!rule.equals("automatic")) {
      choices.refuse("is for --clipping automatic", ClippingSettings.CLIPPING_GAMMA);
    }
    if (!rule.equals("psac")) {
      choices.refuse("is for --clipping psac", ClippingSettings.CLIPPING_R);
    }
    if (!rule.equals("global")) {
      choices.refuse("is for --clipping global", ClippingSettings.CLIPPING_CUTOFF);
    }
    Optional<Long> projections = choices.get(ClippingSettings.NORM_PROJECTIONS);
    if (projections.isPresent()) {
      checkEstimated(rule);
      return new ClippingRule.Estimated(projections.get().intValue());
    }
    return switch (rule) {
      case "automatic" -> new ClippingRule.Automatic(choices.or(ClippingSettings.CLIPPING_GAMMA));
      case "psac" -> new ClippingRule.PerSample(choices.or(ClippingSettings.CLIPPING_R));
      case "normalised" -> new ClippingRule.Normalised();
      case "global" -> new ClippingRule.Global(choices.or(ClippingSettings.CLIPPING_CUTOFF));
      case "flat" -> new ClippingRule.Flat();
      default -> throw new IllegalStateException("no clipping rule for " + rule);
    };
  }

  /**
   * Refuses, before the plan is shown, settings that have no proof with estimated norms. The plan
   * itself refuses groups, samplers and relations.
   */
  private void checkEstimated(String rule) {
    String beside = " beside --norm-projections (";
    Check.that(rule.equals("flat"), "clipping", "flat" + beside + "others have no proof)", rule);
    choices.refuse(
        "cannot stand" + beside + "a norm is estimated of one example)",
        UnitSettings.UNIT_COLUMN,
        UnitSettings.UNIT_MAP);
    double noise = choices.get(ClippingSettings.NOISE_BEFORE_CLIPPING).orElse(0.0);
    Check.that(
        noise == 0,
        "noise before clipping",
        "0" + beside + "which estimates the norm without it)",
        noise);
    String decay = choices.get(OptimizerSettings.WEIGHT_DECAY_MODE).orElse("decoupled");
    Check.that(
        decay.equals("decoupled"),
        "weight decay mode",
        "decoupled" + beside + "which estimates the norm without it)",
        decay);
  }

  private PrivacyUnit unit(int averaged) {
    if (!ProtectedUnit.isOwned(choices)) {
      choices.refuse("needs --unit-column or --unit-map", UnitSettings.EXAMPLES_PER_UNIT);
    }
    PrivacyUnit unit = ProtectedUnit.of(choices);
    choices.or(UnitSettings.UNIT, unit.noun());
    Check.that(
        !unit.noun().equals(MicroBatches.UNIT) || averaged > 1,
        "unit",
        "another noun in a run without --micro-batch",
        unit.noun());
    return unit;
  }

  /** The neighbouring relation, which decides how data are split before there is a plan. */
  static Neighbouring relation(EffectiveSettings choices) {
    boolean whole = choices.get(UnitSettings.UNIT).filter(MicroBatches.UNIT::equals).isPresent();
    // At worst one of several averaged units turns their mean around, as if it were replaced.
    boolean turned = choices.get(ClippingSettings.MICRO_BATCH).orElse(1L) > 1 && !whole;
    return choices.or(
        PrivacySettings.NEIGHBOURING, turned ? Neighbouring.REPLACE_ONE : Neighbouring.ADD_REMOVE);
  }

  /**
   * The learning rate over the run.
   *
   * @param plan the resolved plan, which has the size of lots and their noise
   */
  Schedule learningRate(ResolvedPlan plan, boolean adaptive) {
    long steps = plan.steps();
    double clip = defaults.isPrivate() ? threshold() : 1;
    double start =
        choices.or(
            OptimizerSettings.LEARNING_RATE,
            defaults.learningRate(
                plan.expectedLot(), plan.comparableMultiplier(0), steps, clip, adaptive));
    Schedule rate = choices.or(OptimizerSettings.SCHEDULE).from(start, steps);
    long warmUp = choices.or(OptimizerSettings.WARM_UP);
    return warmUp == 0 ? rate : rate.warmUp(warmUp);
  }
}
