package dev.discreet.core.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "conv(16,8,stride=2,pad=3) relu maxpool(2,stride=1) flatten dense(10)",
        "conv(16,8x4,stride=2x1,pad=3x0,groups=4,bias=false,standardised=true) dense(3,bias=false)",
        "maxpool(3x2) avgpool(3,stride=2,pad=1) globalavgpool dense(1) loss=logistic",
        "residual(conv(4,3,pad=1) relu residual(tanh) conv(4,3,pad=1)) gelu dense(2)",
        "projected(conv(8,3,stride=2,pad=1) groupnorm(4) elu(1)) layernorm sigmoid dense(10)",
        "embedding(1000,16) dropout(0.2) flatten dense(2)",
        "scattering(2,8,together=3) flatten dense(10)",
        "leakyrelu(0.01) elu(-0.5) temperedsigmoid(2,2,1) dense(1) loss=squared",
        "dense(1) loss=huber(0.1)",
        "dense(1) loss=huber(Infinity)"
      })
  void roundTrip(String text) {
    Network network = Network.parse(text);
    assertEquals(text, network.toString());
    assertEquals(network, Network.parse(network.toString()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "  relu   dense( 10 ) | relu dense(10)",
        "conv(16, 8, pad = 0, stride=1x1) | conv(16,8)",
        "maxpool(2,stride=2) avgpool(2x2) | maxpool(2) avgpool(2)",
        "residual( relu )relu | residual(relu) relu",
        "leakyrelu elu tanh() | leakyrelu(0.01) elu(1) tanh",
        "dense(1,bias=true) loss = huber | dense(1) loss=huber(1)",
        "dense(2) loss=softmax | dense(2)",
        "scattering(3, 4, together=0) dense(2) | scattering(3,4) dense(2)",
        "dropout(1e-1) | dropout(0.1)"
      })
  void oneTextForEachNetwork(String written, String canonical) {
    assertEquals(canonical, Network.parse(written).toString());
  }

  /** Layers with awkward numbers, exactly back. */
  @Test
  void randomRoundTrips() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 2000; i++) {
      Network network = new Network(layers(random, 2), loss(random));
      assertEquals(network, Network.parse(network.toString()));
    }
  }

  private static List<Layer> layers(SplittableRandom random, int depth) {
    List<Layer> layers = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      layers.add(layer(random, depth));
    }
    return layers;
  }

  private static Layer layer(SplittableRandom random, int depth) {
    int n = random.nextInt(1, 40);
    double x = random.nextDouble(-3, 3);
    return switch (random.nextInt(depth > 0 ? 18 : 17)) {
      case 0 -> new Layer.Dense(n, random.nextBoolean());
      case 1, 2 -> {
        int groups = random.nextInt(1, 4);
        yield new Layer.Conv(
            n * groups, window(random), groups, random.nextBoolean(), random.nextBoolean());
      }
      case 3 -> new Layer.MaxPool(window(random));
      case 4 -> new Layer.AveragePool(window(random));
      case 5 -> new Layer.GlobalAveragePool();
      case 6 -> new Activation.Relu();
      case 7 -> new Activation.LeakyRelu(x);
      case 8 -> new Activation.Elu(x * 1e-9);
      case 9 -> new Activation.Gelu();
      case 10 -> new Activation.Tanh();
      case 11 -> new Activation.Sigmoid();
      case 12 -> new Activation.TemperedSigmoid(x, 1e20 * x, -0.0);
      case 13 -> new Layer.Flatten();
      case 14 -> new Layer.Dropout(random.nextDouble());
      case 15 -> random.nextBoolean() ? new Layer.GroupNorm(n) : new Layer.LayerNorm();
      case 16 -> new Layer.Embedding(n, 2 * n);
      default -> new Layer.Residual(layers(random, depth - 1), random.nextBoolean());
    };
  }

  private static Window window(SplittableRandom random) {
    int height = random.nextInt(1, 6);
    int width = random.nextInt(1, 6);
    return new Window(
        height,
        width,
        random.nextInt(1, 4),
        random.nextInt(1, 4),
        random.nextInt(height),
        random.nextInt(width));
  }

  private static Loss loss(SplittableRandom random) {
    ClassBalance balance =
        new ClassBalance(
            random.doubles(random.nextInt(4), 1e-9, 9).boxed().toList(),
            random.nextBoolean() ? 0.5 : random.nextDouble(0.01, 0.99));
    return switch (random.nextInt(6)) {
      case 0 -> new Loss.SoftmaxCrossEntropy();
      case 1 -> new Loss.Logistic();
      case 4 -> new Loss.SoftmaxCrossEntropy(balance);
      case 5 -> new Loss.Logistic(balance);
      case 2 -> new Loss.SquaredError();
      default -> new Loss.Huber(random.nextDouble() + 1e-3);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "relu convv(3,2) | position 6: layer must be one of [avgpool, conv,| convv",
        "relu, dense(1) | position 5: layer must be one of | \", dense(1)\"",
        "conv(16) | position 1: window of conv must be given | none",
        "conv(x,3) | position 6: outputs of conv must be a whole number | x",
        "conv(3,3y4) | position 8: window of conv must be a whole number, or two | 3y4",
        "conv(3,3,strid=2) | position 16: option of conv must be one of [bias, groups, pad, | strid",
        "relu(slope=2) | position 12: option of relu must be none: it has no options | slope",
        "relu(2) | position 6: values of relu must be none | 2",
        "dense(1,2) | position 9: values of dense must be no more than 1 | 2",
        "conv(3,stride=2,3) | position 17: value of conv must be before the options | 3",
        "conv(3,3,pad=1,pad=1) | position 16: pad of conv must be given once | pad",
        "conv(3,3,pad=) | position 14: pad of conv must be given | \")\"",
        "dense(3,bias=no) | position 14: bias of dense must be true or false | no",
        "dense(3 | position 8: the next must be , or ) after a value of dense | the end",
        "relu conv(3,2,pad=2) | position 6: pad must be in [0, 1] | 2",
        "conv(4,2,groups=3) | position 1: groups of conv must be a divisor of 4 | 3",
        "dropout(1) | position 1: rate of dropout must be in [0, 1) | 1",
        "residual() | position 1: body of residual must be at least one layer | none",
        "residual relu | position 10: the next must be the layers of residual in | \"relu\"",
        "residual(relu | position 14: the next must be a layer or ) after | the end",
        "relu ) dense(1) | position 6: after the layers there must be loss=… or nothing | \") dense",
        "relu loss=cross | position 11: loss must be one of [softmax, | cross",
        "relu loss=huber(-1) | position 11: threshold of huber must be greater than 0 | -1",
        "relu loss=softmax(weights=x) | position 27: weights of softmax must be numbers with | x",
        "relu loss=logistic(threshold=1) | position 11: threshold must be in (0, 1) | 1",
        "relu loss=softmax dense(1) | position 19: after the loss there must be nothing | \"dense",
        "residual(relu loss=squared) | position 15: the next must be a layer or ) | \"loss=",
        "loss=squared | network must be at least one layer | \"loss=squared\"",
        "'' | network must be at least one layer | \"\"",
      })
  void errorsNamePositionFoundAndAllowed(String text, String start, String found) {
    String message = message(text);
    assertTrue(message.startsWith(start), message);
    assertTrue(message.contains("Provided value: " + found), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"conv(3,3) batchnorm relu", "dense(3) batchnorm2d(3)"})
  void batchNormalisationIsRefusedWithReasonAndReplacement(String text) {
    String message = message(text);
    assertTrue(message.contains("groupnorm"), message);
    assertTrue(message.contains("mix the units"), message);
    assertTrue(message.contains("batchnorm"), message);
  }

  private static String message(String text) {
    return assertThrows(IllegalArgumentException.class, () -> Network.parse(text)).getMessage();
  }

  @Test
  void builderSaysTheSame() {
    Network built =
        Network.builder()
            .conv(16, 8, 2, 3)
            .relu()
            .maxPool(2, 1)
            .residual(block -> block.conv(16, 3, 1, 1).groupNorm(4))
            .projected(block -> block.conv(8, 3).leakyRelu(0.1))
            .averagePool(2)
            .layerNorm()
            .shift()
            .dropout(0.5)
            .add(new Layer.Conv(4, new Window(1, 2, 1, 1, 0, 0), 2, false, true))
            .globalAveragePool()
            .flatten()
            .elu(1)
            .gelu()
            .tanh()
            .sigmoid()
            .temperedSigmoid(2, 2, 1)
            .dense(3)
            .loss(new Loss.Huber(2))
            .build();
    assertEquals(
        "conv(16,8,stride=2,pad=3) relu maxpool(2,stride=1)"
            + " residual(conv(16,3,pad=1) groupnorm(4)) projected(conv(8,3) leakyrelu(0.1))"
            + " avgpool(2) layernorm shift dropout(0.5)"
            + " conv(4,1x2,groups=2,bias=false,standardised=true) globalavgpool flatten elu(1) gelu"
            + " tanh sigmoid temperedsigmoid(2,2,1) dense(3) loss=huber(2)",
        built.toString());
    assertEquals(built, Network.parse(built.toString()));
    assertEquals("embedding(5,2)", Network.builder().embedding(5, 2).build().toString());
  }
}
