package dev.discreet.algorithms.cells;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.query.UnitKeys;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** Rows with a key that nobody declared, with their numbers, and who is protected. */
public final class RowsByKey {
  private final List<String> keys;
  // Null where each row is a unit.
  private final int[] unitOf;
  private final int rowsPerKey;
  private final double[][] columns;

  private RowsByKey(List<String> keys, int[] unitOf, int rowsPerKey, double[]... columns) {
    this.keys = List.copyOf(keys);
    this.unitOf = unitOf;
    this.rowsPerKey = rowsPerKey;
    this.columns = columns;
  }

  /**
   * Every row is a unit of its own.
   *
   * @param keys one for each row
   * @param columns the finite numbers of each row, one array a column
   * @return the rows
   */
  public static RowsByKey ofRows(List<String> keys, double[]... columns) {
    return new RowsByKey(keys, null, 1, columns);
  }

  /**
   * Units of several rows.
   *
   * @param keys one for each row
   * @param unitOf the number of the unit that each row belongs to, from 0
   * @param rowsPerKey how many rows of a unit count for each of its keys
   * @param columns the finite numbers of each row, one array a column
   * @return the rows
   */
  public static RowsByKey ofUnits(
      List<String> keys, int[] unitOf, int rowsPerKey, double[]... columns) {
    Check.that(unitOf.length == keys.size(), "units of rows", "as many as keys", unitOf.length);
    return new RowsByKey(keys, unitOf.clone(), rowsPerKey, columns);
  }

  UnitKeys keys() {
    return unitOf == null ? UnitKeys.ofRows(keys) : UnitKeys.ofUnits(keys, unitOf);
  }

  /**
   * The rows of the selected keys, in cells in the order of these. Which rows of a unit count was
   * decided before, by its own rows among all keys: a unit whose keys were not selected has no
   * others in their place.
   *
   * @param keysPerUnit for how many keys a unit counts
   */
  CellRows in(SortedSet<String> selected, int keysPerUnit) {
    Map<String, Integer> places = new HashMap<>();
    int[] cells = new int[keys.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = places.computeIfAbsent(keys.get(i), key -> places.size());
    }
    CellRows all =
        unitOf == null
            ? CellRows.ofRows(cells, columns)
            : CellRows.ofUnits(cells, unitOf, keysPerUnit, rowsPerKey, columns);
    int[] shown = new int[places.size()];
    Arrays.fill(shown, -1);
    int place = 0;
    for (String key : selected) {
      // A selected key is one that some unit has.
      shown[places.get(key)] = place++;
    }
    return all.in(shown);
  }
}
