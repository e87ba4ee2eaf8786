package dev.discreet.data;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The rows of a file that do not fit what was declared. Each stays a row of its unit and is no
 * example: it counts as zero. All of this is read off private rows, so it is for the operator's
 * eyes and goes into no file.
 *
 * @param rows their places, from 0; none where rows lie elsewhere and have no places
 * @param count how many there are
 * @param of how many rows there are in all
 * @param first what is wrong with a few of them
 */
public record Misfits(BitSet rows, long count, long of, List<String> first) {
  /** How many reasons are kept. */
  public static final int SHOWN = 3;

  /**
   * Keeps the first few reasons.
   *
   * @param rows their places, from 0
   * @param count how many there are
   * @param of how many rows there are in all
   * @param first what is wrong with some of them
   */
  public Misfits {
    rows = (BitSet) rows.clone();
    first = List.copyOf(first.subList(0, Math.min(SHOWN, first.size())));
    Check.that(rows.length() <= of, "places of misfits", "below " + of, rows.length() - 1);
    Check.that(count >= 0 && count <= of, "misfits", "in [0, " + of + "]", count);
  }

  /**
   * Misfits with places.
   *
   * @param rows their places, from 0
   * @param of how many rows there are in all
   * @param first what is wrong with some of them
   */
  public Misfits(BitSet rows, int of, List<String> first) {
    this(rows, rows.cardinality(), of, first);
  }

  /**
   * None: all rows fit.
   *
   * @param of how many rows there are in all
   * @return no misfits among them
   */
  public static Misfits none(int of) {
    return new Misfits(new BitSet(), of, List.of());
  }

  /**
   * Misfits among rows without places, such as those on a cluster.
   *
   * @param count how many there are
   * @param of how many rows there are in all
   * @param reasons what is wrong with some of them
   * @return that number of misfits
   */
  public static Misfits counted(long count, long of, List<String> reasons) {
    return new Misfits(new BitSet(), count, of, reasons);
  }

  /**
   * Whether a row does not fit.
   *
   * @param row its place, from 0
   * @return true where it counts as zero
   */
  public boolean isMisfit(int row) {
    return rows.get(row);
  }

  /**
   * The misfits of these rows followed by others.
   *
   * @param others the misfits of the rows that follow
   * @return those of all rows
   */
  public Misfits then(Misfits others) {
    BitSet all = (BitSet) rows.clone();
    others.rows.stream().forEach(row -> all.set(Math.toIntExact(of + row)));
    List<String> reasons = new ArrayList<>(first);
    reasons.addAll(others.first);
    return new Misfits(all, count + others.count, Math.addExact(of, others.of), reasons);
  }
}
