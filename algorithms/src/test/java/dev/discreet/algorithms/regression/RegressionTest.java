package dev.discreet.algorithms.regression;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegressionTest {
  private static final int N = 2000;
  private static final RegressionBounds BOUNDS =
      RegressionBounds.of(new double[] {0, -5, 10}, new double[] {100, 1, 30}, -20, 60);

  /** y = 0.3·a − 2·b + 0.5·c + intercept + noise. */
  private static Examples data(double intercept) {
    Random random = new Random(1);
    float[] inputs = new float[3 * N];
    float[] targets = new float[N];
    for (int i = 0; i < N; i++) {
      double a = 100 * random.nextDouble();
      double b = -5 + 6 * random.nextDouble();
      double c = 10 + 20 * random.nextDouble();
      inputs[3 * i] = (float) a;
      inputs[3 * i + 1] = (float) b;
      inputs[3 * i + 2] = (float) c;
      targets[i] = (float) (0.3 * a - 2 * b + 0.5 * c + intercept + random.nextDouble() - 0.5);
    }
    return Examples.of(Shape.vector(3), inputs, 1, targets);
  }

  /** Weights, then the intercept, of ordinary least squares by QR. */
  private static double[] oracle(Examples examples, boolean intercept) {
    RealMatrix x = MatrixUtils.createRealMatrix(N, intercept ? 4 : 3);
    double[] y = new double[N];
    float[] row = new float[3];
    float[] target = new float[1];
    for (int i = 0; i < N; i++) {
      examples.input(i, row, 0);
      examples.target(i, target, 0);
      y[i] = target[0];
      for (int j = 0; j < 3; j++) {
        x.setEntry(i, j, row[j]);
      }
      if (intercept) {
        x.setEntry(i, 3, 1);
      }
    }
    return new QRDecomposition(x).getSolver().solve(MatrixUtils.createRealVector(y)).toArray();
  }

  private static void assertModel(double[] oracle, LinearModel model, double close) {
    assertArrayEquals(
        Arrays.copyOf(oracle, 3), model.weights(), close, Arrays.toString(model.weights()));
    // The intercept carries the errors of weights times values up to 50.
    assertEquals(oracle.length > 3 ? oracle[3] : 0, model.intercept(), 50 * close);
  }

  private static PrivacySession session(Neighbouring relation) {
    return PrivacySession.open(Journal.inMemory(relation), Randomness.insecure(5));
  }

  private static RegressionResult fit(
      RegressionBudget budget, boolean intercept, Examples examples) {
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
      return new FunctionalMechanism(BOUNDS, RegressionLoss.SQUARED, intercept, budget)
          .fit(session, examples, Units.each(N), "row");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void allAgreeWithLeastSquaresWhenEpsilonIsLarge(boolean intercept) {
    Examples examples = data(intercept ? 3 : 0);
    double[] oracle = oracle(examples, intercept);
    LinearModel plain =
        new LeastSquares(BOUNDS, RegressionLoss.SQUARED, intercept)
            .fit(examples, Units.each(N))
            .model();
    assertModel(oracle, plain, 1e-3);
    for (RegressionBudget budget :
        List.of(
            new RegressionBudget.Pure(1e6),
            new RegressionBudget.Split(1e6, 1e6),
            new RegressionBudget.Joint(1e6),
            new RegressionBudget.Gaussian(1e6, 1e-6))) {
      assertModel(oracle, fit(budget, intercept, examples).model(), 2e-3);
    }
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
      LinearModel adaptive =
          new SufficientStatistics(BOUNDS, intercept, new RegressionBudget.Gaussian(1e6, 1e-6))
              .fit(session, examples, Units.each(N), "row")
              .model();
      assertModel(oracle, adaptive, 2e-3);
    }
    assertEquals(
        plain.error(examples),
        fit(new RegressionBudget.Pure(1e4), true, examples).model().error(examples),
        0.1);
  }

  @Test
  void errorFallsWithEpsilon() {
    Examples examples = data(3);
    double[] errors = new double[4];
    for (int i = 0; i < errors.length; i++) {
      for (int seed = 0; seed < 10; seed++) {
        try (PrivacySession session =
            PrivacySession.open(
                Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(seed))) {
          double[] theta =
              FunctionalMechanism.minimum(
                  FunctionalMechanism.linear(BOUNDS, Math.pow(8, i - 1))
                      .release(session, PrivateData.of(examples, Units.each(N))));
          errors[i] +=
              new Scaling(BOUNDS, true, RegressionLoss.SQUARED).model(theta).error(examples);
        }
      }
      assertTrue(i == 0 || errors[i] < errors[i - 1], Arrays.toString(errors));
    }
  }

  @ParameterizedTest
  @CsvSource({"ADD_REMOVE, 1", "ZERO_OUT, 1", "REPLACE_ONE, 2"})
  void ledgerHasWhatWasSpent(Neighbouring relation, int factor) {
    Examples examples = data(0);
    try (PrivacySession session = session(relation)) {
      RegressionResult result =
          new FunctionalMechanism(
                  BOUNDS, RegressionLoss.SQUARED, true, new RegressionBudget.Split(0.75, 0.25))
              .fit(
                  session,
                  PrivateData.of(examples, Units.each(N)),
                  new PrivacyUnit("patient", true),
                  0);
      Privacy.Guaranteed privacy = assertInstanceOf(Privacy.Guaranteed.class, result.privacy());
      List<Ledger.Entry> entries = privacy.ledger().entries();
      assertEquals(2, entries.size());
      assertLaplace(factor / 0.75, entries.get(0));
      assertLaplace(factor / 0.25, entries.get(1));
      assertEquals(1, privacy.guarantee().epsilon(), 1e-8);
      assertTrue(privacy.guarantee().epsilon() <= 1);
      assertEquals(0, privacy.guarantee().delta());
      assertTrue(
          privacy.statement().contains("It was declared that each patient has one row."),
          privacy.statement());
      assertTrue(privacy.statement().startsWith("INSECURE"));
      assertEquals(session.ledger(), privacy.ledger());
    }
  }

  private static void assertLaplace(double scale, Ledger.Entry entry) {
    Mechanism.Laplace laplace = assertInstanceOf(Mechanism.Laplace.class, entry.mechanism());
    assertEquals(scale, laplace.scale(), 1e-8 * scale);
    assertEquals(1, entry.count());
  }

  @Test
  void everyBudgetIsKeptAndUsed() {
    Examples examples = data(0);
    for (RegressionBudget budget :
        List.of(
            new RegressionBudget.Pure(0.7),
            new RegressionBudget.Joint(0.7),
            new RegressionBudget.Gaussian(0.7, 1e-5))) {
      Privacy.Guaranteed privacy = (Privacy.Guaranteed) fit(budget, true, examples).privacy();
      assertTrue(privacy.guarantee().epsilon() <= 0.7, privacy.headline());
      assertEquals(0.7, privacy.guarantee().epsilon(), 1e-6);
      assertEquals(budget.delta(), privacy.guarantee().delta());
    }
    try (PrivacySession session = session(Neighbouring.REPLACE_ONE)) {
      Privacy.Guaranteed privacy =
          (Privacy.Guaranteed)
              new SufficientStatistics(BOUNDS, true, new RegressionBudget.Gaussian(0.7, 1e-5))
                  .fit(session, examples, Units.each(N), "row")
                  .privacy();
      assertTrue(privacy.guarantee().epsilon() <= 0.7, privacy.headline());
      assertEquals(0.7, privacy.guarantee().epsilon(), 1e-6);
      Mechanism.JointGaussian joint =
          (Mechanism.JointGaussian) privacy.ledger().entries().get(0).mechanism();
      assertEquals(3, joint.noiseMultipliers().size());
      assertEquals(
          2 * MechanismCalibration.analyticGaussian(0.7, 1e-5),
          joint.combined().noiseMultiplier(),
          1e-6);
    }
  }

  @Test
  void anIndefinitePolynomialHasFiniteWeights() {
    NoisySums noisy =
        new NoisySums(
            new Scaling(BOUNDS, false, RegressionLoss.SQUARED),
            new double[][] {{5, 0, 0}, {0, -3, 0}, {0, 0, -400}},
            new double[] {9, 9, 9},
            1,
            1,
            false);
    // 5 + 4 along the first; the others were below 0, one of which the ridge would have lifted.
    assertArrayEquals(new double[] {1, 0, 0}, FunctionalMechanism.minimum(noisy), 1e-12);
    for (int seed = 0; seed < 20; seed++) {
      try (PrivacySession session =
          PrivacySession.open(
              Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(seed))) {
        double[] theta =
            FunctionalMechanism.minimum(
                FunctionalMechanism.linear(BOUNDS, 1e-3)
                    .release(session, PrivateData.of(data(0), Units.each(N))));
        assertTrue(Arrays.stream(theta).allMatch(t -> Math.abs(t) < 100), Arrays.toString(theta));
      }
      try (PrivacySession session =
          PrivacySession.open(
              Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(seed))) {
        LinearModel adaptive =
            new SufficientStatistics(BOUNDS, true, new RegressionBudget.Gaussian(1e-3, 1e-6))
                .fit(session, data(0), Units.each(N), "row")
                .model();
        assertTrue(Arrays.stream(adaptive.weights()).allMatch(w -> Math.abs(w) < 1e4));
      }
    }
  }

  /** A bad row changes the sums by nothing, and no one hears of it. */
  @Test
  void rowsThatAreNoneAddNothing() {
    Scaling scaling = new Scaling(BOUNDS, true, RegressionLoss.SQUARED);
    Examples good = data(0);
    Examples bad =
        new Examples() {
          @Override
          public int size() {
            return N + 3;
          }

          @Override
          public Shape input() {
            return good.input();
          }

          @Override
          public int targets() {
            return 1;
          }

          @Override
          public void input(int example, float[] to, int at) {
            if (example == N) {
              throw new IllegalStateException("unreadable");
            } else if (example == N + 1) {
              to[at + 1] = Float.NaN;
            } else if (example < N) {
              good.input(example, to, at);
            }
          }

          @Override
          public void target(int example, float[] to, int at) {
            if (example == N + 2) {
              to[at] = Float.NaN;
            } else if (example < N) {
              good.target(example, to, at);
            }
          }
        };
    assertArrayEquals(
        Coefficients.of(scaling, PrivateData.of(good, Units.each(N))).sums(),
        Coefficients.of(scaling, PrivateData.of(bad, Units.each(N + 3))).sums());
  }

  @Test
  void logisticFindsTheClasses() {
    Random random = new Random(3);
    float[] inputs = new float[2 * N];
    float[] targets = new float[N];
    for (int i = 0; i < N; i++) {
      inputs[2 * i] = 10 * random.nextFloat();
      inputs[2 * i + 1] = random.nextFloat() - 1;
      double u = 0.2 * inputs[2 * i] - 1 + 0.8 * inputs[2 * i + 1];
      targets[i] = random.nextDouble() < 1 / (1 + Math.exp(-u)) ? 1 : 0;
    }
    Examples examples = Examples.of(Shape.vector(2), inputs, 1, targets);
    RegressionBounds bounds = RegressionBounds.of(new double[] {0, -1}, new double[] {10, 0}, 0, 1);
    LinearModel plain =
        new LeastSquares(bounds, RegressionLoss.LOGISTIC, true)
            .fit(examples, Units.each(N))
            .model();
    // The true minimum, by Newton steps; scores are within ±2, so the loss is within 0.08 of it.
    double[] best = newton(inputs, targets);
    double least = loss(best, inputs, targets);
    double quadratic =
        loss(
            new double[] {plain.weights()[0], plain.weights()[1], plain.intercept()},
            inputs,
            targets);
    assertTrue(quadratic >= least && quadratic <= least + fourth(best, inputs) / 192);
    assertEquals(best[0], plain.weights()[0], 0.05);
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
      LinearModel noisy =
          FunctionalMechanism.logistic(bounds, 1e6)
              .fit(session, examples, Units.each(N), "row")
              .model();
      assertEquals(plain.weights()[0], noisy.weights()[0], 1e-3);
      assertEquals(plain.weights()[1], noisy.weights()[1], 1e-2);
      assertEquals(plain.intercept(), noisy.intercept(), 1e-2);
      assertEquals(plain.error(examples), noisy.error(examples), 0.01);
      assertTrue(noisy.error(examples) < 0.45);
    }
  }

  private static double score(double[] w, float[] x, int i) {
    return w[0] * x[2 * i] + w[1] * x[2 * i + 1] + w[2];
  }

  private static double loss(double[] w, float[] x, float[] y) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
      double u = score(w, x, i);
      sum += Math.log1p(Math.exp(u)) - y[i] * u;
    }
    return sum / N;
  }

  private static double fourth(double[] w, float[] x) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
      sum += Math.pow(score(w, x, i), 4);
    }
    return sum / N;
  }

  private static double[] newton(float[] x, float[] y) {
    double[] w = new double[3];
    for (int step = 0; step < 20; step++) {
      RealMatrix hessian = MatrixUtils.createRealMatrix(3, 3);
      double[] gradient = new double[3];
      for (int i = 0; i < N; i++) {
        double[] row = {x[2 * i], x[2 * i + 1], 1};
        double chance = 1 / (1 + Math.exp(-score(w, x, i)));
        for (int j = 0; j < 3; j++) {
          gradient[j] += (chance - y[i]) * row[j];
          for (int k = 0; k < 3; k++) {
            hessian.addToEntry(j, k, chance * (1 - chance) * row[j] * row[k]);
          }
        }
      }
      double[] move =
          new QRDecomposition(hessian)
              .getSolver()
              .solve(MatrixUtils.createRealVector(gradient))
              .toArray();
      Arrays.setAll(w, j -> w[j] - move[j]);
    }
    return w;
  }

  @Test
  void leastSquaresIsNotPrivateByName() {
    RegressionResult result =
        new LeastSquares(BOUNDS, RegressionLoss.SQUARED, true).fit(data(0), Units.each(N));
    assertTrue(result.privacy().headline().startsWith("NOT PRIVATE"));
  }

  private static void refused(String start, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.startsWith(start), message);
  }

  @Test
  void badInputIsRefusedAndNotCharged() {
    refused("bounds must be finite and rising", () -> new RegressionBounds.Interval(1, 0));
    refused("bounds must be finite and rising", () -> new RegressionBounds.Interval(1, 1));
    refused("bounds must be finite and rising", () -> new RegressionBounds.Interval(0, Double.NaN));
    refused(
        "bounds must be finite and rising",
        () -> new RegressionBounds.Interval(0, Double.POSITIVE_INFINITY));
    for (double epsilon : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      refused("epsilon must be", () -> new RegressionBudget.Pure(epsilon));
      refused("epsilon must be", () -> new RegressionBudget.Joint(epsilon));
      refused("epsilon must be", () -> new RegressionBudget.Split(1, epsilon));
      refused("epsilon must be", () -> new RegressionBudget.Gaussian(epsilon, 1e-5));
    }
    refused("delta must be", () -> new RegressionBudget.Gaussian(1, 0));
    refused("bounds of a logistic target", () -> FunctionalMechanism.logistic(BOUNDS, 1));
    RegressionBounds.Interval one = new RegressionBounds.Interval(0, 1);
    FunctionalMechanism.linear(RegressionBounds.same(4094, one, one), 1);
    refused(
        "features must be",
        () -> FunctionalMechanism.linear(RegressionBounds.same(4095, one, one), 1));
    RegressionBounds wide = RegressionBounds.same(4096, one, one);
    Examples none = Examples.of(Shape.vector(4096), new float[0], 1, new float[0]);
    RegressionBudget.Gaussian budget = new RegressionBudget.Gaussian(1, 1e-5);
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
      SufficientStatistics adaptive = new SufficientStatistics(wide, false, budget);
      refused("features must be", () -> adaptive.fit(session, none, Units.each(0), "row"));
      assertTrue(session.ledger().entries().isEmpty());
    }
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
      FunctionalMechanism linear = FunctionalMechanism.linear(BOUNDS, 1);
      Examples two = Examples.of(Shape.vector(2), new float[2], 1, new float[1]);
      refused("features of the examples", () -> linear.fit(session, two, Units.each(1), "row"));
      refused(
          "examples of the units", () -> linear.fit(session, data(0), Units.each(N + 1), "row"));
      refused(
          "unit must be example or row",
          () -> linear.fit(session, data(0), Units.each(N), "patient"));
      refused("unit must be", () -> linear.fit(session, data(0), Units.each(N), "a\nb"));
      refused(
          "noise multiplier must be",
          () ->
              FunctionalMechanism.linear(BOUNDS, 1e-9).fit(session, data(0), Units.each(N), "row"));
      assertTrue(session.ledger().entries().isEmpty());
      assertFalse(session.isSecure());
    }
  }
}
