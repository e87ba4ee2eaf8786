package dev.discreet.audit.membership;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Loss;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowStatisticTest {
  private static final Loss SOFTMAX = new Loss.SoftmaxCrossEntropy();

  @Test
  void isTheLogarithmOfTheOdds() {
    double[] output = {0.3, -1.2, 2.5};
    double[] shares = SOFTMAX.prediction(output);
    for (int label = 0; label < 3; label++) {
      double odds = shares[label] / (1 - shares[label]);
      assertEquals(
          Math.log(odds), RowStatistic.confidence(SOFTMAX, output, new double[] {label}), 1e-9);
    }
    // Of one output that stands for two classes, it is the output itself or its opposite.
    Loss logistic = new Loss.Logistic();
    assertEquals(
        1.5, RowStatistic.confidence(logistic, new double[] {1.5}, new double[] {1}), 1e-9);
    assertEquals(
        -1.5, RowStatistic.confidence(logistic, new double[] {1.5}, new double[] {0}), 1e-9);
  }

  @Test
  void aProbabilityThatRoundsToOneStillHasOdds() {
    assertEquals(
        200 - Math.log(2),
        RowStatistic.confidence(SOFTMAX, new double[] {200, 0, 0}, new double[] {0}),
        1e-9);
    assertEquals(
        -200, RowStatistic.confidence(SOFTMAX, new double[] {200, 0}, new double[] {1}), 1e-9);
  }

  @Test
  void aSmallerLossIsALargerScore() {
    Task classes = new Task.Classes(List.of("a", "b"));
    Task number = new Task.Number("income", 0, 1);
    assertArrayEquals(new double[] {3, -1}, RowStatistic.lossScores(classes, new float[] {3, -1}));
    assertArrayEquals(new double[] {-3, -1}, RowStatistic.lossScores(number, new float[] {3, -1}));
  }
}
