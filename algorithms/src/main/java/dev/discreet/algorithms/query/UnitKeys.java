package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The keys that each unit has, such as the words in its rows; nobody declared which there are.
 *
 * <pre>{@code
 * UnitKeys towns = UnitKeys.ofRows(List.of("Ulm", "Bonn", "Ulm"));
 * }</pre>
 */
@PublicApi
public final class UnitKeys {
  private final String[] keys;
  // Null where each row is a unit.
  private final int[] unitOf;

  private UnitKeys(String[] keys, int[] unitOf) {
    this.keys = keys;
    this.unitOf = unitOf;
  }

  /**
   * Every row is a unit of its own.
   *
   * @param keys one for each row; null for a row that has none
   * @return the keys
   */
  public static UnitKeys ofRows(List<String> keys) {
    return new UnitKeys(keys.toArray(String[]::new), null);
  }

  /**
   * Units of several rows.
   *
   * @param keys one for each row; null for a row that has none
   * @param unitOf the number of the unit that each row belongs to; below 0 for a row of nobody,
   *     which counts for none
   * @return the keys
   */
  public static UnitKeys ofUnits(List<String> keys, int[] unitOf) {
    Check.that(unitOf.length == keys.size(), "units of rows", "as many as keys", unitOf.length);
    return new UnitKeys(keys.toArray(String[]::new), unitOf.clone());
  }

  /**
   * How many units have each key, in the order of the keys. Of a unit the first {@code most}
   * different keys count, in the order of its own rows: which these are depends on no other unit.
   */
  SortedMap<String, Long> units(int most) {
    SortedMap<String, Long> units = new TreeMap<>();
    if (unitOf == null) {
      Arrays.stream(keys)
          .filter(key -> key != null)
          .forEach(key -> units.merge(key, 1L, Long::sum));
      return units;
    }
    Map<Integer, Set<String>> counted = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != null && unitOf[i] >= 0) {
        Set<String> own = counted.computeIfAbsent(unitOf[i], unit -> new HashSet<>());
        if (own.size() < most && own.add(keys[i])) {
          units.merge(keys[i], 1L, Long::sum);
        }
      }
    }
    return units;
  }
}
