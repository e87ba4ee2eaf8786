package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.internal.PrivateGradients;
import dev.discreet.core.train.internal.Thresholds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A step whose gradient source throws in the middle. It stays charged, its release id is gone for
 * good, the source is not asked a second time, and the caller gets the exception and nothing else.
 */
class FailedStepTest {
  private static final int SIZE = 50;
  private static final int UNITS = 100;

  /** Far beyond all noise. */
  private static final long PRIVATE = 1L << 45;

  /** Sums to zero, or fails with the private sum half written. */
  private static final class Failing implements GradientSource {
    final List<StepRequest> asked = new ArrayList<>();
    final Set<Integer> failures;
    final Throwable failure;
    final ResolvedPlan plan;
    final long[] integers;
    Consumer<StepRequest> look = request -> {};
    boolean closed;

    Failing(ResolvedPlan plan, Throwable failure, Integer... failures) {
      this.plan = plan;
      this.failure = failure;
      this.failures = Set.of(failures);
      this.integers = new long[SIZE + plan.counts()];
    }

    @Override
    public Coordinates coordinates() {
      return new Coordinates(IntStream.range(0, SIZE).toArray(), new int[] {SIZE});
    }

    @Override
    public ClippedSum clippedSum(StepRequest request) {
      asked.add(request);
      look.accept(request);
      if (failures.contains(asked.size() - 1)) {
        Arrays.fill(integers, 0, SIZE / 2, PRIVATE);
        FailedStepTest.<RuntimeException>sneak(failure);
      }
      Arrays.fill(integers, 0);
      return plan.counts() == 0
          ? new ClippedSum(integers, -20, new int[] {SIZE}, new double[] {1})
          : new ClippedSum(
              integers, -20, new int[] {SIZE, SIZE + 1}, new double[] {1, Math.scalb(1.0, -20)});
    }

    @Override
    public long refusedUnits() {
      return 0;
    }

    @Override
    public void close() {
      closed = true;
    }

    long[] ids() {
      return asked.stream().mapToLong(StepRequest::release).toArray();
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  private static ResolvedPlan plan(Sampling sampling) {
    return PrivacyPlan.noise(2)
        .sampling(sampling)
        .neighbouring(Neighbouring.ZERO_OUT)
        .samplingRate(sampling == Sampling.FULL_BATCH ? 1 : 0.2)
        .steps(40)
        .clip(1)
        .build()
        .forUnits(UNITS);
  }

  private static PrivacySession session(long seed) {
    return PrivacySession.open(Journal.inMemory(Neighbouring.ZERO_OUT), Randomness.insecure(seed));
  }

  private static PrivateGradients gradients(Failing source, PrivacySession session) {
    return new PrivateGradients(source, session, source.plan, 0, new Thresholds(source.plan), SIZE);
  }

  /** What a caller of a step has in hand. */
  private static final class Caller {
    final float[] theta = new float[SIZE];
    final float[] gradient = new float[SIZE];
    final double[] variances = new double[1];

    Caller() {
      Arrays.fill(theta, 0.5f);
      forget();
    }

    void forget() {
      Arrays.fill(gradient, 77);
      Arrays.fill(variances, 77);
    }

    void assertToldNothing() {
      for (float value : gradient) {
        assertEquals(77, value);
      }
      assertEquals(77, variances[0]);
      for (float value : theta) {
        assertEquals(0.5f, value);
      }
    }

    float[] step(PrivateGradients gradients, long step) {
      forget();
      gradients.at(step, theta, gradient, variances);
      return gradient.clone();
    }

    void fails(PrivateGradients gradients, long step, Throwable failure) {
      forget();
      Throwable thrown =
          assertThrows(
              Throwable.class, () -> gradients.at(step, theta, gradient, variances), "no failure");
      assertSame(failure, thrown);
      assertEquals(0, thrown.getSuppressed().length);
      assertToldNothing();
    }
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IllegalStateException("a chunk of the lot has too many units"),
        new IllegalArgumentException("of this test"),
        new ArithmeticException("of this test"),
        new java.io.UncheckedIOException(new java.io.IOException("the cluster is gone")),
        new InterruptedException("of this test"),
        new java.util.concurrent.TimeoutException("of this test"),
        new OutOfMemoryError("of this test"),
        new AssertionError("of this test"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void theSourceIsAskedOnceTheStepStaysChargedAndTheCallerLearnsOnlyThat(Throwable failure) {
    ResolvedPlan plan = plan(Sampling.POISSON);
    Failing source = new Failing(plan, failure, 0, 2, 3);
    Caller caller = new Caller();
    try (PrivacySession session = session(1);
        PrivateGradients gradients = gradients(source, session)) {
      source.look =
          request -> {
            assertEquals(plan.ledger(source.asked.size()), session.ledger(), "charged before");
            assertSame(session.samplingKey(), request.key());
          };
      caller.fails(gradients, 0, failure);
      assertEquals(1, source.asked.size(), "asked for one step");
      assertEquals(plan.ledger(1), session.ledger());
      caller.step(gradients, 0);
      assertEquals(2, source.asked.size());
      caller.fails(gradients, 1, failure);
      caller.fails(gradients, 1, failure);
      caller.step(gradients, 1);
      assertEquals(5, source.asked.size());
      assertEquals(plan.ledger(5), session.ledger(), "every question, answered or not");
      assertArrayEquals(new long[] {0, 1, 2, 3, 4}, source.ids());
      assertFalse(source.closed);
    }
    assertTrue(source.closed);
  }

  /** With one seed, the noise tells the id: that of a failed step is on nothing that is told. */
  @Test
  void theNoiseOfAFailedStepIsNeverUsed() {
    ResolvedPlan plan = plan(Sampling.POISSON);
    Throwable failure = new IllegalStateException("of this test");
    Failing whole = new Failing(plan, failure);
    Failing broken = new Failing(plan, failure, 0, 3, 4, 7);
    Caller caller = new Caller();
    List<float[]> expected = new ArrayList<>();
    try (PrivacySession session = session(4);
        PrivateGradients gradients = gradients(whole, session)) {
      for (int i = 0; i < 10; i++) {
        expected.add(caller.step(gradients, i));
      }
    }
    try (PrivacySession session = session(4);
        PrivateGradients gradients = gradients(broken, session)) {
      long step = 0;
      for (int i = 0; i < 10; i++) {
        if (broken.failures.contains(i)) {
          caller.fails(gradients, step, failure);
        } else {
          assertArrayEquals(expected.get(i), caller.step(gradients, step++), "release " + i);
        }
      }
      assertEquals(plan.ledger(10), session.ledger());
    }
    for (float[] gradient : expected) {
      for (float value : gradient) {
        assertTrue(value != 0 && Math.abs(value) < 10 * 2 / 20.0, "noise and nothing else");
      }
    }
  }

  /** A step that is taken again draws another lot: two releases of one lot would cost more. */
  @ParameterizedTest
  @EnumSource(Sampling.class)
  void aStepThatIsTakenAgainIsAnotherRelease(Sampling sampling) {
    ResolvedPlan plan = plan(sampling);
    IllegalStateException failure = new IllegalStateException("of this test");
    Failing source = new Failing(plan, failure, 1, 2, 6);
    Caller caller = new Caller();
    try (PrivacySession session = session(2);
        PrivateGradients gradients = gradients(source, session)) {
      caller.step(gradients, 0);
      caller.fails(gradients, 1, failure);
      caller.fails(gradients, 1, failure);
      caller.step(gradients, 1);
      caller.step(gradients, 2);
      caller.step(gradients, 3);
      caller.fails(gradients, 4, failure);
      caller.step(gradients, 4);
      long[] ids = source.ids();
      assertEquals(8, ids.length);
      assertEquals(8, Arrays.stream(ids).distinct().count());
      assertArrayEquals(LongStream.of(ids).sorted().toArray(), ids, "ids rise");
      long together = plan.sampler().stepsPerCharge();
      Mechanism charged = plan.mechanism(0);
      long times = Arrays.stream(ids).map(id -> id / together).distinct().count();
      assertEquals(
          Ledger.of(Neighbouring.ZERO_OUT, charged, times), session.ledger(), "each epoch once");
      // No unit is in two lots that one charge pays for.
      Set<String> drawn = new HashSet<>();
      for (long id : ids) {
        for (int unit : plan.sampler().lot(session.samplingKey(), id, Units.each(UNITS))) {
          assertTrue(drawn.add(unit + " in charge " + id / together), "drawn twice");
        }
      }
    }
  }

  @Test
  void adaptiveThresholdsDoNotMoveByAStepThatFailed() {
    ResolvedPlan plan =
        PrivacyPlan.noise(1)
            .samplingRate(0.2)
            .neighbouring(Neighbouring.ZERO_OUT)
            .steps(10)
            .clip(1)
            .adaptiveClipping(AdaptiveClipping.quantile(0.3))
            .build()
            .forUnits(UNITS);
    IllegalStateException failure = new IllegalStateException("of this test");
    Failing source = new Failing(plan, failure, 1, 2);
    Thresholds thresholds = new Thresholds(plan);
    Caller caller = new Caller();
    try (PrivacySession session = session(3);
        PrivateGradients gradients =
            new PrivateGradients(source, session, plan, 0, thresholds, SIZE)) {
      // Counts of zero are half of the lot: above the quantile, whatever the noise.
      caller.step(gradients, 0);
      List<Double> after = thresholds.moved();
      caller.fails(gradients, 1, failure);
      caller.fails(gradients, 1, failure);
      assertEquals(after, thresholds.moved());
      caller.step(gradients, 1);
      assertFalse(after.equals(thresholds.moved()), "they do move");
      for (int i = 1; i < 4; i++) {
        assertEquals(after.get(0), source.asked.get(i).thresholds()[0], "request " + i);
      }
    }
  }

  /** A budget is asked for every question too, and where it refuses none is asked. */
  @Test
  void theBudgetPaysForAFailedStepAndItsRefusalAsksNothing() {
    ResolvedPlan plan = plan(Sampling.POISSON);
    IllegalStateException failure = new IllegalStateException("of this test");
    IllegalStateException refusal = new IllegalStateException("the budget is spent");
    Failing source = new Failing(plan, failure, 1);
    List<Mechanism> paid = new ArrayList<>();
    Budget three =
        new Budget() {
          @Override
          public String begin(Session session) {
            return "";
          }

          @Override
          public void reserve(LedgerFile planned, Ledger charged) {}

          @Override
          public void charge(Mechanism mechanism) {
            if (paid.size() == 3) {
              throw refusal;
            }
            paid.add(mechanism);
          }

          @Override
          public void settle(Ledger charged) {}
        };
    Journal journal = Journal.inMemory(Neighbouring.ZERO_OUT);
    Caller caller = new Caller();
    try (PrivacySession session = PrivacySession.open(journal, Randomness.insecure(1), three);
        PrivateGradients gradients = gradients(source, session)) {
      caller.step(gradients, 0);
      caller.fails(gradients, 1, failure);
      assertEquals(2, paid.size());
      caller.step(gradients, 1);
      caller.fails(gradients, 2, refusal);
      caller.fails(gradients, 2, refusal);
      assertEquals(3, source.asked.size());
      assertEquals(plan.ledger(3), session.ledger());
    }
  }

  /** A source that answers what cannot be released has been asked all the same. */
  @Test
  void anAnswerThatIsRefusedIsChargedAndNotTold() {
    ResolvedPlan plan = plan(Sampling.POISSON);
    List<ClippedSum> wrong =
        List.of(
            new ClippedSum(full(SIZE), -20, new int[] {SIZE}, new double[] {0}),
            new ClippedSum(full(SIZE), -20, new int[] {SIZE}, new double[] {Double.NaN}),
            new ClippedSum(full(SIZE), -20, new int[] {SIZE - 1}, new double[] {1}),
            new ClippedSum(full(SIZE + 1), -20, new int[] {SIZE + 1}, new double[] {1}),
            new ClippedSum(full(SIZE), -20, new int[] {9, SIZE}, new double[] {1, 1}),
            new ClippedSum(full(SIZE), -60, new int[] {SIZE}, new double[] {1}));
    Coordinates places = new Failing(plan, null).coordinates();
    List<Long> asked = new ArrayList<>();
    GradientSource source =
        new GradientSource() {
          @Override
          public Coordinates coordinates() {
            return places;
          }

          @Override
          public ClippedSum clippedSum(StepRequest request) {
            asked.add(request.release());
            return wrong.get(asked.size() - 1);
          }

          @Override
          public long refusedUnits() {
            return 0;
          }

          @Override
          public void close() {}
        };
    Caller caller = new Caller();
    try (PrivacySession session = session(1);
        PrivateGradients gradients =
            new PrivateGradients(source, session, plan, 0, new Thresholds(plan), SIZE)) {
      for (int i = 0; i < wrong.size(); i++) {
        assertThrows(
            IllegalArgumentException.class,
            () -> gradients.at(0, caller.theta, caller.gradient, caller.variances));
        caller.assertToldNothing();
        assertEquals(i + 1, asked.size());
        assertEquals(plan.ledger(i + 1), session.ledger());
      }
      assertEquals(LongStream.range(0, wrong.size()).boxed().toList(), asked);
    }
  }

  private static long[] full(int size) {
    long[] integers = new long[size];
    Arrays.fill(integers, PRIVATE);
    return integers;
  }

  /** On a file, the next session knows of the failed step: it is charged, and its id is gone. */
  @Test
  void theNextSessionOnTheJournalTakesNoIdOfAFailedStep(@TempDir Path folder) {
    ResolvedPlan plan = plan(Sampling.POISSON);
    IllegalStateException failure = new IllegalStateException("of this test");
    Set<Long> ids = new HashSet<>();
    Caller caller = new Caller();
    for (int run = 0; run < 3; run++) {
      Failing source = new Failing(plan, failure, 2);
      Journal journal = Journal.file(folder.resolve("journal"), Neighbouring.ZERO_OUT);
      try (PrivacySession session = PrivacySession.open(journal, Randomness.insecure(1));
          PrivateGradients gradients = gradients(source, session)) {
        caller.step(gradients, 0);
        caller.step(gradients, 1);
        caller.fails(gradients, 2, failure);
      }
      for (long id : source.ids()) {
        assertTrue(ids.add(id), "id " + id + " of an earlier session");
      }
      assertEquals(
          plan.ledger(3 * run + 3), Journal.read(folder.resolve("journal")).ledger(), "on disk");
    }
  }
}
