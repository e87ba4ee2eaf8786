package dev.discreet.core.nn;

import dev.discreet.accounting.PublicApi;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A network layer by layer. What has no short form here, such as a convolution with groups, goes in
 * by {@link #add}.
 *
 * <pre>{@code
 * Network network =
 *     Network.builder().conv(16, 5).relu().maxPool(2).flatten().dense(10).build();
 * }</pre>
 */
@PublicApi
public final class NetworkBuilder {
  private final List<Layer> layers = new ArrayList<>();
  private Loss loss = new Loss.SoftmaxCrossEntropy();

  NetworkBuilder() {}

  /**
   * Adds a layer.
   *
   * @param layer any layer
   * @return this builder
   */
  public NetworkBuilder add(Layer layer) {
    layers.add(layer);
    return this;
  }

  /**
   * Adds a dense layer with a bias.
   *
   * @param outputs how many values come out
   * @return this builder
   */
  public NetworkBuilder dense(int outputs) {
    return add(new Layer.Dense(outputs, true));
  }

  /**
   * Adds a convolution of stride 1 without a rim.
   *
   * @param outputs how many channels come out
   * @param size height and width of the window
   * @return this builder
   */
  public NetworkBuilder conv(int outputs, int size) {
    return conv(outputs, size, 1, 0);
  }

  /**
   * Adds a convolution.
   *
   * @param outputs how many channels come out
   * @param size height and width of the window
   * @param stride how far the window moves
   * @param pad how wide the rim of zeros is
   * @return this builder
   */
  public NetworkBuilder conv(int outputs, int size, int stride, int pad) {
    return conv(outputs, Window.square(size, stride, pad));
  }

  /**
   * Adds a convolution.
   *
   * @param outputs how many channels come out
   * @param window what one output sees, and how far apart the outputs are
   * @return this builder
   */
  public NetworkBuilder conv(int outputs, Window window) {
    return add(new Layer.Conv(outputs, window, 1, true, false));
  }

  /**
   * Adds a max pooling with its windows side by side.
   *
   * @param size height and width of the window
   * @return this builder
   */
  public NetworkBuilder maxPool(int size) {
    return maxPool(size, size);
  }

  /**
   * Adds a max pooling.
   *
   * @param size height and width of the window
   * @param stride how far the window moves
   * @return this builder
   */
  public NetworkBuilder maxPool(int size, int stride) {
    return add(new Layer.MaxPool(Window.square(size, stride, 0)));
  }

  /**
   * Adds an average pooling with its windows side by side.
   *
   * @param size height and width of the window
   * @return this builder
   */
  public NetworkBuilder averagePool(int size) {
    return averagePool(size, size);
  }

  /**
   * Adds an average pooling.
   *
   * @param size height and width of the window
   * @param stride how far the window moves
   * @return this builder
   */
  public NetworkBuilder averagePool(int size, int stride) {
    return add(new Layer.AveragePool(Window.square(size, stride, 0)));
  }

  /**
   * Adds the mean over all positions.
   *
   * @return this builder
   */
  public NetworkBuilder globalAveragePool() {
    return add(new Layer.GlobalAveragePool());
  }

  /**
   * Adds a {@link Activation.Relu}.
   *
   * @return this builder
   */
  public NetworkBuilder relu() {
    return add(new Activation.Relu());
  }

  /**
   * Adds a {@link Activation.LeakyRelu}.
   *
   * @param slope what values below 0 are multiplied by
   * @return this builder
   */
  public NetworkBuilder leakyRelu(double slope) {
    return add(new Activation.LeakyRelu(slope));
  }

  /**
   * Adds an {@link Activation.Elu}.
   *
   * @param alpha α: large negative values come close to −α
   * @return this builder
   */
  public NetworkBuilder elu(double alpha) {
    return add(new Activation.Elu(alpha));
  }

  /**
   * Adds a {@link Activation.Gelu}.
   *
   * @return this builder
   */
  public NetworkBuilder gelu() {
    return add(new Activation.Gelu());
  }

  /**
   * Adds a {@link Activation.Tanh}.
   *
   * @return this builder
   */
  public NetworkBuilder tanh() {
    return add(new Activation.Tanh());
  }

  /**
   * Adds a {@link Activation.Sigmoid}.
   *
   * @return this builder
   */
  public NetworkBuilder sigmoid() {
    return add(new Activation.Sigmoid());
  }

  /**
   * Adds a {@link Activation.TemperedSigmoid}.
   *
   * @param scale how far apart the two ends are
   * @param temperature what x is multiplied by
   * @param offset what is subtracted in the end
   * @return this builder
   */
  public NetworkBuilder temperedSigmoid(double scale, double temperature, double offset) {
    return add(new Activation.TemperedSigmoid(scale, temperature, offset));
  }

  /**
   * Adds a layer that reads an image as one vector.
   *
   * @return this builder
   */
  public NetworkBuilder flatten() {
    return add(new Layer.Flatten());
  }

  /**
   * Adds a {@link Layer.Dropout}.
   *
   * @param rate the probability that a value is dropped in training
   * @return this builder
   */
  public NetworkBuilder dropout(double rate) {
    return add(new Layer.Dropout(rate));
  }

  /**
   * Adds a {@link Layer.GroupNorm}.
   *
   * @param groups how many blocks of channels there are
   * @return this builder
   */
  public NetworkBuilder groupNorm(int groups) {
    return add(new Layer.GroupNorm(groups));
  }

  /**
   * Adds a {@link Layer.LayerNorm}.
   *
   * @return this builder
   */
  public NetworkBuilder layerNorm() {
    return add(new Layer.LayerNorm());
  }

  /**
   * Adds a {@link Layer.Shift}.
   *
   * @return this builder
   */
  public NetworkBuilder shift() {
    return add(new Layer.Shift());
  }

  /**
   * Adds a {@link Layer.Embedding}.
   *
   * @param vocabulary how many tokens there are
   * @param size how many numbers stand for one
   * @return this builder
   */
  public NetworkBuilder embedding(int vocabulary, int size) {
    return add(new Layer.Embedding(vocabulary, size));
  }

  /**
   * Adds body(x) + x: {@code residual(block -> block.conv(16, 3, 1, 1).relu())}.
   *
   * @param body adds the layers of the body to the builder that it is given
   * @return this builder
   */
  public NetworkBuilder residual(UnaryOperator<NetworkBuilder> body) {
    return add(new Layer.Residual(body.apply(new NetworkBuilder()).layers, false));
  }

  /**
   * As {@link #residual}, with a 1×1 convolution on the shortcut: the body may change the shape.
   *
   * @param body adds the layers of the body to the builder that it is given
   * @return this builder
   */
  public NetworkBuilder projected(UnaryOperator<NetworkBuilder> body) {
    return add(new Layer.Residual(body.apply(new NetworkBuilder()).layers, true));
  }

  /**
   * Sets the loss; it is softmax cross-entropy unless given.
   *
   * @param loss what a prediction is charged
   * @return this builder
   */
  public NetworkBuilder loss(Loss loss) {
    this.loss = loss;
    return this;
  }

  /** {@return the network of the layers so far} */
  public Network build() {
    return new Network(layers, loss);
  }
}
