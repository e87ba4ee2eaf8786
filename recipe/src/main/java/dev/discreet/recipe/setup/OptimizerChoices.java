package dev.discreet.recipe.setup;

import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.recipe.setting.Choices;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.ScheduleShape;
import dev.discreet.recipe.setting.Setting;
import java.util.List;

/** The optimizer and the weight decay that settings ask for. */
final class OptimizerChoices {
  private final Choices choices;
  private final String name;

  OptimizerChoices(Choices choices) {
    this.choices = choices;
    name = choices.or(OptimizerSettings.OPTIMIZER);
    only("momentum and nesterov", List.of("momentum", "nesterov"), OptimizerSettings.MOMENTUM);
    only(
        "adam, adamw and dp-adam",
        List.of("adam", "adamw", "dp-adam"),
        OptimizerSettings.BETA1,
        OptimizerSettings.BETA2);
    only("adam and adamw", List.of("adam", "adamw"), OptimizerSettings.ADAM_EPSILON);
    only("dp-adam", List.of("dp-adam"), OptimizerSettings.ADAM_FLOOR);
    only(
        "langevin",
        List.of("langevin"),
        OptimizerSettings.TEMPERATURE,
        OptimizerSettings.TEMPERATURE_SCHEDULE,
        OptimizerSettings.LANGEVIN_SEED);
    if (name.equals("dp-adam")) {
      choices.refuse(
          "is not for --optimizer dp-adam, which takes the noise of a whole gradient off",
          OptimizerSettings.PROJECT_ONTO);
    }
    if (!name.equals("sgd")) {
      choices.refuse(
          "is for --optimizer sgd, whose steps are then Langevin's",
          PrivacySettings.NOISE_TEMPERATURE);
    }
  }

  private void only(String who, List<String> names, Setting<?>... settings) {
    if (!names.contains(name)) {
      choices.refuse("is for --optimizer " + who, settings);
    }
  }

  /** Whether the length of a step does not depend on the length of the gradient. */
  boolean adaptive() {
    return name.contains("adam");
  }

  /**
   * @param units the declared number
   */
  Optimizer optimizer(long units, long steps) {
    return switch (name) {
      case "momentum" -> new Optimizer.Momentum(choices.or(OptimizerSettings.MOMENTUM));
      case "nesterov" -> new Optimizer.Nesterov(choices.or(OptimizerSettings.MOMENTUM));
      case "adam" -> new Optimizer.Adam(beta1(), beta2(), epsilon());
      case "adamw" ->
          new Optimizer.AdamW(
              beta1(), beta2(), epsilon(), choices.or(OptimizerSettings.WEIGHT_DECAY, 0.01));
      case "dp-adam" ->
          new Optimizer.DpAdam(beta1(), beta2(), choices.or(OptimizerSettings.ADAM_FLOOR));
      case "langevin" -> langevin(units, steps);
      case "sgd" -> new Optimizer.Sgd();
      default -> throw new AssertionError("no optimizer is made for the name " + name);
    };
  }

  private Optimizer langevin(long units, long steps) {
    double start = choices.or(OptimizerSettings.TEMPERATURE, 1.0 / units);
    ScheduleShape shape = choices.or(OptimizerSettings.TEMPERATURE_SCHEDULE);
    return new Optimizer.Langevin(
        shape.from(start, steps), choices.or(OptimizerSettings.LANGEVIN_SEED));
  }

  private double beta1() {
    return choices.or(OptimizerSettings.BETA1);
  }

  private double beta2() {
    return choices.or(OptimizerSettings.BETA2);
  }

  private double epsilon() {
    return choices.or(OptimizerSettings.ADAM_EPSILON);
  }

  WeightDecay weightDecay() {
    if (name.equals("adamw")) {
      choices.refuse(
          "is not for --optimizer adamw, which has a decay of its own",
          OptimizerSettings.WEIGHT_DECAY_MODE,
          OptimizerSettings.WEIGHT_DECAY_ON);
      return new WeightDecay.None();
    }
    double rate = choices.or(OptimizerSettings.WEIGHT_DECAY);
    if (rate == 0) {
      choices.refuse(
          "needs --weight-decay",
          OptimizerSettings.WEIGHT_DECAY_MODE,
          OptimizerSettings.WEIGHT_DECAY_ON);
      return new WeightDecay.None();
    }
    boolean weightsOnly = choices.or(OptimizerSettings.WEIGHT_DECAY_ON).equals("weights");
    return choices.or(OptimizerSettings.WEIGHT_DECAY_MODE).equals("decoupled")
        ? new WeightDecay.Decoupled(rate, weightsOnly)
        : new WeightDecay.BeforeClipping(rate, weightsOnly);
  }
}
