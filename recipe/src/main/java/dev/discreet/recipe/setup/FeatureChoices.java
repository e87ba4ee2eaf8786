package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.centre.CentredFeatures;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.PretrainSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.SettingValues;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fixed features that settings ask for.
 *
 * @param layer empty where the model sees the inputs themselves
 * @param centre what takes their mean off; empty for nothing
 */
record FeatureChoices(
    Optional<Scattering> layer, Optional<CentredFeatures> centre, boolean isStandard) {
  /** Of the budget: noise that is small beside the mean, and that the steps do not miss. */
  private static final double SHARE = 0.03;

  /**
   * The largest deviation of the noise on a value of the mean at which it is taken off unasked.
   * Normalised features have variance 1. On 500 and 1,000 digits at ε = 1 and 3 it changed nothing
   * at 0.5, and cost 2 points at 1 and 18 at 1.4.
   */
  private static final double MOST_NOISE = 0.5;

  static FeatureChoices of(
      EffectiveSettings choices, TrainingDefaults defaults, double delta, PayingAccount payer) {
    boolean open =
        Stream.of(
                    ModelSettings.MODEL,
                    ModelSettings.START_FROM,
                    ModelSettings.PCA,
                    PretrainSettings.PRETRAIN_DATA)
                .noneMatch(choices::isGiven)
            && choices.given().get(LotSettings.AUGMENT).filter(Augmentation::moves).isEmpty();
    // A cluster keeps no features, and would compute them anew in each step.
    boolean here = choices.given().orDefault(RunSettings.ENGINE).equals("cpu");
    Optional<Scattering> features =
        choices.or(
            ModelSettings.FEATURES,
            open && here ? defaults.features(mirrored(choices, defaults)) : Optional.empty());
    if (choices.isGiven(ModelSettings.START_FROM)
        || choices.isGiven(PretrainSettings.PRETRAIN_DATA)) {
      refuse(
          choices,
          "is not for --start-from or --pretrain-data, whose model was trained on features with"
              + " another mean taken off, or none");
    }
    if (features.isEmpty()) {
      refuse(choices, "needs --features");
    }
    if (features.isEmpty()) {
      return new FeatureChoices(features, Optional.empty(), false);
    }
    return new FeatureChoices(
        features,
        centre(choices, defaults, delta, payer, here, features.get()),
        // Where norms are estimated there are no views.
        !choices.isGiven(ModelSettings.FEATURES)
            && !choices.isGiven(ClippingSettings.NORM_PROJECTIONS));
  }

  /** Whether features of mirror images would be kept too, where nobody asked for features. */
  private static boolean mirrored(EffectiveSettings choices, TrainingDefaults defaults) {
    SettingValues given = choices.given();
    boolean unasked =
        defaults.input().channels() == 3 && !choices.isGiven(ClippingSettings.NORM_PROJECTIONS);
    return given.get(LotSettings.AUGMENT).map(Augmentation::flip).orElse(unasked)
        && given.get(LotSettings.VIEWS).orElse(2L) > 1;
  }

  private static Optional<CentredFeatures> centre(
      EffectiveSettings choices,
      TrainingDefaults defaults,
      double delta,
      PayingAccount payer,
      boolean here,
      Scattering features) {
    boolean target =
        defaults.isPrivate()
            && !choices.isGiven(PrivacySettings.NOISE_MULTIPLIER)
            && !choices.isGiven(PrivacySettings.NOISE_TEMPERATURE);
    if (!target) {
      refuse(choices, "needs --epsilon or --share, which it is a part of");
    }
    if (!here) {
      refuse(choices, "is for --engine cpu, which computes features once");
    }
    if (features.together() == 0) {
      refuse(choices, "needs features that are normalised, as in scattering(2,8,together=3)");
    }
    boolean proven =
        here
            && features.together() > 0
            && PlanChoices.relation(choices) == Neighbouring.ADD_REMOVE
            && choices.or(ClippingSettings.MICRO_BATCH) == 1
            && !choices.isGiven(ModelSettings.START_FROM)
            && !choices.isGiven(PretrainSettings.PRETRAIN_DATA);
    double whole =
        target
            ? PlanChoices.target(choices, delta, payer).oneGaussian(PlanChoices.relation(choices))
            : Double.POSITIVE_INFINITY;
    double length = Math.sqrt(features.output(defaults.input()).size());
    boolean helps = whole / Math.sqrt(SHARE) * length / defaults.units() <= MOST_NOISE;
    double share = choices.or(PrivacySettings.CENTRE_SHARE, proven && helps ? SHARE : 0);
    return share == 0
        ? Optional.empty()
        : Optional.of(new CentredFeatures(whole / Math.sqrt(share), defaults.units()));
  }

  /** Nothing is given away where the share is 0 by name. */
  private static void refuse(EffectiveSettings choices, String why) {
    if (choices.given().get(PrivacySettings.CENTRE_SHARE).orElse(0.0) > 0) {
      choices.refuse(why, PrivacySettings.CENTRE_SHARE);
    }
  }

  /**
   * Mirror images of coloured ones, where nothing was asked for. They helped on photographs, and
   * harmed on digits and clothes, which are grey and have a right and a left.
   */
  Optional<Augmentation> views(Shape input) {
    return isStandard && input.channels() == 3
        ? Optional.of(new Augmentation(true, 0, 0, 1))
        : Optional.empty();
  }

  /** The network with the features before it. */
  Network before(Network network) {
    if (layer.isEmpty()) {
      return network;
    }
    Check.that(
        !(network.layers().get(0) instanceof Scattering),
        "features",
        "none before a model that begins with a layer of its own for them",
        layer.get());
    Network whole =
        new Network(
            Stream.concat(layer.stream(), network.layers().stream()).toList(), network.loss());
    return centre.map(each -> each.within(whole)).orElse(whole);
  }

  /** The plan with what the mean costs. */
  PrivacyPlan planned(PrivacyPlan plan) {
    centre.ifPresent(any -> CentredFeatures.check(plan));
    return centre.map(each -> plan.besides(each.mechanism())).orElse(plan);
  }
}
