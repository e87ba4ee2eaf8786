package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.draws.Scores;
import dev.discreet.core.privacy.journal.Journal;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LaplaceReleaseTest {
  private static final Mechanism LAPLACE = new Mechanism.Laplace(2);
  private static final Mechanism.Exponential CHOICE = new Mechanism.Exponential(1);

  private static GridVector vector(int size, double sensitivity) {
    return new GridVector(new long[size], -20, Norm.L1, sensitivity);
  }

  private static PrivacySession seeded(long seed) {
    return PrivacySession.open(
        Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(seed));
  }

  /** |x| of Laplace noise of scale b has mean b and deviation b. */
  private static void assertScale(double[] values, double scale) {
    double sum = Arrays.stream(values).map(Math::abs).sum();
    Alarm.normal("absolute", scale * values.length, scale * Math.sqrt(values.length), sum);
  }

  @Test
  @Tag("statistical")
  void noiseIsTheScaleTimesTheSensitivityAndNotHalfOrTwice() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      double[] values = session.release(LAPLACE, vector(20_000, 3)).values();
      assertScale(values, 6);
      assertThrows(AssertionError.class, () -> assertScale(values, 3));
      assertThrows(AssertionError.class, () -> assertScale(values, 12));
      Mechanism sampled = new Mechanism.PoissonSampled(0.1, LAPLACE);
      assertScale(session.release(sampled, vector(20_000, 3)).values(), 6);
    }
  }

  @Test
  void theWrongNormIsRefused() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      assertEquals(
          "norm of the value's sensitivities must be L1 for Laplace noise. Provided value: L2",
          assertThrows(IllegalArgumentException.class, () -> session.release(LAPLACE, Sum.zeros(3)))
              .getMessage());
      assertEquals(
          "norm of the value's sensitivities must be L2 for Gaussian noise. Provided value: L1",
          assertThrows(
                  IllegalArgumentException.class,
                  () -> session.release(new Mechanism.Gaussian(1), vector(3, 1)))
              .getMessage());
    }
  }

  @Test
  void releasesAndChoicesAreChargedFirst() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      Ledger expected = Ledger.of(Neighbouring.ADD_REMOVE, LAPLACE, 1);
      session.release(
          LAPLACE,
          id -> {
            assertEquals(expected, session.ledger());
            return vector(1, 1);
          });
      session.choose(
          CHOICE,
          id -> {
            assertEquals(1, id);
            assertEquals(expected.plus(CHOICE, 1), session.ledger());
            return Scores.of(new long[] {1, 2}, 1);
          });
      LongFunction<Scores> fails =
          id -> {
            throw new IllegalStateException("the choice in flight");
          };
      assertThrows(IllegalStateException.class, () -> session.choose(CHOICE, fails));
      assertEquals(expected.plus(CHOICE, 2), session.ledger());
      assertEquals(2.5, new PldAccountant().epsilon(session.ledger(), 0).epsilon(), 1e-9);
      assertThrows(
          IllegalArgumentException.class,
          () -> session.choose(new Mechanism.Exponential(Double.POSITIVE_INFINITY), fails));
      assertEquals(expected.plus(CHOICE, 2), session.ledger());
    }
  }

  @Test
  void seededSessionsRepeat() {
    try (PrivacySession a = seeded(7);
        PrivacySession b = seeded(7)) {
      assertArrayEquals(
          a.release(LAPLACE, vector(100, 1)).integers(),
          b.release(LAPLACE, vector(100, 1)).integers());
      for (int i = 0; i < 100; i++) {
        assertEquals(
            a.choose(CHOICE, id -> Scores.of(new long[100], 1)),
            b.choose(CHOICE, id -> Scores.of(new long[100], 1)));
      }
    }
  }

  @Test
  void noNoiseIsByNameOnly() {
    Mechanism nothing = new Mechanism.Laplace(0);
    try (PrivacySession session = seeded(1)) {
      assertThrows(IllegalArgumentException.class, () -> session.release(nothing, vector(1, 1)));
    }
    try (PrivacySession session =
        PrivacySession.nonPrivate(Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.secure())) {
      assertArrayEquals(new double[3], session.release(nothing, vector(3, 1)).values());
    }
  }
}
