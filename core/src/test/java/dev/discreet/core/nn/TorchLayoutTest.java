package dev.discreet.core.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TorchLayoutTest {

  private static int[] places(String network, Shape shape, int tensor) {
    return TorchLayout.of(Network.parse(network).on(shape)).tensors().get(tensor).places();
  }

  @Test
  void denseIsOutByIn() {
    // Ours, in×out: w00 w01 | w10 w11 | w20 w21.
    assertArrayEquals(new int[] {0, 2, 4, 1, 3, 5}, places("dense(2)", Shape.vector(3), 0));
    assertArrayEquals(new int[] {6, 7}, places("dense(2)", Shape.vector(3), 1));
  }

  @Test
  void convIsOutInHeightWidth() {
    // Ours: index = ((y·1 + x)·2 + i)·2 + o for a window of 2×1.
    assertArrayEquals(
        new int[] {0, 4, 2, 6, 1, 5, 3, 7}, places("conv(2,2x1)", new Shape(2, 1, 2), 0));
    TorchLayout.Tensor grouped =
        TorchLayout.of(Network.parse("conv(4,3x2,groups=2)").on(new Shape(3, 2, 6)))
            .tensors()
            .get(0);
    assertEquals(List.of(4, 3, 3, 2), grouped.dimensions());
  }

  /** 1×2 pixels of 3 channels: ours a0 b0 c0 a1 b1 c1, PyTorch's a0 a1 b0 b1 c0 c1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dense(1)",
        "flatten dense(1)",
        "flatten relu dropout(0.5) flatten dense(1)",
        "residual(tanh) flatten residual(relu) dense(1)",
        "flatten conv(1,1)",
        "flatten globalavgpool dense(1)"
      })
  void columnsAfterFlattenFollowPyTorch(String network) {
    assertArrayEquals(
        new int[] {0, 3, 1, 4, 2, 5}, places(network, new Shape(1, 2, 3), 0), network);
  }

  @Test
  void aNormAfterFlattenFollowsToo() {
    assertArrayEquals(
        new int[] {0, 3, 1, 4, 2, 5}, places("flatten layernorm", new Shape(1, 2, 3), 0));
    assertArrayEquals(
        new int[] {6, 9, 7, 10, 8, 11}, places("flatten groupnorm(1)", new Shape(1, 2, 3), 1));
    assertArrayEquals(new int[] {0, 1, 2}, places("layernorm", new Shape(1, 2, 3), 0));
  }

  @Test
  void embeddingsAndWhatFollowsStayInOrder() {
    int[] table = places("embedding(4,3) layernorm flatten dense(1)", Shape.vector(2), 0);
    assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, table);
    assertArrayEquals(
        new int[] {18, 19, 20, 21, 22, 23},
        places("embedding(4,3) layernorm flatten dense(1)", Shape.vector(2), 3));
    // A convolution puts channels first.
    int[] dense = places("embedding(4,3) conv(3,1) dense(1)", Shape.vector(2), 3);
    assertArrayEquals(new int[] {24, 27, 25, 28, 26, 29}, dense);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mnist-cnn",
        "cifar-cnn",
        "conv(4,3) groupnorm(2) projected(conv(6,3,stride=2,pad=1,groups=2) residual(relu)) flatten"
            + " layernorm dense(7) residual(dense(7)) dense(3,bias=false)"
      })
  void roundTrip(String name) {
    Layout layout = Network.named(name).on(new Shape(32, 31, 3));
    float[] parameters = layout.initial(Initialiser.HE_NORMAL, 1);
    float[] back = new float[parameters.length];
    int[] seen = new int[parameters.length];
    List<TorchLayout.Tensor> tensors = TorchLayout.of(layout).tensors();
    for (TorchLayout.Tensor tensor : tensors) {
      assertEquals(
          tensor.places().length,
          tensor.dimensions().stream().reduce(1, Math::multiplyExact),
          tensor.name());
      tensor.fromTorch(tensor.toTorch(parameters), back);
      for (int place : tensor.places()) {
        seen[place]++;
      }
    }
    assertArrayEquals(parameters, back);
    assertTrue(Arrays.stream(seen).allMatch(n -> n == 1));
    assertEquals(
        layout.slices().stream().map(Layout.Slice::name).toList(),
        tensors.stream().map(TorchLayout.Tensor::name).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "flatten groupnorm(2) | layer 1, ",
        "conv(2,1,standardised=true) | layer 0, ",
        "flatten conv(2,1,groups=2) | layer 1, ",
        "flatten residual(dense(8)) | layer 1, ",
        "relu flatten projected(relu) | layer 2, ",
        "flatten maxpool(2,pad=1,stride=1) | layer 1, ",
      })
  void whatPyTorchCannotMeanIsRefused(String network, String start) {
    Layout layout = Network.parse(network).on(new Shape(2, 2, 2));
    String message =
        assertThrows(IllegalArgumentException.class, () -> TorchLayout.of(layout)).getMessage();
    assertTrue(message.startsWith(start), message);
  }

  @Test
  void featuresHaveNoTwinInPyTorch() {
    Layout layout = Network.parse("scattering(1,2) flatten dense(2)").on(new Shape(4, 4, 1));
    String message =
        assertThrows(IllegalArgumentException.class, () -> TorchLayout.of(layout)).getMessage();
    assertTrue(message.startsWith("layer 0, ") && message.contains("scattering(1,2)"), message);
    assertTrue(message.contains("--features none"), message);
  }

  @Test
  void anotherLengthIsRefused() {
    TorchLayout.Tensor tensor =
        TorchLayout.of(Network.parse("dense(2)").on(Shape.vector(3))).tensors().get(0);
    assertEquals(
        "0.weight must be 6 values. Provided value: 5",
        assertThrows(
                IllegalArgumentException.class, () -> tensor.fromTorch(new float[5], new float[8]))
            .getMessage());
  }
}
