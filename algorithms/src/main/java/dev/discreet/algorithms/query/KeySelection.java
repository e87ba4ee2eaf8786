package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.draws.KeyOdds;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Which of the keys that nobody declared may be known: the values of a column, or the groups of a
 * question (private partition selection). A key is shown with the largest chance that the cost
 * allows, by how many units have it; one that no unit has is never shown.
 *
 * <p><b>Formal guarantee.</b> A selection costs {@link #cost} under the session's relation. A unit
 * counts for at most {@code keysPerUnit} keys, once for each; so neighbours differ in as many keys
 * by one unit, and in twice as many where a unit is replaced. {@link KeyOdds} has the rest.
 *
 * <pre>{@code
 * KeySelection selection = new KeySelection(0.5, 1e-6, 1);
 * SortedSet<String> towns = selection.ask(session, () -> UnitKeys.ofRows(List.of("Ulm", "Bonn")));
 * }</pre>
 *
 * @param epsilon what the selection costs, with δ; at least 0.001 for each key that may differ
 * @param delta what it costs with ε: about the chance that what one unit alone has is shown
 * @param keysPerUnit how many different keys of a unit count: its first ones
 */
@PublicApi
public record KeySelection(double epsilon, double delta, int keysPerUnit) {
  /** Refuses what no selection can have. */
  public KeySelection {
    Check.that(
        keysPerUnit >= 1 && keysPerUnit <= QueryColumn.MOST_ROWS,
        "keys per unit",
        "in [1, " + QueryColumn.MOST_ROWS + "]",
        keysPerUnit);
    KeyOdds.check(epsilon, delta, keysPerUnit);
  }

  /**
   * The ledger entry of a selection.
   *
   * @param relation what neighbouring data sets are
   * @return the entry
   */
  public Ledger cost(Neighbouring relation) {
    return Ledger.of(relation, odds(relation).mechanism(), 1);
  }

  /**
   * The chance of a key, by how many units have it.
   *
   * @param relation what neighbouring data sets are
   * @param units that have the key
   * @return the chance that it is shown
   */
  public double chance(Neighbouring relation, long units) {
    return odds(relation).chance(units);
  }

  private KeyOdds odds(Neighbouring relation) {
    return KeyOdds.of(epsilon, delta, (long) keysPerUnit * relation.sensitivity());
  }

  /**
   * Selects once.
   *
   * @param session what is charged
   * @param keys read only after the selection is paid for
   * @return the keys that are shown; anything may be done with them
   */
  public SortedSet<String> ask(PrivacySession session, Supplier<UnitKeys> keys) {
    TreeSet<String> all = new TreeSet<>();
    boolean[] shown =
        session.select(
            odds(session.ledger().neighbouring()),
            id -> {
              var units = keys.get().units(keysPerUnit);
              all.addAll(units.keySet());
              return units.values().stream().mapToLong(Long::longValue).toArray();
            });
    TreeSet<String> selected = new TreeSet<>();
    int i = 0;
    for (String key : all) {
      if (shown[i++]) {
        selected.add(key);
      }
    }
    return Collections.unmodifiableSortedSet(selected);
  }
}
