package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnitOrderTest {
  private static final SamplingKey KEY = SamplingKey.insecure(4);

  private static Units withIds(long... ids) {
    return Units.of(ids, new int[ids.length][0]);
  }

  private static int[] bucket(UnitOrder order, int bucket) {
    return IntStream.range(0, order.size(bucket)).map(place -> order.unit(bucket, place)).toArray();
  }

  private static int[] sorted(int[] units, Comparator<Integer> by) {
    return Arrays.stream(units).boxed().sorted(by).mapToInt(i -> i).toArray();
  }

  @Test
  void unitsStandByIdWhereverTheirRowsLie() {
    long[] few = {5, -1, 0, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, -1L << 40};
    long[] many = new Random(1).longs(40_000).distinct().toArray();
    for (long[] ids : new long[][] {few, many, {}, {3}, {1, 2}, {2, 1}}) {
      int[] all = IntStream.range(0, ids.length).toArray();
      int[] expected = sorted(all, Comparator.comparingLong(i -> ids[i]));
      assertArrayEquals(expected, bucket(UnitOrder.of(withIds(ids)), 0));
    }
    assertArrayEquals(new int[] {0, 1, 2}, bucket(UnitOrder.of(Units.each(3)), 0));
  }

  @Test
  void namesStandAsTheyCompare() {
    List<UnitName> names = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      names.add(UnitName.of("unit " + i));
      names.add(new UnitName(i % 7 - 3, i));
      names.add(new UnitName(i, -i - 1));
    }
    Collections.shuffle(names, new Random(5));
    int[] all = IntStream.range(0, names.size()).toArray();
    int[] expected = sorted(all, Comparator.comparing(names::get));
    UnitOrder order = UnitOrder.of(Units.of(names, new int[names.size()][0]));
    assertArrayEquals(expected, bucket(order, 0));
  }

  @Test
  void bucketsAreThoseOfTheKey() {
    long[] ids = new Random(2).longs(40_000).distinct().toArray();
    int[] all = IntStream.range(0, ids.length).toArray();
    List<UnitName> names = Arrays.stream(ids).mapToObj(id -> new UnitName(-id, id)).toList();
    for (int buckets : new int[] {1, 2, 7, 64, Grid.MOST_CHUNKS}) {
      int[] of = KEY.buckets(ids, buckets);
      UnitOrder order = withIds(ids).order(KEY, buckets);
      assertEquals(buckets, order.buckets());
      int[] ofNames = KEY.buckets(names, buckets);
      UnitOrder named = Units.of(names, new int[ids.length][0]).order(KEY, buckets);
      for (int b :
          IntStream.of(0, 1, buckets / 2, buckets - 1).filter(i -> i < buckets).toArray()) {
        int bucket = b;
        int[] expected = Arrays.stream(all).filter(i -> of[i] == bucket).toArray();
        assertArrayEquals(
            sorted(expected, Comparator.comparingLong(i -> ids[i])), bucket(order, bucket));
        int[] members = Arrays.stream(all).filter(i -> ofNames[i] == bucket).toArray();
        assertArrayEquals(sorted(members, Comparator.comparing(names::get)), bucket(named, bucket));
      }
    }
  }

  @Test
  void isMadeOnceForAKey() {
    Units units = withIds(4, 2, 9);
    UnitOrder order = units.order(KEY, 5);
    assertSame(order, units.order(SamplingKey.insecure(4), 5), "the same secret");
    assertNotSame(order, units.order(SamplingKey.insecure(3), 5));
    assertEquals(6, units.order(SamplingKey.insecure(3), 6).buckets());
    int[] epoch = units.shuffled(KEY, 2, 10);
    assertSame(epoch, units.shuffled(KEY, 2, 10), "once an epoch and not once a step");
    assertEquals(10, epoch.length);
    assertEquals(3, units.shuffled(KEY, 2, 2).length);
    assertNotSame(epoch, units.shuffled(KEY, 3, 10));
  }
}
