package dev.discreet.core.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

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

  /** Loss and slopes of a row are those without weights times the weight of its class. */
  @Test
  void weightsScaleLossAndSlopesOfTheirClass() {
    ClassBalance balance = ClassBalance.EVEN.weighing(0.5, 4);
    double[] output = {0.3, -1.2};
    for (Loss loss : List.of(new Loss.SoftmaxCrossEntropy(), new Loss.Logistic())) {
      for (int label = 0; label < 2; label++) {
        double weight = balance.weights().get(label);
        double[] target = {label};
        double[] even = new double[2];
        double[] weighed = new double[2];
        double value = loss.value(output, target, even);
        assertEquals(weight * value, loss.with(balance).value(output, target, weighed));
        assertArrayEquals(new double[] {weight * even[0], weight * even[1]}, weighed);
        double[] one = {0.7};
        double[] slope = new double[1];
        double[] weighedSlope = new double[1];
        double alone = new Loss.Logistic().value(one, target, slope);
        assertEquals(weight * alone, new Loss.Logistic(balance).value(one, target, weighedSlope));
        assertEquals(weight * slope[0], weighedSlope[0]);
      }
      assertArrayEquals(loss.prediction(output), loss.with(balance).prediction(output));
    }
  }

  @Test
  void theThresholdDecidesBetweenTwoClasses() {
    ClassBalance balance = ClassBalance.EVEN.takingAbove(0.3);
    for (double probability : new double[] {0.01, 0.29, 0.31, 0.5, 0.99}) {
      double odds = Math.log(probability / (1 - probability));
      int expected = probability > 0.3 ? 1 : 0;
      assertEquals(expected, balance.taken(new double[] {odds}));
      assertEquals(expected, balance.taken(new double[] {2, 2 + odds}));
      assertEquals(probability > 0.5 ? 1 : 0, ClassBalance.EVEN.taken(new double[] {odds}));
    }
    assertEquals(2, ClassBalance.EVEN.taken(new double[] {1, 1, 3, 3}));
  }

  @Test
  void refusesWhatDoesNotFitTheClasses() {
    Loss three = new Loss.SoftmaxCrossEntropy(ClassBalance.EVEN.weighing(1, 2, 3));
    three.check(3);
    refused("weights must be one for each of 2 classes", () -> three.check(2));
    Loss low = new Loss.SoftmaxCrossEntropy(ClassBalance.EVEN.takingAbove(0.3));
    low.check(2);
    refused("threshold must be 0.5 unless there are 2 classes", () -> low.check(3));
    refused(
        "threshold of a logistic loss must be 0.5 unless",
        () -> new Loss.Logistic(low.balance()).check(2));
    refused("weights must be in [1e-6, 1e6]", () -> ClassBalance.EVEN.weighing(1, 0));
    refused("weights must be in [1e-6, 1e6]", () -> ClassBalance.EVEN.weighing(1, 1e25));
    refused("threshold must be in (0, 1)", () -> ClassBalance.EVEN.takingAbove(1));
    refused(
        "must be softmax or logistic. Provided value: squared",
        () -> new Loss.SquaredError().with(low.balance()));
    assertFalse(new Loss.Logistic(three.balance()).takes(3, 3));
  }

  private static void refused(String message, Executable asked) {
    String said = assertThrows(IllegalArgumentException.class, asked).getMessage();
    assertTrue(said.contains(message), said);
  }
}
