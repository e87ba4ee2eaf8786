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
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.journal.Journal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class PrivacySessionTest {
  private static final Mechanism GAUSSIAN = new Mechanism.Gaussian(2);
  private static final Mechanism SAMPLED = new Mechanism.PoissonSampled(0.1, GAUSSIAN);

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  private static ResolvedPlan shuffled(int lots, long steps) {
    return PrivacyPlan.noise(2)
        .sampling(Sampling.SHUFFLED_EPOCHS)
        .neighbouring(Neighbouring.ZERO_OUT)
        .lotSize(1000.0 / lots)
        .steps(steps)
        .clip(1)
        .build()
        .forUnits(1000);
  }

  @Test
  @Tag("statistical")
  void noiseIsTheMultiplierTimesTheSensitivity() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      Sum sum =
          new Sum(new long[300_000], -22, new int[] {100_000, 300_000}, new double[] {0.25, 3});
      Arrays.fill(sum.integers(), 5L << 22);
      Mechanism joint = new Mechanism.JointGaussian(List.of(4.0, 1.5));
      NoisyValue noisy = session.release(new Mechanism.PoissonSampled(0.1, joint), sum);
      double[] values = noisy.values();
      assertEquals(values[7], noisy.value(7));
      Alarm.chiSquared("first group", squares(values, 0, 100_000, 4 * 0.25), 100_000);
      Alarm.chiSquared("second group", squares(values, 100_000, 300_000, 1.5 * 3), 200_000);
      assertThrows(
          AssertionError.class,
          () -> Alarm.chiSquared("wrong", squares(values, 0, 100_000, 4 * 0.26), 100_000));
    }
  }

  private static double squares(double[] values, int from, int to, double deviation) {
    return Arrays.stream(values, from, to).map(x -> (x - 5) / deviation).map(x -> x * x).sum();
  }

  @Test
  void everyReleaseIsChargedBeforeItsQuestionIsAsked() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      session.release(
          SAMPLED,
          id -> {
            assertEquals(Ledger.of(Neighbouring.ADD_REMOVE, SAMPLED, 1), session.ledger());
            return Sum.zeros(3);
          });
      assertThrows(
          IllegalStateException.class,
          () ->
              session.release(
                  SAMPLED,
                  id -> {
                    throw new IllegalStateException("the step in flight");
                  }));
      assertEquals(Ledger.of(Neighbouring.ADD_REMOVE, SAMPLED, 2), session.ledger());
      session.release(GAUSSIAN, Sum.zeros(1));
      assertEquals(
          Ledger.of(Neighbouring.ADD_REMOVE, SAMPLED, 2).plus(GAUSSIAN, 1), session.ledger());
    }
  }

  @Test
  void aPlansStepsCostThePlansLedger() {
    ResolvedPlan plan =
        PrivacyPlan.noise(1.2).samplingRate(0.1).steps(30).clipGroups(1, 2).build().forUnits(100);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      List<Long> ids = new ArrayList<>();
      for (long step = 0; step < 30; step++) {
        session.release(
            plan,
            step,
            id -> {
              ids.add(id);
              return new Sum(new long[5], -20, new int[] {2, 5}, new double[] {1, 2});
            });
        assertEquals(plan.ledger(step + 1), session.ledger());
      }
      assertEquals(IntStream.range(0, 30).mapToObj(i -> (long) i).toList(), ids);
    }
  }

  @Test
  void anEpochIsPaidOnceAndItsLotsAreApart() {
    ResolvedPlan plan = shuffled(10, 35);
    Units units = Units.each(1000);
    Journal journal = Journal.inMemory(Neighbouring.ZERO_OUT);
    try (PrivacySession session = PrivacySession.open(journal, Randomness.secure())) {
      // Another release before: the first epoch's lots still lie together.
      session.release(SAMPLED, Sum.zeros(1));
      int[] drawn = new int[1000];
      for (long step = 0; step < 35; step++) {
        session.release(
            plan,
            step,
            id -> {
              for (int unit : plan.sampler().lot(session.samplingKey(), id, units)) {
                drawn[unit]++;
              }
              return Sum.zeros(2);
            });
        long times = step / 10 + 1;
        assertTrue(Arrays.stream(drawn).allMatch(count -> count <= times), "step " + step);
        Ledger expected = Ledger.of(Neighbouring.ZERO_OUT, SAMPLED, 1).plus(plan.ledger(step + 1));
        assertTrue(session.ledger().totals().get(GAUSSIAN) >= expected.totals().get(GAUSSIAN));
        if (step > 10) {
          assertEquals(plan.ledger(step + 1).totals().get(GAUSSIAN) + 0, times);
        }
      }
      assertEquals(4, session.ledger().totals().get(GAUSSIAN));
    }
  }

  /** Charges are reserved ahead in a run of many epochs, and ids are used up before them. */
  @Test
  void manyEpochsArePaidOnceEach() {
    ResolvedPlan plan = shuffled(2, 500);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
      for (long step = 0; step < 500; step++) {
        session.release(plan, step, id -> Sum.zeros(1));
        assertEquals(step / 2 + 1, session.ledger().totals().get(GAUSSIAN));
      }
    }
  }

  @Test
  void anInterruptedEpochIsPaidAgain() {
    ResolvedPlan plan = shuffled(10, 20);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
      for (long step = 0; step < 5; step++) {
        session.release(plan, step, id -> Sum.zeros(1));
      }
      session.release(SAMPLED, Sum.zeros(1));
      long[] last = new long[1];
      for (long step = 5; step < 10; step++) {
        long place = step;
        session.release(
            plan,
            step,
            id -> {
              assertEquals(place, id % 10);
              assertTrue(id > last[0]);
              last[0] = id;
              return Sum.zeros(1);
            });
      }
      assertEquals(2, session.ledger().totals().get(GAUSSIAN));
    }
    try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
      // The same step again is another lot of another epoch.
      session.release(plan, 3, id -> Sum.zeros(1));
      session.release(plan, 3, id -> Sum.zeros(1));
      assertEquals(2, session.ledger().totals().get(GAUSSIAN));
    }
  }

  @Test
  void manyThreadsGetIdsOfTheirOwn() {
    var ids = new ConcurrentSkipListSet<Long>();
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      IntStream.range(0, 1000)
          .parallel()
          .forEach(i -> ids.add(session.release(SAMPLED, Sum.zeros(1)).release()));
      assertEquals(1000, ids.size());
      assertEquals(1000, session.ledger().totals().get(SAMPLED));
    }
  }

  @Test
  void seededSessionsRepeatAndSaySo() {
    long[][] runs = new long[2][];
    for (int run = 0; run < 2; run++) {
      Journal journal = Journal.inMemory(Neighbouring.ADD_REMOVE);
      try (PrivacySession session = PrivacySession.open(journal, Randomness.insecure(7))) {
        assertFalse(session.isSecure());
        assertEquals(
            "INSECURE: lots and noise came from a seed that anyone can guess. ", session.caveat());
        session.release(SAMPLED, Sum.zeros(10_000));
        runs[run] = session.release(SAMPLED, Sum.zeros(10_000)).integers();
      }
    }
    assertArrayEquals(runs[0], runs[1]);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      assertTrue(session.isSecure() && session.isPrivate());
      assertEquals("", session.caveat());
    }
  }

  @Test
  void aRunWithoutNoiseIsByNameAndCostsEverything() {
    Mechanism nothing = new Mechanism.Gaussian(0);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      refused(
          "noise multiplier must be finite and greater than 0 (a run without noise is asked for by"
              + " name: nonPrivate). Provided value: 0",
          () -> session.release(nothing, Sum.zeros(1)));
      assertEquals(Ledger.empty(Neighbouring.ADD_REMOVE), session.ledger());
    }
    try (PrivacySession session =
        PrivacySession.nonPrivate(Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.secure())) {
      assertFalse(session.isPrivate());
      assertTrue(session.caveat().startsWith("NOT PRIVATE"));
      Sum sum = new Sum(new long[] {3, 4}, 0, new int[] {2}, new double[] {1});
      assertArrayEquals(new double[] {3, 4}, session.release(nothing, sum).values());
      assertEquals(Double.POSITIVE_INFINITY, epsilon(session));
    }
  }

  @Test
  void anUnprotectedStepCostsEverything() {
    ResolvedPlan plan = PrivacyPlan.nonPrivate().lotSize(10).steps(7).build().forUnits(100);
    Journal journal = Journal.inMemory(Neighbouring.ADD_REMOVE);
    try (PrivacySession session = PrivacySession.nonPrivate(journal, Randomness.secure())) {
      session.chargeUnprotected(plan, 0);
      session.chargeUnprotected(plan, 1);
      assertEquals(plan.ledger(2), session.ledger());
      assertEquals(Double.POSITIVE_INFINITY, epsilon(session));
      ResolvedPlan noisy = PrivacyPlan.noise(1).lotSize(10).steps(7).clip(1).build().forUnits(100);
      assertThrows(IllegalArgumentException.class, () -> session.chargeUnprotected(noisy, 2));
    }
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      assertThrows(IllegalArgumentException.class, () -> session.chargeUnprotected(plan, 0));
      assertTrue(session.ledger().entries().isEmpty());
    }
  }

  private static double epsilon(PrivacySession session) {
    return new PldAccountant().epsilon(session.ledger(), 1e-5).epsilon();
  }

  @Test
  void refusals() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      refused(
          "mechanism of a release must be Gaussian or Laplace noise. Provided value:"
              + " PureDp[epsilon=1.0]",
          () -> session.release(new Mechanism.PureDp(1), Sum.zeros(1)));
      refused(
          "neighbouring of the plan must be the session's, add/remove. Provided value: zero-out",
          () -> session.release(shuffled(10, 5), 0, id -> Sum.zeros(1)));
      refused(
          "groups of the value must be as many as noise multipliers, 2. Provided value: 1",
          () -> session.release(new Mechanism.JointGaussian(List.of(1.0, 2.0)), Sum.zeros(1)));
      refused(
          "sensitivity must be finite and greater than 0. Provided value: 0",
          () ->
              session.release(GAUSSIAN, new Sum(new long[1], 0, new int[] {1}, new double[] {0})));
      refused(
          "ends of groups must be rising to the length, 3. Provided value: 2",
          () ->
              session.release(GAUSSIAN, new Sum(new long[3], 0, new int[] {2}, new double[] {1})));
      refused(
          "noise in grid steps must be greater than 0 and at most 2^36. Provided value:"
              + " 2.305843009215791e18",
          () ->
              session.release(
                  GAUSSIAN, new Sum(new long[1], -60, new int[] {1}, new double[] {1})));
    }
    PrivacySession closed = PrivacySession.open(Neighbouring.ADD_REMOVE);
    closed.close();
    closed.close();
    assertEquals(
        "the journal is closed",
        assertThrows(IllegalStateException.class, () -> closed.release(GAUSSIAN, Sum.zeros(1)))
            .getMessage());
  }

  /** Who keeps a release must not find the next sum in it, and that before its noise. */
  @Test
  void aReleaseIsNoWindow() {
    long[] sum = {5, 6, 7};
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      NoisyValue kept =
          session.release(GAUSSIAN, new Sum(sum, 0, new int[] {3}, new double[] {1e6}));
      long[] then = kept.integers().clone();
      java.util.Arrays.fill(sum, 1234);
      assertArrayEquals(then, kept.integers());
    }
  }
}
