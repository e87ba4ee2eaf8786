package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.nn.ClassBalance;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Scattering;
import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What learns, and what it begins with. */
public final class ModelSettings {
  private static final ValueType<Initialiser> INITIALISERS =
      ValueType.oneOf("NAME", List.of(Initialiser.values()), Initialiser::toString);
  private static final ValueType<Map<String, Double>> WEIGHTS =
      ValueType.of("CLASS=W|...", ModelSettings::weights, ModelSettings::text);
  public static final Setting<String> MODEL =
      setting(
              "model",
              ValueType.text("NAME|SPEC"),
              "linear, logistic, mlp(N), mnist-cnn, cifar-cnn, wrn(16,4), scattering-linear, scattering-cnn, or layers"
                  + " such as \"conv(16,8) relu dense(10)\".")
          .derived("by the data's shape");

  /** What stands before the model and is never trained; empty for nothing. */
  public static final Setting<Optional<Scattering>> FEATURES =
      setting(
              "features",
              ValueType.of("none|scattering(...)", ModelSettings::features, ModelSettings::text),
              "Fixed features of images, computed once, which the model sees in place of the"
                  + " pixels: none, or scattering(SCALES,ANGLES,together=CHANNELS), as that layer.")
          .derived(
              "scattering(2,8,together=3) where images of 20 to 40 pixels a side are classified"
                  + " privately by --engine cpu and neither a model nor a start is given; else"
                  + " none");

  public static final Setting<Map<String, Double>> CLASS_WEIGHTS =
      setting(
              "class-weights",
              WEIGHTS,
              "What a row of each class counts in the loss, such as no=1|yes=4: declared, or chosen"
                  + " on public rows; each in [1e-6, 1e6]. A class without one has 1.")
          .derived("all alike");
  public static final Setting<Double> THRESHOLD =
      setting(
              "threshold",
              ValueType.real("P", "in (0, 1)", value -> value > 0 && value < 1),
              "Take the second of two classes where its probability is above this: declared, or"
                  + " chosen on public rows.")
          .derived("0.5");
  public static final Setting<Long> PCA =
      setting(
              "pca",
              ValueType.whole("K", 1, Integer.MAX_VALUE),
              "Look at inputs through K principal directions, released first and out of the"
                  + " same budget: a first layer that stands still.")
          .derived("inputs as they are");
  public static final Setting<Initialiser> INITIALISER =
      setting("initialiser", INITIALISERS, "How parameters begin: " + INITIALISERS.words() + ".")
          .otherwise(Initialiser.STANDARD);
  public static final Setting<Long> INITIAL_SEED =
      setting(
              "initial-seed",
              ValueType.whole("N", 0, NumberText.MOST),
              "Seed of the initial parameters, which are public.")
          .otherwise(0L);
  public static final Setting<Path> START_FROM =
      setting(
              "start-from",
              ValueType.path("DIR|FILE"),
              "Begin with the parameters of a run's folder, or of safetensors of the same"
                  + " network: private ones, or declared public. A head that does not fit begins"
                  + " anew.")
          .rivals("start");
  public static final Setting<String> START_PUBLIC =
      setting(
          "start-public",
          ValueType.text("WHAT"),
          "Declare that --start-from learnt from public data, and which.");
  public static final Setting<Boolean> START_NOT_PRIVATE =
      setting(
          "start-not-private",
          ValueType.flag(),
          "Begin with a --start-from that is neither private nor public: this run's"
              + " model is then not private either, and says so first.");
  public static final Setting<Boolean> NEW_HEAD =
      setting("new-head", ValueType.flag(), "Begin the last layer anew although it would fit.");
  public static final Setting<List<String>> FREEZE =
      setting(
          "freeze",
          ValueType.repeated("LAYER"),
          "A layer that keeps its parameters, by its name: 0, 3; start for all that the"
              + " start has.");
  public static final Setting<List<String>> RATE_FACTOR =
      setting(
          "rate-factor",
          ValueType.repeated("LAYER=F"),
          "Learning rate of a layer, as a factor: 0=0.1; start=0.1 for all that the"
              + " start has.");
  public static final Setting<Double> EMA =
      setting(
              "ema",
              ValueType.share("D"),
              "Decay of the moving average that is the model; 0 for none.")
          .derived("by the number of steps");

  private ModelSettings() {}

  private static Optional<Scattering> features(String text) {
    if (text.strip().equals("none")) {
      return Optional.empty();
    }
    Optional<Network> network =
        Optional.of(text).filter(any -> any.strip().startsWith("scattering")).map(Network::parse);
    Check.that(
        network.isPresent() && isFeatures(network.get()),
        "features",
        "none, or the layer scattering alone, as in scattering(2,8,together=3)",
        text);
    return Optional.of((Scattering) network.get().layers().get(0));
  }

  private static boolean isFeatures(Network network) {
    Layer first = network.layers().get(0);
    return first instanceof Scattering && first.toString().equals(network.toString());
  }

  private static String text(Optional<Scattering> features) {
    return features.map(Scattering::toString).orElse("none");
  }

  private static Map<String, Double> weights(String text) {
    Map<String, Double> weights = new LinkedHashMap<>();
    for (String each : text.split("\\|", -1)) {
      int equals = each.lastIndexOf('=');
      Check.that(equals > 0, "class-weights", "CLASS=WEIGHT with | between them", text);
      double weight =
          NumberText.real("class-weights", ClassBalance.WEIGHTS, ClassBalance::isWeight)
              .apply(each.substring(equals + 1).strip());
      boolean first = weights.put(each.substring(0, equals).strip(), weight) == null;
      Check.that(first, "class-weights", "one for each class", text);
    }
    return Collections.unmodifiableMap(weights);
  }

  private static String text(Map<String, Double> weights) {
    return weights.entrySet().stream()
        .map(each -> each.getKey() + "=" + Digits.exact(each.getValue()))
        .collect(Collectors.joining("|"));
  }

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.MODEL, name, type, help);
  }
}
