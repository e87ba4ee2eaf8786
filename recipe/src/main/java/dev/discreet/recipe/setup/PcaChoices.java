package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.accounting.Digits;
import dev.discreet.algorithms.pca.PcaLayer;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.recipe.setting.Choices;
import dev.discreet.recipe.setting.Settings;
import java.util.Optional;

/** The principal directions that settings ask for. */
public final class PcaChoices {
  private PcaChoices() {}

  /** Empty where none are. */
  public static Optional<PcaLayer> of(Choices choices, Shape input, long units, boolean isPrivate) {
    if (!choices.isGiven(Settings.PCA)) {
      choices.refuse("needs --pca", Settings.PCA_SHARE, Settings.PCA_NOISE);
      return Optional.empty();
    }
    if (!isPrivate) {
      choices.refuse(
          "is not for a run that is --non-private: its directions have noise", Settings.PCA);
    }
    String why = "is not for --pca, whose first layer is released by the run itself";
    choices.refuse(why, Settings.START_FROM, Settings.PRETRAIN_DATA);
    int k = choices.get(Settings.PCA).orElseThrow().intValue();
    Check.that(k <= input.size(), "pca", "at most the number of inputs, " + input.size(), k);
    boolean target =
        !choices.isGiven(Settings.NOISE_MULTIPLIER) && !choices.isGiven(Settings.NOISE_TEMPERATURE);
    if (target && !choices.isGiven(Settings.PCA_NOISE)) {
      return Optional.of(
          PcaLayer.ofShare(
              k,
              choices.or(Settings.EPSILON, TrainingDefaults.EPSILON),
              choices.or(Settings.DELTA, Digits.exact(DefaultDelta.of(units))),
              choices.or(Settings.PCA_SHARE, "0.1")));
    }
    choices.refuse("needs --epsilon, which it is a share of", Settings.PCA_SHARE);
    return Optional.of(new PcaLayer(k, choices.or(Settings.PCA_NOISE, "4")));
  }

  /** The plan with what the directions cost. */
  public static PrivacyPlan planned(PrivacyPlan plan, Optional<PcaLayer> pca) {
    pca.ifPresent(each -> PcaLayer.check(plan));
    return pca.map(each -> plan.besides(each.mechanism())).orElse(plan);
  }

  /** For the plan table. */
  public static String words(PcaLayer pca) {
    return pca.k()
        + (pca.k() == 1 ? " direction" : " directions")
        + ", released once before the first step with noise multiplier "
        + Digits.plain(pca.noiseMultiplier())
        + ", on the same ledger; the model's first layer";
  }
}
