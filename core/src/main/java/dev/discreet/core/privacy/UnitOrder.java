package dev.discreet.core.privacy;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Units in their buckets, and in each bucket by id. Neither depends on where the rows lie: so a
 * machine that has whole buckets of the units has them in the order that all machines know.
 */
final class UnitOrder {
  private static final int BATCH = 1 << 14;

  /** Bucket by bucket; null for the order in which they are counted. */
  private final int[] units;

  /** Where each bucket begins; one more at the end. */
  private final int[] starts;

  private UnitOrder(int[] units, int[] starts) {
    this.units = units;
    this.starts = starts;
  }

  /** All in one bucket. */
  static UnitOrder of(Units units) {
    int[] starts = {0, units.count()};
    if (units.areExamples()) {
      return new UnitOrder(null, starts);
    }
    IntToLongFunction low = units.areNamed() ? unit -> units.name(unit).low() : units::id;
    IntToLongFunction high = units.areNamed() ? unit -> units.name(unit).high() : unit -> 0;
    boolean rising =
        IntStream.range(1, units.count())
            .allMatch(
                i ->
                    high.applyAsLong(i - 1) < high.applyAsLong(i)
                        || high.applyAsLong(i - 1) == high.applyAsLong(i)
                            && low.applyAsLong(i - 1) < low.applyAsLong(i));
    if (rising) {
      return new UnitOrder(null, starts);
    }
    int[] order = IntStream.range(0, units.count()).toArray();
    return new UnitOrder(sorted(sorted(order, low), high), starts);
  }

  /** Sorts by a signed number, byte by byte from the last one; equal ones stay as they are. */
  private static int[] sorted(int[] order, IntToLongFunction number) {
    int[] from = order;
    int[] to = new int[from.length];
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      int[] ends = new int[257];
      for (int unit : from) {
        ends[digit(number.applyAsLong(unit), shift) + 1]++;
      }
      if (Arrays.stream(ends).anyMatch(count -> count == order.length)) {
        continue;
      }
      Arrays.parallelPrefix(ends, Integer::sum);
      for (int unit : from) {
        to[ends[digit(number.applyAsLong(unit), shift)]++] = unit;
      }
      int[] swapped = from;
      from = to;
      to = swapped;
    }
    return from;
  }

  private static int digit(long number, int shift) {
    return (int) ((number ^ Long.MIN_VALUE) >>> shift) & 0xff;
  }

  /** The same units in the buckets that a key puts them into. */
  UnitOrder cut(SamplingKey key, Units members, int buckets) {
    if (buckets == 1) {
      return this;
    }
    int count = units();
    short[] bucketOf = new short[count];
    IntStream.range(0, (count + BATCH - 1) / BATCH)
        .parallel()
        .forEach(
            batch -> {
              int from = batch * BATCH;
              int[] some = IntStream.range(from, Math.min(count, from + BATCH)).toArray();
              Arrays.setAll(some, i -> unit(0, some[i]));
              int[] found = key.buckets(members, some, buckets);
              for (int i = 0; i < found.length; i++) {
                bucketOf[from + i] = (short) found[i];
              }
            });
    int[] begins = new int[buckets + 1];
    for (short bucket : bucketOf) {
      begins[bucket + 1]++;
    }
    Arrays.parallelPrefix(begins, Integer::sum);
    int[] next = begins.clone();
    int[] cut = new int[count];
    for (int i = 0; i < count; i++) {
      cut[next[bucketOf[i]]++] = unit(0, i);
    }
    return new UnitOrder(cut, begins);
  }

  int buckets() {
    return starts.length - 1;
  }

  int size(int bucket) {
    return starts[bucket + 1] - starts[bucket];
  }

  /** How many there are in all buckets. */
  int units() {
    return starts[starts.length - 1];
  }

  /** The unit at a place of a bucket. */
  int unit(int bucket, int place) {
    int at = starts[bucket] + place;
    return units == null ? at : units[at];
  }

  /** Puts units that were found in this order in the order of their numbers. */
  int[] rising(int[] found) {
    if (units != null) {
      Arrays.parallelSort(found);
    }
    return found;
  }
}
