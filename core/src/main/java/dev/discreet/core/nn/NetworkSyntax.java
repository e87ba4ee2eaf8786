package dev.discreet.core.nn;

import static dev.discreet.core.nn.ArgumentType.NUMBER;
import static dev.discreet.core.nn.ArgumentType.SIDES;
import static dev.discreet.core.nn.ArgumentType.TRUE_OR_FALSE;
import static dev.discreet.core.nn.ArgumentType.WEIGHTS;
import static dev.discreet.core.nn.ArgumentType.WHOLE;

import dev.discreet.core.nn.ArgumentType.Sides;
import dev.discreet.core.nn.SyntaxRow.Argument;
import dev.discreet.core.nn.SyntaxRow.Block;
import dev.discreet.core.nn.SyntaxRow.Call;
import dev.discreet.core.nn.SyntaxRow.Given;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The one-line text form of networks as a table: a row for each kind of layer and of loss. {@link
 * NetworkParser} reads by it, and every {@code toString} of a layer, a loss and a network is
 * written by it. Options that are as usual are left out, so a network has one text only.
 */
final class NetworkSyntax {
  /** In the order of their names, for messages list them. */
  static final List<SyntaxRow<? extends Layer>> LAYERS =
      List.of(
          new Call<>(
              "avgpool",
              Layer.AveragePool.class,
              poolArguments(Layer.AveragePool::window),
              given -> new Layer.AveragePool(window(given))),
          new Call<>(
              "conv",
              Layer.Conv.class,
              List.of(
                  value("outputs", WHOLE, Layer.Conv::outputs),
                  value("window", SIDES, conv -> size(conv.window())),
                  option("stride", SIDES, new Sides(1, 1), conv -> stride(conv.window())),
                  option("pad", SIDES, new Sides(0, 0), conv -> pad(conv.window())),
                  option("groups", WHOLE, 1, Layer.Conv::groups),
                  option("bias", TRUE_OR_FALSE, true, Layer.Conv::bias),
                  option("standardised", TRUE_OR_FALSE, false, Layer.Conv::standardised)),
              given ->
                  new Layer.Conv(
                      given.whole("outputs"),
                      window(given),
                      given.whole("groups"),
                      given.truth("bias"),
                      given.truth("standardised"))),
          new Call<>(
              "dense",
              Layer.Dense.class,
              List.of(
                  value("outputs", WHOLE, Layer.Dense::outputs),
                  option("bias", TRUE_OR_FALSE, true, Layer.Dense::bias)),
              given -> new Layer.Dense(given.whole("outputs"), given.truth("bias"))),
          new Call<>(
              "dropout",
              Layer.Dropout.class,
              List.of(value("rate", NUMBER, Layer.Dropout::rate)),
              given -> new Layer.Dropout(given.number("rate"))),
          new Call<>(
              "elu",
              Activation.Elu.class,
              List.of(value("alpha", NUMBER, 1.0, Activation.Elu::alpha)),
              given -> new Activation.Elu(given.number("alpha"))),
          new Call<>(
              "embedding",
              Layer.Embedding.class,
              List.of(
                  value("vocabulary", WHOLE, Layer.Embedding::vocabulary),
                  value("size", WHOLE, Layer.Embedding::size)),
              given -> new Layer.Embedding(given.whole("vocabulary"), given.whole("size"))),
          plain("flatten", new Layer.Flatten()),
          plain("gelu", new Activation.Gelu()),
          plain("globalavgpool", new Layer.GlobalAveragePool()),
          new Call<>(
              "groupnorm",
              Layer.GroupNorm.class,
              List.of(value("groups", WHOLE, Layer.GroupNorm::groups)),
              given -> new Layer.GroupNorm(given.whole("groups"))),
          plain("layernorm", new Layer.LayerNorm()),
          new Call<>(
              "leakyrelu",
              Activation.LeakyRelu.class,
              List.of(value("slope", NUMBER, 0.01, Activation.LeakyRelu::slope)),
              given -> new Activation.LeakyRelu(given.number("slope"))),
          new Call<>(
              "maxpool",
              Layer.MaxPool.class,
              poolArguments(Layer.MaxPool::window),
              given -> new Layer.MaxPool(window(given))),
          new Block("projected", true),
          plain("relu", new Activation.Relu()),
          new Block("residual", false),
          new Call<>(
              "scattering",
              Scattering.class,
              List.of(
                  value("scales", WHOLE, Scattering::scales),
                  value("angles", WHOLE, Scattering::angles),
                  option("together", WHOLE, 0, Scattering::together)),
              given ->
                  new Scattering(
                      given.whole("scales"), given.whole("angles"), given.whole("together"))),
          plain("shift", new Layer.Shift()),
          plain("sigmoid", new Activation.Sigmoid()),
          plain("tanh", new Activation.Tanh()),
          new Call<>(
              "temperedsigmoid",
              Activation.TemperedSigmoid.class,
              List.of(
                  value("scale", NUMBER, Activation.TemperedSigmoid::scale),
                  value("temperature", NUMBER, Activation.TemperedSigmoid::temperature),
                  value("offset", NUMBER, Activation.TemperedSigmoid::offset)),
              given ->
                  new Activation.TemperedSigmoid(
                      given.number("scale"), given.number("temperature"), given.number("offset"))));

  /** A network has softmax unless told, which is not written. */
  static final List<SyntaxRow<? extends Loss>> LOSSES =
      List.of(
          new Call<>(
              "softmax",
              Loss.SoftmaxCrossEntropy.class,
              balance(),
              given -> new Loss.SoftmaxCrossEntropy(balance(given))),
          new Call<>(
              "logistic",
              Loss.Logistic.class,
              balance(),
              given -> new Loss.Logistic(balance(given))),
          plain("squared", new Loss.SquaredError()),
          new Call<>(
              "huber",
              Loss.Huber.class,
              List.of(value("threshold", NUMBER, 1.0, Loss.Huber::threshold)),
              given -> new Loss.Huber(given.number("threshold"))));

  private NetworkSyntax() {}

  static String text(Network network) {
    String layers = text(network.layers());
    return network.loss().equals(new Loss.SoftmaxCrossEntropy())
        ? layers
        : layers + " loss=" + network.loss();
  }

  static String text(List<Layer> layers) {
    return layers.stream().map(Layer::toString).collect(Collectors.joining(" "));
  }

  static String text(Layer layer) {
    return text(LAYERS, layer);
  }

  static String text(Loss loss) {
    return text(LOSSES, loss);
  }

  private static <T> String text(List<SyntaxRow<? extends T>> rows, T value) {
    for (SyntaxRow<? extends T> row : rows) {
      if (row.writes(value)) {
        return written(row, value);
      }
    }
    throw new IllegalStateException("no row for a " + value.getClass().getSimpleName());
  }

  private static <T> String written(SyntaxRow<T> row, Object value) {
    return row.text(row.kind().cast(value));
  }

  // ---- what rows are made of

  /** What has no arguments. */
  @SuppressWarnings("unchecked")
  private static <T> SyntaxRow<T> plain(String name, T value) {
    return new Call<>(name, (Class<T>) value.getClass(), List.of(), given -> value);
  }

  /** An argument without a name, which must be given. */
  private static <T, V> Argument<T, V> value(String name, ArgumentType<V> type, Function<T, V> of) {
    return new Argument<>(name, type, null, false, of);
  }

  /** An argument without a name, which may be left out when it is read and is always written. */
  private static <T, V> Argument<T, V> value(
      String name, ArgumentType<V> type, V usual, Function<T, V> of) {
    return new Argument<>(name, type, given -> usual, false, of);
  }

  private static <T, V> Argument<T, V> option(
      String name, ArgumentType<V> type, V usual, Function<T, V> of) {
    return new Argument<>(name, type, given -> usual, true, of);
  }

  private static <T extends Loss> List<Argument<T, ?>> balance() {
    return List.of(
        option("weights", WEIGHTS, List.of(), loss -> loss.balance().weights()),
        option(
            "threshold",
            NUMBER,
            ClassBalance.EVEN.threshold(),
            loss -> loss.balance().threshold()));
  }

  private static ClassBalance balance(Given given) {
    return new ClassBalance(given.weights("weights"), given.number("threshold"));
  }

  /** Unless told, a pooling moves by its own size. */
  private static <T> List<Argument<T, ?>> poolArguments(Function<T, Window> window) {
    return List.of(
        value("window", SIDES, pool -> size(window.apply(pool))),
        new Argument<>(
            "stride",
            SIDES,
            given -> given.sides("window"),
            true,
            pool -> stride(window.apply(pool))),
        option("pad", SIDES, new Sides(0, 0), pool -> pad(window.apply(pool))));
  }

  private static Window window(Given given) {
    Sides size = given.sides("window");
    Sides stride = given.sides("stride");
    Sides pad = given.sides("pad");
    return new Window(size.y(), size.x(), stride.y(), stride.x(), pad.y(), pad.x());
  }

  private static Sides size(Window window) {
    return new Sides(window.height(), window.width());
  }

  private static Sides stride(Window window) {
    return new Sides(window.strideY(), window.strideX());
  }

  private static Sides pad(Window window) {
    return new Sides(window.padY(), window.padX());
  }
}
