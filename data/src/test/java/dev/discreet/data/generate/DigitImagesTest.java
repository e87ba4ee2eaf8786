package dev.discreet.data.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigitImagesTest {
  /** Normalised pixels have about mean 0 and deviation 1, whatever the seed. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -5})
  void theStatedFiguresFit(long seed) {
    Examples digits = GeneratedSets.make("digits", seed, 4_000, 0).train().examples();
    float[] image = new float[28 * 28];
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < digits.size(); i++) {
      digits.input(i, image, 0);
      for (float value : image) {
        sum += value;
        squares += value * value;
      }
    }
    double n = digits.size() * 784.0;
    assertEquals(0, sum / n, 0.02);
    assertEquals(1, Math.sqrt(squares / n), 0.02);
  }

  /** Strokes stay on the sheet: what is cut off at the edge is little. */
  @Test
  void strokesLieInTheBox() {
    for (int digit = 0; digit < 10; digit++) {
      assertTrue(DigitStrokes.styles(digit) >= 3);
      for (int style = 0; style < DigitStrokes.styles(digit); style++) {
        DigitStrokes strokes = DigitStrokes.of(digit, style);
        assertEquals(strokes.points(), strokes.first()[strokes.first().length - 1]);
        for (int i = 0; i < strokes.points(); i++) {
          assertTrue(strokes.x()[i] > 0.1 && strokes.x()[i] < 0.9, digit + " " + style);
          assertTrue(strokes.y()[i] > 0 && strokes.y()[i] < 1, digit + " " + style);
        }
      }
    }
  }

  @Test
  void strokesAreParsed() {
    DigitStrokes strokes = DigitStrokes.parse("10,20 30,40! / 50,60 7,8");
    assertEquals(4, strokes.points());
    assertEquals(2, strokes.first()[1]);
    assertTrue(strokes.corner()[1] && !strokes.corner()[3]);
    assertEquals(0.07, strokes.x()[3]);
  }

  /** Ink falls off across the pen's edge and covers no pixel far away. */
  @Test
  void thePenHasASoftEdge() {
    InkCanvas sheet = new InkCanvas(9);
    sheet.line(-2, 4.5, 1, 11, 4.5, 1, 0.8);
    for (int column = 0; column < 9; column++) {
      assertEquals(0.8, sheet.ink(4 * 9 + column), 1e-12);
      assertEquals(0.4, sheet.ink(3 * 9 + column), 1e-12);
      assertEquals(0.4, sheet.ink(5 * 9 + column), 1e-12);
      assertEquals(0, sheet.ink(2 * 9 + column));
      assertEquals(0, sheet.ink(6 * 9 + column));
    }
    sheet.clear();
    assertEquals(0, sheet.ink(40));
  }

  /** The two ends of the hardness, without privacy; the private figure is in the docs. */
  @Test
  void tooHardForALineAndFineForANetwork() {
    DataSet digits = GeneratedSets.make("digits", 0);
    double line = accuracy("logistic", digits, 8);
    double cnn = accuracy("mnist-cnn", digits, 4);
    assertTrue(line > 0.6 && line < 0.92, "linear " + line);
    assertTrue(cnn > 0.98, "cnn " + cnn);
  }

  private static double accuracy(String network, DataSet data, double epochs) {
    PrivacyPlan plan = PrivacyPlan.nonPrivate().lotSize(128).epochs(epochs).build();
    return ((Evaluation.Classification)
            Trainer.nonPrivate(Network.named(network, 10), plan)
                .optimizer(new Optimizer.Adam())
                .learningRate(1e-3)
                .ema(0.99)
                .insecureSeed(1)
                .evaluateEvery(1_000_000)
                .train(
                    data.train().examples(),
                    TestSet.declaredPublic(data.test().orElseThrow().examples()))
                .evaluation()
                .orElseThrow())
        .accuracy();
  }
}
