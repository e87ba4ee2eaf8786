package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The privacy units of a data set and the examples of each. A unit's id stands for it wherever
 * secret bits decide about it ({@link SamplingKey}); ids may be given anew when units come or go.
 */
public final class Units {
  private final long[] ids;
  private final int[] start;
  private final int[] examples;
  private final int count;

  private Units(int count, long[] ids, int[] start, int[] examples) {
    this.count = count;
    this.ids = ids;
    this.start = start;
    this.examples = examples;
  }

  /** Every example is a unit of its own, with its index as id. */
  public static Units each(int examples) {
    Check.that(examples >= 0, "examples", "at least 0", examples);
    return new Units(examples, null, null, null);
  }

  /** Unit i has id {@code ids[i]} and the examples {@code examples[i]}. */
  public static Units of(long[] ids, int[][] examples) {
    Check.that(
        ids.length == examples.length,
        "examples",
        "given for each of " + ids.length + " ids",
        examples.length);
    Check.that(Arrays.stream(ids).distinct().count() == ids.length, "ids", "distinct", "repeated");
    int[] start = new int[ids.length + 1];
    for (int i = 0; i < ids.length; i++) {
      start[i + 1] = Math.addExact(start[i], examples[i].length);
    }
    int[] flat = new int[start[ids.length]];
    for (int i = 0; i < ids.length; i++) {
      System.arraycopy(examples[i], 0, flat, start[i], examples[i].length);
    }
    return new Units(ids.length, ids.clone(), start, flat);
  }

  /** These and, up to so many, further ones without examples; ids as no one gives them. */
  Units padded(long units) {
    int missing = Math.toIntExact(Math.max(0, units - count));
    if (missing == 0 || ids == null) {
      return missing == 0 ? this : each((int) units);
    }
    long[] all = Arrays.copyOf(ids, count + missing);
    Set<Long> taken = Arrays.stream(ids).boxed().collect(Collectors.toSet());
    long next = Long.MIN_VALUE;
    for (int i = count; i < all.length; i++) {
      while (taken.contains(next)) {
        next++;
      }
      all[i] = next++;
    }
    int[] ends = Arrays.copyOf(start, all.length + 1);
    Arrays.fill(ends, count, ends.length, start[count]);
    return new Units(all.length, all, ends, examples);
  }

  public int count() {
    return count;
  }

  /** Whether every unit's id is its index. */
  boolean idsAreIndices() {
    return ids == null;
  }

  public long id(int unit) {
    return ids == null ? unit : ids[unit];
  }

  /** How many examples the unit has. */
  public int size(int unit) {
    return start == null ? 1 : start[unit + 1] - start[unit];
  }

  /** The index of the unit's i-th example. */
  public int example(int unit, int i) {
    return start == null ? unit : examples[start[unit] + i];
  }
}
