package dev.discreet.algorithms.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SensitivityTest {
  private static final double RICH = 1_000_000;
  private static final double[] DOMAIN = {0, 1, RICH};
  // Neighbours under replace-one: one zero became a million. Both have the median 1.
  private static final double[] POOR = {0, 0, 1, 1, RICH};
  private static final double[] MIXED = {0, 1, 1, RICH, RICH};

  private static double median(double[] data) {
    double[] sorted = data.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double mean(double[] data) {
    return Arrays.stream(data).average().orElse(0);
  }

  @Test
  void localAndGlobalAreApart() {
    assertEquals(new Sensitivity(1, RICH), of(POOR));
    assertEquals(new Sensitivity(RICH - 1, RICH), of(MIXED));
    // For a mean of a known number of rows too: the seed's problem 3 takes one neighbour's
    // distance.
    double[] salaries = {0, 0, 0, 1};
    Sensitivity ofMean =
        Sensitivity.of(
            SensitivityTest::mean, salaries, new double[] {0, 1}, Neighbouring.REPLACE_ONE);
    assertEquals(new Sensitivity(0.25, 0.25), ofMean);
    // A row may leave: the mean of what is left moves by 1/4 here, and by 1/2 for other data.
    Sensitivity removed =
        Sensitivity.of(
            SensitivityTest::mean,
            new double[] {0, 1},
            new double[] {0, 1},
            Neighbouring.ADD_REMOVE);
    assertEquals(new Sensitivity(0.5, 0.5), removed);
    Sensitivity sum =
        Sensitivity.of(
            data -> Arrays.stream(data).sum(),
            new double[] {-3, 2},
            new double[] {-3, 0, 2},
            Neighbouring.ADD_REMOVE);
    assertEquals(new Sensitivity(3, 3), sum);
  }

  private static Sensitivity of(double[] data) {
    return Sensitivity.of(SensitivityTest::median, data, DOMAIN, Neighbouring.REPLACE_ONE);
  }

  /** How many of 1,000 answers at ε = 1 lie within 20 of the median, by noise of that scale. */
  private static int near(double[] data, double sensitivity) {
    // C is half of what a replaced row moves; the scale of 2C is then ε = 1.
    Mechanism laplace = new Mechanism.Laplace(2);
    int near = 0;
    try (PrivacySession session =
        PrivacySession.open(Journal.inMemory(Neighbouring.REPLACE_ONE), Randomness.insecure(11))) {
      for (int i = 0; i < 1000; i++) {
        long[] median = {(long) median(data)};
        GridVector value = new GridVector(median, 0, Norm.L1, sensitivity / 2);
        near += Math.abs(session.release(laplace, value).value(0) - 1) <= 20 ? 1 : 0;
      }
    }
    return near;
  }

  /**
   * Noise by the local sensitivity tells neighbours apart: at ε = 1 no event may be more than e
   * times likelier for one of them, and this one is hundreds of times likelier. By the global
   * sensitivity it is as likely for both.
   */
  @Test
  @Tag("statistical")
  void noiseByLocalSensitivityIsNoProtection() {
    int poor = near(POOR, of(POOR).local());
    int mixed = near(MIXED, of(MIXED).local());
    // 1 − e^−20 against 20/10⁶.
    assertTrue(poor >= 999, poor + " of 1000");
    assertTrue(mixed <= 5, mixed + " of 1000");
    assertTrue(Math.log(poor / (mixed + 1.0)) > 5, "log ratio, where 1 was promised");
    assertEquals(near(POOR, of(POOR).global()), near(MIXED, of(MIXED).global()));
  }

  /** A local sensitivity of 0 is worse still: the answer comes out bare. */
  @Test
  void localSensitivityMayBeNothing() {
    double[] zeros = {0, 0, 0, 0, RICH};
    assertEquals(new Sensitivity(0, RICH), of(zeros));
  }

  @Test
  void refusals() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Sensitivity.of(
                SensitivityTest::mean, new double[30], DOMAIN, Neighbouring.REPLACE_ONE));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Sensitivity.of(
                SensitivityTest::mean, new double[] {7}, DOMAIN, Neighbouring.REPLACE_ONE));
    assertThrows(
        IllegalArgumentException.class,
        () -> Sensitivity.of(SensitivityTest::mean, POOR, DOMAIN, Neighbouring.ZERO_OUT));
  }
}
