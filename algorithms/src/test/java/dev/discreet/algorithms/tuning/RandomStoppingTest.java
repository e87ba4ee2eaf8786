package dev.discreet.algorithms.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.RandomRuns;
import dev.discreet.accounting.RandomRuns.NegativeBinomial;
import dev.discreet.accounting.RandomRuns.Poisson;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.draws.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The number of runs has the law that the ledger charges for. */
class RandomStoppingTest {
  private static final int DRAWS = 100_000;

  static Stream<RandomRuns> laws() {
    return Stream.of(
        NegativeBinomial.ofMean(1, 8),
        new NegativeBinomial(0, 0.0625),
        new NegativeBinomial(-0.5, 0.015625),
        new NegativeBinomial(-0.9375, 0.125),
        new NegativeBinomial(0.25, 0.125),
        new NegativeBinomial(2.5, 0.25),
        new NegativeBinomial(3, 0.25),
        new Poisson(0.25),
        Poisson.ofMean(10),
        new Poisson(0.5));
  }

  /** P[K = 1], P[K = 2], … and in the last cell all the rest, no cell expected below 20 times. */
  private static double[] cells(RandomRuns law) {
    List<Double> weights = new ArrayList<>();
    double weight = 1;
    double total = 0;
    for (int k = 1; k < 100_000; k++) {
      if (k > 1) {
        weight *=
            law instanceof NegativeBinomial nb
                ? (1 - nb.gamma()) * (k - 1 + nb.eta()) / k
                : ((Poisson) law).mu() / k;
      }
      total += weight;
      weights.add(weight);
    }
    double all = total;
    List<Double> cells = new ArrayList<>();
    double rest = 1;
    for (double each : weights) {
      double p = each / all;
      if (rest - p < 20.0 / DRAWS || p < 20.0 / DRAWS) {
        break;
      }
      cells.add(p);
      rest -= p;
    }
    cells.add(rest);
    return cells.stream().mapToDouble(p -> p).toArray();
  }

  private static double chiSquared(RandomRuns drawn, RandomRuns expected) {
    double[] cells = cells(expected);
    long[] counts = new long[cells.length];
    Dice dice = Randomness.insecure(5).dice("test");
    for (int i = 0; i < DRAWS; i++) {
      long k = RandomStopping.draw(drawn, dice);
      assertTrue(k >= 1);
      counts[(int) Math.min(k, cells.length) - 1]++;
    }
    double sum = 0;
    for (int i = 0; i < cells.length; i++) {
      double mean = DRAWS * cells[i];
      sum += (counts[i] - mean) * (counts[i] - mean) / mean;
    }
    // As a normal deviate (Wilson and Hilferty), which is close in the tails that matter here.
    double degrees = cells.length - 1;
    double scale = 2 / (9 * degrees);
    return (Math.cbrt(sum / degrees) - (1 - scale)) / Math.sqrt(scale);
  }

  /** The seed is fixed; over seeds an alarm would be false about once in 1e9, 6 deviations. */
  @ParameterizedTest
  @MethodSource("laws")
  @Tag("statistical")
  void theLawIsThatOfTheLedger(RandomRuns law) {
    double deviations = chiSquared(law, law);
    assertTrue(Math.abs(deviations) < 6, law + ": " + deviations);
  }

  /** And the test sees a law that is a little different. */
  @Test
  @Tag("statistical")
  void anotherLawIsNoticed() {
    assertTrue(chiSquared(new NegativeBinomial(1, 0.125), new NegativeBinomial(1, 0.12)) > 6);
    assertTrue(chiSquared(new NegativeBinomial(0, 0.0625), new NegativeBinomial(0.05, 0.0625)) > 6);
    assertTrue(chiSquared(new Poisson(10), new Poisson(10.125)) > 6);
  }

  @Test
  void secretDiceDiffer() {
    Dice one = Randomness.secure().dice("tuning");
    Dice other = Randomness.secure().dice("tuning");
    assertFalse(one.below(1L << 60) == other.below(1L << 60));
    assertEquals(
        Randomness.insecure(1).dice("a").below(1L << 60),
        Randomness.insecure(1).dice("a").below(1L << 60));
  }

  @Test
  void aLawThatNoDieCanDrawIsRefused() {
    Dice dice = Randomness.insecure(1).dice("test");
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> RandomStopping.draw(new NegativeBinomial(1, 0.1), dice))
            .getMessage();
    assertTrue(said.startsWith("gamma to draw by must be a multiple of 1/"), said);
  }
}
