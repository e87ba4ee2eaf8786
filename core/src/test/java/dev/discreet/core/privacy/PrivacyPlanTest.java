package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.RelationConversion;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.schedule.Schedule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PrivacyPlanTest {

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  private static void assertFits(ResolvedPlan plan, double epsilon, double delta) {
    double cost = new PldAccountant().epsilon(plan.ledger(), delta).epsilon();
    assertTrue(cost <= epsilon && cost >= 0.999 * epsilon, cost + " for " + epsilon);
    assertEquals(new Target.OfEpsilon(epsilon, delta), plan.target().orElseThrow());
  }

  @Test
  void theThreeLines() {
    PrivacyPlan plan = PrivacyPlan.target(3.0, 1e-5).lotSize(600).epochs(20).clip(1.0).build();
    ResolvedPlan resolved = plan.forUnits(60_000);
    assertEquals(new Sampler.Poisson(0.01, 60_000), resolved.sampler());
    assertEquals(2000, resolved.steps());
    assertEquals(600, resolved.expectedLot());
    assertEquals(20, resolved.epochs());
    assertEquals(Neighbouring.ADD_REMOVE, resolved.neighbouring());
    assertTrue(resolved.isPrivate());
    assertArrayEquals(new double[] {1}, resolved.thresholds(17));
    double sigma = resolved.multiplier(0);
    assertEquals(
        Ledger.of(
            Neighbouring.ADD_REMOVE,
            new Mechanism.PoissonSampled(0.01, new Mechanism.Gaussian(sigma)),
            2000),
        resolved.ledger());
    assertFits(resolved, 3.0, 1e-5);
    assertTrue(resolved.epsilon(1e-5).epsilon() <= 3);
  }

  /** Under another relation too, a plan takes the share of a ceiling that it is given. */
  @Test
  void aShareOfACeilingIsATarget() {
    PrivacyFilter ceiling = new PrivacyFilter(4, 1e-6);
    for (Neighbouring relation : List.of(Neighbouring.ADD_REMOVE, Neighbouring.REPLACE_ONE)) {
      Target target = new Target.OfCeiling(0.1, 1e-6, ceiling, relation);
      PrivacyPlan plan = PrivacyPlan.target(target).lotSize(50).steps(40).clip(1).build();
      ResolvedPlan resolved = plan.forUnits(1000);
      double share =
          ceiling.share(ceiling.cost(RelationConversion.of(resolved.ledger(), relation)));
      assertTrue(share <= 0.1 && share > 0.1 * (1 - 1e-3), relation + ": " + share);
      assertEquals(1e-6, plan.checkResolved(resolved, 1000).orElseThrow().delta());
      Target less = new Target.OfCeiling(0.09, 1e-6, ceiling, relation);
      assertThrows(
          IllegalArgumentException.class,
          () -> less.check(resolved.ledger(), resolved.epsilon(0.1)));
    }
    refused(
        "share must be in (0, 1]. Provided value: 0",
        () -> new Target.OfCeiling(0, 1e-6, ceiling, Neighbouring.ADD_REMOVE));
  }

  static Stream<PrivacyPlanBuilder> targets() {
    return Stream.of(
        PrivacyPlan.target(2, 1e-6).lotSize(50).steps(40).clip(0.1),
        PrivacyPlan.target(2, 1e-6).lotSize(50).steps(40).clipGroups(0.1, 3, 0.7),
        PrivacyPlan.target(2, 1e-6)
            .noiseShape(Schedule.linear(1, 0.5, 40))
            .lotSize(50)
            .steps(40)
            .clip(0.1),
        PrivacyPlan.target(2, 1e-6).sampling(Sampling.FIXED_SIZE).lotSize(50).epochs(2).clip(1),
        PrivacyPlan.target(2, 1e-6).sampling(Sampling.FULL_BATCH).steps(10).clip(1),
        PrivacyPlan.target(2, 1e-6)
            .sampling(Sampling.SHUFFLED_EPOCHS)
            .neighbouring(Neighbouring.ZERO_OUT)
            .lotSize(50)
            .epochs(3)
            .clip(1));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void calibrationIsOnTheSafeSideAndClose(PrivacyPlanBuilder builder) {
    assertFits(builder.build().forUnits(1000), 2, 1e-6);
  }

  @ParameterizedTest
  @EnumSource(
      value = Sampling.class,
      names = {"POISSON", "FIXED_SIZE"})
  void whatIsReleasedBesidesTheStepsComesOutOfTheSameTarget(Sampling sampling) {
    PrivacyPlanBuilder builder =
        PrivacyPlan.target(2, 1e-6).sampling(sampling).lotSize(50).steps(40).clip(0.1);
    double before = builder.build().forUnits(1000).multiplier(0);
    Mechanism besides = new Mechanism.Gaussian(5);
    ResolvedPlan plan = builder.besides(besides).build().forUnits(1000);
    assertFits(plan, 2, 1e-6);
    assertTrue(plan.multiplier(0) > 1.01 * before, "the steps get less of it");
    assertEquals(plan.ledger(plan.steps()).plus(besides, 1), plan.ledger());
    assertEquals(List.of(besides), plan.besides());
    double steps = new PldAccountant().epsilon(plan.ledger(plan.steps()), 1e-6).epsilon();
    assertTrue(steps < 1.98, "steps alone " + steps);
  }

  @Test
  void whatCostsTheWholeTargetLeavesNothingForSteps() {
    PrivacyPlan plan = PrivacyPlan.target(1, 1e-5).lotSize(9).steps(2).clip(1).build();
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () -> plan.besides(new Mechanism.Gaussian(3)).forUnits(100))
            .getMessage()
            .startsWith("epsilon must be reachable: no noise multiplier up to"));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void thePrefixesLedgerGrowsToTheWhole(PrivacyPlanBuilder builder) {
    ResolvedPlan plan = builder.build().forUnits(1000);
    assertEquals(Ledger.empty(plan.neighbouring()), plan.ledger(0));
    long together = plan.sampler().stepsPerCharge();
    for (long done = 1; done <= plan.steps(); done++) {
      long entries = plan.ledger(done).entries().stream().mapToLong(Ledger.Entry::count).sum();
      assertEquals((done + together - 1) / together, entries, "after " + done);
    }
    assertEquals(plan.ledger(), plan.ledger(plan.steps()));
    refused(
        "steps done must be in [0, " + plan.steps() + "]. Provided value: " + (plan.steps() + 1),
        () -> plan.ledger(plan.steps() + 1));
  }

  @Test
  void theLedgerIsTheSumOfTheSteps() {
    ResolvedPlan plan =
        PrivacyPlan.noise(Schedule.linear(2, 1, 300))
            .samplingRate(0.1)
            .steps(500)
            .clip(Schedule.cosine(1, 0.1, 500))
            .build()
            .forUnits(1000);
    Ledger sum = Ledger.empty(Neighbouring.ADD_REMOVE);
    for (long step = 0; step < 500; step++) {
      sum = sum.plus(plan.mechanism(step), 1);
    }
    assertEquals(sum, plan.ledger());
    assertTrue(plan.ledger().entries().size() <= 64);
    assertEquals(2, plan.multiplier(0));
    assertEquals(1, plan.multiplier(499));
    assertTrue(plan.thresholds(0)[0] == 1 && plan.thresholds(499)[0] < 0.11);
    assertEquals(1, plan.largestThreshold());
  }

  @Test
  void aBegunEpochIsChargedWhole() {
    ResolvedPlan plan =
        PrivacyPlan.noise(2)
            .sampling(Sampling.SHUFFLED_EPOCHS)
            .neighbouring(Neighbouring.REPLACE_ONE)
            .lotSize(100)
            .epochs(2.5)
            .clip(1)
            .build()
            .forUnits(1000);
    assertEquals(25, plan.steps());
    Mechanism epoch = new Mechanism.Gaussian(2);
    assertEquals(Ledger.of(Neighbouring.REPLACE_ONE, epoch, 1), plan.ledger(1));
    assertEquals(Ledger.of(Neighbouring.REPLACE_ONE, epoch, 1), plan.ledger(10));
    assertEquals(Ledger.of(Neighbouring.REPLACE_ONE, epoch, 2), plan.ledger(11));
    assertEquals(Ledger.of(Neighbouring.REPLACE_ONE, epoch, 3), plan.ledger());
  }

  @Test
  void anEpochHasOneMultiplier() {
    ResolvedPlan plan =
        PrivacyPlan.noise(Schedule.linear(4, 1, 900))
            .sampling(Sampling.SHUFFLED_EPOCHS)
            .neighbouring(Neighbouring.ZERO_OUT)
            .lotSize(100)
            .steps(1000)
            .clip(1)
            .build()
            .forUnits(1000);
    for (long step = 0; step < 1000; step++) {
      assertEquals(plan.mechanism(step / 10 * 10), plan.mechanism(step));
    }
  }

  @Test
  void groupsAreTogetherTheStepsNoise() {
    ResolvedPlan plan =
        PrivacyPlan.noise(1.5).samplingRate(0.1).steps(5).clipGroups(1, 2, 0.5).build().forUnits(9);
    double[] sigmas = plan.multipliers(3);
    double[] thresholds = plan.thresholds(3);
    // The same noise on every coordinate.
    assertEquals(sigmas[0] * thresholds[0], sigmas[1] * thresholds[1], 1e-14);
    assertEquals(sigmas[0] * thresholds[0], sigmas[2] * thresholds[2], 1e-14);
    assertEquals(1.5 * Math.sqrt(1 + 4 + 0.25), sigmas[0], 1e-14);
    var joint = (Mechanism.JointGaussian) ((Mechanism.PoissonSampled) plan.mechanism(3)).inner();
    assertEquals(1.5, joint.combined().noiseMultiplier(), 1e-14);
    assertArrayEquals(
        sigmas, joint.noiseMultipliers().stream().mapToDouble(Double::doubleValue).toArray());

    ResolvedPlan weighted =
        PrivacyPlan.noise(1.5)
            .samplingRate(0.1)
            .steps(5)
            .clipEvenly(1, 2)
            .noiseWeights(3, 4)
            .build()
            .forUnits(9);
    assertEquals(Math.sqrt(0.5), weighted.thresholds(0)[1], 1e-15);
    assertEquals(0.75, weighted.multipliers(0)[0] / weighted.multipliers(0)[1], 1e-15);
  }

  @Test
  void nonPrivateIsByName() {
    ResolvedPlan plan = PrivacyPlan.nonPrivate().lotSize(10).epochs(1).build().forUnits(100);
    assertFalse(plan.isPrivate());
    assertEquals(new ClippingRule.None(), plan.clipping());
    assertEquals(Double.POSITIVE_INFINITY, plan.epsilon(1e-5).epsilon());
    refused(
        "noise multiplier must be greater than 0 (a run without noise is asked for by name:"
            + " nonPrivate). Provided value: 0",
        () -> PrivacyPlan.noise(0).lotSize(10).epochs(1).clip(1).build());
    refused(
        "clipping rule must be one that bounds a unit's contribution. Provided value: None[]",
        () ->
            PrivacyPlan.noise(1)
                .lotSize(10)
                .epochs(1)
                .clip(1)
                .clipping(new ClippingRule.None())
                .build());
  }

  @Test
  void refusals() {
    refused(
        "epsilon must be finite and greater than 0. Provided value: 0",
        () -> PrivacyPlan.target(0, 1e-5));
    refused("delta must be in [0, 1). Provided value: 1", () -> PrivacyPlan.target(1, 1));
    refused(
        "lot size must be given (lotSize, samplingRate or full batch). Provided value: none",
        () -> PrivacyPlan.noise(1).epochs(1).clip(1).build());
    refused(
        "length of the run must be given (steps or epochs). Provided value: none",
        () -> PrivacyPlan.noise(1).lotSize(1).clip(1).build());
    refused(
        "clipping threshold must be given (clip). Provided value: none",
        () -> PrivacyPlan.noise(1).lotSize(1).epochs(1).build());
    refused(
        "clipping threshold must be greater than 0 at every step. Provided value: -1",
        () -> PrivacyPlan.noise(1).lotSize(1).epochs(1).clip(-1).build());
    refused(
        "lot size must be at most the number of units, 100. Provided value: 101",
        () -> PrivacyPlan.noise(1).lotSize(101).epochs(1).clip(1).build().forUnits(100));
    refused(
        "neighbouring of shuffled epochs must be zero-out or replace-one (a unit more or less would"
            + " move every lot). Provided value: add/remove",
        () ->
            PrivacyPlan.noise(1)
                .sampling(Sampling.SHUFFLED_EPOCHS)
                .lotSize(1)
                .epochs(1)
                .clip(1)
                .build());
    refused(
        "clipping threshold must be greater than 0 at every step. Provided value: 0",
        () -> PrivacyPlan.noise(1).lotSize(1).epochs(1).clipGroups(0, 1).build());
    refused(
        "noise weights must be one for each of 2 clipping groups. Provided value: 3",
        () ->
            PrivacyPlan.noise(1)
                .lotSize(1)
                .epochs(1)
                .clipGroups(1, 2)
                .noiseWeights(1, 2, 3)
                .build());
    refused(
        "clipping threshold must be greater than 0 at every step. Provided value: 0",
        () ->
            PrivacyPlan.noise(1)
                .lotSize(1)
                .steps(50)
                .clip(Schedule.linear(1, 0, 10))
                .build()
                .forUnits(10));
    refused(
        "step must be in [0, 5). Provided value: 5",
        () -> PrivacyPlan.noise(1).lotSize(1).steps(5).clip(1).build().forUnits(9).mechanism(5));
    refused(
        "privacy unit must be a noun. Provided value: ",
        () -> PrivacyPlan.noise(1).lotSize(1).steps(5).clip(1).unit("").build());
    refused(
        "clipping groups must be at least 1. Provided value: 0",
        () ->
            new ResolvedPlan(
                new Sampler.FullBatch(3),
                1,
                new ClippingRule.Flat(),
                List.of(),
                Schedule.constant(1),
                List.of(),
                Neighbouring.ADD_REMOVE,
                "example",
                java.util.Optional.empty(),
                List.of()));
  }
}
