package dev.discreet.recipe.setting;

import dev.discreet.core.nn.Initialiser;
import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;
import java.util.List;

/** What learns, and what it begins with. */
public final class ModelSettings {
  private static final ValueType<Initialiser> INITIALISERS =
      ValueType.oneOf("NAME", List.of(Initialiser.values()), Initialiser::toString);
  public static final Setting<String> MODEL =
      setting(
              "model",
              ValueType.text("NAME|SPEC"),
              "linear, logistic, mlp(N), mnist-cnn, cifar-cnn, or layers such as"
                  + " \"conv(16,8) relu dense(10)\".")
          .derived("by the data's shape");
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

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.MODEL, name, type, help);
  }
}
