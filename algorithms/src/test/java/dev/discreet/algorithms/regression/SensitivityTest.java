package dev.discreet.algorithms.regression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.matrix.Cholesky;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What one unit can do to the coefficients, by trying, and that noise is scaled to that. */
class SensitivityTest {

  static Stream<Arguments> declared() {
    double[][] bounds = {
      {0, 100, -1, 1}, {0, 100, -7, 2, 3, 4}, {-100, 0, 0, 1}, {5, 6, -2, -1, 0, 0.001, 10, 20}
    };
    List<Arguments> all = new ArrayList<>();
    for (double[] b : bounds) {
      for (boolean intercept : new boolean[] {true, false}) {
        for (RegressionLoss loss : RegressionLoss.values()) {
          all.add(Arguments.of(b, intercept, loss));
        }
      }
    }
    return all.stream();
  }

  /** Pairs of low and high; the last pair is the target's unless it is 0..1. */
  private static RegressionBounds bounds(double[] pairs, RegressionLoss loss) {
    int d = pairs.length / 2 - 1;
    double[] low = new double[d];
    double[] high = new double[d];
    for (int i = 0; i < d; i++) {
      low[i] = pairs[2 * i];
      high[i] = pairs[2 * i + 1];
    }
    return loss == RegressionLoss.LOGISTIC
        ? RegressionBounds.of(low, high, 0, 1)
        : RegressionBounds.of(low, high, pairs[2 * d], pairs[2 * d + 1]);
  }

  /** Every row whose values are at, inside or far outside the bounds, or no numbers. */
  private static List<float[]> extremeRows(RegressionBounds bounds) {
    List<float[]> rows = List.of(new float[0]);
    List<RegressionBounds.Interval> all = new ArrayList<>(bounds.features());
    all.add(bounds.target());
    for (RegressionBounds.Interval bound : all) {
      float[] values = {
        (float) bound.low(),
        (float) bound.high(),
        (float) bound.middle(),
        0,
        -1e30f,
        Float.POSITIVE_INFINITY,
        Float.NaN
      };
      List<float[]> longer = new ArrayList<>();
      for (float[] row : rows) {
        for (float value : values) {
          float[] next = Arrays.copyOf(row, row.length + 1);
          next[row.length] = value;
          longer.add(next);
        }
      }
      rows = longer;
    }
    return rows;
  }

  private static Examples examples(float[]... rows) {
    int d = rows[0].length - 1;
    float[] inputs = new float[rows.length * d];
    float[] targets = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, inputs, i * d, d);
      targets[i] = rows[i][d];
    }
    return Examples.of(Shape.vector(d), inputs, 1, targets);
  }

  @ParameterizedTest
  @MethodSource("declared")
  void noRowAddsMoreThanTheSensitivityAndSomeRowAddsAllOfIt(
      double[] pairs, boolean intercept, RegressionLoss loss) {
    RegressionBounds bounds = bounds(pairs, loss);
    Scaling scaling = new Scaling(bounds, intercept, loss);
    int p = scaling.weights();
    double quadratic = 0;
    double linear = 0;
    double squares = 0;
    double spread = 0;
    for (float[] row : extremeRows(bounds)) {
      Coefficients one = Coefficients.of(scaling, PrivateData.each(examples(row)));
      double[][] matrix = one.matrix();
      double upper = 0;
      double upperSquares = 0;
      for (int j = 0; j < p; j++) {
        for (int k = j; k < p; k++) {
          assertTrue(Double.isFinite(matrix[j][k]));
          upper += Math.abs(matrix[j][k]);
          upperSquares += matrix[j][k] * matrix[j][k];
        }
      }
      quadratic = Math.max(quadratic, upper);
      squares = Math.max(squares, upperSquares);
      linear = Math.max(linear, DoubleStream.of(one.vector()).map(Math::abs).sum());
      spread = Math.max(spread, DoubleStream.of(one.vectorAndSquares()).map(Math::abs).sum());
    }
    // Equal and to the last bit, so that a sensitivity that is half or twice this one fails.
    assertEquals(p * (p + 1) / 2.0, quadratic);
    assertEquals(p * (p + 1) / 2.0, squares);
    assertEquals(p, linear);
    assertEquals(Coefficients.linear(p, true), spread);
  }

  /** A unit of several examples adds no more than a unit of one. */
  @Test
  void severalExamplesAddNoMore() {
    Random random = new Random(4);
    RegressionBounds bounds =
        RegressionBounds.of(new double[] {0, -3}, new double[] {100, 1}, 0, 1);
    Scaling scaling = new Scaling(bounds, true, RegressionLoss.SQUARED);
    for (int run = 0; run < 500; run++) {
      float[][] rows = new float[1 + random.nextInt(5)][];
      for (int i = 0; i < rows.length; i++) {
        rows[i] =
            new float[] {100 * random.nextInt(2), random.nextInt(2) * 4 - 3, random.nextInt(2)};
      }
      int[] all = new int[rows.length];
      Arrays.setAll(all, i -> i);
      Coefficients unit =
          Coefficients.of(
              scaling, PrivateData.of(examples(rows), Units.of(new long[] {9}, new int[][] {all})));
      double sum = DoubleStream.of(unit.vector()).map(Math::abs).sum();
      assertTrue(sum <= 3);
      assertEquals(1, unit.matrix()[0][0]);
    }
  }

  /** Noise on no data at all, divided by what one unit can move. */
  private static double[] noise(RegressionBudget budget, Neighbouring relation, int p) {
    Examples none = Examples.of(Shape.vector(p - 1), new float[0], 1, new float[0]);
    RegressionBounds bounds =
        RegressionBounds.same(
            p - 1, new RegressionBounds.Interval(0, 100), new RegressionBounds.Interval(-1, 50));
    try (PrivacySession session =
        PrivacySession.open(Journal.inMemory(relation), Randomness.insecure(11))) {
      NoisySums released =
          new FunctionalMechanism(bounds, RegressionLoss.SQUARED, true, budget)
              .release(session, PrivateData.each(none));
      List<Double> upper = new ArrayList<>();
      for (int j = 0; j < p; j++) {
        for (int k = j; k < p; k++) {
          upper.add(released.quadratic()[j][k]);
          assertEquals(released.quadratic()[j][k], released.quadratic()[k][j]);
        }
      }
      return new double[] {
        upper.stream().mapToDouble(Math::abs).average().orElseThrow(),
        DoubleStream.of(released.linear()).map(Math::abs).average().orElseThrow(),
        released.quadraticDeviation()
      };
    }
  }

  /**
   * Means of 20,100 and of 200 absolute values: they are off by 5% and 40% with a probability below
   * 1e-8 in all, and the seed is fixed.
   */
  @Test
  @Tag("statistical")
  void noiseIsScaledToTheSensitivity() {
    int p = 200;
    double triangle = p * (p + 1) / 2.0;
    double[] split = noise(new RegressionBudget.Split(0.5, 2), Neighbouring.ADD_REMOVE, p);
    assertEquals(1, split[0] / (triangle / 0.5), 0.05);
    assertEquals(1, split[1] / (p / 2.0), 0.4);
    assertEquals(Math.sqrt(2), split[2] / (triangle / 0.5), 1e-2);
    double[] replaced = noise(new RegressionBudget.Split(0.5, 2), Neighbouring.REPLACE_ONE, p);
    assertEquals(2, replaced[0] / (triangle / 0.5), 0.1);
    double[] joint = noise(new RegressionBudget.Joint(3), Neighbouring.ADD_REMOVE, p);
    assertEquals(1, joint[0] / ((triangle + p) / 3), 0.05);
    assertEquals(1, joint[1] / ((triangle + p) / 3), 0.4);
    RegressionBudget.Gaussian budget = new RegressionBudget.Gaussian(1, 1e-5);
    double[] gaussian = noise(budget, Neighbouring.ADD_REMOVE, p);
    double first = Math.sqrt(triangle);
    double second = Math.sqrt(p);
    double mean = Math.sqrt(2 / Math.PI) * budget.multiplier();
    assertEquals(1, gaussian[0] / (mean * Math.sqrt((first + second) * first)), 0.05);
    assertEquals(1, gaussian[1] / (mean * Math.sqrt((first + second) * second)), 0.4);
  }

  @Test
  void theBestSplitIsTheBest() {
    for (int p : new int[] {2, 5, 14, 100}) {
      RegressionBudget.Split best = FunctionalMechanism.best(2, p * (p + 1) / 2, p);
      assertEquals(2, best.quadratic() + best.linear());
      double least = expected(best, p);
      for (double share = 0.02; share < 1; share += 0.02) {
        assertTrue(
            least
                <= expected(new RegressionBudget.Split(2 * share, 2 * (1 - share)), p) * 1.0000001);
      }
      // And better than one scale for all.
      double joint = p * (p + 1) / 2.0 / (p * (p + 1) / 2.0 + p);
      assertTrue(least < expected(new RegressionBudget.Split(2 * joint, 2 * (1 - joint)), p));
    }
  }

  private static double expected(RegressionBudget.Split split, int p) {
    double quadratic = p * (p + 1) / 2.0 / split.quadratic();
    double linear = p / split.linear();
    return quadratic * quadratic + linear * linear;
  }

  @Test
  void aUnitMovesTheLeastEigenvalueByNoMoreThanItsSensitivity() {
    Random random = new Random(8);
    double most = 0;
    for (int run = 0; run < 400; run++) {
      int d = 1 + random.nextInt(3);
      int n = random.nextInt(12);
      float[][] rows = new float[n + 1][d + 1];
      for (float[] row : rows) {
        for (int i = 0; i < row.length; i++) {
          row[i] = random.nextBoolean() ? 1 : -1;
        }
      }
      RegressionBounds bounds =
          RegressionBounds.same(
              d, new RegressionBounds.Interval(-1, 1), new RegressionBounds.Interval(-1, 1));
      Scaling scaling = new Scaling(bounds, false, RegressionLoss.SQUARED);
      Examples all = examples(rows);
      double with =
          Cholesky.leastEigenvalue(
              Coefficients.of(scaling, PrivateData.of(all, Units.each(n + 1))).matrix());
      double without =
          Cholesky.leastEigenvalue(
              Coefficients.of(scaling, PrivateData.of(all, Units.each(n))).matrix());
      double moved = Math.abs(with - without) / d;
      assertTrue(moved * d <= SufficientStatistics.eigenvalueSensitivity(d));
      most = Math.max(most, moved);
    }
    // One weight: every row moves it by all of it.
    assertEquals(1, most, 1e-9);
    assertEquals(14, SufficientStatistics.eigenvalueSensitivity(14), 1e-3);
  }
}
