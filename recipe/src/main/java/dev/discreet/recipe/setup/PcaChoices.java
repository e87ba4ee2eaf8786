package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.algorithms.pca.PcaLayer;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.PretrainSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import java.util.Optional;

/** The principal directions that settings ask for. */
final class PcaChoices {
  private PcaChoices() {}

  /** Empty where the settings ask for none. */
  static Optional<PcaLayer> of(
      EffectiveSettings choices, Shape input, long units, boolean isPrivate, PayingAccount payer) {
    if (!choices.isGiven(ModelSettings.PCA)) {
      choices.refuse("needs --pca", PrivacySettings.PCA_SHARE, PrivacySettings.PCA_NOISE);
      return Optional.empty();
    }
    if (!isPrivate) {
      choices.refuse(
          "is not for a run that is --non-private: its directions have noise", ModelSettings.PCA);
    }
    String why = "is not for --pca, whose first layer is released by the run itself";
    choices.refuse(why, ModelSettings.START_FROM, PretrainSettings.PRETRAIN_DATA);
    int k = choices.get(ModelSettings.PCA).orElseThrow().intValue();
    Check.that(k <= input.size(), "pca", "at most the number of inputs, " + input.size(), k);
    boolean target =
        !choices.isGiven(PrivacySettings.NOISE_MULTIPLIER)
            && !choices.isGiven(PrivacySettings.NOISE_TEMPERATURE);
    if (target && !choices.isGiven(PrivacySettings.PCA_NOISE)) {
      return Optional.of(
          new PcaLayer(
              k,
              PlanChoices.target(
                          choices, choices.or(PrivacySettings.DELTA, DefaultDelta.of(units)), payer)
                      .oneGaussian(PlanChoices.relation(choices))
                  / Math.sqrt(choices.or(PrivacySettings.PCA_SHARE))));
    }
    choices.refuse("needs --epsilon or --share, which it is a part of", PrivacySettings.PCA_SHARE);
    return Optional.of(
        new PcaLayer(k, choices.or(PrivacySettings.PCA_NOISE, PrivacySettings.PCA_NOISE_ALONE)));
  }

  /** The plan with what the directions cost. */
  static PrivacyPlan planned(PrivacyPlan plan, Optional<PcaLayer> pca) {
    pca.ifPresent(each -> PcaLayer.check(plan));
    return pca.map(each -> plan.besides(each.mechanism())).orElse(plan);
  }
}
