package dev.discreet.recipe.setup;

import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.OptimizerKind;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.Setting;

/** The optimizer and the weight decay that settings ask for. */
final class OptimizerChoices {
  private final EffectiveSettings choices;
  private final OptimizerKind kind;

  OptimizerChoices(EffectiveSettings choices) {
    this.choices = choices;
    kind = choices.or(OptimizerSettings.OPTIMIZER);
    kind.refuseOthers(choices);
    if (kind == OptimizerKind.DP_ADAM) {
      choices.refuse(
          "is not for --optimizer dp-adam, which takes the noise of a whole gradient off",
          OptimizerSettings.PROJECT_ONTO);
    }
    if (kind != OptimizerKind.SGD) {
      choices.refuse(
          "is for --optimizer sgd, whose steps are then Langevin's",
          PrivacySettings.NOISE_TEMPERATURE);
    }
  }

  /** Whether the length of a step does not depend on the length of the gradient. */
  boolean adaptive() {
    return kind.adaptive();
  }

  /**
   * @param units the declared number
   */
  Optimizer optimizer(long units, long steps) {
    return kind.make(
        new OptimizerKind.Parameters() {
          @Override
          public <T> T or(Setting<T> setting, T otherwise) {
            return choices.or(setting, otherwise);
          }

          @Override
          public double temperature() {
            return 1.0 / units;
          }

          @Override
          public long steps() {
            return steps;
          }
        });
  }

  WeightDecay weightDecay() {
    if (kind == OptimizerKind.ADAMW) {
      choices.refuse(
          "is not for --optimizer adamw, which has a decay of its own",
          OptimizerSettings.WEIGHT_DECAY_MODE,
          OptimizerSettings.WEIGHT_DECAY_ON);
      return new WeightDecay.None();
    }
    double rate = choices.or(OptimizerSettings.WEIGHT_DECAY, 0.0);
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
