package dev.discreet.core.engine.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.ClassBalance;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layer.Conv;
import dev.discreet.core.nn.Layer.Dense;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every layer and loss of the reference against central differences in double precision. */
class FiniteDifferencesTest {
  private static final Shape IMAGE = new Shape(7, 6, 4);

  private static Layer conv(int outputs, int size, int stride, int pad) {
    return new Conv(outputs, Window.square(size, stride, pad), 1, true, false);
  }

  static Stream<Arguments> layers() {
    return Stream.of(
        Arguments.of(new Dense(3, true), IMAGE),
        Arguments.of(new Dense(3, false), Shape.vector(5)),
        Arguments.of(conv(3, 3, 1, 0), IMAGE),
        Arguments.of(conv(1, 3, 2, 2), IMAGE),
        Arguments.of(new Conv(3, new Window(3, 2, 2, 3, 2, 1), 1, true, false), IMAGE),
        Arguments.of(new Conv(6, new Window(2, 3, 1, 2, 0, 1), 2, true, false), IMAGE),
        Arguments.of(new Conv(4, Window.square(3, 1, 1), 4, false, false), IMAGE),
        Arguments.of(new Conv(3, new Window(3, 2, 2, 1, 1, 0), 1, true, true), IMAGE),
        Arguments.of(new Conv(4, Window.square(2, 2, 1), 2, false, true), IMAGE),
        Arguments.of(new Layer.MaxPool(Window.square(2, 1, 0)), IMAGE),
        Arguments.of(new Layer.MaxPool(new Window(3, 2, 2, 3, 2, 1)), IMAGE),
        Arguments.of(new Layer.AveragePool(Window.square(2, 2, 0)), IMAGE),
        Arguments.of(new Layer.AveragePool(new Window(3, 4, 2, 1, 1, 3)), IMAGE),
        Arguments.of(new Layer.GlobalAveragePool(), IMAGE),
        Arguments.of(new Activation.Relu(), IMAGE),
        Arguments.of(new Activation.LeakyRelu(0.1), IMAGE),
        Arguments.of(new Activation.Elu(0.7), IMAGE),
        Arguments.of(new Activation.Gelu(), IMAGE),
        Arguments.of(new Activation.Tanh(), IMAGE),
        Arguments.of(new Activation.Sigmoid(), IMAGE),
        Arguments.of(new Activation.TemperedSigmoid(1.5, 3, 0.4), IMAGE),
        Arguments.of(new Layer.Flatten(), IMAGE),
        Arguments.of(new Layer.Dropout(0.4), IMAGE),
        Arguments.of(new Layer.GroupNorm(1), IMAGE),
        Arguments.of(new Layer.GroupNorm(2), IMAGE),
        Arguments.of(new Layer.GroupNorm(4), IMAGE),
        Arguments.of(new Layer.GroupNorm(2), Shape.vector(6)),
        Arguments.of(new Layer.LayerNorm(), IMAGE),
        Arguments.of(new Layer.LayerNorm(), Shape.vector(6)),
        Arguments.of(
            new Layer.Residual(List.of(conv(4, 3, 1, 1), new Activation.Tanh()), false), IMAGE),
        Arguments.of(
            new Layer.Residual(
                List.of(
                    conv(5, 3, 2, 1), new Layer.Residual(List.of(new Activation.Tanh()), false)),
                true),
            IMAGE),
        Arguments.of(new Layer.Residual(List.of(new Dense(3, true)), true), Shape.vector(4)));
  }

  /** Between two dense layers' worth of mixing, so that no symmetry hides a mistake. */
  @ParameterizedTest
  @MethodSource("layers")
  void layer(Layer layer, Shape shape) {
    Network network =
        new Network(
            List.of(new Activation.TemperedSigmoid(2, 1.5, 0.3), layer, new Dense(3, true)),
            new Loss.SoftmaxCrossEntropy());
    check(network.on(shape), inputs(shape, 5), new double[] {2}, true);
  }

  static Stream<Arguments> losses() {
    return Stream.of(
        Arguments.of(new Loss.SoftmaxCrossEntropy(), new double[] {1}),
        Arguments.of(new Loss.Logistic(), new double[] {1}),
        Arguments.of(new Loss.Logistic(), new double[] {0.2, 0, 1}),
        Arguments.of(
            new Loss.SoftmaxCrossEntropy(ClassBalance.EVEN.weighing(1, 3, 0.2)), new double[] {1}),
        Arguments.of(new Loss.Logistic(ClassBalance.EVEN.weighing(1, 3, 0.2)), new double[] {2}),
        Arguments.of(new Loss.SquaredError(), new double[] {0.5, -3, 2}),
        Arguments.of(new Loss.SquaredError(), new double[] {2}),
        Arguments.of(new Loss.Huber(0.8), new double[] {0.1, -3, 20}));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void loss(Loss loss, double[] target) {
    Network network = new Network(List.of(new Dense(3, true)), loss);
    check(network.on(Shape.vector(4)), inputs(Shape.vector(4), 6), target, true);
  }

  @Test
  void embeddingWithATokenTwice() {
    Network network =
        new Network(
            List.of(
                new Layer.Embedding(5, 3),
                new Conv(4, new Window(1, 2, 1, 1, 0, 0), 1, true, false),
                new Activation.Gelu(),
                new Dense(2, true)),
            new Loss.SoftmaxCrossEntropy());
    double[] tokens = {3, 1, 3, 0};
    check(network.on(Shape.vector(4)), tokens, new double[] {1}, false);
  }

  @Test
  void theCheckCanFail() {
    Layout layout =
        new Network(List.of(new Dense(2, true)), new Loss.SquaredError()).on(Shape.vector(2));
    ReferenceEngine engine = engine(layout, 2);
    Point at = Point.whole(parameters(layout));
    double[] gradient = new double[layout.parameters()];
    engine.inputGradient(at, new double[] {1, 2}, new double[] {5, 6}, gradient);
    double slope = slope(engine, at, at.parameters(), 0, new double[] {1, 2}, new double[] {5, 6});
    assertTrue(Math.abs(slope - 1.0001 * gradient[0]) > 1e-7 * (1 + Math.abs(gradient[0])));
  }

  private static ReferenceEngine engine(Layout layout, int targets) {
    return new ReferenceEngine(
        layout, Examples.of(layout.input(), new float[0], targets, new float[0]));
  }

  private static double[] inputs(Shape shape, long seed) {
    return new SplittableRandom(seed).doubles(shape.size(), -2, 2).toArray();
  }

  private static double[] parameters(Layout layout) {
    return new SplittableRandom(9).doubles(layout.parameters(), -0.8, 0.8).toArray();
  }

  private static void check(Layout layout, double[] input, double[] target, boolean byInput) {
    ReferenceEngine engine = engine(layout, target.length);
    // With training on, dropout layers are differentiated under one fixed mask.
    Point at = new Point(parameters(layout), true, 7, 0);
    double[] gradient = new double[layout.parameters()];
    double[] byInputs = engine.inputGradient(at, input, target, gradient);
    for (int i = 0; i < gradient.length; i++) {
      close(slope(engine, at, at.parameters(), i, input, target), gradient[i], "parameter " + i);
    }
    for (int i = 0; byInput && i < input.length; i++) {
      close(slope(engine, at, input, i, input, target), byInputs[i], "input " + i);
    }
    forwardMode(engine, at, input, target, gradient);
  }

  /** ⟨gradient, v⟩ and the loss's slope along v. */
  private static void forwardMode(
      ReferenceEngine engine, Point at, double[] input, double[] target, double[] gradient) {
    double[] theta = at.parameters();
    double[] v = new SplittableRandom(4).doubles(theta.length, -1, 1).toArray();
    double product = 0;
    for (int i = 0; i < v.length; i++) {
      product += gradient[i] * v[i];
    }
    double found = engine.directional(at, input, target, v);
    assertEquals(product, found, 1e-10 * (1 + Math.abs(product)), "product");
    double h = 1e-6;
    double[] losses = new double[2];
    for (int side = 0; side < 2; side++) {
      double[] moved = new double[v.length];
      for (int i = 0; i < v.length; i++) {
        moved[i] = theta[i] + (side == 0 ? -h : h) * v[i];
      }
      losses[side] = engine.loss(new Point(moved, true, 7, 0), input, target);
    }
    assertEquals((losses[1] - losses[0]) / (2 * h), found, 1e-6 * (1 + Math.abs(found)), "slope");
  }

  private static void close(double slope, double gradient, String what) {
    assertEquals(slope, gradient, 1e-7 * (1 + Math.abs(gradient)), what);
  }

  /** (f(v + h) − f(v − h)) / 2h along one coordinate. */
  private static double slope(
      ReferenceEngine engine, Point at, double[] along, int i, double[] input, double[] target) {
    double h = 1e-5;
    double value = along[i];
    along[i] = value + h;
    double above = engine.loss(at, input, target);
    along[i] = value - h;
    double below = engine.loss(at, input, target);
    along[i] = value;
    return (above - below) / (2 * h);
  }
}
