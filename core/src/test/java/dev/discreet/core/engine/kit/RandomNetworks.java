package dev.discreet.core.engine.kit;

import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.ClassBalance;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Small networks with awkward shapes: 1, 3 and 17 channels, uneven windows, strides and rims. */
public final class RandomNetworks {
  private static final int[] CHANNELS = {1, 3, 17};

  private final SplittableRandom random;

  private RandomNetworks(long seed) {
    random = new SplittableRandom(seed);
  }

  /** One of them: the same for the same seed. */
  public static Layout layout(long seed) {
    return new RandomNetworks(seed).draw();
  }

  private Layout draw() {
    List<Layer> layers = new ArrayList<>();
    Shape input =
        switch (random.nextInt(4)) {
          case 0 -> Shape.vector(1 + random.nextInt(20));
          case 1 -> new Shape(1, 1 + random.nextInt(6), 1);
          default ->
              new Shape(1 + random.nextInt(8), 1 + random.nextInt(8), CHANNELS[random.nextInt(3)]);
        };
    Shape shape = input;
    if (input.height() == 1 && input.channels() == 1) {
      layers.add(new Layer.Embedding(1 + random.nextInt(7), 1 + random.nextInt(5)));
      shape = layers.get(0).output(shape);
    }
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Layer layer = layer(shape, true);
      layers.add(layer);
      shape = layer.output(shape);
    }
    int outputs = 1 + random.nextInt(5);
    layers.add(new Layer.Dense(outputs, random.nextInt(4) > 0));
    Loss loss =
        switch (random.nextInt(6)) {
          case 0 -> new Loss.SoftmaxCrossEntropy();
          case 1 -> new Loss.Logistic();
          case 4 -> new Loss.SoftmaxCrossEntropy(weights(outputs));
          case 5 -> new Loss.Logistic(weights(outputs == 1 ? 2 : outputs));
          case 2 -> new Loss.SquaredError();
          default -> new Loss.Huber(0.8);
        };
    return new Network(layers, loss).on(input);
  }

  private ClassBalance weights(int classes) {
    return ClassBalance.EVEN.weighing(random.doubles(classes, 0.1, 10).toArray());
  }

  private Layer layer(Shape shape, boolean nests) {
    return switch (random.nextInt(nests ? 12 : 10)) {
      case 0, 1, 2 -> conv(shape);
      case 3 -> new Layer.Dense(1 + random.nextInt(40), random.nextBoolean());
      case 4 -> new Layer.MaxPool(window(shape));
      case 5 -> new Layer.AveragePool(window(shape));
      case 6 ->
          shape.channels() > 1
              ? new Layer.GroupNorm(random.nextBoolean() ? 1 : smallestDivisor(shape.channels()))
              : new Layer.Shift();
      case 7 -> shape.channels() > 3 ? new Layer.LayerNorm() : new Layer.GlobalAveragePool();
      case 8 -> new Layer.Dropout(0.4);
      case 9 -> activation();
      case 10 ->
          new Layer.Residual(List.of(conv(shape, shape.channels(), true), activation()), false);
      default -> projected(shape);
    };
  }

  private static int smallestDivisor(int n) {
    int d = 2;
    while (n % d != 0) {
      d++;
    }
    return d;
  }

  private Layer projected(Shape shape) {
    int channels = CHANNELS[random.nextInt(3)];
    return new Layer.Residual(
        List.of(conv(shape, channels, true), activation(), new Layer.Dropout(0.2)), true);
  }

  private Layer conv(Shape shape) {
    return conv(shape, CHANNELS[random.nextInt(3)], false);
  }

  private Layer conv(Shape shape, int outputs, boolean keepsShape) {
    int channels = shape.channels();
    int groups = random.nextInt(3) == 0 && outputs % channels == 0 ? channels : 1;
    Window window =
        keepsShape ? new Window(3, 1 + 2 * random.nextInt(2), 1, 1, 1, 0) : window(shape);
    if (keepsShape) {
      window = new Window(3, window.width(), 1, 1, 1, window.width() / 2);
    }
    boolean standardised = random.nextInt(4) == 0 && window.size() * channels / groups > 1;
    return new Layer.Conv(outputs, window, groups, random.nextInt(3) > 0, standardised);
  }

  private Window window(Shape shape) {
    int height = 1 + random.nextInt(Math.min(4, shape.height()));
    int width = 1 + random.nextInt(Math.min(4, shape.width()));
    return new Window(
        height,
        width,
        1 + random.nextInt(3),
        1 + random.nextInt(3),
        random.nextInt(height),
        random.nextInt(width));
  }

  private Layer activation() {
    return switch (random.nextInt(7)) {
      case 0 -> new Activation.Relu();
      case 1 -> new Activation.LeakyRelu(0.1);
      case 2 -> new Activation.Elu(1.3);
      case 3 -> new Activation.Gelu();
      case 4 -> new Activation.Tanh();
      case 5 -> new Activation.Sigmoid();
      default -> new Activation.TemperedSigmoid(2, 1.5, 0.7);
    };
  }
}
