package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class MicroBatchesTest {
  private static final SamplingKey KEY = SamplingKey.insecure(3);

  private static PrivacyPlanBuilder plan() {
    return PrivacyPlan.noise(2).lotSize(100).steps(50).clip(1);
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  /** The group of each example, −1 for one that is in none. */
  private static int[] groupOf(Units groups, int examples) {
    int[] of = new int[examples];
    Arrays.fill(of, -1);
    for (int group = 0; group < groups.count(); group++) {
      for (int i = 0; i < groups.size(group); i++) {
        of[groups.example(group, i)] = group;
      }
    }
    return of;
  }

  @Test
  void aUnitThatGoesShiftsNoOther() {
    MicroBatches batches = new MicroBatches(4, 1_000);
    int[] all = groupOf(batches.of(Units.each(1_000), KEY), 1_000);
    for (int gone : new int[] {0, 421, 999}) {
      int[] left = IntStream.range(0, 1_000).filter(i -> i != gone).toArray();
      Units others =
          Units.of(
              Arrays.stream(left).asLongStream().toArray(),
              Arrays.stream(left).mapToObj(i -> new int[] {i}).toArray(int[][]::new));
      int[] expected = all.clone();
      expected[gone] = -1;
      assertArrayEquals(expected, groupOf(batches.of(others, KEY), 1_000));
    }
  }

  @Test
  void groupsAreAsManyAndAsLargeAsSaid() {
    MicroBatches batches = new MicroBatches(8, 80_000);
    assertEquals(10_000, batches.groups());
    Units groups = batches.of(Units.each(80_000), KEY);
    assertEquals(10_000, groups.count());
    int[] sizes = IntStream.range(0, 10_000).map(groups::size).toArray();
    assertEquals(80_000, Arrays.stream(sizes).sum());
    // Binomial: the variance of a size is 8, its estimate from 10,000 is within 8 ± 0.6 but for
    // one key in 10^6; and this key is fixed.
    double variance =
        Arrays.stream(sizes).mapToDouble(s -> (s - 8.0) * (s - 8.0)).average().orElse(0);
    assertEquals(8, variance, 0.6);
    // Another key, other groups; and the number does not follow the units that there are.
    assertNotEquals(
        groups.example(0, 0),
        batches.of(Units.each(80_000), SamplingKey.insecure(4)).example(0, 0));
    assertEquals(10_000, batches.of(Units.each(79_999), KEY).count());
  }

  @Test
  void aPersonsRowsStayTogether() {
    long[] owners = new SplittableRandom(1).longs(600, 0, 90).toArray();
    Units people = Units.byOwner(owners);
    int[] of = groupOf(new MicroBatches(3, 90).of(people, KEY), 600);
    for (int unit = 0; unit < people.count(); unit++) {
      for (int i = 1; i < people.size(unit); i++) {
        assertEquals(of[people.example(unit, 0)], of[people.example(unit, i)]);
      }
    }
  }

  @Test
  void theLedgerHasTwiceTheSensitivityAndLotsOfWholeGroups() {
    ResolvedPlan plan = plan().microBatch(4).build().forUnits(1_000);
    assertEquals(new Sampler.Poisson(0.1, 250), plan.sampler());
    assertEquals(25, plan.expectedLot());
    assertEquals(100, plan.expectedUnits());
    assertEquals(1_000, plan.declaredUnits());
    assertEquals(Neighbouring.REPLACE_ONE, plan.neighbouring());
    assertEquals(2, plan.neighbouring().sensitivity());
    Mechanism entry = new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(2));
    assertEquals(Ledger.of(Neighbouring.REPLACE_ONE, entry, 50), plan.ledger());
    double alone = plan().build().forUnits(1_000).epsilon(1e-5).epsilon();
    double averaged = plan.epsilon(1e-5).epsilon();
    assertTrue(averaged > 1.7 * alone, averaged + " against " + alone);
    // Without sampling, twice the sensitivity is half the multiplier to the last digit.
    double full =
        PrivacyPlan.noise(2)
            .sampling(Sampling.FULL_BATCH)
            .steps(9)
            .clip(1)
            .microBatch(4)
            .build()
            .forUnits(1_000)
            .epsilon(1e-5)
            .epsilon();
    Ledger half = Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(1), 9);
    assertEquals(new PldAccountant().epsilon(half, 1e-5).epsilon(), full, 1e-3 * full);
  }

  @Test
  void wholeGroupsCostLessAndAreCalledWhatTheyAre() {
    ResolvedPlan whole = plan().microBatch(4).unit(MicroBatches.UNIT).build().forUnits(1_000);
    assertEquals(Neighbouring.ADD_REMOVE, whole.neighbouring());
    assertEquals("micro-batch group", whole.unit());
    refused(
        "neighbouring of micro-batches must be replace-one (a unit more, less or other turns its"
            + " micro-batch's mean from +C to -C at worst), or else the unit micro-batch group. Provided"
            + " value: add/remove of one patient",
        () -> plan().microBatch(4).unit("patient").neighbouring(Neighbouring.ADD_REMOVE).build());
    refused(
        "neighbouring of micro-batches must be replace-one (a unit more, less or other turns its"
            + " micro-batch's mean from +C to -C at worst), or else the unit micro-batch group. Provided"
            + " value: zero-out of one example",
        () -> plan().microBatch(4).neighbouring(Neighbouring.ZERO_OUT).build());
  }

  @Test
  void refusesWhatIsNone() {
    refused("micro-batch must be at least 1. Provided value: 0", () -> plan().microBatch(0));
    refused(
        "micro-batch must be in [2, 100] (the number of units). Provided value: 101",
        () -> plan().microBatch(101).build().forUnits(100));
    refused(
        "micro-batch must be 1 in a run without clipping, where it would change nothing. Provided"
            + " value: 2",
        () -> PrivacyPlan.nonPrivate().lotSize(1).steps(1).microBatch(2).build());
    assertEquals(plan().build(), plan().microBatch(1).build());
  }

  // ---- why groups are not cut out of the drawn lot

  /** Sum of the means of four, each moved into [−1, 1]. */
  private static double cutThenClipped(double[] lot) {
    double sum = 0;
    for (int from = 0; from < lot.length; from += 4) {
      int to = Math.min(lot.length, from + 4);
      sum += Math.max(-1, Math.min(1, Arrays.stream(lot, from, to).average().orElseThrow()));
    }
    return sum;
  }

  private static double move(double[] lot) {
    return Math.abs(cutThenClipped(lot) - cutThenClipped(Arrays.copyOfRange(lot, 1, lot.length)));
  }

  /**
   * The first of 257 goes, and every one of the 64 whole groups turns from +C to −C: the sum moves
   * by 128 C and not by 2 C. (The figures of docs/algorithms/privacy-unit.md.)
   */
  @Test
  void groupsCutOutOfTheLotWouldAllTurn() {
    double[] lot = new double[257];
    for (int k = 0; k <= 64; k++) {
      lot[4 * k] = -8.0 * k;
      if (k < 64) {
        lot[4 * k + 1] = 4 + 8.0 * k;
      }
    }
    assertEquals(128, move(lot), 1.001);
    // Nothing special is needed: with gradients drawn at random it is several C.
    SplittableRandom random = new SplittableRandom(1);
    double typical =
        IntStream.range(0, 1_000)
            .mapToDouble(i -> move(random.doubles(256).map(u -> 16 * u - 8).toArray()))
            .average()
            .orElseThrow();
    assertTrue(typical > 3, "typical move " + typical);
  }
}
