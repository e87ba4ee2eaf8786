package dev.discreet.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.data.PrivateSummary.Histogram;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateSummaryTest {
  private static final Task THREE = new Task.Classes(List.of("a", "b", "c"));

  private static Examples labelled(float... labels) {
    return Examples.of(Shape.vector(1), new float[labels.length], 1, labels);
  }

  private static DataSet.Part each(float... labels) {
    return new DataSet.Part(labelled(labels), Units.each(labels.length), false);
  }

  private static double distance(Histogram a, Histogram b) {
    double sum = 0;
    for (int i = 0; i < a.integers().length; i++) {
      sum += Math.pow(Math.scalb((double) a.integers()[i] - b.integers()[i], a.exponent()), 2);
    }
    return Math.sqrt(sum);
  }

  @Test
  void oneUnitMovesItByItsSensitivityAndNotLess() {
    Histogram more = Histogram.of(THREE, each(0, 1, 1, 2));
    Histogram fewer = Histogram.of(THREE, each(0, 1, 1));
    // Not only a bound: a sensitivity of 2 would waste, one of 1/2 would break the promise.
    assertEquals(more.sensitivities()[0], distance(more, fewer));
    assertEquals(1, more.sensitivities()[0]);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aUnitOfManyExamplesMovesItByNoMore(long seed) {
    Random random = new Random(seed);
    int[][] owned = new int[20][];
    int next = 0;
    for (int unit = 0; unit < owned.length; unit++) {
      int from = next;
      next += random.nextInt(7);
      owned[unit] = IntStream.range(from, next).toArray();
    }
    float[] labels = new float[next];
    for (int i = 0; i < next; i++) {
      labels[i] = random.nextInt(3);
    }
    Examples examples = labelled(labels);
    Histogram all = Histogram.of(THREE, part(examples, owned, -1));
    for (int gone = 0; gone < owned.length; gone++) {
      double moved = distance(all, Histogram.of(THREE, part(examples, owned, gone)));
      assertTrue(moved <= all.sensitivities()[0], "moved by " + moved);
      int one = gone;
      boolean oneClass =
          IntStream.of(owned[gone]).mapToObj(i -> labels[i]).distinct().count() == 1
              && IntStream.of(owned[one]).count() > 0;
      if (oneClass) {
        assertEquals(1, moved, 1e-5);
      }
    }
  }

  private static DataSet.Part part(Examples examples, int[][] owned, int without) {
    int[] left = IntStream.range(0, owned.length).filter(i -> i != without).toArray();
    long[] ids = IntStream.of(left).asLongStream().toArray();
    int[][] kept = IntStream.of(left).mapToObj(i -> owned[i]).toArray(int[][]::new);
    return new DataSet.Part(examples, Units.of(ids, kept), false);
  }

  @Test
  void theNoiseIsThatOfTheLedger() {
    try (PrivacySession session =
        PrivacySession.open(Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(3))) {
      double square = 0;
      int releases = 400;
      for (int i = 0; i < releases; i++) {
        PrivateSummary summary = PrivateSummary.release(THREE, each(0, 1, 1, 1), session, 5);
        assertEquals(List.of("a", "b", "c"), summary.bins());
        assertEquals(5, summary.deviation());
        double[] exact = {1, 3, 0};
        for (int bin = 0; bin < 3; bin++) {
          square += Math.pow(summary.counts().get(bin) - exact[bin], 2);
        }
      }
      // 1200 draws from a fixed seed; half or twice the noise would be far outside.
      assertEquals(5, Math.sqrt(square / (3 * releases)), 0.5);
      Ledger ledger = session.ledger();
      assertEquals(1, ledger.entries().size());
      assertEquals(new Mechanism.Gaussian(5), ledger.entries().get(0).mechanism());
      assertEquals(releases, ledger.entries().get(0).count());
    }
  }

  @Test
  void aSessionRefusesToReleaseWithoutNoise() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> PrivateSummary.release(THREE, each(0, 1), session, 0));
    }
  }

  @Test
  void numbersFallIntoTenthsOfTheirBounds() {
    Task income = new Task.Number("income", 0, 200);
    Histogram histogram = Histogram.of(income, each(0, 0.05f, 0.95f, 1));
    assertEquals(10, histogram.integers().length);
    assertEquals(2L << 20, histogram.integers()[0]);
    assertEquals(2L << 20, histogram.integers()[9]);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      PrivateSummary summary = PrivateSummary.release(income, each(0), session, 1);
      assertEquals("income 180.0..200.0", summary.bins().get(9));
      assertEquals(10, summary.text().lines().count());
    }
  }
}
