package dev.discreet.recipe.setup;

import dev.discreet.accounting.Digits;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.recipe.setting.Choices;
import dev.discreet.recipe.setting.ScheduleShape;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Settings;
import java.util.List;

/** The optimizer and the weight decay that settings ask for. */
public final class OptimizerChoices {
  private final Choices choices;
  private final String name;

  public OptimizerChoices(Choices choices) {
    this.choices = choices;
    name = choices.or(Settings.OPTIMIZER, "sgd");
    only("momentum and nesterov", List.of("momentum", "nesterov"), Settings.MOMENTUM);
    only(
        "adam, adamw and dp-adam",
        List.of("adam", "adamw", "dp-adam"),
        Settings.BETA1,
        Settings.BETA2);
    only("adam and adamw", List.of("adam", "adamw"), Settings.ADAM_EPSILON);
    only("dp-adam", List.of("dp-adam"), Settings.ADAM_FLOOR);
    only(
        "langevin",
        List.of("langevin"),
        Settings.TEMPERATURE,
        Settings.TEMPERATURE_SCHEDULE,
        Settings.LANGEVIN_SEED);
    if (name.equals("dp-adam")) {
      choices.refuse(
          "is not for --optimizer dp-adam, which takes the noise of a whole gradient off",
          Settings.PROJECT_ONTO);
    }
    if (!name.equals("sgd")) {
      choices.refuse(
          "is for --optimizer sgd, whose steps are then Langevin's", Settings.NOISE_TEMPERATURE);
    }
  }

  private void only(String who, List<String> names, Setting<?>... settings) {
    if (!names.contains(name)) {
      choices.refuse("is for --optimizer " + who, settings);
    }
  }

  /** Whether a step's length does not follow the gradient's. */
  public boolean adaptive() {
    return name.contains("adam");
  }

  /**
   * @param units the declared number
   */
  public Optimizer optimizer(long units, long steps) {
    return switch (name) {
      case "momentum" -> new Optimizer.Momentum(choices.or(Settings.MOMENTUM, "0.9"));
      case "nesterov" -> new Optimizer.Nesterov(choices.or(Settings.MOMENTUM, "0.9"));
      case "adam" -> new Optimizer.Adam(beta1(), beta2(), epsilon());
      case "adamw" ->
          new Optimizer.AdamW(
              beta1(), beta2(), epsilon(), choices.or(Settings.WEIGHT_DECAY, "0.01"));
      case "dp-adam" ->
          new Optimizer.DpAdam(beta1(), beta2(), choices.or(Settings.ADAM_FLOOR, "1e-8"));
      case "langevin" -> langevin(units, steps);
      default -> new Optimizer.Sgd();
    };
  }

  private Optimizer langevin(long units, long steps) {
    double start = choices.or(Settings.TEMPERATURE, Digits.exact(1.0 / units));
    ScheduleShape shape = choices.or(Settings.TEMPERATURE_SCHEDULE, "constant");
    return new Optimizer.Langevin(
        shape.from(start, steps), choices.or(Settings.LANGEVIN_SEED, "0"));
  }

  private double beta1() {
    return choices.or(Settings.BETA1, "0.9");
  }

  private double beta2() {
    return choices.or(Settings.BETA2, "0.999");
  }

  private double epsilon() {
    return choices.or(Settings.ADAM_EPSILON, "1e-8");
  }

  public WeightDecay weightDecay() {
    if (name.equals("adamw")) {
      choices.refuse(
          "is not for --optimizer adamw, which has a decay of its own",
          Settings.WEIGHT_DECAY_MODE,
          Settings.WEIGHT_DECAY_ON);
      return new WeightDecay.None();
    }
    double rate = choices.or(Settings.WEIGHT_DECAY, "0");
    if (rate == 0) {
      choices.refuse("needs --weight-decay", Settings.WEIGHT_DECAY_MODE, Settings.WEIGHT_DECAY_ON);
      return new WeightDecay.None();
    }
    boolean weightsOnly = choices.or(Settings.WEIGHT_DECAY_ON, "all").equals("weights");
    return choices.or(Settings.WEIGHT_DECAY_MODE, "decoupled").equals("decoupled")
        ? new WeightDecay.Decoupled(rate, weightsOnly)
        : new WeightDecay.BeforeClipping(rate, weightsOnly);
  }
}
