package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;
import java.util.List;
import java.util.OptionalInt;

/**
 * Layers and a loss. It has no input shape yet and no parameters. Its text is the one-line form
 * that {@link #parse} reads, so a network can stand in a command, a file or a message as it is.
 *
 * <pre>{@code
 * Network network = Network.parse("conv(16,5) relu maxpool(2) flatten dense(10)");
 * Network logistic = Network.named("logistic", 10);
 * }</pre>
 *
 * @param layers from the input to the output
 * @param loss what a prediction is charged
 */
@PublicApi
public record Network(List<Layer> layers, Loss loss) implements Serializable {
  /** Refuses a network without layers. */
  public Network {
    Check.that(!layers.isEmpty(), "layers", "at least one", "none");
    layers = List.copyOf(layers);
  }

  /**
   * A network from its text form, such as {@code conv(16,8,stride=2,pad=3) relu maxpool(2,stride=1)
   * flatten dense(10)}, with {@code loss=squared} at the end where the loss is not softmax.
   *
   * <p>Windows, strides and pads are one number or height x width, {@code 8x4}. A convolution's
   * stride is 1 unless given, a pooling's is its window.
   *
   * @param text the text form; an error in it is refused with its position
   * @return the network
   */
  public static Network parse(String text) {
    return new NetworkParser(text).network();
  }

  /**
   * A network by its name: {@code linear}, {@code logistic}, {@code mlp(1000)} (or with several
   * hidden layers, {@code mlp(500,200)}), {@code mnist-cnn}, {@code cifar-cnn}, {@code wrn(16,4)}
   * (depth and width), {@code scattering-linear}, {@code scattering-cnn}. Those that classify take
   * {@code classes=}, as in {@code logistic(classes=3)}; without it the last five have the 10 of
   * the sets that they were made for, and the others are refused. A text form serves as its own
   * name, so a command line needs one option for both.
   *
   * @param name a name, or a text form
   * @return the network
   */
  public static Network named(String name) {
    return NamedNetworks.of(name, OptionalInt.empty());
  }

  /**
   * A network by its name, for data of so many classes. Refused are names that say another number,
   * and {@code linear}, which predicts numbers. A text form says by itself what it puts out.
   *
   * @param name a name, or a text form
   * @param classes how many classes the data have
   * @return the network
   */
  public static Network named(String name, int classes) {
    return NamedNetworks.of(name, OptionalInt.of(classes));
  }

  /** {@return a builder without layers, to which they are added one after another} */
  public static NetworkBuilder builder() {
    return new NetworkBuilder();
  }

  /**
   * This network on that input.
   *
   * @param input the shape of one example
   * @return every layer and parameter in its place
   */
  public Layout on(Shape input) {
    return Layout.of(this, input);
  }

  @Override
  public String toString() {
    return NetworkSyntax.text(this);
  }
}
