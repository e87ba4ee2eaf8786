package dev.discreet.core.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A network layer by layer. What has no short form here, such as a convolution with groups, goes in
 * by {@link #add}.
 */
public final class NetworkBuilder {
  private final List<Layer> layers = new ArrayList<>();
  private Loss loss = new Loss.SoftmaxCrossEntropy();

  NetworkBuilder() {}

  public NetworkBuilder add(Layer layer) {
    layers.add(layer);
    return this;
  }

  public NetworkBuilder dense(int outputs) {
    return add(new Layer.Dense(outputs, true));
  }

  public NetworkBuilder conv(int outputs, int size) {
    return conv(outputs, size, 1, 0);
  }

  public NetworkBuilder conv(int outputs, int size, int stride, int pad) {
    return conv(outputs, Window.square(size, stride, pad));
  }

  public NetworkBuilder conv(int outputs, Window window) {
    return add(new Layer.Conv(outputs, window, 1, true, false));
  }

  /** Windows side by side. */
  public NetworkBuilder maxPool(int size) {
    return maxPool(size, size);
  }

  public NetworkBuilder maxPool(int size, int stride) {
    return add(new Layer.MaxPool(Window.square(size, stride, 0)));
  }

  /** Windows side by side. */
  public NetworkBuilder averagePool(int size) {
    return averagePool(size, size);
  }

  public NetworkBuilder averagePool(int size, int stride) {
    return add(new Layer.AveragePool(Window.square(size, stride, 0)));
  }

  public NetworkBuilder globalAveragePool() {
    return add(new Layer.GlobalAveragePool());
  }

  public NetworkBuilder relu() {
    return add(new Activation.Relu());
  }

  public NetworkBuilder leakyRelu(double slope) {
    return add(new Activation.LeakyRelu(slope));
  }

  public NetworkBuilder elu(double alpha) {
    return add(new Activation.Elu(alpha));
  }

  public NetworkBuilder gelu() {
    return add(new Activation.Gelu());
  }

  public NetworkBuilder tanh() {
    return add(new Activation.Tanh());
  }

  public NetworkBuilder sigmoid() {
    return add(new Activation.Sigmoid());
  }

  public NetworkBuilder temperedSigmoid(double scale, double temperature, double offset) {
    return add(new Activation.TemperedSigmoid(scale, temperature, offset));
  }

  public NetworkBuilder flatten() {
    return add(new Layer.Flatten());
  }

  public NetworkBuilder dropout(double rate) {
    return add(new Layer.Dropout(rate));
  }

  public NetworkBuilder groupNorm(int groups) {
    return add(new Layer.GroupNorm(groups));
  }

  public NetworkBuilder layerNorm() {
    return add(new Layer.LayerNorm());
  }

  public NetworkBuilder embedding(int vocabulary, int size) {
    return add(new Layer.Embedding(vocabulary, size));
  }

  /** {@code residual(block -> block.conv(16, 3, 1, 1).relu())}: body(x) + x. */
  public NetworkBuilder residual(UnaryOperator<NetworkBuilder> body) {
    return add(new Layer.Residual(body.apply(new NetworkBuilder()).layers, false));
  }

  /**
   * As {@link #residual}, with a 1×1 convolution on the shortcut: the body may change the shape.
   */
  public NetworkBuilder projected(UnaryOperator<NetworkBuilder> body) {
    return add(new Layer.Residual(body.apply(new NetworkBuilder()).layers, true));
  }

  /** Softmax cross-entropy unless given. */
  public NetworkBuilder loss(Loss loss) {
    this.loss = loss;
    return this;
  }

  public Network build() {
    return new Network(layers, loss);
  }
}
