package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.centre.CentredFeatures;
import dev.discreet.algorithms.pca.PcaLayer;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.NumberText;
import dev.discreet.recipe.setting.PretrainSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The network that settings ask for, what it begins with, and which of its layers move how.
 *
 * @param start empty where parameters begin anew
 */
record StartChoices(
    Layout layout, Optional<RunStart> start, List<String> frozen, Map<String, Double> rateFactors) {
  private static final ModelPrivacy UNKNOWN =
      ModelPrivacy.none("Nothing is known of the data that it was trained on.");

  static StartChoices of(
      EffectiveSettings choices,
      TrainingRows data,
      TrainingDefaults defaults,
      Optional<PcaLayer> pca,
      FeatureChoices features,
      Engine engine,
      Consumer<String> progress)
      throws IOException {
    Shape input = defaults.input();
    Optional<Path> place = choices.get(ModelSettings.START_FROM);
    boolean folder = place.isPresent() && !Files.isRegularFile(place.get());
    Model source = folder ? Model.load(place.get()) : null;
    boolean newHead = choices.given().has(ModelSettings.NEW_HEAD);
    choices.get(ModelSettings.NEW_HEAD);
    String otherwise =
        source == null
            ? defaults.model(features.layer().isPresent())
            : headed(source, data).toString();
    Layout seen = ModelChoices.layout(choices, data.task(), input, otherwise, features::before);
    Shape whole = data.train().input();
    Layout layout = pca.map(each -> each.before(seen.network(), whole).on(whole)).orElse(seen);
    pca.ifPresent(each -> each.check(layout));
    RunStart.Into into =
        new RunStart.Into(
            layout,
            newHead,
            choices.or(ModelSettings.INITIALISER),
            choices.or(ModelSettings.INITIAL_SEED));
    RunStart start = null;
    if (place.isPresent()) {
      source = source != null ? source : Model.read(place.get(), layout.network(), input, UNKNOWN);
      Transfer transfer = into.from(source);
      Optional<String> declared = choices.get(ModelSettings.START_PUBLIC);
      transfer = declared.isPresent() ? transfer.declaredPublic(declared.get()) : transfer;
      String name = String.valueOf(place.get().getFileName());
      start = new RunStart.Given(transfer, name, isNotPrivate(choices, transfer));
    } else if (choices.isGiven(PretrainSettings.PRETRAIN_DATA)) {
      start = Pretraining.of(choices, data, into, engine, progress);
    }
    refuse(choices, place.isPresent(), start == null);
    List<String> kept = start == null ? List.of() : start.planned().keptLayers();
    // What is left to train expects the mean that was taken off where it was trained before.
    boolean centred =
        features.centre().isPresent()
            || place.isPresent()
                && kept.contains(CentredFeatures.LAYER)
                && CentredFeatures.isIn(layout.network());
    List<String> frozen =
        Stream.concat(
                Stream.concat(
                    pca.stream().map(each -> each.layer(whole)),
                    Stream.of(CentredFeatures.LAYER).filter(any -> centred)),
                RunStart.expanded(choices.get(ModelSettings.FREEZE).orElse(List.of()), kept)
                    .stream())
            .distinct()
            .toList();
    frozen.forEach(layer -> checkLayer(layout, layer));
    List<String> trained =
        kept.stream().filter(each -> !centred || !each.equals(CentredFeatures.LAYER)).toList();
    return new StartChoices(
        layout, Optional.ofNullable(start), frozen, factors(choices, layout, trained));
  }

  /**
   * Whether this private run begins with a model that is neither private nor public. That must be
   * asked for by name.
   */
  private static boolean isNotPrivate(EffectiveSettings choices, Transfer transfer) {
    if (choices.given().has(PrivacySettings.NON_PRIVATE) || transfer.isPublicOrPrivate()) {
      choices.refuse(
          "is for a private run whose start is neither private nor declared public",
          ModelSettings.START_NOT_PRIVATE);
      return false;
    }
    Check.that(
        choices.get(ModelSettings.START_NOT_PRIVATE).orElse(false),
        "model to start from",
        "private, or of data declared public (--start-public WHAT), or taken by name"
            + " (--start-not-private), and then this run is not private either",
        transfer.privacy());
    return true;
  }

  /**
   * The source's network, with another head where its own does not fit. What it was told of classes
   * is declared anew.
   */
  private static Network headed(Model source, TrainingRows data) {
    return ModelChoices.fits(source.layout(), data.task())
        ? ModelChoices.evenly(source.layout().network())
        : Transfer.headReplaced(source, data.task().outputs()).network();
  }

  private static void refuse(EffectiveSettings choices, boolean given, boolean none) {
    if (!given) {
      choices.refuse(
          "needs --start-from", ModelSettings.START_PUBLIC, ModelSettings.START_NOT_PRIVATE);
    }
    if (!choices.isGiven(PretrainSettings.PRETRAIN_DATA)) {
      Pretraining.refuseWithout(choices);
    }
    if (none) {
      String why = "needs --start-from or --pretrain-data";
      if (choices.given().has(ModelSettings.NEW_HEAD)) {
        choices.refuse(why, ModelSettings.NEW_HEAD);
      }
      if (choices.get(ModelSettings.FREEZE).orElse(List.of()).contains(RunStart.WORD)) {
        choices.refuse("start " + why, ModelSettings.FREEZE);
      }
    }
  }

  private static Map<String, Double> factors(
      EffectiveSettings choices, Layout layout, List<String> kept) {
    Map<String, Double> factors = new LinkedHashMap<>();
    for (String text : choices.get(ModelSettings.RATE_FACTOR).orElse(List.of())) {
      int equals = text.indexOf('=');
      Check.that(equals > 0, "rate factor", "LAYER=FACTOR, such as 0=0.1", text);
      String named = text.substring(0, equals);
      Check.that(
          !named.equals(RunStart.WORD) || !kept.isEmpty(),
          "rate factor of start",
          "given with --start-from or --pretrain-data",
          text);
      double factor =
          NumberText.real(
                  "rate factor of " + named,
                  "in (0, infinity) (--freeze a layer that is not to move)",
                  value -> value > 0 && Double.isFinite(value))
              .apply(text.substring(equals + 1));
      for (String layer : RunStart.expanded(List.of(named), kept)) {
        checkLayer(layout, layer);
        Check.that(
            factors.put(layer, factor) == null, "rate factor of " + layer, "given once", text);
      }
    }
    return factors;
  }

  /** Refuses an unknown layer before the plan is shown; the trainer would refuse it only later. */
  static void checkLayer(Layout layout, String layer) {
    Check.that(
        layout.slices().stream().anyMatch(slice -> slice.layer().isIn(layer)),
        "layer",
        "the name of one with parameters, as in "
            + layout.slices().stream().map(Layout.Slice::name).toList(),
        layer);
  }
}
