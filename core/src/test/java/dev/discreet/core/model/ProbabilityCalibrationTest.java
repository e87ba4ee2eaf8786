package dev.discreet.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbabilityCalibrationTest {
  private static Model model(String network, int inputs, float... parameters) {
    Layout layout = Network.parse(network).on(Shape.vector(inputs));
    return new Model(layout, parameters, ModelPrivacy.none("NOT PRIVATE: made up."));
  }

  /** Log-odds are x, and labels are drawn from those times 0.4 and less 0.5. */
  private static Examples two(int n) {
    Random random = new Random(1);
    float[] inputs = new float[n];
    float[] labels = new float[n];
    for (int i = 0; i < n; i++) {
      inputs[i] = (float) (3 * random.nextGaussian());
      double odds = 0.4 * inputs[i] - 0.5;
      labels[i] = random.nextDouble() < 1 / (1 + Math.exp(-odds)) ? 1 : 0;
    }
    return Examples.of(Shape.vector(1), inputs, 1, labels);
  }

  private static Evaluation.Classification evaluated(Model model, Examples rows) {
    try (PublicGradients gradients = Engine.standard().open(model.layout(), rows)) {
      return (Evaluation.Classification)
          Evaluation.of(gradients, model.layout(), model.parameters(), rows);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"dense(1) loss=logistic", "dense(2)", "dense(2) loss=softmax(weights=1|4)"})
  void aModelThatIsTooSureIsBroughtInLine(String network) {
    Model sure =
        network.startsWith("dense(1)")
            ? model(network, 1, 1, 0)
            : model(network, 1, -0.5f, 0.5f, 0.25f, 0.25f);
    Examples rows = two(40_000);
    ProbabilityCalibration found = ProbabilityCalibration.fit(Engine.standard(), sure, rows);
    // Three deviations of 40,000 rows, about 0.006 and 0.014.
    assertEquals(0.4, found.scale(), 0.02);
    assertEquals(-0.5, found.shift(), 0.05);
    Evaluation.Classification before = evaluated(sure, rows);
    Evaluation.Classification after = evaluated(found.applied(sure), rows);
    assertTrue(before.quality().orElseThrow().calibration().error() > 0.1);
    assertTrue(after.quality().orElseThrow().calibration().error() < 0.02);
    assertTrue(after.loss() < before.loss());
    assertEquals(before.quality().orElseThrow().auc(), after.quality().orElseThrow().auc(), 1e-6);
  }

  /** At the best fit, what was said and what was have one mean, and one mean times log-odds. */
  @Test
  void theSlopesOfTheFitAreZero() {
    Random random = new Random(2);
    double[] odds = random.doubles(500, -4, 4).toArray();
    int[] labels = new int[500];
    for (int i = 0; i < 500; i++) {
      labels[i] = random.nextDouble() < 1 / (1 + Math.exp(-odds[i])) ? 1 : 0;
    }
    int second = Arrays.stream(labels).sum();
    ProbabilityCalibration found = ProbabilityCalibration.platt(odds, labels, true);
    double mean = 0;
    double product = 0;
    for (int i = 0; i < 500; i++) {
      double target = labels[i] == 1 ? (second + 1.0) / (second + 2) : 1.0 / (500 - second + 2);
      double away = 1 / (1 + Math.exp(-found.scale() * odds[i] - found.shift())) - target;
      mean += away;
      product += away * odds[i];
    }
    assertEquals(0, mean, 1e-7);
    assertEquals(0, product, 1e-7);
  }

  @Test
  void moreClassesHaveOneTemperature() {
    Random random = new Random(3);
    int n = 30_000;
    float[] inputs = new float[3 * n];
    float[] labels = new float[n];
    for (int i = 0; i < n; i++) {
      double[] odds = new double[3];
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        inputs[3 * i + k] = (float) (4 * random.nextGaussian());
        odds[k] = Math.exp(0.25 * inputs[3 * i + k]);
        sum += odds[k];
      }
      double draw = random.nextDouble() * sum;
      labels[i] = draw < odds[0] ? 0 : draw < odds[0] + odds[1] ? 1 : 2;
    }
    Examples rows = Examples.of(Shape.vector(3), inputs, 1, labels);
    Model sure = model("dense(3)", 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    ProbabilityCalibration found = ProbabilityCalibration.fit(Engine.standard(), sure, rows);
    assertEquals(0.25, found.scale(), 0.01);
    assertEquals(0, found.shift());
    assertEquals(
        evaluated(sure, rows).confusion(), evaluated(found.applied(sure), rows).confusion());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "dense(1) loss=squared; model to calibrate must be one of probabilities",
        "dense(2) relu; last layer of a model to calibrate must be dense",
      })
  void refusesOtherModels(String network, String message) {
    Layout layout = Network.parse(network).on(Shape.vector(1));
    Model model =
        new Model(layout, new float[layout.parameters()], ModelPrivacy.none("NOT PRIVATE: none."));
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> ProbabilityCalibration.fit(Engine.standard(), model, two(10)))
            .getMessage();
    assertTrue(said.contains(message), said);
  }

  /** Scores that say the contrary would be turned around, which is no calibration. */
  @Test
  void refusesAModelThatDoesWorseThanChance() {
    Model contrary = model("dense(1) loss=logistic", 1, -1, 0);
    assertThrows(
        IllegalArgumentException.class,
        () -> ProbabilityCalibration.fit(Engine.standard(), contrary, two(1000)));
  }
}
