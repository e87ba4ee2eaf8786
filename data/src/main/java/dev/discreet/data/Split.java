package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Holds some units out to test on. On which side a unit falls is a fixed function of something that
 * stays as it is when another unit of the file changes. So a unit is on the same side in every run.
 *
 * <p><b>Formal guarantee.</b> Neighbouring files make sides that differ on one side only, and there
 * by no more than the relation allows:
 *
 * <ul>
 *   <li><b>add/remove</b>: the side is a hash of the unit's id or, where a row is the unit, of the
 *       row's contents. The others keep theirs when one comes or goes; places in the file would
 *       not.
 *   <li><b>replace-one</b>, a row being the unit: the side is a hash of the row's place in the
 *       file. The new row has the old one's place, and so its side; by its contents it might change
 *       sides, and both numbers of units with it. What a file is ordered by must then not be in the
 *       rows: in a sorted file a replaced row would move others.
 *   <li><b>replace-one</b> of units with ids: a replaced person has another id, and rows at other
 *       places, so nothing stays. Only where the set of ids is declared public do neighbours have
 *       the same ids, one of them with other rows, and the side is a hash of the id. Else refused.
 *   <li><b>zero-out</b>: the unit stays, with its id and its place, and only what it contributes is
 *       nothing. So the side is a hash of the id or, where a row is the unit, of its place; its
 *       contents are what was set to zero.
 * </ul>
 */
public final class Split {
  // Any constants do. They are part of the format: others would move units between runs.
  private static final long SALT = 0x51a7e5d15c2ee7L;
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private Split() {}

  /** What decides on which side a unit falls. */
  public enum By {
    /** All rows are on one side. */
    NOTHING(Neighbouring.ADD_REMOVE, Neighbouring.REPLACE_ONE, Neighbouring.ZERO_OUT) {
      @Override
      boolean[] held(Rows rows, double testShare) {
        return new boolean[rows.examples().size()];
      }
    },
    CONTENTS(Neighbouring.ADD_REMOVE) {
      @Override
      boolean[] held(Rows rows, double testShare) {
        return eachHeld(rows, testShare);
      }
    },
    PLACE(Neighbouring.REPLACE_ONE, Neighbouring.ZERO_OUT) {
      @Override
      boolean[] held(Rows rows, double testShare) {
        return placesHeld(rows.examples().size(), testShare);
      }

      @Override
      String declared(String unit) {
        return "Rows are held out by their place in the file, whose order must not follow from"
            + " what they hold.";
      }
    },
    ID(Neighbouring.ADD_REMOVE, Neighbouring.ZERO_OUT) {
      @Override
      boolean[] held(Rows rows, double testShare) {
        return unitsHeld(rows, testShare);
      }
    },
    PUBLIC_ID(Neighbouring.ADD_REMOVE, Neighbouring.REPLACE_ONE, Neighbouring.ZERO_OUT) {
      @Override
      boolean[] held(Rows rows, double testShare) {
        return unitsHeld(rows, testShare);
      }

      @Override
      String declared(String unit) {
        return "The set of the " + unit + "s' ids was declared public; by them rows are held out.";
      }
    };

    private final Set<Neighbouring> relations;

    By(Neighbouring... relations) {
      this.relations = Set.of(relations);
    }

    /** Whether neighbours under this relation have sides that are neighbours, or equal. */
    boolean keeps(Neighbouring relation) {
      return relations.contains(relation);
    }

    /** Which rows are held out. */
    abstract boolean[] held(Rows rows, double testShare);

    /** What the guarantee then rests on, as a sentence; empty where on nothing more. */
    String declared(String unit) {
      return "";
    }

    private static By of(Rows rows, Neighbouring relation, boolean publicIds) {
      return rows.rowsAreUnits()
          ? (CONTENTS.keeps(relation) ? CONTENTS : PLACE)
          : (publicIds ? PUBLIC_ID : ID);
    }
  }

  /** The two sides; neither is public. */
  public record Parts(DataSet.Part train, Optional<DataSet.Part> test) {}

  /**
   * @param testShare of the units to hold out, each by itself; with 0 there is no test part
   * @param publicIds whether the set of the units' ids is declared public
   */
  public static Parts of(Rows rows, double testShare, Neighbouring relation, boolean publicIds) {
    Check.that(testShare >= 0 && testShare < 1, "test share", "in [0, 1)", testShare);
    if (testShare == 0) {
      return new Parts(whole(rows, false), Optional.empty());
    }
    By by = By.of(rows, relation, publicIds);
    Check.that(
        by.keeps(relation),
        "test share",
        "0 under "
            + relation.label()
            + " of units with ids: a replaced unit has another id, and might change sides (declare"
            + " that the set of ids is public with --public-ids, give rows to test on with"
            + " --public-test, or take another relation)",
        testShare);
    boolean[] held = by.held(rows, testShare);
    int[] train = IntStream.range(0, held.length).filter(i -> !held[i]).toArray();
    int[] test = IntStream.range(0, held.length).filter(i -> held[i]).toArray();
    Check.that(
        train.length > 0 && test.length > 0,
        "test share",
        "such that units fall on both sides (here all fall on the "
            + (test.length > 0 ? "test" : "training")
            + " side: there are too few of them; outside the guarantee, for your eyes)",
        testShare);
    return new Parts(part(rows, train, false, by), Optional.of(part(rows, test, false, by)));
  }

  /** All rows on one side. */
  public static DataSet.Part whole(Rows rows, boolean isPublic) {
    int size = rows.examples().size();
    Check.that(size > 0, "examples", "at least 1", size);
    return part(rows, IntStream.range(0, size).toArray(), isPublic, By.NOTHING);
  }

  private static boolean[] placesHeld(int rows, double testShare) {
    boolean[] held = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      held[i] = held(i, 0, testShare);
    }
    return held;
  }

  /**
   * Rows that are equal have equal fingerprints, and would all fall on one side: with a few yes-no
   * columns the sides would then be different populations. So the copies of a row are told apart by
   * their rank among themselves. Since copies are alike, taking one away is taking the last away: a
   * fingerprint covers all that decides what a row contributes, and whether it fits at all.
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
    int[] first = new int[Arrays.stream(unitOf).max().orElse(-1) + 1];
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

  /**
   * Whether a hash of the fingerprint, as a number in [0, 1), is below the share. The finaliser of
   * SplitMix64 mixes its 53 bits.
   */
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

  private static DataSet.Part part(Rows rows, int[] index, boolean isPublic, By by) {
    int[] fitting = rows.fitting(index);
    return new DataSet.Part(
        // All rows need no index to be found by.
        fitting.length == rows.examples().size()
            ? rows.examples()
            : new Subset(rows.examples(), fitting),
        rows.units(index, IntStream.range(0, fitting.length).toArray()),
        isPublic,
        rows.rowsAreUnits(),
        by,
        "",
        Optional.empty(),
        false);
  }
}
