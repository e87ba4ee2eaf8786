package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SamplerTest {
  private static final SamplingKey KEY = SamplingKey.insecure(11);
  private static final Mechanism GAUSSIAN = new Mechanism.Gaussian(1.1);

  private static Units withIds(long... ids) {
    int[][] examples = new int[ids.length][];
    Arrays.setAll(examples, i -> new int[] {i});
    return Units.of(ids, examples);
  }

  private static boolean[] flags(int[] lot, int count) {
    boolean[] in = new boolean[count];
    Arrays.stream(lot).forEach(unit -> in[unit] = true);
    return in;
  }

  // --- which units

  /** Where rows lie decides about nothing, and a unit with the last id shifts no other. */
  @Test
  void thePlaceByIdDecidesAndNoLaterUnit() {
    Sampler poisson = new Sampler.Poisson(0.3, 5001);
    long[] ids = new Random(3).longs(2000).distinct().toArray();
    boolean[] all = flags(poisson.lot(KEY, 7, withIds(ids)), ids.length);
    long[] sorted = ids.clone();
    Arrays.sort(sorted);
    boolean[] inOrder = flags(poisson.lot(KEY, 7, withIds(sorted)), ids.length);
    boolean[] numbered = flags(poisson.lot(KEY, 7, Units.each(5001)), 5001);
    boolean[] fewer = flags(poisson.lot(KEY, 7, withIds(Arrays.copyOf(sorted, 1500))), ids.length);
    for (int i = 0; i < ids.length; i++) {
      int place = Arrays.binarySearch(sorted, ids[i]);
      assertEquals(inOrder[place], all[i], "unit " + ids[i]);
      assertEquals(inOrder[place], numbered[place], "place " + place);
      assertEquals(place < 1500 && inOrder[place], fewer[place], "place " + place);
    }
  }

  @Test
  void idsMayBeNegativeAndHuge() {
    long[] ids = {-3, -2, -1, 0, 1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 40};
    int[] drawn = new int[ids.length];
    Sampler poisson = new Sampler.Poisson(0.5, ids.length);
    for (int release = 0; release < 400; release++) {
      for (int unit : poisson.lot(KEY, release, withIds(ids))) {
        drawn[unit]++;
      }
    }
    for (int count : drawn) {
      Alarm.normal("inclusions", 200, 10, count);
    }
  }

  @Test
  void lotsRiseAndRepeatAndDiffer() {
    Units units = Units.each(3001);
    for (Sampler sampler :
        new Sampler[] {
          new Sampler.Poisson(0.1, 3001),
          new Sampler.FixedSize(300, 3001),
          new Sampler.FullBatch(3001),
          new Sampler.ShuffledEpochs(10, 3001),
          new Sampler.Cyclic(10, 1, 3001),
          new Sampler.Cyclic(2, 0.2, 3001)
        }) {
      int[] lot = sampler.lot(KEY, 4, units);
      assertTrue(IntStream.range(1, lot.length).allMatch(i -> lot[i - 1] < lot[i]));
      assertArrayEquals(lot, sampler.lot(KEY, 4, units));
      if (!(sampler instanceof Sampler.FullBatch)) {
        assertFalse(Arrays.equals(lot, sampler.lot(KEY, 5, units)));
        assertFalse(Arrays.equals(lot, sampler.lot(SamplingKey.insecure(12), 4, units)));
      }
    }
  }

  @Test
  void anEmptyLotIsALot() {
    assertEquals(0, new Sampler.Poisson(0, 100).lot(KEY, 1, Units.each(100)).length);
    assertEquals(0, new Sampler.Poisson(0x1p-70, 100).lot(KEY, 1, Units.each(100)).length);
    assertEquals(0, new Sampler.Poisson(0.5, 100).lot(KEY, 1, Units.each(0)).length);
    assertEquals(0, new Sampler.FullBatch(100).lot(KEY, 1, Units.each(0)).length);
    assertEquals(0, new Sampler.ShuffledEpochs(4, 100).lot(KEY, 1, Units.each(0)).length);
    assertEquals(0, new Sampler.Cyclic(4, 0.5, 100).lot(KEY, 1, Units.each(0)).length);
  }

  @Test
  void rateOneIsEveryone() {
    assertEquals(777, new Sampler.Poisson(1, 777).lot(KEY, 1, Units.each(777)).length);
  }

  @Test
  void shuffledEpochsPartTheUnits() {
    int count = 1003;
    Sampler sampler = new Sampler.ShuffledEpochs(10, count);
    Units units = Units.each(count);
    int[][] firstLots = new int[3][];
    for (int epoch = 0; epoch < 3; epoch++) {
      int[] seen = new int[count];
      for (int place = 0; place < 10; place++) {
        int[] lot = sampler.lot(KEY, 10 * epoch + place, units);
        assertTrue(lot.length == 100 || lot.length == 101);
        Arrays.stream(lot).forEach(unit -> seen[unit]++);
        firstLots[epoch] = lot;
      }
      assertTrue(Arrays.stream(seen).allMatch(times -> times == 1));
    }
    assertFalse(Arrays.equals(firstLots[0], firstLots[1]));
    assertFalse(Arrays.equals(firstLots[1], firstLots[2]));
  }

  /** Whoever is drawn is always of the same part, also where data lie in buckets. */
  @Test
  void aUnitKeepsItsPart() {
    Sampler whole = new Sampler.Cyclic(7, 1, 1000);
    Sampler some = new Sampler.Cyclic(7, 0.3, 1000);
    for (Units units : List.of(Units.each(1000), withIds(new Random(4).longs(1000).toArray()))) {
      int[] part = new int[1000];
      for (int release = 0; release < 7; release++) {
        for (int unit : whole.lot(KEY, release, units)) {
          part[unit] += 1 + release;
        }
      }
      assertTrue(Arrays.stream(part).allMatch(each -> each >= 1 && each <= 7));
      int drawn = 0;
      for (int release = 7; release < 70; release++) {
        int expected = 1 + release % 7;
        for (int buckets : new int[] {1, 16}) {
          int[] lot = some.lot(KEY, release, units, buckets);
          drawn += lot.length;
          assertTrue(Arrays.stream(lot).allMatch(unit -> part[unit] == expected));
        }
        assertArrayEquals(
            IntStream.range(0, 1000).filter(unit -> part[unit] == expected).toArray(),
            whole.lot(KEY, release, units));
      }
      assertTrue(drawn > 0);
    }
  }

  // --- how often

  private static final int UNITS = 4000;
  private static final int RELEASES = 1000;

  /** Inclusions of each unit in each release, drawn with a fresh key. */
  private static boolean[][] draw(Sampler sampler) {
    return draw(sampler, 1);
  }

  private static boolean[][] draw(Sampler sampler, int buckets) {
    SamplingKey key = SamplingKey.fresh();
    Units units = Units.each(UNITS);
    boolean[][] in = new boolean[RELEASES][];
    for (int release = 0; release < RELEASES; release++) {
      in[release] = flags(sampler.lot(key, release, units, buckets), UNITS);
    }
    return in;
  }

  private static double both(boolean[][] in, int units, int releases) {
    double count = 0;
    for (int r = 0; r + releases < RELEASES; r += 2) {
      for (int u = 0; u + units < UNITS; u += 2) {
        count += in[r][u] && in[r + releases][u + units] ? 1 : 0;
      }
    }
    return count;
  }

  private static void assertIndependent(boolean[][] in, double rate) {
    double total = 0;
    double spread = 0;
    for (int unit = 0; unit < UNITS; unit++) {
      int times = 0;
      for (boolean[] lot : in) {
        times += lot[unit] ? 1 : 0;
      }
      total += times;
      spread += (times - RELEASES * rate) * (times - RELEASES * rate);
    }
    double trials = (double) UNITS * RELEASES;
    double variance = rate * (1 - rate);
    Alarm.normal("inclusions", trials * rate, Math.sqrt(trials * variance), total);
    Alarm.chiSquared("inclusions of units", spread / (RELEASES * variance), UNITS);
    // Disjoint pairs: units that stand beside each other, and releases that follow one another.
    double pairs = Math.ceil(UNITS / 2.0) * Math.ceil(RELEASES / 2.0);
    double squared = rate * rate;
    double deviation = Math.sqrt(pairs * squared * (1 - squared));
    Alarm.normal("pairs of units", pairs * squared, deviation, both(in, 1, 0));
    Alarm.normal("pairs of releases", pairs * squared, deviation, both(in, 0, 1));
    Alarm.normal("pairs of both", pairs * squared, deviation, both(in, 1, 1));
    double sizes = 0;
    for (boolean[] lot : in) {
      double size = 0;
      for (boolean unit : lot) {
        size += unit ? 1 : 0;
      }
      sizes += (size - UNITS * rate) * (size - UNITS * rate);
    }
    Alarm.chiSquared("sizes of lots", sizes / (UNITS * variance), RELEASES);
  }

  @Test
  @Tag("statistical")
  void poissonDrawsIndependently() {
    assertIndependent(draw(new Sampler.Poisson(0.1, UNITS)), 0.1);
    assertIndependent(draw(new Sampler.Poisson(0.5, UNITS)), 0.5);
    assertIndependent(draw(new Sampler.Poisson(0.1, UNITS), 64), 0.1);
  }

  /** With a fresh key for each, parts are as even and as independent as coin flips. */
  @Test
  @Tag("statistical")
  void cyclicLotsHaveTheirProbabilities() {
    Units units = Units.each(UNITS);
    Sampler sampler = new Sampler.Cyclic(5, 0.5, UNITS);
    double[] times = new double[UNITS];
    double both = 0;
    double sizes = 0;
    for (int run = 0; run < RELEASES; run++) {
      boolean[] in = flags(sampler.lot(SamplingKey.fresh(), 3 + 5 * run, units), UNITS);
      double size = 0;
      for (int unit = 0; unit < UNITS; unit++) {
        times[unit] += in[unit] ? 1 : 0;
        size += in[unit] ? 1 : 0;
        both += unit % 2 == 0 && in[unit] && in[unit + 1] ? 1 : 0;
      }
      sizes += (size - UNITS * 0.1) * (size - UNITS * 0.1);
    }
    double variance = 0.1 * 0.9;
    double total = Arrays.stream(times).sum();
    double trials = (double) UNITS * RELEASES;
    Alarm.normal("inclusions", trials * 0.1, Math.sqrt(trials * variance), total);
    double spread = Arrays.stream(times).map(t -> (t - 100) * (t - 100)).sum();
    Alarm.chiSquared("inclusions of units", spread / (RELEASES * variance), UNITS);
    Alarm.normal("pairs", trials / 2 * 0.01, Math.sqrt(trials / 2 * 0.01 * 0.99), both);
    Alarm.chiSquared("sizes of lots", sizes / (UNITS * variance), RELEASES);
  }

  @Test
  @Tag("statistical")
  void theTestSeesAWrongRateAndLotsOfOneSizeAndRepeatedLots() {
    boolean[][] larger = draw(new Sampler.Poisson(0.103, UNITS));
    assertThrows(AssertionError.class, () -> assertIndependent(larger, 0.1));
    boolean[][] fixed = draw(new Sampler.FixedSize(UNITS / 10, UNITS));
    assertThrows(AssertionError.class, () -> assertIndependent(fixed, 0.1));
    boolean[][] repeated = draw(new Sampler.Poisson(0.1, UNITS));
    for (int release = 0; release < RELEASES; release += 2) {
      repeated[release + 1] = repeated[release];
    }
    assertThrows(AssertionError.class, () -> assertIndependent(repeated, 0.1));
  }

  @Test
  @Tag("statistical")
  void fixedSizeAndShuffledLotsDrawEveryUnitAsOften() {
    for (Sampler sampler :
        new Sampler[] {new Sampler.FixedSize(400, UNITS), new Sampler.ShuffledEpochs(10, UNITS)}) {
      SamplingKey key = SamplingKey.fresh();
      double[] times = new double[UNITS];
      for (int release = 0; release < RELEASES; release++) {
        // The third lot of each epoch.
        int[] lot = sampler.lot(key, 10L * release + 2, Units.each(UNITS));
        assertEquals(400, lot.length);
        Arrays.stream(lot).forEach(unit -> times[unit]++);
      }
      double spread = Arrays.stream(times).map(t -> (t - 100) * (t - 100)).sum();
      // One degree less: the total is fixed.
      Alarm.chiSquared("inclusions", spread / (RELEASES * 0.09) * (UNITS - 1) / UNITS, UNITS - 1);
    }
  }

  // --- what is accounted

  @Test
  void theSamplerYieldsItsEntry() {
    assertEquals(
        new Mechanism.PoissonSampled(0.01, GAUSSIAN),
        new Sampler.Poisson(0.01, 60_000).sampled(GAUSSIAN));
    assertEquals(600, new Sampler.Poisson(0.01, 60_000).expectedLot());
    assertEquals(
        new Mechanism.FixedSizeSampled(600, 60_000, GAUSSIAN),
        new Sampler.FixedSize(600, 60_000).sampled(GAUSSIAN));
    assertEquals(GAUSSIAN, new Sampler.FullBatch(60_000).sampled(GAUSSIAN));
    assertEquals(60_000, new Sampler.FullBatch(60_000).expectedLot());
    Sampler shuffled = new Sampler.ShuffledEpochs(100, 60_000);
    assertEquals(GAUSSIAN, shuffled.sampled(GAUSSIAN));
    assertEquals(100, shuffled.stepsPerCharge());
    assertEquals(600, shuffled.expectedLot());
    Sampler cyclic = new Sampler.Cyclic(20, 0.2, 60_000);
    assertEquals(new Mechanism.PoissonSampled(0.2, GAUSSIAN), cyclic.sampled(GAUSSIAN));
    assertEquals(20, cyclic.stepsPerCharge());
    assertEquals(600, cyclic.expectedLot());
    assertEquals(GAUSSIAN, new Sampler.Cyclic(100, 1, 60_000).sampled(GAUSSIAN));
  }

  private static void refused(String message, org.junit.jupiter.api.function.Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  @Test
  void refusals() {
    refused(
        "neighbouring of shuffled epochs must be zero-out or replace-one (a unit more or less would"
            + " move every lot). Provided value: add/remove",
        () -> new Sampler.ShuffledEpochs(10, 100).check(Neighbouring.ADD_REMOVE));
    new Sampler.ShuffledEpochs(10, 100).check(Neighbouring.ZERO_OUT);
    new Sampler.ShuffledEpochs(10, 100).check(Neighbouring.REPLACE_ONE);
    refused(
        "neighbouring of a cyclic sampler that draws some of a part must be add/remove or zero-out"
            + " (the one that comes may be in another part). Provided value: replace-one",
        () -> new Sampler.Cyclic(10, 0.9, 100).check(Neighbouring.REPLACE_ONE));
    for (Neighbouring relation : Neighbouring.values()) {
      new Sampler.Cyclic(10, 1, 100).check(relation);
    }
    refused(
        "parts of the units must be in [1, 100]. Provided value: 101",
        () -> new Sampler.Cyclic(101, 1, 100));
    refused(
        "sampling rate of a part must be in (0, 1]. Provided value: 0",
        () -> new Sampler.Cyclic(10, 0, 100));
    refused(
        "lot size must be in [1, 100]. Provided value: 101", () -> new Sampler.FixedSize(101, 100));
    refused(
        "sampling rate must be in [0, 1]. Provided value: 1.5", () -> new Sampler.Poisson(1.5, 1));
    assertEquals(10, new Sampler.FixedSize(10, 100).lot(KEY, 0, Units.each(101)).length);
    refused("ids must be distinct. Provided value: repeated", () -> withIds(4, 5, 4));
  }

  @Test
  void keysAreNotPrinted() {
    assertEquals("SamplingKey[secret]", KEY.toString());
  }

  /** A refusal would tell that one is missing; a larger share for the others would cost more. */
  @Test
  void unitsThatAreMissingLeaveTheirPlacesEmpty() {
    Sampler sampler = new Sampler.FixedSize(10, 100);
    long[] ids = new long[97];
    java.util.Arrays.setAll(ids, i -> Long.MIN_VALUE + 2 * i);
    for (Units few : new Units[] {Units.each(97), Units.of(ids, new int[97][0])}) {
      int drawn = 0;
      for (int release = 0; release < 300; release++) {
        int[] lot = sampler.lot(KEY, release, few);
        assertTrue(java.util.Arrays.stream(lot).allMatch(unit -> unit < 97));
        drawn += lot.length;
      }
      // 3000 places, 3% of them empty: a hypergeometric share, five deviations around it.
      assertEquals(2910, drawn, 5 * Math.sqrt(3000 * 0.03 * 0.97));
    }
    // With indices as ids the others are drawn as if no one were missing.
    int[] whole = sampler.lot(KEY, 7, Units.each(100));
    int[] kept = java.util.Arrays.stream(whole).filter(unit -> unit < 97).toArray();
    assertArrayEquals(kept, sampler.lot(KEY, 7, Units.each(97)));
  }

  /** What is chosen for a unit is secret, its own, and no part of what draws the lots. */
  @Test
  void choicesAreSecretAndAUnitsOwn() {
    Units units = Units.each(1000);
    int[] all = java.util.stream.IntStream.range(0, 1000).toArray();
    long[] choices = KEY.choices(3, units, all);
    assertArrayEquals(choices, KEY.choices(3, units, all));
    assertEquals(
        choices[17], KEY.choices(3, Units.of(new long[] {17}, new int[1][0]), new int[1])[0]);
    assertEquals(1000, java.util.Arrays.stream(choices).distinct().count());
    for (long[] other :
        new long[][] {KEY.choices(4, units, all), SamplingKey.fresh().choices(3, units, all)}) {
      long same = 0;
      for (int i = 0; i < 1000; i++) {
        same += 64 - Long.bitCount(choices[i] ^ other[i]);
      }
      assertEquals(32_000, same, 6 * Math.sqrt(16_000));
    }
  }
}
