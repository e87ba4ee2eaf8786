package dev.discreet.core.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class LossTest {

  @Test
  void huberIsLinearBeyondItsThreshold() {
    double[] slopes = new double[4];
    double loss =
        new Loss.Huber(2).value(new double[] {1, -1, 5, -5}, new double[] {0, 0, 0, 0}, slopes);
    assertEquals(0.5 + 0.5 + 8 + 8, loss);
    assertArrayEquals(new double[] {1, -1, 2, -2}, slopes);
  }

  /** A unit with such a slope is refused; a finite one would be clipped and summed. */
  @Test
  void whatIsNotANumberHasNoSlope() {
    for (Loss loss :
        List.of(
            new Loss.Huber(1),
            new Loss.Huber(Double.POSITIVE_INFINITY),
            new Loss.SquaredError(),
            new Loss.Logistic(),
            new Loss.SoftmaxCrossEntropy())) {
      double[] slopes = new double[2];
      double value = loss.value(new double[] {Double.NaN, 0}, new double[] {1}, slopes);
      assertTrue(Double.isNaN(value) && Double.isNaN(slopes[0]), loss.toString());
    }
  }

  @Test
  void predictionsAreProbabilitiesWhereTheLossIsOneOfClasses() {
    double[] output = {0, Math.log(3)};
    assertArrayEquals(
        new double[] {0.25, 0.75}, new Loss.SoftmaxCrossEntropy().prediction(output), 1e-15);
    assertArrayEquals(new double[] {0.5, 0.75}, new Loss.Logistic().prediction(output), 1e-15);
    // One output tells two classes apart.
    double[] one = {Math.log(3)};
    assertArrayEquals(new double[] {0.25, 0.75}, new Loss.Logistic().prediction(one), 1e-15);
    assertArrayEquals(output, new Loss.SquaredError().prediction(output));
    assertArrayEquals(output, new Loss.Huber(1).prediction(output));
  }

  @Test
  void largeOutputsHaveProbabilitiesToo() {
    double[] large = {1000, 0};
    assertArrayEquals(new double[] {1, 0}, new Loss.SoftmaxCrossEntropy().prediction(large));
    assertArrayEquals(new double[] {1, 0.5}, new Loss.Logistic().prediction(large));
  }
}
