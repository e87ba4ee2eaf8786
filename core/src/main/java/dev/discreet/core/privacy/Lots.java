package dev.discreet.core.privacy;

import java.util.Arrays;

/** Lots from keyed bits, in time linear in the number of units. */
final class Lots {
  private static final int BATCH = 2048;

  private Lots() {}

  /** The units whose 63 bits are below a limit. */
  static int[] below(SamplingKey key, long nonce, Units units, long limit) {
    double expected = limit * 0x1p-63 * units.count();
    int[] lot = new int[(int) Math.min(units.count(), expected + 6 * Math.sqrt(expected) + 16)];
    int size = 0;
    SamplingKey.Bits bits = key.bits(nonce);
    long[] batch = new long[BATCH];
    for (int from = 0; from < units.count(); from += BATCH) {
      int now = Math.min(BATCH, units.count() - from);
      bits.of(units, from, now, batch);
      for (int i = 0; i < now; i++) {
        if (batch[i] >>> 1 < limit) {
          if (size == lot.length) {
            lot = Arrays.copyOf(lot, 2 * size + 16);
          }
          lot[size++] = from + i;
        }
      }
    }
    return Arrays.copyOf(lot, size);
  }

  /**
   * The units whose place is in [from, to) when all units are sorted by their bits. Units with
   * equal bits, which 2⁶³ values make almost impossible, are sorted by index.
   */
  static int[] ranked(SamplingKey key, long nonce, Units units, int from, int to) {
    int count = units.count();
    long[] values = new long[count];
    SamplingKey.Bits bits = key.bits(nonce);
    long[] batch = new long[BATCH];
    for (int at = 0; at < count; at += BATCH) {
      int now = Math.min(BATCH, count - at);
      bits.of(units, at, now, batch);
      for (int i = 0; i < now; i++) {
        values[at + i] = batch[i] >>> 1;
      }
    }
    // A histogram of the leading bits narrows each cut down to a few values.
    int leading = Math.max(1, Math.min(16, 29 - Integer.numberOfLeadingZeros(count)));
    int[] starts = new int[(1 << leading) + 1];
    for (long value : values) {
      starts[(int) (value >>> (63 - leading)) + 1]++;
    }
    Arrays.parallelPrefix(starts, Integer::sum);
    Cut begin = Cut.at(from, values, starts, 63 - leading);
    Cut end = Cut.at(to, values, starts, 63 - leading);
    int[] lot = new int[to - from];
    int size = 0;
    for (int unit = 0; unit < count; unit++) {
      // Both cuts must see every value; otherwise their counts of equal values are wrong.
      boolean early = begin.isBefore(values[unit]);
      if (end.isBefore(values[unit]) && !early) {
        lot[size++] = unit;
      }
    }
    return lot;
  }

  /** Splits values, which come in order of index, into the first ones by rank and the others. */
  private static final class Cut {
    private final long value;
    private int equalsBefore;

    private Cut(long value, int equalsBefore) {
      this.value = value;
      this.equalsBefore = equalsBefore;
    }

    static Cut at(int rank, long[] values, int[] starts, int shift) {
      if (rank == values.length) {
        return new Cut(Long.MAX_VALUE, Integer.MAX_VALUE);
      }
      int bucket = 0;
      while (starts[bucket + 1] <= rank) {
        bucket++;
      }
      long[] inside = new long[starts[bucket + 1] - starts[bucket]];
      int size = 0;
      for (long value : values) {
        if (value >>> shift == bucket) {
          inside[size++] = value;
        }
      }
      Arrays.sort(inside);
      int place = rank - starts[bucket];
      int firstEqual = place;
      while (firstEqual > 0 && inside[firstEqual - 1] == inside[place]) {
        firstEqual--;
      }
      return new Cut(inside[place], place - firstEqual);
    }

    boolean isBefore(long other) {
      return other < value || (other == value && equalsBefore-- > 0);
    }
  }
}
