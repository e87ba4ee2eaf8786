package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.privacy.overtime.NoiseOverTime;
import dev.discreet.core.schedule.Schedule;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Plans, ledgers and sessions of runs whose steps share noise. */
class NoiseOverTimePlanTest {
  private static final int UNITS = 1000;

  private static PrivacyPlanBuilder builder(int bands) {
    return PrivacyPlan.noise(2)
        .lotSize(50)
        .steps(45)
        .clip(1)
        .noiseOverTime(NoiseOverTime.banded(bands));
  }

  private static ResolvedPlan plan(int bands) {
    return builder(bands).build().forUnits(UNITS);
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  // --- what is charged

  @Test
  void sampledPartsAreChargedForEachTimeThatAUnitMayTakePart() {
    ResolvedPlan plan = plan(4);
    assertEquals(new Sampler.Cyclic(4, 0.2, UNITS), plan.sampler());
    assertEquals(50, plan.expectedLot());
    double squares = 0;
    for (int c : plan.overTime().orElseThrow().coefficients()) {
      squares += c / 64.0 * (c / 64.0);
    }
    Ledger.Entry entry = plan.ledger().entries().get(0);
    assertEquals(1, plan.ledger().entries().size());
    assertEquals(12, entry.count(), "45 steps of 4 parts");
    Mechanism.PoissonSampled sampled = (Mechanism.PoissonSampled) entry.mechanism();
    assertEquals(0.2, sampled.rate());
    double multiplier = ((Mechanism.Gaussian) sampled.inner()).noiseMultiplier();
    assertEquals(2 / Math.sqrt(squares), multiplier, 1e-11);
    assertTrue(multiplier < 2 / Math.sqrt(squares));
    double byHand =
        new PldAccountant()
            .epsilon(
                Ledger.of(
                    Neighbouring.ADD_REMOVE,
                    new Mechanism.PoissonSampled(0.2, new Mechanism.Gaussian(multiplier)),
                    12),
                1e-5)
            .epsilon();
    assertEquals(byHand, plan.epsilon(1e-5).epsilon());
  }

  @Test
  void wholePartsAreOneGaussian() {
    // More bands than lots of an epoch: noise is shared by steps in which a unit is twice.
    ResolvedPlan plan = plan(30);
    assertEquals(new Sampler.Cyclic(20, 1, UNITS), plan.sampler());
    double[] moved = new double[45];
    List<Integer> c = plan.overTime().orElseThrow().coefficients();
    assertEquals(30, c.size());
    for (int start : new int[] {0, 20, 40}) {
      for (int j = 0; j < 30 && start + j < 45; j++) {
        moved[start + j] += c.get(j) / 64.0;
      }
    }
    double far = Math.sqrt(Arrays.stream(moved).map(x -> x * x).sum());
    Mechanism.Gaussian whole = (Mechanism.Gaussian) plan.mechanism(0);
    assertEquals(2 / far, whole.noiseMultiplier(), 1e-11);
    assertEquals(Ledger.of(Neighbouring.ADD_REMOVE, whole, 1), plan.ledger());
    // As many bands as parts: one Gaussian for each of three times.
    ResolvedPlan apart = plan(20);
    assertEquals(new Sampler.Cyclic(20, 1, UNITS), apart.sampler());
    assertEquals(3, apart.ledger().entries().get(0).count());
    assertTrue(apart.mechanism(0) instanceof Mechanism.Gaussian);
  }

  @Test
  void oneBandCostsWhatDpSgdCosts() {
    ResolvedPlan sgd = PrivacyPlan.noise(2).lotSize(50).steps(45).clip(1).build().forUnits(UNITS);
    double one = plan(1).epsilon(1e-5).epsilon();
    assertEquals(sgd.epsilon(1e-5).epsilon(), one, 1e-7 * one);
    assertEquals(45, plan(1).ledger().entries().get(0).count());
  }

  @Test
  void theTargetIsMet() {
    for (int bands : new int[] {1, 5, 20, 40}) {
      for (Neighbouring relation : Neighbouring.values()) {
        ResolvedPlan plan =
            PrivacyPlan.target(2, 1e-5)
                .lotSize(50)
                .epochs(4)
                .clip(1)
                .neighbouring(relation)
                .noiseOverTime(NoiseOverTime.banded(bands))
                .build()
                .forUnits(UNITS);
        double epsilon = plan.epsilon(1e-5).epsilon();
        assertTrue(epsilon <= 2 && epsilon > 1.998, bands + " bands: " + epsilon);
        boolean whole = bands >= 20 || relation == Neighbouring.REPLACE_ONE;
        assertEquals(
            whole
                ? new Sampler.Cyclic(20, 1, UNITS)
                : new Sampler.Cyclic(bands, bands / 20.0, UNITS),
            plan.sampler());
      }
    }
  }

  @Test
  void groupsShareTheirStepsNoiseTogether() {
    ResolvedPlan plan =
        PrivacyPlan.noise(2)
            .lotSize(50)
            .steps(45)
            .clipGroups(1, 3)
            .noiseOverTime(NoiseOverTime.banded(4))
            .build()
            .forUnits(UNITS);
    Mechanism.JointGaussian joint =
        (Mechanism.JointGaussian) ((Mechanism.PoissonSampled) plan.mechanism(0)).inner();
    double moved = plan.overTime().orElseThrow().sensitivity();
    assertEquals(2 / moved, joint.combined().noiseMultiplier(), 1e-9);
    assertEquals(plan.multipliers(3)[1] * plan.overTime().get().spread(3), plan.deviations(3)[1]);
  }

  @Test
  void aRunThatWasBegunIsChargedWhole() {
    ResolvedPlan plan = plan(4);
    assertTrue(plan.ledger(0).entries().isEmpty());
    assertEquals(plan.ledger(), plan.ledger(1));
    assertEquals(plan.ledger(), plan.ledger(44));
    assertEquals(plan.epsilon(1e-5).epsilon(), plan(4).epsilon(1e-5).epsilon());
  }

  // --- sessions

  @Test
  void theFirstStepChargesAllAndNothingIsGivenBack(@TempDir Path folder) {
    ResolvedPlan plan = plan(4);
    Path file = folder.resolve("journal");
    try (PrivacySession session =
        PrivacySession.open(
            Journal.newFile(file, Neighbouring.ADD_REMOVE, "example"), Randomness.secure())) {
      session.intend(
          new LedgerFile(plan.ledger(), "example", UNITS, true, new PldAccountant().name()));
      session.release(
          plan,
          0,
          id -> {
            assertEquals(plan.ledger(), session.ledger(), "before it is asked");
            return Sum.zeros(3);
          });
      session.release(plan, 1, id -> Sum.zeros(3));
      assertEquals(plan.ledger(), session.ledger());
    }
    try (Journal journal = Journal.file(file, Neighbouring.ADD_REMOVE)) {
      assertEquals(plan.ledger(), journal.ledger());
    }
  }

  @Test
  void lotsAreThoseOfTheirStepsParts() {
    ResolvedPlan plan = plan(4);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      // Ids of other releases before and between must not shift the parts.
      session.release(new Mechanism.Gaussian(9), Sum.zeros(1));
      for (long step = 0; step < 45; step++) {
        long part = step % 4;
        session.release(
            plan,
            step,
            id -> {
              assertEquals(part, id % 4);
              return Sum.zeros(3);
            });
        if (step == 13) {
          session.release(new Mechanism.Gaussian(9), Sum.zeros(1));
        }
      }
      refused(
          "step must be in [0, 45). Provided value: 45",
          () -> session.release(plan, 45, id -> Sum.zeros(3)));
    }
  }

  @Test
  void stepsFollowOneAnother() {
    ResolvedPlan plan = plan(4);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      refused(
          "step of a run with noise over time must be 0, in a session that has not had such a run."
              + " Provided value: 1",
          () -> session.release(plan, 1, id -> Sum.zeros(3)));
      assertTrue(session.ledger().entries().isEmpty());
      session.release(plan, 0, id -> Sum.zeros(3));
      for (long wrong : new long[] {0, 2}) {
        refused(
            "step of a run with noise over time must be the next one of its plan, 1. Provided"
                + " value: "
                + wrong,
            () -> session.release(plan, wrong, id -> Sum.zeros(3)));
      }
      refused(
          "step of a run with noise over time must be the next one of its plan, 1. Provided"
              + " value: 1",
          () -> session.release(plan(5), 1, id -> Sum.zeros(3)));
      session.release(plan, 1, id -> Sum.zeros(3));
      assertThrows(
          IllegalStateException.class,
          () ->
              session.release(
                  plan,
                  2,
                  id -> {
                    throw new IllegalStateException("of this test");
                  }));
      for (long after : new long[] {0, 2, 3}) {
        refused(
            "step of a run with noise over time must be 0, in a session that has not had such a"
                + " run. Provided value: "
                + after,
            () -> session.release(plan, after, id -> Sum.zeros(3)));
      }
      assertEquals(plan.ledger(), session.ledger());
    }
  }

  // --- refusals

  @Test
  void whatHasNoProofIsRefused() {
    refused(
        "micro-batch of a run with noise over time must be 1 (its proof is for units that keep"
            + " their steps by themselves). Provided value: 5",
        () -> builder(4).microBatch(5).build());
    refused(
        "clipping thresholds of noise over time must be the same at all steps (what a unit moves is"
            + " added up over them). Provided value: adaptive clipping",
        () -> builder(4).adaptiveClipping(AdaptiveClipping.quantile(0.5)).build());
    refused(
        "clipping of noise over time must be one with a fixed sensitivity. Provided value: "
            + new ClippingRule.Estimated(8),
        () -> builder(4).estimatedNorms(8).build());
    Schedule falling = Schedule.linear(2, 1, 5);
    assertTrue(
        assertThrows(
                IllegalArgumentException.class, () -> builder(4).clip(falling).build().forUnits(99))
            .getMessage()
            .startsWith("clipping thresholds of noise over time must be the same at all steps"));
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    PrivacyPlan.noise(falling)
                        .lotSize(50)
                        .steps(9)
                        .clip(1)
                        .noiseOverTime(NoiseOverTime.banded(3))
                        .build())
            .getMessage()
            .startsWith("noise multiplier of noise over time must be the same"));
    for (Sampling other : Sampling.values()) {
      if (other != Sampling.CYCLIC) {
        assertTrue(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> builder(4).sampling(other).neighbouring(Neighbouring.ZERO_OUT).build())
                .getMessage()
                .startsWith("sampler of noise over time must be cyclic"));
      }
    }
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    PrivacyPlan.nonPrivate()
                        .lotSize(50)
                        .steps(9)
                        .noiseOverTime(NoiseOverTime.banded(3))
                        .build())
            .getMessage()
            .startsWith("noise over time must be asked for in private runs only"));
  }
}
