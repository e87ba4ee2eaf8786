package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.schedule.Schedule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdaptiveClippingTest {
  private static final AdaptiveClipping MEDIAN = AdaptiveClipping.quantile(0.5);

  private static PrivacyPlanBuilder plan(double noise) {
    return PrivacyPlan.noise(noise).lotSize(100).steps(50).clip(1);
  }

  @Test
  void theGradientPaysForTheCount() {
    ResolvedPlan plan = plan(2).adaptiveClipping(MEDIAN.withCountNoise(3)).build().forUnits(1000);
    // (2⁻² − 6⁻²)^−½, by hand.
    double gradient = Math.sqrt(1 / (0.25 - 1.0 / 36));
    assertEquals(gradient, plan.multipliers(0)[0], 1e-9);
    assertEquals(2, plan.multiplier(0));
    Mechanism.PoissonSampled entry = (Mechanism.PoissonSampled) plan.mechanism(7);
    assertEquals(0.1, entry.rate());
    List<Double> both = ((Mechanism.JointGaussian) entry.inner()).noiseMultipliers();
    assertEquals(2, both.size());
    assertEquals(gradient, both.get(0), 1e-9);
    assertEquals(6, both.get(1), "noise of 3 on what a unit moves by a half");
    assertEquals(
        Ledger.empty(Neighbouring.ADD_REMOVE).plus(entry, 50), plan.ledger(), "one entry a step");
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 10", "3, 1, 2", "8, 0.3, 1", "40, 5, 16", "1, 1, 0.50001"})
  void allCountsAreChargedAndAStepNeverCostsMoreThanItsMultiplier(
      int groups, double noise, double countNoise) {
    ResolvedPlan plan =
        plan(noise)
            .clipEvenly(1, groups)
            .adaptiveClipping(MEDIAN.withCountNoise(countNoise))
            .build()
            .forUnits(1000);
    Mechanism.JointGaussian joint =
        (Mechanism.JointGaussian) ((Mechanism.PoissonSampled) plan.mechanism(0)).inner();
    assertEquals(2 * groups, joint.noiseMultipliers().size());
    double combined = joint.combined().noiseMultiplier();
    assertTrue(combined >= noise, "combined " + combined);
    assertEquals(noise, combined, 1e-9 * noise);
  }

  @Test
  void aTargetIsKeptCountsAndAll() {
    ResolvedPlan plan =
        PrivacyPlan.target(2, 1e-5)
            .lotSize(100)
            .steps(200)
            .clip(0.1)
            .adaptiveClipping(MEDIAN)
            .build()
            .forUnits(5000);
    double epsilon = new PldAccountant().epsilon(plan.ledger(), 1e-5).epsilon();
    assertTrue(epsilon <= 2 && epsilon > 1.99, "epsilon " + epsilon);
    assertEquals(10, plan.countMultiplier(), "a twentieth of the lot, over a half");
    assertTrue(plan.multipliers(0)[0] > plan.multiplier(0));
  }

  @ParameterizedTest
  @CsvSource({
    "FIXED_SIZE, ADD_REMOVE",
    "POISSON, REPLACE_ONE",
    "SHUFFLED_EPOCHS, ZERO_OUT",
    "FULL_BATCH, REPLACE_ONE"
  })
  void aCountIsOneGroupMoreUnderEveryRelation(Sampling sampling, Neighbouring relation) {
    PrivacyPlanBuilder builder = plan(1).steps(10).neighbouring(relation).sampling(sampling);
    ResolvedPlan fixed = builder.build().forUnits(1000);
    ResolvedPlan adaptive = builder.adaptiveClipping(MEDIAN).build().forUnits(1000);
    PldAccountant pld = new PldAccountant();
    double epsilon = pld.epsilon(adaptive.ledger(), 1e-5).epsilon();
    assertEquals(pld.epsilon(fixed.ledger(), 1e-5).epsilon(), epsilon, 1e-6 * epsilon);
  }

  @Test
  void movesGeometricallyTowardsTheQuantileAndStaysInBounds() {
    AdaptiveClipping rule = AdaptiveClipping.quantile(0.8).withRate(0.5).between(0.1, 4);
    // 60 of 100 below: a centred count of 60/2 − 40/2 = 10, and b̃ = 0.6.
    assertEquals(Math.exp(0.5 * 0.2), rule.next(1, 10, 100), 1e-12);
    assertEquals(1, rule.next(1, 30, 100), 1e-12);
    assertEquals(0.1, rule.next(1, 1e9, 100));
    assertEquals(4, rule.next(1, -1e9, 100));
    assertEquals(4, rule.next(1, Double.NEGATIVE_INFINITY, 100));
  }

  @Test
  void theGridHoldsTheLargestThreshold() {
    PrivacyPlan plan = plan(1).adaptiveClipping(MEDIAN.between(0.5, 300)).build();
    assertEquals(300, plan.forUnits(1000).largestThreshold());
  }

  @Test
  void withoutNoiseNothingIsNoised() {
    ResolvedPlan plan =
        PrivacyPlan.nonPrivate()
            .lotSize(10)
            .steps(5)
            .clip(1)
            .adaptiveClipping(MEDIAN)
            .build()
            .forUnits(100);
    assertEquals(
        new Mechanism.PoissonSampled(0.1, new Mechanism.JointGaussian(List.of(0.0, 0.0))),
        plan.mechanism(0));
  }

  @Test
  void refusals() {
    refused(
        "clipping quantile must be in (0, 1). Provided value: 0",
        () -> AdaptiveClipping.quantile(0));
    refused(
        "clipping quantile must be in (0, 1). Provided value: 1",
        () -> AdaptiveClipping.quantile(1));
    refused(
        "clipping quantile must be in (0, 1). Provided value: NaN",
        () -> AdaptiveClipping.quantile(Double.NaN));
    refused(
        "clipping rate must be finite and greater than 0. Provided value: 0",
        () -> MEDIAN.withRate(0));
    refused(
        "count noise must be in (0, 2^30]. Provided value: -1", () -> MEDIAN.withCountNoise(-1));
    refused(
        "least threshold must be greater than 0. Provided value: 0", () -> MEDIAN.between(0, 1));
    refused("most threshold must be in [2.0, 1e30). Provided value: 1", () -> MEDIAN.between(2, 1));
    refused(
        "first threshold of adaptive clipping must be in [2.0, 3.0]. Provided value: 1",
        () -> plan(1).adaptiveClipping(MEDIAN.between(2, 3)).build());
    assertThrows(
        IllegalArgumentException.class,
        () -> plan(1).clip(Schedule.linear(1, 0.5, 9)).adaptiveClipping(MEDIAN).build());
    assertThrows(
        IllegalArgumentException.class,
        () -> plan(1).clipping(new ClippingRule.Normalised()).adaptiveClipping(MEDIAN).build());
    PrivacyPlan one = plan(2).adaptiveClipping(MEDIAN.withCountNoise(1)).build();
    refused(
        "count noise must be greater than 1.0 (half the step's noise multiplier times the root of"
            + " the number of clipping groups: the counts alone would cost more than the step may)."
            + " Provided value: 1",
        () -> one.forUnits(1000));
    // Enough for one group, and not for four.
    PrivacyPlan four =
        plan(2).clipEvenly(1, 4).adaptiveClipping(MEDIAN.withCountNoise(1.9)).build();
    assertThrows(IllegalArgumentException.class, () -> four.forUnits(1000));
    // A schedule that cannot be split at its noisiest step.
    PrivacyPlan rising =
        PrivacyPlan.noise(Schedule.linear(3, 1, 50))
            .lotSize(100)
            .steps(50)
            .clip(1)
            .adaptiveClipping(MEDIAN.withCountNoise(1.4))
            .build();
    assertThrows(IllegalArgumentException.class, () -> rising.forUnits(1000));
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }
}
