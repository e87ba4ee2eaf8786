package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.privacy.draws.Trials;
import dev.discreet.core.privacy.draws.Uniforms;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lots against slow ones that are obviously right, and against their exact probabilities. */
class LotLawTest {
  private static final SamplingKey KEY = SamplingKey.insecure(11);

  private static Units withIds(long... ids) {
    return Units.of(ids, new int[ids.length][0]);
  }

  private static long[] ids(int count, long seed) {
    return new Random(seed).longs().distinct().limit(count).toArray();
  }

  // ---- twins

  /** Numbers of a release, each made by itself from AES and the key that workers get. */
  private record Numbers(SecretKeySpec lots, long release) {
    static Numbers of(SamplingKey key, long release) {
      byte[] block = new byte[16];
      Arrays.fill(block, (byte) -1);
      block[15] = 2;
      SecretKeySpec whole = new SecretKeySpec(key.forWorkers(), "AES");
      return new Numbers(new SecretKeySpec(encrypted(whole, block), "AES"), release);
    }

    private static byte[] encrypted(SecretKeySpec key, byte[] block) {
      try {
        Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
        return cipher.doFinal(block);
      } catch (java.security.GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }

    IntToLongFunction digits(int stream, int number) {
      return round -> {
        ByteBuffer block = ByteBuffer.allocate(16);
        block.putLong(release).putInt((round << 16) + stream).putInt(number / 2);
        return ByteBuffer.wrap(encrypted(lots, block.array())).getLong(8 * (number % 2));
      };
    }

    int below(int bound, int number) {
      IntToLongFunction digits = digits(0, number);
      return Uniforms.below(bound, digits.applyAsLong(0), digits);
    }
  }

  /** One trial for each unit of a bucket, in the order of ids. */
  private static int[] byTrials(
      SamplingKey key, long release, double rate, long[] ids, int buckets) {
    Trials trials = new Trials(rate);
    Numbers numbers = Numbers.of(key, release);
    int[] bucketOf = key.buckets(ids, buckets);
    List<Integer> lot = new ArrayList<>();
    for (int b = 0; b < buckets; b++) {
      int bucket = b;
      int[] members =
          IntStream.range(0, ids.length)
              .filter(i -> bucketOf[i] == bucket)
              .boxed()
              .sorted(java.util.Comparator.comparingLong(i -> ids[i]))
              .mapToInt(i -> i)
              .toArray();
      int from = 0;
      for (int number = 0; from < members.length; number++) {
        IntToLongFunction digits = numbers.digits(bucket, number);
        from += trials.gap(members.length - from, digits.applyAsLong(0), digits);
        if (from < members.length) {
          lot.add(members[from++]);
        }
      }
    }
    return lot.stream().mapToInt(i -> i).sorted().toArray();
  }

  @Test
  void lotsAreThoseOfOneTrialForEachUnit() {
    for (int count : new int[] {0, 1, 2, 300}) {
      long[] ids = ids(count, count);
      for (double rate : new double[] {1e-12, 0.01, 0.25, 0.5, 0.93, 0x1.fffffffffffffp-1}) {
        Sampler sampler = new Sampler.Poisson(rate, 100);
        for (int buckets : new int[] {1, 3, 64}) {
          for (long release : new long[] {0, 1L << 40}) {
            assertArrayEquals(
                byTrials(KEY, release, rate, ids, buckets),
                sampler.lot(KEY, release, withIds(ids), buckets),
                count + " units, rate " + rate + ", " + buckets + " buckets");
          }
        }
      }
    }
  }

  /** More gaps than one call of the cipher gives, and buckets with far more than others. */
  @Test
  void longLots() {
    int count = 60_000;
    long[] ids = IntStream.range(0, count).asLongStream().toArray();
    for (int buckets : new int[] {1, 2, 700}) {
      int[] lot = new Sampler.Poisson(0.5, 10).lot(KEY, 3, Units.each(count), buckets);
      assertArrayEquals(byTrials(KEY, 3, 0.5, ids, buckets), lot, buckets + " buckets");
    }
  }

  /** Who has some of the buckets finds those of the lot that are in them. */
  @Test
  void placesWithWholeBucketsDrawTheirShare() {
    long[] ids = ids(5000, 1);
    List<UnitName> names = Arrays.stream(ids).mapToObj(id -> new UnitName(id, ~id)).toList();
    Sampler sampler = new Sampler.Poisson(0.07, 5000);
    for (int buckets : new int[] {7, 64, 5000}) {
      Set<Long> whole = new HashSet<>();
      Set<UnitName> wholeNamed = new HashSet<>();
      Units named = Units.of(names, new int[ids.length][0]);
      Arrays.stream(sampler.lot(KEY, 9, withIds(ids), buckets)).forEach(i -> whole.add(ids[i]));
      Arrays.stream(sampler.lot(KEY, 9, named, buckets)).forEach(i -> wholeNamed.add(names.get(i)));
      Set<Long> parts = new HashSet<>();
      Set<UnitName> partsNamed = new HashSet<>();
      int[] of = KEY.buckets(ids, buckets);
      int[] ofNames = KEY.buckets(names, buckets);
      for (int part = 0; part < 3; part++) {
        int only = part;
        long[] some =
            IntStream.range(0, ids.length)
                .filter(i -> of[i] % 3 == only)
                .mapToLong(i -> ids[i])
                .sorted()
                .toArray();
        SamplingKey worker = SamplingKey.ofWorker(KEY.forWorkers());
        Arrays.stream(sampler.lot(worker, 9, withIds(some), buckets))
            .forEach(i -> parts.add(some[i]));
        List<UnitName> mine =
            IntStream.range(0, ids.length)
                .filter(i -> ofNames[i] % 3 == only)
                .mapToObj(names::get)
                .toList();
        Arrays.stream(sampler.lot(worker, 9, Units.of(mine, new int[mine.size()][0]), buckets))
            .forEach(i -> partsNamed.add(mine.get(i)));
      }
      assertEquals(whole, parts);
      assertEquals(wholeNamed, partsNamed);
      assertTrue(whole.size() > 200 && whole.size() < 500, "lot of " + whole.size());
    }
  }

  @Test
  void fixedSizeIsFloydsSet() {
    for (int[] each :
        new int[][] {{1, 1}, {1, 2}, {3, 7}, {7, 7}, {2, 1001}, {500, 1000}, {9000, 1_000_001}}) {
      Numbers numbers = Numbers.of(KEY, 5);
      Set<Integer> set = new HashSet<>();
      for (int last = each[1] - each[0]; last < each[1]; last++) {
        if (!set.add(numbers.below(last + 1, last))) {
          set.add(last);
        }
      }
      assertArrayEquals(
          set.stream().mapToInt(i -> i).sorted().toArray(),
          new Sampler.FixedSize(each[0], each[1]).lot(KEY, 5, Units.each(each[1])));
    }
  }

  @Test
  void anEpochIsShuffledFromTheInside() {
    int count = 20_001;
    Numbers numbers = Numbers.of(KEY, -1 - 4);
    List<Integer> order = new ArrayList<>();
    for (int place = 0; place < count; place++) {
      int other = numbers.below(place + 1, place);
      order.add(place);
      java.util.Collections.swap(order, other, place);
    }
    Sampler sampler = new Sampler.ShuffledEpochs(3, count);
    for (int part = 0; part < 3; part++) {
      assertArrayEquals(
          order.subList(6667 * part, 6667 * (part + 1)).stream()
              .mapToInt(i -> i)
              .sorted()
              .toArray(),
          sampler.lot(KEY, 12 + part, Units.each(count)));
    }
  }

  @Test
  void extremeRates() {
    Units units = Units.each(1000);
    for (double rate : new double[] {0, Double.MIN_VALUE, 1e-300, 1e-18}) {
      assertEquals(0, new Sampler.Poisson(rate, 1).lot(KEY, 1, units).length, "rate " + rate);
    }
    assertEquals(1000, new Sampler.Poisson(0x1.fffffffffffffp-1, 1).lot(KEY, 1, units).length);
    assertEquals(1000, new Sampler.Poisson(1, 1).lot(KEY, 1, units, 64).length);
    int drawn = 0;
    for (long release = 0; release < 1000; release++) {
      drawn += new Sampler.Poisson(0.3, 7).lot(KEY, release, Units.each(1)).length;
    }
    Alarm.normal("one unit", 300, Math.sqrt(210), drawn);
  }

  // ---- laws: each alarm is false with probability 1e-9

  /** How far what is found in many releases is from its probabilities. */
  private static <T> void assertLaw(
      String what, int releases, IntFunction<T> found, Map<T, Double> probabilities) {
    Map<T, Integer> times = new HashMap<>();
    for (int release = 0; release < releases; release++) {
      times.merge(found.apply(release), 1, Integer::sum);
    }
    assertTrue(probabilities.keySet().containsAll(times.keySet()), what + ": impossible");
    double statistic = 0;
    for (Map.Entry<T, Double> each : probabilities.entrySet()) {
      double expected = releases * each.getValue();
      double apart = times.getOrDefault(each.getKey(), 0) - expected;
      statistic += apart * apart / expected;
    }
    Alarm.chiSquared(what, statistic, probabilities.size() - 1);
  }

  /** The sets of these, and the probability of each. */
  private static Map<Set<Long>, Double> sets(long[] of, ToDoubleFunction<Set<Long>> probability) {
    Map<Set<Long>, Double> all = new HashMap<>();
    for (int mask = 0; mask < 1 << of.length; mask++) {
      Set<Long> set = new HashSet<>();
      for (int i = 0; i < of.length; i++) {
        if ((mask >> i & 1) == 1) {
          set.add(of[i]);
        }
      }
      double p = probability.applyAsDouble(set);
      if (p > 0) {
        all.put(set, p);
      }
    }
    return all;
  }

  private static Set<Long> lot(
      Sampler sampler, SamplingKey key, long release, long[] ids, int buckets, long[] among) {
    Set<Long> lot = new HashSet<>();
    for (int unit : sampler.lot(key, release, withIds(ids), buckets)) {
      if (Arrays.stream(among).anyMatch(id -> id == ids[unit])) {
        lot.add(ids[unit]);
      }
    }
    return lot;
  }

  private static Map<Set<Long>, Double> independent(long[] ids, double rate) {
    return sets(
        ids, set -> Math.pow(rate, set.size()) * Math.pow(1 - rate, ids.length - set.size()));
  }

  /**
   * The common units of two neighbours have the same law in both, that of independent draws: with a
   * unit more that stands before, between or behind them, in one bucket or in several.
   */
  @Test
  @Tag("statistical")
  void aUnitMoreLeavesTheLawOfTheOthers() {
    long[] common = {-5, 2, 9};
    double rate = 0.4;
    Sampler sampler = new Sampler.Poisson(rate, 3);
    for (long[] ids : new long[][] {common, {-5, 2, 9, -70}, {-5, 2, 9, 3}, {-5, 2, 9, 70}}) {
      for (int buckets : new int[] {1, 3}) {
        SamplingKey key = SamplingKey.fresh();
        assertLaw(
            ids.length + " units, " + buckets + " buckets",
            20_000,
            release -> lot(sampler, key, release, ids, buckets, common),
            independent(common, rate));
        assertLaw(
            "all of them",
            20_000,
            release -> lot(sampler, key, 50_000 + release, ids, buckets, ids),
            independent(ids, rate));
      }
    }
  }

  /** Whether a unit is in one lot says nothing about it, or its neighbour, in the next. */
  @Test
  @Tag("statistical")
  void lotsOfTwoReleasesAreIndependent() {
    long[] ids = {1, 2};
    SamplingKey key = SamplingKey.fresh();
    Sampler sampler = new Sampler.Poisson(0.4, 2);
    Map<List<Set<Long>>, Double> both = new HashMap<>();
    Map<Set<Long>, Double> one = independent(ids, 0.4);
    one.forEach((a, p) -> one.forEach((b, q) -> both.put(List.of(a, b), p * q)));
    for (int buckets : new int[] {1, 16}) {
      assertLaw(
          "pairs of lots, " + buckets + " buckets",
          40_000,
          i ->
              List.of(
                  lot(sampler, key, 2L * i, ids, buckets, ids),
                  lot(sampler, key, 2L * i + 1, ids, buckets, ids)),
          both);
    }
  }

  @Test
  @Tag("statistical")
  void theTestSeesAnotherLaw() {
    long[] ids = {1, 2, 3};
    SamplingKey key = SamplingKey.fresh();
    Sampler more = new Sampler.Poisson(0.33, 3);
    assertThrows(
        AssertionError.class,
        () ->
            assertLaw(
                "another rate",
                40_000,
                release -> lot(more, key, release, ids, 1, ids),
                independent(ids, 0.3)));
    // A gap one too long where the last unit was drawn: neighbours exclude each other a little.
    assertThrows(
        AssertionError.class,
        () ->
            assertLaw(
                "neighbours",
                40_000,
                release -> {
                  Set<Long> lot = lot(more, key, release, ids, 1, ids);
                  if (release % 4 == 0 && lot.contains(1L)) {
                    lot.remove(2L);
                  }
                  return lot;
                },
                independent(ids, 0.33)));
  }

  private static double choose(int n, int k) {
    double ways = 1;
    for (int i = 0; i < k; i++) {
      ways = ways * (n - i) / (i + 1);
    }
    return k > n ? 0 : ways;
  }

  /** With as many units as declared, with fewer and with more; lots by a bit set and by a table. */
  @Test
  @Tag("statistical")
  void everyLotOfAFixedSizeIsAsLikely() {
    long[] all = {9, -4, 30, 7, 8, 100, 55};
    Sampler sampler = new Sampler.FixedSize(3, 6);
    for (int count : new int[] {6, 4, 1, 7}) {
      long[] ids = Arrays.copyOf(all, count);
      SamplingKey key = SamplingKey.fresh();
      int places = Math.max(6, count);
      assertLaw(
          count + " units",
          40_000,
          release -> lot(sampler, key, release, ids, 1, ids),
          sets(
              ids,
              set ->
                  set.size() > 3 ? 0 : choose(places - count, 3 - set.size()) / choose(places, 3)));
    }
    SamplingKey key = SamplingKey.fresh();
    Sampler two = new Sampler.FixedSize(2, 200);
    Map<List<Integer>, Double> pairs = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      for (int j = i + 1; j < 200; j++) {
        pairs.put(List.of(i, j), 1 / 19_900.0);
      }
    }
    Units units = Units.each(200);
    assertLaw(
        "pairs of 200",
        200_000,
        release -> Arrays.stream(two.lot(key, release, units)).boxed().toList(),
        pairs);
  }

  /** One place more changes one of the drawn places, and all sizes are as they should be. */
  @Test
  void onePlaceMoreDisplacesOne() {
    int changed = 0;
    for (int[] each : new int[][] {{5, 20}, {20, 20}, {3, 5000}, {1000, 30_000}}) {
      for (long release = 0; release < 200; release++) {
        Sampler sampler = new Sampler.FixedSize(each[0], each[0]);
        Set<Integer> before = new HashSet<>();
        Arrays.stream(sampler.lot(KEY, release, Units.each(each[1]))).forEach(before::add);
        int[] after = sampler.lot(KEY, release, Units.each(each[1] + 1));
        assertEquals(each[0], after.length);
        long come = Arrays.stream(after).filter(unit -> !before.contains(unit)).count();
        assertTrue(come <= 1, come + " others");
        changed += come;
      }
    }
    assertTrue(changed > 0);
  }

  @Test
  @Tag("statistical")
  void everyOrderOfAnEpochIsAsLikely() {
    SamplingKey key = SamplingKey.fresh();
    Map<List<Integer>, Double> orders = new HashMap<>();
    for (int code = 0; code < 256; code++) {
      List<Integer> order = List.of(code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6);
      if (new HashSet<>(order).size() == 4) {
        orders.put(order, 1 / 24.0);
      }
    }
    Sampler sampler = new Sampler.ShuffledEpochs(4, 4);
    assertLaw(
        "orders",
        40_000,
        epoch ->
            IntStream.range(0, 4)
                .map(part -> sampler.lot(key, 4L * epoch + part, Units.each(4))[0])
                .boxed()
                .toList(),
        orders);
  }
}
