package dev.discreet.core.privacy;

import dev.discreet.core.privacy.draws.Gaps;
import dev.discreet.core.privacy.draws.Uniforms;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Lots from keyed uniform numbers, in time linear in the lot. */
final class Lots {
  /** How many numbers one call of the cipher gives at most. */
  private static final int BATCH = 8192;

  private static final int[] ONE_STREAM = {0};

  private Lots() {}

  /**
   * Each place of each bucket with this probability, which is in (0, 1). Stream b of the release
   * has the gaps of bucket b, one number each.
   */
  static int[] independent(Uniforms uniforms, double rate, UnitOrder order) {
    Gaps gaps = new Gaps(rate);
    int[] buckets =
        IntStream.range(0, order.buckets()).filter(bucket -> order.size(bucket) > 0).toArray();
    double expected = rate * order.units();
    int[] lot = new int[(int) Math.min(order.units(), expected + 6 * Math.sqrt(expected) + 16)];
    int size = 0;
    int ahead = ahead(expected / Math.max(1, buckets.length));
    int together = BATCH / ahead;
    long[] words = new long[ahead * Math.min(together, buckets.length)];
    long[] further = new long[ahead];
    for (int from = 0; from < buckets.length; from += together) {
      int to = Math.min(buckets.length, from + together);
      uniforms.draw(buckets, from, to, 0, ahead, words);
      for (int b = from; b < to; b++) {
        int bucket = buckets[b];
        int places = order.size(bucket);
        int place = -1;
        for (int gap = 0; place < places; gap++) {
          int at = gap % ahead;
          if (at == 0 && gap > 0) {
            uniforms.draw(buckets, b, b + 1, gap, ahead, further);
          }
          long word = gap < ahead ? words[(b - from) * ahead + at] : further[at];
          int most = places - place - 1;
          place += 1 + gaps.next(most, word, uniforms.digits(bucket, gap));
          if (place < places) {
            if (size == lot.length) {
              lot = Arrays.copyOf(lot, (int) Math.min(order.units(), 2L * size));
            }
            lot[size++] = order.unit(bucket, place);
          }
        }
      }
    }
    return order.rising(Arrays.copyOf(lot, size));
  }

  /** An even number of gaps that a bucket seldom needs more of. */
  private static int ahead(double expected) {
    double gaps = expected + 1 + 3 * Math.sqrt(expected);
    return (int) Math.min(BATCH, 2 * Math.ceil(gaps / 2));
  }

  /**
   * So many of the places, all sets of that many being as likely (Floyd, in Bentley 1987): each
   * round has one more place than the last, and takes one of its places, or its last one where that
   * is taken. Round j takes number j of the release, so with one place more all but one of those
   * that are taken stay.
   */
  static int[] together(Uniforms uniforms, int size, int places) {
    IntPredicate added = places / 64 <= size ? adder(new BitSet(places)) : new Table(size)::add;
    int[] drawn = new int[size];
    long[] words = new long[Math.min(BATCH, size + 2)];
    int first = 0;
    int drawnTo = 0;
    for (int i = 0; i < size; i++) {
      int last = places - size + i;
      if (last >= drawnTo) {
        first = last & ~1;
        int count = Math.min(words.length & ~1, places - first + 1 & ~1);
        uniforms.draw(ONE_STREAM, 0, 1, first, count, words);
        drawnTo = first + count;
      }
      int one = Uniforms.below(last + 1, words[last - first], uniforms.digits(0, last));
      drawn[i] = added.test(one) ? one : last;
      if (drawn[i] == last && one != last) {
        added.test(last);
      }
    }
    Arrays.parallelSort(drawn);
    return drawn;
  }

  private static IntPredicate adder(BitSet set) {
    return place -> {
      boolean there = set.get(place);
      set.set(place);
      return !there;
    };
  }

  /**
   * A set of numbers from 0 on, evenly drawn, each at the first free place: at most half are taken.
   */
  private static final class Table {
    private final int[] table;

    Table(int size) {
      table = new int[Integer.highestOneBit(Math.max(1, size)) << 2];
      Arrays.fill(table, -1);
    }

    /** False where it was there. */
    boolean add(int number) {
      int at = number & table.length - 1;
      while (table[at] >= 0 && table[at] != number) {
        at = at + 1 & table.length - 1;
      }
      boolean isNew = table[at] < 0;
      table[at] = number;
      return isNew;
    }
  }

  /** All places in an order, all orders being as likely (Fisher and Yates, from the inside). */
  static int[] shuffled(Uniforms uniforms, int places) {
    int[] order = new int[places];
    long[] words = new long[Math.min(BATCH, places + 1)];
    for (int place = 0; place < places; place++) {
      int at = place % BATCH;
      if (at == 0) {
        uniforms.draw(ONE_STREAM, 0, 1, place, Math.min(BATCH, places - place + 1 & ~1), words);
      }
      int other = Uniforms.below(place + 1, words[at], uniforms.digits(0, place));
      order[place] = order[other];
      order[other] = place;
    }
    return order;
  }
}
