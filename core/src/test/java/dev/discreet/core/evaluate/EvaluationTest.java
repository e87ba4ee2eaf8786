package dev.discreet.core.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.Evaluation.Regression;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.ClassBalance;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvaluationTest {
  @Test
  void whatIsWrittenIsReadToTheBit() {
    List<Evaluation> all =
        List.of(
            new Classification(10, 0.1 + 0.2, List.of(List.of(4, 1), List.of(2, 3))),
            new Regression(10, Double.NaN, 1e-300, Double.POSITIVE_INFINITY));
    for (Evaluation each : all) {
      String json = JsonFields.write(each.fields());
      assertEquals(each, Evaluation.read(JsonFields.parse("evaluation", json)));
    }
  }

  @Test
  void countsClassesByTheLargestOutput() {
    Examples set =
        Examples.of(
            Shape.vector(3), inputs(5, 1, 0, 0, 9, 8, 2, 1, 0, 1, 2, 3), 1, inputs(0, 1, 2, 2));
    Classification result =
        assertInstanceOf(Classification.class, evaluate(new Loss.SoftmaxCrossEntropy(), 3, set));
    assertEquals(List.of(List.of(1, 0, 0), List.of(0, 1, 0), List.of(1, 0, 1)), result.confusion());
    assertEquals(0.75, result.accuracy());
    assertEquals(0.5, result.largestClass());
    double expected = 0;
    int[] label = {0, 1, 2, 2};
    double[][] z = {{5, 1, 0}, {0, 9, 8}, {2, 1, 0}, {1, 2, 3}};
    for (int i = 0; i < 4; i++) {
      expected +=
          Math.log(Math.exp(z[i][0]) + Math.exp(z[i][1]) + Math.exp(z[i][2])) - z[i][label[i]];
    }
    assertEquals(expected / 4, result.loss(), 1e-12);
  }

  @Test
  void oneLogisticOutputTellsTwoClassesApart() {
    Examples set = Examples.of(Shape.vector(1), inputs(-2, 3, 1), 1, inputs(0, 1, 0));
    Classification result =
        assertInstanceOf(Classification.class, evaluate(new Loss.Logistic(), 1, set));
    assertEquals(List.of(List.of(1, 1), List.of(0, 1)), result.confusion());
    // A threshold moves what is taken; weights say what to learn, and not how well it was learnt.
    ClassBalance balance = ClassBalance.EVEN.weighing(1, 7).takingAbove(0.9);
    Classification high =
        assertInstanceOf(Classification.class, evaluate(new Loss.Logistic(balance), 1, set));
    assertEquals(List.of(List.of(2, 0), List.of(0, 1)), high.confusion());
    assertEquals(result.loss(), high.loss());
    assertEquals(result.quality(), high.quality());
  }

  @Test
  void measuresRegressionOverManyBatches() {
    float[] x = new float[2 * 2500];
    float[] y = new float[2 * 2500];
    for (int i = 0; i < x.length; i++) {
      x[i] = i % 7;
      y[i] = i % 7 + (i % 2 == 0 ? 1 : 3);
    }
    Regression result =
        assertInstanceOf(
            Regression.class,
            evaluate(new Loss.SquaredError(), 2, Examples.of(Shape.vector(2), x, 2, y)));
    double variance = 0;
    for (int j = 0; j < 2; j++) {
      double mean = 0;
      double squares = 0;
      for (int i = j; i < y.length; i += 2) {
        mean += y[i] / 2500.0;
        squares += y[i] * y[i] / 2500.0;
      }
      variance += (squares - mean * mean) / 2;
    }
    assertEquals(new Regression(2500, 5, 5, result.variance(), result.quality()), result);
    assertEquals(2, result.quality().orElseThrow().meanAbsoluteError());
    assertEquals(variance, result.variance(), 1e-9);
    assertEquals(1 - 5 / variance, result.rSquared(), 1e-9);
  }

  @Test
  void refusesTargetsThatAreNone() {
    for (float bad : new float[] {-1, 2, Float.NaN}) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              evaluate(
                  new Loss.Logistic(),
                  1,
                  Examples.of(Shape.vector(1), inputs(1, 1), 1, inputs(1, bad))));
    }
    assertEquals(
        "target of example 1 must be finite. Provided value: Infinity",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    evaluate(
                        new Loss.SquaredError(),
                        1,
                        Examples.of(
                            Shape.vector(1), inputs(1, 1), 1, inputs(9, Float.POSITIVE_INFINITY))))
            .getMessage());
  }

  @Test
  void refusesNothingToEvaluate() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            evaluate(
                new Loss.SquaredError(), 1, Examples.of(Shape.vector(1), inputs(), 1, inputs())));
  }

  private static float[] inputs(float... values) {
    return values;
  }

  /** A model that answers with its input. */
  private static Evaluation evaluate(Loss loss, int outputs, Examples set) {
    Layout layout = new Network(List.of(new Activation.Relu()), loss).on(Shape.vector(outputs));
    return Evaluation.of(new Echo(set), layout, new float[0], set);
  }

  private record Echo(Examples set) implements PublicGradients {
    @Override
    public float[] predict(float[] parameters, int[] examples) {
      int size = set.input().size();
      float[] out = new float[examples.length * size];
      for (int i = 0; i < examples.length; i++) {
        set.input(examples[i], out, i * size);
      }
      return out;
    }

    @Override
    public void gradientSum(float[] parameters, int[] examples, double[] sum) {
      throw new UnsupportedOperationException();
    }

    @Override
    public float[][] perExampleGradients(float[] parameters, int[] examples) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double[] directionalDerivatives(float[] parameters, int[] examples, float[] v) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double loss(float[] parameters, int[] examples) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
