package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.internal.MeanGradients;
import dev.discreet.core.train.internal.PrivateGradients;
import dev.discreet.core.train.internal.Thresholds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateGradientsTest {
  @Test
  void statesTheVarianceOfTheNoiseItHas() {
    Layout layout = Network.parse("dense(60) tanh dense(70)").on(Shape.vector(50));
    Examples none = Examples.of(Shape.vector(50), new float[0], 1, new float[0]);
    ResolvedPlan plan =
        PrivacyPlan.noise(2)
            .lotSize(40)
            .steps(1)
            .clipGroups(0.5, 3)
            .noiseWeights(1, 2)
            .build()
            .forUnits(1000);
    int[] group = {0, 0, 1, 1};
    float[] gradient = new float[layout.parameters()];
    double[] variances = new double[2];
    try (MeanGradients gradients = gradients(layout, none, plan, group)) {
      gradients.at(0, layout.initial(Initialiser.ZEROS, 0), gradient, variances);
    }
    int border = layout.slices().get(2).offset();
    // Thousands of coordinates and a fixed seed: their mean square is the variance within 10%.
    assertEquals(variances[0], meanSquare(gradient, 0, border), 0.1 * variances[0]);
    assertEquals(variances[1], meanSquare(gradient, border, gradient.length), 0.1 * variances[1]);
    assertEquals(
        plan.multipliers(0)[0] * 0.5 / 40, Math.sqrt(variances[0]), 1e-3 * Math.sqrt(variances[0]));
  }

  @Test
  void dividesByTheExpectedLotAndNotTheDrawnOne() {
    Examples set = Problems.classes(50, 1);
    Layout layout = Problems.LINEAR.on(set.input());
    ResolvedPlan plan = PrivacyPlan.noise(1e-6).lotSize(20).steps(5).clip(100).build().forUnits(50);
    float[] theta = layout.initial(Initialiser.HE_NORMAL, 1);
    PrivacySession session = session(plan);
    int[] lot = plan.sampler().lot(session.samplingKey(), 0, Units.each(50));
    double[] sum = new double[layout.parameters()];
    new ReferenceEngine(layout, set).gradientSum(theta, lot, sum);
    float[] gradient = new float[sum.length];
    try (MeanGradients gradients = gradients(layout, set, plan, new int[2], session)) {
      gradients.at(0, theta, gradient, new double[1]);
    }
    for (int i = 0; i < sum.length; i++) {
      assertEquals(sum[i] / 20, gradient[i], 1e-4);
    }
  }

  /** With fewer units than the declared 50 and with more, and with one unit more or less. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 49, 50, 51, 100})
  void oneUnitMovesAStepByTheDeclaredShareHoweverManyThereAre(int count) {
    Layout layout = Problems.LINEAR.on(Shape.vector(2));
    ResolvedPlan plan = PrivacyPlan.noise(2).lotSize(25).steps(20).clip(0.1).build().forUnits(50);
    float[] theta = layout.initial(Initialiser.HE_NORMAL, 1);
    float[] all = new float[theta.length];
    float[] less = new float[theta.length];
    double[] variance = new double[1];
    double[] other = new double[1];
    PrivacySession one = session(plan);
    PrivacySession two = session(plan);
    int drawn = 0;
    // The same examples but for the last.
    try (MeanGradients with = gradients(layout, Problems.classes(count, 1), plan, new int[2], one);
        MeanGradients without =
            gradients(layout, Problems.classes(count - 1, 1), plan, new int[2], two)) {
      for (long step = 0; step < 20; step++) {
        with.at(step, theta, all, variance);
        without.at(step, theta, less, other);
        assertEquals(variance[0], other[0], "noise must not tell");
        double share = Math.sqrt(variance[0]) / 2;
        assertEquals(0.1 / 25, share, 0.02 * 0.1 / 25, "the declared lot");
        double square = 0;
        for (int i = 0; i < all.length; i++) {
          square += Math.pow((double) all[i] - less[i], 2);
        }
        int[] lot = plan.sampler().lot(one.samplingKey(), step, Units.each(count));
        boolean isIn = lot.length > 0 && lot[lot.length - 1] == count - 1;
        assertEquals(isIn, square > 0, "step " + step);
        assertTrue(Math.sqrt(square) <= share * (1 + 1e-4), "step " + step);
        drawn += isIn ? 1 : 0;
      }
    }
    assertEquals(plan.ledger(20), one.ledger());
    assertEquals(one.ledger(), two.ledger());
    assertTrue(drawn > 2 && drawn < 18, "drawn " + drawn + " times");
  }

  /** A whole run says the same of either data set, and begins and ends by the same plan. */
  @ParameterizedTest
  @ValueSource(ints = {2, 50, 51, 60})
  void aRunSaysNothingOfTheNumberOfUnits(int count) {
    PrivacyPlan plan = PrivacyPlan.noise(2).lotSize(25).steps(3).clip(0.1).build();
    Result[] results = new Result[2];
    for (int less = 0; less < 2; less++) {
      results[less] =
          Trainer.of(Problems.LINEAR, plan)
              .learningRate(0.1)
              .engine(new Reference())
              .insecureSeed(5)
              .declaredUnits(50)
              .train(Problems.classes(count - less, 1));
    }
    assertEquals(results[0].steps(), results[1].steps());
    assertEquals(results[0].epsilon(), results[1].epsilon());
    assertEquals(results[0].privacy().statement(), results[1].privacy().statement());
    assertEquals(results[0].provenance(), results[1].provenance());
  }

  @Test
  void takesNoStepBeyondThePlan() {
    Examples set = Problems.classes(50, 1);
    Layout layout = Problems.LINEAR.on(set.input());
    ResolvedPlan plan = PrivacyPlan.noise(1).lotSize(20).steps(5).clip(1).build().forUnits(50);
    PrivacySession session = session(plan);
    try (MeanGradients gradients = gradients(layout, set, plan, new int[2], session)) {
      float[] theta = new float[layout.parameters()];
      assertThrows(
          IllegalArgumentException.class,
          () -> gradients.at(5, theta, theta.clone(), new double[1]));
    }
    assertEquals(0, session.ledger().entries().size());
  }

  private static double meanSquare(float[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += (double) values[i] * values[i];
    }
    return sum / (to - from);
  }

  private static PrivacySession session(ResolvedPlan plan) {
    return PrivacySession.open(Journal.inMemory(plan.neighbouring()), Randomness.insecure(5));
  }

  private static MeanGradients gradients(
      Layout layout, Examples set, ResolvedPlan plan, int[] group) {
    return gradients(layout, set, plan, group, session(plan));
  }

  private static MeanGradients gradients(
      Layout layout, Examples set, ResolvedPlan plan, int[] group, PrivacySession session) {
    GradientSource source =
        new Reference()
            .source(
                layout,
                new UnitRule(new ClippingRule.Flat(), group, 0, new boolean[group.length]),
                PrivateData.each(set),
                plan.sampler(),
                plan.grid(32));
    int trainable = 0;
    for (int i = 0; i < group.length; i++) {
      trainable += group[i] < 0 ? 0 : layout.slices().get(i).size();
    }
    return new PrivateGradients(source, session, plan, 0, new Thresholds(plan), trainable);
  }
}
