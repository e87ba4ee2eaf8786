package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.MicroBatches;
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
    int averaged = Math.toIntExact(choices.or(Settings.MICRO_BATCH, "1"));
    String unit = unit(averaged);
    // One of several that are averaged turns their mean around at worst: as if it were replaced.
    boolean turned = averaged > 1 && !unit.equals(MicroBatches.UNIT);
    plan.sampling(sampler)
        .microBatch(averaged)
        .unit(unit)
        .neighbouring(choices.or(Settings.NEIGHBOURING, turned ? "replace-one" : "add/remove"));
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
    return switch (rule) {
      case "automatic" -> new ClippingRule.Automatic(choices.or(Settings.CLIPPING_GAMMA, "0.01"));
      case "normalised" -> new ClippingRule.Normalised();
      case "global" -> new ClippingRule.Global(choices.or(Settings.CLIPPING_CUTOFF, "1"));
      default -> new ClippingRule.Flat();
    };
  }

  /** A noun for people over rows that are taken one by one would promise what is not kept. */
  private String unit(int averaged) {
    boolean grouped = choices.isGiven(Settings.UNIT_COLUMN) || choices.isGiven(Settings.UNIT_MAP);
    if (!grouped) {
      choices.refuse("needs --unit-column or --unit-map", Settings.EXAMPLES_PER_UNIT);
    }
    String noun = choices.or(Settings.UNIT, grouped ? "unit" : "example");
    boolean groups = noun.equals(MicroBatches.UNIT);
    Check.that(
        !groups || averaged > 1, "unit", "another noun in a run without --micro-batch", noun);
    return groups ? noun : checkedUnit(choices, noun);
  }

  static String checkedUnit(Choices choices, String noun) {
    Check.that(
        choices.isGiven(Settings.UNIT_COLUMN)
            || choices.isGiven(Settings.UNIT_MAP)
            || !choices.isGiven(Settings.COLUMN)
            || ROWS.contains(noun),
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
