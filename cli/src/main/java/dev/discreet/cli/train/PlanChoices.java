package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.schedule.Schedule;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The plan that settings ask for. */
final class PlanChoices {
  private static final List<String> ROWS = List.of("example", "row");

  private final Choices choices;
  private final TrainingDefaults defaults;
  private final Layout layout;
  private final double delta;

  PlanChoices(Choices choices, TrainingDefaults defaults, Layout layout) {
    this.choices = choices;
    this.defaults = defaults;
    this.layout = layout;
    delta = choices.or(Settings.DELTA, TrainingDefaults.DELTA);
  }

  double delta() {
    return delta;
  }

  /** How many steps there are does not depend on the noise, which is costly to find. */
  long steps() {
    return sized(PrivacyPlan.noise(1).clip(1)).build().forUnits(defaults.units()).steps();
  }

  PrivacyPlan plan(long steps) {
    PrivacyPlan.Builder plan = sized(noise(steps));
    clip(plan, steps);
    choices
        .get(Settings.NOISE_WEIGHTS)
        .ifPresent(
            weights ->
                plan.noiseWeights(weights.stream().mapToDouble(Double::doubleValue).toArray()));
    return plan.unit(unit()).build();
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
    ScheduleShape shape = choices.or(Settings.NOISE_SCHEDULE, "constant");
    if (multiplier.isPresent()) {
      return PrivacyPlan.noise(shape.from(multiplier.get(), steps));
    }
    return PrivacyPlan.target(choices.or(Settings.EPSILON, TrainingDefaults.EPSILON), delta)
        .noiseShape(shape.from(1, steps));
  }

  private PrivacyPlan.Builder sized(PrivacyPlan.Builder plan) {
    PrivacyPlan.Sampling sampler = choices.or(Settings.SAMPLER, "poisson");
    plan.sampling(sampler).neighbouring(choices.or(Settings.NEIGHBOURING, "add/remove"));
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
      choices.refuse("needs --clip in a run that is --non-private", Settings.CLIP_SCHEDULE);
      return;
    }
    ScheduleShape shape = choices.or(Settings.CLIP_SCHEDULE, "constant");
    plan.clipGroups(thresholds().stream().map(threshold -> shape.from(threshold, steps)).toList());
    plan.clipping(rule());
  }

  /** The threshold that a learning rate is held against: of all groups together. */
  double threshold() {
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
  List<List<String>> groups() {
    return choices.get(Settings.CLIPPING_GROUP).orElse(List.of()).stream()
        .map(layers -> List.of(layers.strip().split("\\s*,\\s*")))
        .toList();
  }

  private int trainableLayers() {
    List<String> frozen = choices.get(Settings.FREEZE).orElse(List.of());
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
        "cannot stand" + beside + "a norm is estimated of one example)", Settings.UNIT_COLUMN);
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

  /** A noun for people over rows that are taken one by one would promise what is not kept. */
  private String unit() {
    boolean grouped = choices.isGiven(Settings.UNIT_COLUMN);
    String noun = choices.or(Settings.UNIT, grouped ? "unit" : "example");
    Check.that(
        grouped || !choices.isGiven(Settings.COLUMN) || ROWS.contains(noun),
        "unit",
        "given with --unit-column, which says whose each row is; without, each row is protected by"
            + " itself, as an example",
        noun);
    return noun;
  }

  /**
   * The learning rate over the run.
   *
   * @param plan as it was resolved: how long lots are and how much noise they get
   */
  Schedule learningRate(ResolvedPlan plan, boolean adaptive) {
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
