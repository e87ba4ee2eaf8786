package dev.discreet.algorithms.regression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.regression.CoefficientEstimates.Choice;
import dev.discreet.algorithms.regression.CoefficientEstimates.Estimate;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import java.util.List;
import java.util.Random;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether intervals of coefficients contain those of the people whom rows are drawn from. */
class CoefficientEstimatesTest {
  private static final RegressionBounds.Interval SHARE = new RegressionBounds.Interval(0, 1);
  // Two numbers, three categories and a switch.
  private static final double[] WEIGHTS = {0.25, -0.15, 0.1, 0, -0.1, 0.05};
  private static final double INTERCEPT = 0.4;
  private static final List<Choice> CATEGORIES = List.of(new Choice(List.of(2, 3, 4)));
  private static final RegressionBounds BOUNDS = RegressionBounds.same(6, SHARE, SHARE);
  private static final double ERROR = 0.04;

  private static float[] row(Random random) {
    float[] x = new float[6];
    x[0] = random.nextFloat();
    x[1] = Math.min(1, Math.max(0, x[0] / 2 + random.nextFloat() / 2));
    x[2 + (random.nextInt(10) < 6 ? 0 : random.nextInt(4) < 3 ? 1 : 2)] = 1;
    x[5] = random.nextInt(5) == 0 ? 1 : 0;
    return x;
  }

  private static double truth(float[] x, double intercept) {
    double sum = intercept;
    for (int i = 0; i < x.length; i++) {
      sum += WEIGHTS[i] * x[i];
    }
    return sum;
  }

  private static Examples rows(Random random, int n, boolean classes) {
    float[] inputs = new float[6 * n];
    float[] targets = new float[n];
    for (int i = 0; i < n; i++) {
      float[] x = row(random);
      System.arraycopy(x, 0, inputs, 6 * i, 6);
      double mean = truth(x, INTERCEPT);
      targets[i] =
          classes
              ? random.nextDouble() < mean ? 1 : 0
              : (float) (mean + ERROR * random.nextGaussian());
    }
    return Examples.of(Shape.vector(6), inputs, 1, targets);
  }

  private static NoisySums sums(
      String method, Examples rows, int seed, RegressionLoss loss, boolean intercept) {
    RegressionBudget.Gaussian gaussian = new RegressionBudget.Gaussian(2, 1e-5);
    try (PrivacySession session =
        PrivacySession.open(Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(seed))) {
      PrivateData data = PrivateData.of(rows, Units.each(rows.size()));
      if (method.equals("adaptive")) {
        return new SufficientStatistics(BOUNDS, intercept, gaussian, true)
            .fit(session, rows, Units.each(rows.size()), "row")
            .sums();
      }
      RegressionBudget budget =
          switch (method) {
            case "gaussian" -> gaussian;
            case "split" -> new RegressionBudget.Pure(8);
            default -> new RegressionBudget.Joint(8);
          };
      return new FunctionalMechanism(BOUNDS, loss, intercept, budget, true).release(session, data);
    }
  }

  private static double[] difference(int one, int other) {
    double[] weights = new double[6];
    weights[one] = 1;
    weights[other] -= other == one ? 0 : 1;
    return weights;
  }

  /**
   * 200 runs of 5 combinations each. The true share is 95% or a little more, the combinations of a
   * run depend on one another: with 5 deviations of 200 draws, 0.077, the chance of a false alarm
   * is below 1e-6, and seeds are fixed.
   */
  @ParameterizedTest
  @CsvSource({
    "gaussian, true, 3000",
    "split, true, 6000",
    "joint, true, 6000",
    "adaptive, true, 6000",
    "gaussian, false, 10000"
  })
  @Tag("statistical")
  void intervalsHoldTheWeightsOfThePeople(String method, boolean intercept, int n) {
    int runs = 200;
    int held = 0;
    int determined = 0;
    double noise = 0;
    for (int run = 0; run < runs; run++) {
      Examples rows = rows(new Random(run), n, false);
      CoefficientEstimates estimates =
          sums(method, rows, run, RegressionLoss.SQUARED, intercept).estimates(CATEGORIES, n);
      determined += estimates.areDetermined() ? 1 : 0;
      for (double[] weights :
          List.of(
              difference(0, 0),
              difference(1, 1),
              difference(3, 2),
              difference(4, 2),
              difference(5, 5))) {
        Estimate estimate = estimates.of(0, weights);
        double exact = truth(floats(weights), 0);
        held += estimate.low() <= exact && exact <= estimate.high() ? 1 : 0;
        noise += Math.pow(estimate.noise() / estimate.deviation(), 2) / (5 * runs);
      }
    }
    double share = held / (5.0 * runs);
    String told = method + " " + share + ", determined " + determined + ", noise " + noise;
    assertTrue(share > 0.95 - 0.077, told);
    assertTrue(share < 0.995, told);
    assertTrue(determined > 0.9 * runs, told);
    // The noise is a part that cannot be left out: without it, far fewer would be held.
    assertTrue(noise > 0.5, told);
  }

  private static float[] floats(double[] values) {
    float[] all = new float[values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = (float) values[i];
    }
    return all;
  }

  /** Of two classes: the weights of the least squares line, twice those of the share. */
  @Test
  @Tag("statistical")
  void intervalsHoldTheWeightsOfTwoClasses() {
    int held = 0;
    int runs = 200;
    for (int run = 0; run < runs; run++) {
      Examples rows = rows(new Random(run), 3000, true);
      CoefficientEstimates estimates =
          sums("gaussian", rows, run, RegressionLoss.LOGISTIC, true).estimates(CATEGORIES, 3000);
      for (int i : new int[] {0, 1, 5}) {
        Estimate estimate = estimates.of(0, difference(i, i));
        double line = 4 * WEIGHTS[i];
        held += estimate.low() <= line && line <= estimate.high() ? 1 : 0;
      }
    }
    double share = held / (3.0 * runs);
    assertTrue(share > 0.873 && share < 0.999, "" + share);
  }

  /** Against ordinary least squares by QR of an independent library, and its standard errors. */
  @Test
  void withoutNoiseTheyAreThoseOfLeastSquares() {
    int n = 500;
    Examples rows = rows(new Random(3), n, false);
    double[][] x = new double[n][];
    double[] y = new double[n];
    float[] row = new float[6];
    float[] target = new float[1];
    for (int i = 0; i < n; i++) {
      rows.input(i, row, 0);
      rows.target(i, target, 0);
      // The first category is the one that others are told apart from.
      x[i] = new double[] {1, row[0], row[1], row[3], row[4], row[5]};
      y[i] = target[0];
    }
    RealMatrix design = MatrixUtils.createRealMatrix(x);
    QRDecomposition oracle = new QRDecomposition(design);
    RealVector expected = oracle.getSolver().solve(MatrixUtils.createRealVector(y));
    double residual = design.operate(expected).subtract(MatrixUtils.createRealVector(y)).getNorm();
    RealMatrix spread =
        MatrixUtils.inverse(design.transpose().multiply(design))
            .scalarMultiply(residual * residual / (n - 6));
    CoefficientEstimates estimates =
        new LeastSquares(BOUNDS, RegressionLoss.SQUARED, true)
            .fit(rows, Units.each(n))
            .sums()
            .estimates(CATEGORIES, n);
    int[] others = {0, 1, 3, 4, 5};
    for (int i = 0; i < others.length; i++) {
      int one = others[i];
      Estimate estimate = estimates.of(0, difference(one, one == 3 || one == 4 ? 2 : one));
      assertEquals(expected.getEntry(1 + i), estimate.value(), 2e-4);
      assertEquals(1, estimate.deviation() / Math.sqrt(spread.getEntry(1 + i, 1 + i)), 0.01);
      assertEquals(0, estimate.noise());
      assertEquals(estimate.value() + 1.959964 * estimate.deviation(), estimate.high(), 1e-6);
    }
    double[] first = {0, 0, 1, 0, 0, 0};
    assertEquals(expected.getEntry(0), estimates.of(1, first).value(), 2e-4);
    assertEquals(1, estimates.of(1, first).deviation() / Math.sqrt(spread.getEntry(0, 0)), 0.01);
  }

  /** By finite differences, for bounds of every kind. */
  @ParameterizedTest
  @CsvSource({"SQUARED, true", "SQUARED, false", "LOGISTIC, true", "LOGISTIC, false"})
  void aCombinationMovesWithEachWeight(RegressionLoss loss, boolean intercept) {
    RegressionBounds bounds =
        new RegressionBounds(
            List.of(new RegressionBounds.Interval(-3, 7), new RegressionBounds.Interval(0.5, 2)),
            loss == RegressionLoss.LOGISTIC ? SHARE : new RegressionBounds.Interval(-5, 40));
    Scaling scaling = new Scaling(bounds, intercept, loss);
    double[] weights = {0.75, -2};
    double[] factors = scaling.factors(intercept ? 3 : 0, weights);
    for (int k = 0; k < factors.length; k++) {
      double[] theta = new double[factors.length];
      double before = combined(scaling.model(theta), weights);
      theta[k] = 1;
      assertEquals(combined(scaling.model(theta), weights) - before, factors[k], 1e-12);
    }
  }

  private static double combined(LinearModel model, double[] weights) {
    return 3 * model.intercept()
        + weights[0] * model.weights()[0]
        + weights[1] * model.weights()[1];
  }

  /** One category's own weight cannot be told from the intercept, and noise may drown all. */
  @Test
  void whatIsNotDeterminedHasNoEnds() {
    Examples rows = rows(new Random(3), 3000, false);
    NoisySums sums = sums("gaussian", rows, 1, RegressionLoss.SQUARED, true);
    Estimate alone = sums.estimates(CATEGORIES, 3000).of(0, difference(2, 2));
    assertFalse(alone.isDetermined());
    assertEquals(Double.POSITIVE_INFINITY, alone.high());
    assertTrue(sums.estimates(CATEGORIES, 3000).of(0, difference(0, 0)).isDetermined());
    Examples few = rows(new Random(3), 60, false);
    CoefficientEstimates drowned =
        sums("gaussian", few, 1, RegressionLoss.SQUARED, true).estimates(CATEGORIES, 60);
    assertFalse(drowned.areDetermined());
    assertEquals(Double.NEGATIVE_INFINITY, drowned.of(0, difference(0, 0)).low());
  }

  /** One category that few rows have hides all, and is found; where all is hidden, none is. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theInputWhoseSumIsBelowItsNoiseIsFound(boolean intercept) {
    Random random = new Random(3);
    int n = 20_000;
    float[] inputs = new float[6 * n];
    for (int i = 0; i < n; i++) {
      float[] x = row(random);
      if (x[4] == 1 && i >= 20) {
        x[4] = 0;
        x[3] = 1;
      }
      System.arraycopy(x, 0, inputs, 6 * i, 6);
    }
    Examples rows = Examples.of(Shape.vector(6), inputs, 1, new float[n]);
    CoefficientEstimates rare =
        sums("gaussian", rows, 1, RegressionLoss.SQUARED, intercept).estimates(CATEGORIES, n);
    assertFalse(rare.areDetermined());
    assertEquals(List.of(4), rare.drowned());
    Examples enough = rows(new Random(3), n, false);
    assertEquals(
        List.of(),
        sums("gaussian", enough, 1, RegressionLoss.SQUARED, intercept)
            .estimates(CATEGORIES, n)
            .drowned());
    Examples few = rows(new Random(3), 20, false);
    assertEquals(
        List.of(),
        sums("gaussian", few, 1, RegressionLoss.SQUARED, intercept)
            .estimates(CATEGORIES, 20)
            .drowned());
  }

  @Test
  void aSquaredLossNeedsItsSpread() {
    Examples rows = rows(new Random(3), 300, false);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      RegressionResult result =
          FunctionalMechanism.linear(BOUNDS, 1).fit(session, rows, Units.each(300), "row");
      assertThrows(IllegalArgumentException.class, () -> result.sums().estimates(CATEGORIES, 300));
    }
  }
}
