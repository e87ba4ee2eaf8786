package dev.discreet.core.engine.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What happens to a unit's gradient, by hand on y = wx + b with squared error. */
class ReferenceEngineTest {
  private static final Layout LINE = Network.parse("dense(1) loss=squared").on(Shape.vector(1));

  /** Gradient (x·e, e) with e = wx + b − t; at w = 2, b = 1: e = 3 and 5 and −2. */
  private static final Examples POINTS =
      Examples.of(Shape.vector(1), new float[] {1, 2, -1}, 1, new float[] {0, 0, 1});

  private static final float[] THETA = {2, 1};
  private static final Units EACH = Units.each(3);

  private static StepRequest request(double... thresholds) {
    return new StepRequest(1, THETA, thresholds, SamplingKey.insecure(1), 0);
  }

  private static ReferenceEngine engine() {
    return new ReferenceEngine(LINE, POINTS);
  }

  private static UnitRule rule(ClippingRule clipping, int weight, int bias, double decay) {
    return new UnitRule(clipping, new int[] {weight, bias}, decay, new boolean[] {true, false});
  }

  @Test
  void publicGradientsByHand() {
    try (ReferenceEngine engine = engine()) {
      int[] all = {0, 1, 2};
      assertArrayEquals(
          new float[][] {{3, 3}, {10, 5}, {2, -2}}, engine.perExampleGradients(THETA, all));
      double[] sum = {7, 7};
      engine.gradientSum(THETA, all, sum);
      assertArrayEquals(new double[] {15, 6}, sum);
      assertArrayEquals(new float[] {3, 5, -1}, engine.predict(THETA, all));
      assertEquals((4.5 + 12.5 + 2) / 3, engine.loss(THETA, all), 1e-15);
    }
  }

  @Test
  void flatClippingShrinksToJustBelowTheThreshold() {
    ExactSum sum = engine().exactSum(UnitRule.flat(LINE), EACH, new int[] {0, 2}, request(3.5));
    double norm = Math.sqrt(18);
    double factor = 3.5 * Grid.SHRINK / norm;
    assertEquals(norm, sum.norms()[0][0], 1e-15);
    assertEquals(factor, sum.factors()[0][0], 1e-15);
    assertEquals(1, sum.factors()[1][0]);
    assertArrayEquals(new double[] {3 * factor + 2, 3 * factor - 2}, sum.sum(), 1e-14);
  }

  @Test
  void groupsHaveTheirOwnNorms() {
    ExactSum sum =
        engine()
            .exactSum(rule(new ClippingRule.Flat(), 1, 0, 0), EACH, new int[] {1}, request(1, 20));
    assertArrayEquals(new double[] {5, 10}, sum.norms()[0]);
    assertArrayEquals(new double[] {10, Grid.SHRINK}, sum.sum(), 1e-15);
  }

  @Test
  void aFrozenSliceHasNoGradientAndNoNorm() {
    ExactSum sum =
        engine().exactSum(rule(new ClippingRule.None(), -1, 0, 7), EACH, new int[] {1}, request(1));
    assertArrayEquals(new double[] {5}, sum.norms()[0]);
    assertArrayEquals(new double[] {0, 5}, sum.sum());
  }

  @Test
  void decayOncePerUnitHoweverManyExamples() {
    Units units = Units.of(new long[] {9, 4}, new int[][] {{0, 1}, {2}});
    double[] gradient =
        engine().unitGradient(rule(new ClippingRule.None(), 0, 0, 0.5), units, 0, request(1));
    assertArrayEquals(new double[] {3 + 10 + 0.5 * 2, 3 + 5}, gradient);
    ExactSum sum =
        engine()
            .exactSum(
                rule(new ClippingRule.None(), 0, 0, 0.5), units, new int[] {0, 1}, request(1));
    assertArrayEquals(new double[] {14 + 3, 8 - 2}, sum.sum());
  }

  @Test
  void aUnitThatIsNotFiniteContributesNothing() {
    Examples bad =
        Examples.of(
            Shape.vector(1), new float[] {1, Float.NaN, 3e38f}, 1, new float[] {0, 0, -3e38f});
    ReferenceEngine engine = new ReferenceEngine(LINE, bad);
    ExactSum sum = engine.exactSum(UnitRule.flat(LINE), EACH, new int[] {0, 1}, request(100));
    assertEquals(1, sum.refused());
    assertArrayEquals(new double[] {3, 3}, sum.sum());
    assertEquals(0, sum.factors()[1][0]);
  }

  @Test
  void anEmptyLotIsZero() {
    ExactSum sum = engine().exactSum(UnitRule.flat(LINE), EACH, new int[0], request(1));
    assertArrayEquals(new double[2], sum.sum());
  }

  @Test
  void wrongThresholdsShapesAndParametersAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> engine().exactSum(UnitRule.flat(LINE), EACH, new int[0], request(1, 1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ReferenceEngine(Network.parse("dense(1)").on(Shape.vector(2)), POINTS));
    assertThrows(
        IllegalArgumentException.class, () -> engine().predict(new float[3], new int[] {0}));
  }

  @Test
  void dropoutIsDrawnForReleasesOnly() {
    Layout layout = Network.parse("dense(40) dropout(0.5) dense(2)").on(Shape.vector(3));
    float[] theta = layout.initial(Initialiser.HE_NORMAL, 1);
    Examples examples = Examples.of(Shape.vector(3), new float[] {1, 2, 3}, 1, new float[] {1});
    ReferenceEngine engine = new ReferenceEngine(layout, examples);
    UnitRule rule = UnitRule.flat(layout);
    Units one = Units.each(1);
    SamplingKey key = SamplingKey.insecure(2);
    double[] first = engine.unitGradient(rule, one, 0, new StepRequest(1, theta, 1, key));
    double[] again = engine.unitGradient(rule, one, 0, new StepRequest(1, theta, 1, key));
    double[] second = engine.unitGradient(rule, one, 0, new StepRequest(2, theta, 1, key));
    assertArrayEquals(first, again);
    assertFalse(Arrays.equals(first, second));
    int zeros = 0;
    for (int i = 0; i < 40; i++) {
      zeros += first[layout.slices().get(1).offset() + i] == 0 ? 1 : 0;
    }
    assertTrue(zeros > 5 && zeros < 35, "dropped " + zeros);
    assertTrue(Arrays.stream(engine.gradient(theta, 0)).skip(120).limit(40).allMatch(g -> g != 0));
  }
}
