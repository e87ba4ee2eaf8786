package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
