package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Holds some units out to test on. On which side a unit falls is a fixed function of what the unit
 * is, so it stays there in every run, and whatever other rows come or go: a neighbouring data set
 * differs on one side only, and by that one unit.
 */
public final class Split {
  // Any constants do. They are part of the format: others would move units between runs.
  private static final long SALT = 0x51a7e5d15c2ee7L;
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private Split() {}

  /** The two sides; neither is public. */
  public record Parts(DataSet.Part train, Optional<DataSet.Part> test) {}

  /**
   * @param testShare of the units to hold out, each by itself; with 0 there is no test part
   */
  public static Parts of(Rows rows, double testShare) {
    Check.that(testShare >= 0 && testShare < 1, "test share", "in [0, 1)", testShare);
    if (testShare == 0) {
      return new Parts(whole(rows, false), Optional.empty());
    }
    boolean[] held = rows.unitOf() == null ? eachHeld(rows, testShare) : unitsHeld(rows, testShare);
    int[] train = IntStream.range(0, held.length).filter(i -> !held[i]).toArray();
    int[] test = IntStream.range(0, held.length).filter(i -> held[i]).toArray();
    Check.that(
        train.length > 0 && test.length > 0,
        "test share",
        "such that units fall on both sides (here all fall on the "
            + (test.length > 0 ? "test" : "training")
            + " side: there are too few of them)",
        testShare);
    return new Parts(part(rows, train, false), Optional.of(part(rows, test, false)));
  }

  /** All rows on one side. */
  public static DataSet.Part whole(Rows rows, boolean isPublic) {
    int size = rows.examples().size();
    Check.that(size > 0, "examples", "at least 1", size);
    return rows.unitOf() == null && rows.misfits().count() == 0
        ? new DataSet.Part(rows.examples(), Units.each(size), isPublic)
        : part(rows, IntStream.range(0, size).toArray(), isPublic);
  }

  /**
   * Rows that are equal have equal fingerprints, and would all fall on one side: with a few yes-no
   * columns the sides would then be different populations. So the copies of a row are told apart by
   * their rank among themselves. Since copies are alike, taking one away is taking the last away.
   */
  private static boolean[] eachHeld(Rows rows, double testShare) {
    long[] prints = rows.fingerprints();
    long[] distinct = Arrays.stream(prints).sorted().distinct().toArray();
    int[] seen = new int[distinct.length];
    boolean[] held = new boolean[prints.length];
    for (int i = 0; i < held.length; i++) {
      held[i] = held(prints[i], seen[Arrays.binarySearch(distinct, prints[i])]++, testShare);
    }
    return held;
  }

  private static boolean[] unitsHeld(Rows rows, double testShare) {
    int[] unitOf = rows.unitOf();
    long[] prints = rows.fingerprints();
    int[] first = new int[units(unitOf)];
    Arrays.fill(first, -1);
    boolean[] held = new boolean[unitOf.length];
    for (int i = 0; i < unitOf.length; i++) {
      if (unitOf[i] < 0) {
        continue; // no one's, on neither side
      }
      if (first[unitOf[i]] < 0) {
        first[unitOf[i]] = i;
      }
      Check.that(
          prints[first[unitOf[i]]] == prints[i], "fingerprints", "equal within a unit", "others");
      held[i] = held(prints[i], 0, testShare);
    }
    return held;
  }

  private static int units(int[] unitOf) {
    return Arrays.stream(unitOf).max().orElse(-1) + 1;
  }

  /** Whether 53 well mixed bits (the finaliser of SplitMix64), as a number in [0, 1), are below. */
  private static boolean held(long fingerprint, int copy, double testShare) {
    long z = mixed(mixed(fingerprint ^ SALT) + copy * STEP);
    return (z >>> 11) * 0x1p-53 < testShare;
  }

  private static long mixed(long value) {
    long z = value + STEP;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /**
   * The examples of these rows and the units that they are of, numbered anew. A row that does not
   * fit is no example, and its unit is there all the same, with its other rows or with none.
   */
  private static DataSet.Part part(Rows rows, int[] index, boolean isPublic) {
    Misfits misfits = rows.misfits();
    int[] fitting = IntStream.of(index).filter(i -> !misfits.isMisfit(i)).toArray();
    Subset examples = new Subset(rows.examples(), fitting);
    if (rows.unitOf() == null && fitting.length == index.length) {
      return new DataSet.Part(examples, Units.each(index.length), isPublic);
    }
    int[] unitOf =
        rows.unitOf() != null
            ? rows.unitOf()
            : IntStream.range(0, rows.examples().size()).toArray();
    int[] number = new int[units(unitOf)];
    IntStream.of(index).map(i -> unitOf[i]).filter(unit -> unit >= 0).forEach(u -> number[u] = 1);
    int count = 0;
    for (int unit = 0; unit < number.length; unit++) {
      number[unit] = number[unit] > 0 ? count++ : -1;
    }
    int[] sizes = new int[count];
    for (int i : fitting) {
      sizes[number[unitOf[i]]]++;
    }
    int[][] owned = new int[count][];
    Arrays.setAll(owned, unit -> new int[sizes[unit]]);
    int[] filled = new int[count];
    for (int i = 0; i < fitting.length; i++) {
      int unit = number[unitOf[fitting[i]]];
      owned[unit][filled[unit]++] = i;
    }
    long[] ids = IntStream.range(0, count).asLongStream().toArray();
    return new DataSet.Part(examples, Units.of(ids, owned), isPublic);
  }
}
