package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.recipe.setting.OptimizerKind;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setup.TrainingSetup;
import java.util.Optional;

/** What the plan says of Langevin dynamics: whose noise samples, and whose protects. */
final class LangevinWords {
  private LangevinWords() {}

  static Optional<String> words(TrainingSetup setup) {
    boolean sampled =
        setup.chosen().get(OptimizerSettings.OPTIMIZER).orElseThrow() == OptimizerKind.LANGEVIN;
    String byTemperature = setup.chosen().text(PrivacySettings.NOISE_TEMPERATURE);
    if (!byTemperature.isEmpty()) {
      return Optional.of(
          "the private noise is that of temperature " + byTemperature + ", and all on the ledger");
    } else if (!sampled) {
      return Optional.empty();
    }
    return Optional.of(
        "temperature "
            + setup.chosen().text(OptimizerSettings.TEMPERATURE)
            + PlanTable.changing(setup, OptimizerSettings.TEMPERATURE_SCHEDULE)
            + (setup.isPrivate()
                ? "; its noise protects no one and is on no ledger. It comes on top of the private"
                    + " noise, which alone is that of temperature "
                    + Digits.plain(alone(setup))
                : "; its noise protects no one"));
  }

  /** The temperature that the privacy noise alone gives the first step. */
  private static double alone(TrainingSetup setup) {
    ResolvedPlan plan = setup.plan();
    double rate = setup.chosen().get(OptimizerSettings.LEARNING_RATE).orElseThrow();
    double squares = 0;
    for (double threshold : plan.thresholds(0)) {
      squares += threshold * threshold;
    }
    return rate == 0
        ? 0
        : Optimizer.Langevin.temperature(
            rate, plan.multiplier(0), plan.expectedLot(), Math.sqrt(squares));
  }
}
