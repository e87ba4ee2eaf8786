package dev.discreet.core.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedNetworksTest {
  private static final Shape MNIST = new Shape(28, 28, 1);
  private static final Shape CIFAR = new Shape(32, 32, 3);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "linear | flatten dense(1) loss=squared",
        "linear(outputs=3) | flatten dense(3) loss=squared",
        "logistic(classes=2) | flatten dense(2)",
        "mlp(1000,classes=10) | flatten dense(1000) relu dense(10)",
        "mlp(20,30,classes=4) | flatten dense(20) relu dense(30) relu dense(4)",
        "mnist-cnn | conv(16,8,stride=2,pad=3) relu maxpool(2,stride=1) conv(32,4,stride=2) relu"
            + " maxpool(2,stride=1) flatten dense(32) relu dense(10)",
        "scattering-linear | scattering(2,8,together=3) flatten dense(10)",
        "scattering-cnn | scattering(2,8,together=3) conv(64,3,pad=1) tanh avgpool(2)"
            + " conv(64,3,pad=1) tanh avgpool(2) flatten dense(10)",
        "wrn(10,1,classes=3) | conv(16,3,pad=1,standardised=true) relu groupnorm(16)"
            + " projected(conv(16,3,pad=1,standardised=true) relu groupnorm(16)"
            + " conv(16,3,pad=1,standardised=true)) relu groupnorm(16)"
            + " projected(conv(32,3,stride=2,pad=1,standardised=true) relu groupnorm(16)"
            + " conv(32,3,pad=1,standardised=true)) relu groupnorm(16)"
            + " projected(conv(64,3,stride=2,pad=1,standardised=true) relu groupnorm(16)"
            + " conv(64,3,pad=1,standardised=true)) relu groupnorm(16) globalavgpool dense(3)",
        "tanh dense(2) | tanh dense(2)",
      })
  void text(String name, String text) {
    assertEquals(text, Network.named(name).toString());
  }

  @Test
  void everyListedNameTakesTheClassesOfTheData() {
    for (String name : NamedNetworks.NAMES) {
      if (!name.equals("linear")) {
        assertEquals(3, Network.named(name, 3).on(CIFAR).outputs(), name);
      }
    }
    assertEquals(1, Network.named("linear").on(CIFAR).outputs());
    assertEquals(4, Network.named("logistic(classes=4)", 4).on(CIFAR).outputs());
    assertEquals("tanh dense(2)", Network.named("tanh dense(2)", 2).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "logistic(classes=5) | 3 | classes of logistic must be as many as the data have, 3."
            + " Provided value: 5",
        "mnist-cnn | 1 | classes of mnist-cnn must be at least 2. Provided value: 1",
        "linear | 3 | network of data with classes must be another than linear, which predicts"
            + " numbers. Provided value: linear",
      })
  void whatDataOfSoManyClassesCannotHave(String name, int classes, String message) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> Network.named(name, classes))
            .getMessage());
  }

  @Test
  void mnistCnn() {
    Layout layout = Network.named("mnist-cnn").on(MNIST);
    // 8·8·16 + 16, 4·4·16·32 + 32, 512·32 + 32, 32·10 + 10
    assertEquals(1040 + 8224 + 16416 + 330, layout.parameters());
    assertEquals(26_010, layout.parameters());
    assertEquals(
        "14x14x16 14x14x16 13x13x16 5x5x32 5x5x32 4x4x32 512 32 32 10",
        String.join(" ", layout.nodes().stream().map(node -> node.output().toString()).toList()));
    assertEquals("7.weight", layout.slices().get(4).name());
    assertEquals("9.bias", layout.slices().get(7).name());
  }

  @Test
  void cifarCnn() {
    Layout layout = Network.named("cifar-cnn").on(CIFAR);
    // 27·32 + 32, 288·64 + 64, 576·64 + 64, 576·128 + 128, 128·10 + 10
    assertEquals(896 + 18_496 + 36_928 + 73_856 + 1_290, layout.parameters());
    assertEquals(
        "32x32x32 32x32x32 16x16x32 16x16x64 16x16x64 8x8x64 8x8x64 8x8x64 4x4x64 4x4x128 4x4x128"
            + " 128 10",
        String.join(" ", layout.nodes().stream().map(node -> node.output().toString()).toList()));
    assertEquals("12.weight", layout.slices().get(8).name());
  }

  /**
   * JAX Privacy's network of De et al. 2022 has 2,753,818 parameters, by the shapes of its layers.
   * Ours has no norm of its own on the shortcut of the three first blocks (twice 16, 64 and 128),
   * and no gains of the shortcut's convolution (64, 128 and 256).
   */
  @Test
  void wideResidual() {
    Layout layout = Network.named("wrn(16,4)").on(CIFAR);
    assertEquals(2_753_818 - 2 * (16 + 64 + 128) - (64 + 128 + 256), layout.parameters());
    assertEquals(
        "32x32x16 32x32x64 32x32x64 16x16x128 16x16x128 8x8x256 8x8x256",
        String.join(
            " ",
            layout.nodes().stream()
                .filter(n -> n.layer() instanceof Layer.Residual || n.layer() instanceof Layer.Conv)
                .map(node -> node.output().toString())
                .toList()));
    // 16 convolutions and the dense layer: the first, two a block, and three shortcuts beside.
    long convolutions =
        layout.allNodes().stream().filter(n -> n.layer() instanceof Layer.Conv).count();
    assertEquals(1 + 2 * 6 + 3, convolutions);
  }

  @Test
  void othersOnMnist() {
    assertEquals(785, Network.named("linear").on(MNIST).parameters());
    assertEquals(7850, Network.named("logistic", 10).on(MNIST).parameters());
    assertEquals(795_010, Network.named("mlp(1000)", 10).on(MNIST).parameters());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mnist | network must be one of [linear, logistic, mlp(1000), mnist-cnn, cifar-cnn,"
            + " wrn(16,4), scattering-linear, scattering-cnn], or",
        "mlp | position 1: hidden units of mlp must be given. Provided value: none",
        "mlp(ten) | position 5: hidden units of mlp must be a whole number. Provided value: ten",
        "mlp(0,classes=3) | position 9: outputs of dense must be at least 1. Provided value: 0",
        "logistic | classes of logistic must be given, as in logistic(classes=3)",
        "mlp(5) | classes of mlp must be given, as in",
        "logistic(classes=1) | classes of logistic must be at least 2. Provided value: 1",
        "wrn(16) | position 1: width of wrn must be given. Provided value: none",
        "wrn(14,4) | depth of wrn must be 10, 16, 22 and so on, up to 1000. Provided value: 14",
        "wrn(16,0) | width of wrn must be in [1, 1000]. Provided value: 0",
        "logistic(2,classes=3) | position 10: values of logistic must be none. Provided value: 2",
        "mnist-cnn relu | after the name mnist-cnn there must be nothing. Provided value: \"relu\"",
        "batchnorm | position 1: layer must be groupnorm(groups) or layernorm in place of",
      })
  void errors(String name, String start) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Network.named(name)).getMessage();
    assertTrue(message.startsWith(start), message);
  }
}
