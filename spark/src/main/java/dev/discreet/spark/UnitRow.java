package dev.discreet.spark;

import dev.discreet.core.privacy.UnitName;
import java.io.Serializable;

/**
 * One row of a unit, on its way to the unit's bucket.
 *
 * @param unit whose it is; where units have numbers, the number is the name's lower half
 * @param member whose row it is among the members of a unit that is a group; 0 in others
 * @param order among the rows of its member; rows of equal order are sorted by their values
 * @param values inputs, then targets; null where the row is no example, and only tells that there
 *     is such a unit
 */
record UnitRow(UnitName unit, UnitName member, long order, float[] values) implements Serializable {
  static final UnitName NOBODY = new UnitName(0, 0);

  /**
   * A row of a frame, whose rows have no order. It gets one by a hash of its unit and its values:
   * nothing but the unit decides it, and where only some of its rows count, those are not its
   * smallest.
   */
  static UnitRow unordered(UnitName unit, float[] values) {
    long hash = unit.high() * 0x9e3779b97f4a7c15L ^ unit.low();
    for (int i = 0; values != null && i < values.length; i++) {
      hash = (hash ^ Float.floatToIntBits(values[i])) * 0xbf58476d1ce4e5b9L;
      hash ^= hash >>> 29;
    }
    return new UnitRow(unit, hash >>> 1, values);
  }

  /** A row of a unit that is no group. */
  UnitRow(UnitName unit, long order, float[] values) {
    this(unit, NOBODY, order, values);
  }

  /** A row of a unit that has a number. */
  UnitRow(long unit, long order, float[] values) {
    this(new UnitName(0, unit), order, values);
  }
}
