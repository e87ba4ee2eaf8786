package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.recipe.setting.Choices;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.ScheduleShape;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Settings;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The plan that settings ask for. */
public final class PlanChoices {
  private final Choices choices;
  private final TrainingDefaults defaults;
  private final Layout layout;
  private final List<String> frozen;
  private final double delta;

  public PlanChoices(
      Choices choices, TrainingDefaults defaults, Layout layout, List<String> frozen) {
    this.choices = choices;
    this.defaults = defaults;
    this.layout = layout;
    this.frozen = frozen;
    delta = choices.or(Settings.DELTA, defaults.delta());
  }

  public double delta() {
    return delta;
  }

  /** How many steps there are does not depend on the noise, which is costly to find. */
  public long steps() {
    return unnoised().steps();
  }

  private ResolvedPlan unnoised() {
    return sized(PrivacyPlan.noise(1).clip(1)).build().forUnits(defaults.units());
  }

  public PrivacyPlan plan(long steps) {
    PrivacyPlan.Builder plan = sized(noise(steps));
    clip(plan, steps);
    choices
        .get(Settings.NOISE_WEIGHTS)
        .ifPresent(
            weights ->
                plan.noiseWeights(weights.stream().mapToDouble(Double::doubleValue).toArray()));
    return plan.build();
  }

  private PrivacyPlan.Builder noise(long steps) {
    Optional<Double> multiplier = choices.get(Settings.NOISE_MULTIPLIER);
    if (!defaults.isPrivate()) {
      choices.get(Settings.NON_PRIVATE);
      choices.refuse(
          "is not for a run that is --non-private",
          Settings.NOISE_SCHEDULE,
          Settings.NOISE_WEIGHTS,
          Settings.NORM_PROJECTIONS,
          Settings.METRIC_SHARE);
      return PrivacyPlan.nonPrivate();
    }
    if (choices.isGiven(Settings.NOISE_TEMPERATURE)) {
      return PrivacyPlan.noise(langevinNoise());
    }
    ScheduleShape shape = choices.or(Settings.NOISE_SCHEDULE, "constant");
    if (multiplier.isPresent()) {
      return PrivacyPlan.noise(shape.from(multiplier.get(), steps));
    }
    return PrivacyPlan.target(choices.or(Settings.EPSILON, TrainingDefaults.EPSILON), delta)
        .noiseShape(shape.from(1, steps));
  }

  /** The multiplier at which the steps are Langevin dynamics of a temperature. */
  private double langevinNoise() {
    double temperature = choices.get(Settings.NOISE_TEMPERATURE).orElseThrow();
    String one = "is not for --noise-temperature, whose noise follows from one ";
    constant(one + "learning rate", Settings.SCHEDULE);
    constant(one + "threshold", Settings.CLIP_SCHEDULE);
    constant(one + "temperature", Settings.NOISE_SCHEDULE);
    if (choices.get(Settings.WARM_UP).orElse(0L) > 0) {
      choices.refuse(one + "learning rate", Settings.WARM_UP);
    }
    choices.refuse(one + "threshold", Settings.CLIP_PER_LAYER, Settings.CLIP_QUANTILE);
    Optional<Double> rate = choices.get(Settings.LEARNING_RATE);
    Check.that(
        rate.isPresent() && rate.get() > 0,
        "noise temperature",
        "given with a --learning-rate above 0, which it is the temperature at",
        temperature);
    return Optimizer.Langevin.noiseMultiplier(
        rate.get(), temperature, unnoised().expectedLot(), threshold());
  }

  /** Refuses a schedule; a saved run has each, with its default. */
  private void constant(String why, Setting<ScheduleShape> schedule) {
    if (!choices.get(schedule).orElse(ScheduleShape.CONSTANT).equals(ScheduleShape.CONSTANT)) {
      choices.refuse(why, schedule);
    }
  }

  private PrivacyPlan.Builder sized(PrivacyPlan.Builder plan) {
    PrivacyPlan.Sampling sampler = choices.or(Settings.SAMPLER, "poisson");
    int averaged = Math.toIntExact(choices.or(Settings.MICRO_BATCH, "1"));
    PrivacyUnit unit = unit(averaged);
    plan.sampling(sampler).microBatch(averaged).unit(unit.noun()).neighbouring(relation(choices));
    if (unit.oneRowEach()) {
      plan.oneRowEach();
    }
    if (sampler == PrivacyPlan.Sampling.FULL_BATCH) {
      choices.refuse("is not for --sampler full-batch", Settings.LOT_SIZE, Settings.SAMPLING_RATE);
    } else if (choices.isGiven(Settings.SAMPLING_RATE)) {
      plan.samplingRate(choices.get(Settings.SAMPLING_RATE).orElseThrow());
    } else {
      plan.lotSize(choices.or(Settings.LOT_SIZE, Long.toString(defaults.lotSize())));
    }
    return choices.isGiven(Settings.STEPS)
        ? plan.steps(choices.get(Settings.STEPS).orElseThrow())
        : plan.epochs(choices.or(Settings.EPOCHS, Digits.exact(defaults.epochs())));
  }

  private void clip(PrivacyPlan.Builder plan, long steps) {
    boolean asked =
        choices.isGiven(Settings.CLIP)
            || choices.isGiven(Settings.CLIP_PER_LAYER)
            || choices.isGiven(Settings.CLIPPING);
    if (!defaults.isPrivate() && !asked) {
      choices.refuse(
          "needs --clip in a run that is --non-private",
          Settings.CLIP_SCHEDULE,
          Settings.CLIP_QUANTILE);
      return;
    }
    adapt(plan);
    ScheduleShape shape =
        choices.isGiven(Settings.CLIP_QUANTILE)
            ? ScheduleShape.CONSTANT
            : choices.or(Settings.CLIP_SCHEDULE, "constant");
    plan.clipGroups(thresholds().stream().map(threshold -> shape.from(threshold, steps)).toList());
    plan.clipping(rule());
  }

  private void adapt(PrivacyPlan.Builder plan) {
    Optional<Double> quantile = choices.get(Settings.CLIP_QUANTILE);
    if (quantile.isEmpty()) {
      choices.refuse("needs --clip-quantile", Settings.CLIP_QUANTILE_RATE, Settings.COUNT_NOISE);
      return;
    }
    constant(
        "is not for --clip-quantile, which moves the threshold itself", Settings.CLIP_SCHEDULE);
    AdaptiveClipping how =
        AdaptiveClipping.quantile(quantile.get())
            .withRate(choices.or(Settings.CLIP_QUANTILE_RATE, "0.2"));
    Optional<Double> noise = choices.get(Settings.COUNT_NOISE);
    plan.adaptiveClipping(noise.isPresent() ? how.withCountNoise(noise.get()) : how);
  }

  /** The threshold that a learning rate is held against: of all groups together. */
  public double threshold() {
    return Math.sqrt(thresholds().stream().mapToDouble(each -> each * each).sum());
  }

  private List<Double> thresholds() {
    Optional<List<Double>> layers = choices.get(Settings.CLIP_PER_LAYER);
    if (layers.isEmpty()) {
      choices.refuse("needs --clip-per-layer", Settings.CLIPPING_GROUP);
      return List.of(choices.or(Settings.CLIP, Digits.exact(defaults.clip())));
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
  public List<List<String>> groups() {
    return choices.get(Settings.CLIPPING_GROUP).orElse(List.of()).stream()
        .map(layers -> List.of(layers.strip().split("\\s*,\\s*")))
        .toList();
  }

  private int trainableLayers() {
    Set<String> layers = new LinkedHashSet<>();
    for (Layout.Slice slice : layout.slices()) {
      if (frozen.stream().noneMatch(layer -> slice.name().startsWith(layer + "."))) {
        layers.add(slice.name().substring(0, slice.name().lastIndexOf('.')));
      }
    }
    return Math.max(1, layers.size());
  }

  private ClippingRule rule() {
    String rule = choices.or(Settings.CLIPPING, "flat");
    if (!rule.equals("automatic")) {
      choices.refuse("is for --clipping automatic", Settings.CLIPPING_GAMMA);
    }
    if (!rule.equals("global")) {
      choices.refuse("is for --clipping global", Settings.CLIPPING_CUTOFF);
    }
    Optional<Long> projections = choices.get(Settings.NORM_PROJECTIONS);
    if (projections.isPresent()) {
      checkEstimated(rule);
      return new ClippingRule.Estimated(projections.get().intValue());
    }
    return switch (rule) {
      case "automatic" -> new ClippingRule.Automatic(choices.or(Settings.CLIPPING_GAMMA, "0.01"));
      case "normalised" -> new ClippingRule.Normalised();
      case "global" -> new ClippingRule.Global(choices.or(Settings.CLIPPING_CUTOFF, "1"));
      default -> new ClippingRule.Flat();
    };
  }

  /** Before the plan is shown; groups, samplers and relations are the plan's to refuse. */
  private void checkEstimated(String rule) {
    String beside = " beside --norm-projections (";
    Check.that(rule.equals("flat"), "clipping", "flat" + beside + "others have no proof)", rule);
    choices.refuse(
        "cannot stand" + beside + "a norm is estimated of one example)",
        Settings.UNIT_COLUMN,
        Settings.UNIT_MAP);
    double noise = choices.get(Settings.NOISE_BEFORE_CLIPPING).orElse(0.0);
    Check.that(
        noise == 0,
        "noise before clipping",
        "0" + beside + "which estimates the norm without it)",
        noise);
    String decay = choices.get(Settings.WEIGHT_DECAY_MODE).orElse("decoupled");
    Check.that(
        decay.equals("decoupled"),
        "weight decay mode",
        "decoupled" + beside + "which estimates the norm without it)",
        decay);
  }

  private PrivacyUnit unit(int averaged) {
    if (!owned(choices)) {
      choices.refuse("needs --unit-column or --unit-map", Settings.EXAMPLES_PER_UNIT);
    }
    PrivacyUnit unit =
        ProtectedUnit.of(
            choices.get(Settings.UNIT).orElse(null),
            ProtectedUnit.OWNERS,
            owned(choices),
            choices.get(Settings.ONE_ROW_EACH).orElse(false));
    choices.or(Settings.UNIT, unit.noun());
    Check.that(
        !unit.noun().equals(MicroBatches.UNIT) || averaged > 1,
        "unit",
        "another noun in a run without --micro-batch",
        unit.noun());
    return unit;
  }

  /** Whether the data say whose each row is. */
  public static boolean owned(Choices choices) {
    return choices.isGiven(Settings.UNIT_COLUMN) || choices.isGiven(Settings.UNIT_MAP);
  }

  /** The relation of the plan: data are split by it before there is one. */
  public static Neighbouring relation(Choices choices) {
    boolean whole = choices.get(Settings.UNIT).filter(MicroBatches.UNIT::equals).isPresent();
    // One of several that are averaged turns their mean around at worst: as if it were replaced.
    boolean turned = choices.get(Settings.MICRO_BATCH).orElse(1L) > 1 && !whole;
    return choices.or(Settings.NEIGHBOURING, turned ? "replace-one" : "add/remove");
  }

  /**
   * The learning rate over the run.
   *
   * @param plan as it was resolved: how long lots are and how much noise they get
   */
  public Schedule learningRate(ResolvedPlan plan, boolean adaptive) {
    long steps = plan.steps();
    double clip = defaults.isPrivate() ? threshold() : 1;
    double start =
        choices.or(
            Settings.LEARNING_RATE,
            Digits.exact(
                defaults.learningRate(plan.expectedLot(), plan.multiplier(0), clip, adaptive)));
    Schedule rate = choices.or(Settings.SCHEDULE, "constant").from(start, steps);
    long warmUp = choices.or(Settings.WARM_UP, "0");
    return warmUp == 0 ? rate : rate.warmUp(warmUp);
  }
}
