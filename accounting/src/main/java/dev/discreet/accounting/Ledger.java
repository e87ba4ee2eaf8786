package dev.discreet.accounting;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was released: an ordered, immutable list of (mechanism × count) under one neighbouring
 * relation. Accountants are pure functions of it.
 *
 * <p>An entry may belong to a <em>part</em> of the units (parallel composition). Which unit is in
 * which part must be fixed without looking at the values that the guarantee protects (by unit id,
 * say), so that a neighbour touches one part only. The cost is that of the worst part together with
 * everything that saw all units.
 *
 * <pre>{@code
 * Ledger ledger =
 *     Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(2), 10)
 *         .plus(new Mechanism.Laplace(5), 1);
 * Ledger same = Ledger.parse(ledger.toJson());
 * }</pre>
 *
 * @param neighbouring which data sets are neighbours
 * @param entries what was released, in its order
 */
@PublicApi
public record Ledger(Neighbouring neighbouring, List<Entry> entries) {

  /**
   * Independent releases of one mechanism.
   *
   * @param mechanism what was released
   * @param count how often, at least 1
   * @param part the part of the units that it saw; empty for all
   */
  public record Entry(Mechanism mechanism, long count, String part) {
    /**
     * Refuses what is missing or out of range.
     *
     * @param mechanism what was released
     * @param count how often, at least 1
     * @param part the part of the units that it saw; empty for all
     */
    public Entry {
      Check.that(mechanism != null, "mechanism", "given", null);
      Check.that(count >= 1, "steps", "a whole number of at least 1", count);
      Check.that(part != null, "part", "given (empty for all units)", null);
      // Statements print the part, and it must not forge a line of theirs.
      Check.that(Check.oneLine(part), "part", "a name on one line", part);
    }

    /**
     * Releases that saw all units.
     *
     * @param mechanism what was released
     * @param count how often, at least 1
     */
    public Entry(Mechanism mechanism, long count) {
      this(mechanism, count, "");
    }
  }

  /**
   * Refuses a ledger without a relation.
   *
   * @param neighbouring which data sets are neighbours
   * @param entries what was released, in its order
   */
  public Ledger {
    Check.that(
        neighbouring != null, "neighbouring", "one of add/remove, replace-one, zero-out", null);
    entries = List.copyOf(entries);
  }

  /**
   * A ledger of nothing.
   *
   * @param neighbouring which data sets are neighbours
   * @return a ledger without entries
   */
  public static Ledger empty(Neighbouring neighbouring) {
    return new Ledger(neighbouring, List.of());
  }

  /**
   * A ledger of one entry.
   *
   * @param neighbouring which data sets are neighbours
   * @param mechanism what was released
   * @param count how often, at least 1
   * @return the ledger
   */
  public static Ledger of(Neighbouring neighbouring, Mechanism mechanism, long count) {
    return empty(neighbouring).plus(mechanism, count);
  }

  /**
   * This ledger and more releases. Equal releases one after the other become one entry.
   *
   * @param mechanism what was released
   * @param count how often, at least 1
   * @return a new ledger
   */
  public Ledger plus(Mechanism mechanism, long count) {
    List<Entry> list = new ArrayList<>(entries);
    add(list, new Entry(mechanism, count));
    return new Ledger(neighbouring, list);
  }

  /**
   * This ledger and everything in another.
   *
   * @param other a ledger under the same relation
   * @return a new ledger
   */
  public Ledger plus(Ledger other) {
    Check.that(
        neighbouring == other.neighbouring,
        "neighbouring",
        neighbouring.label(),
        other.neighbouring.label());
    List<Entry> list = new ArrayList<>(entries);
    other.entries.forEach(entry -> add(list, entry));
    return new Ledger(neighbouring, list);
  }

  private static void add(List<Entry> list, Entry entry) {
    Entry last = list.isEmpty() ? null : list.get(list.size() - 1);
    if (last != null && last.mechanism.equals(entry.mechanism) && last.part.equals(entry.part)) {
      list.set(list.size() - 1, new Entry(last.mechanism, sum(last.count, entry.count), last.part));
    } else {
      list.add(entry);
    }
  }

  /**
   * What is left of this ledger without releases that another one has.
   *
   * @param other a ledger under the same relation
   * @return a new ledger; what only the other has, or more often, is not in it
   */
  public Ledger minus(Ledger other) {
    Check.that(
        neighbouring == other.neighbouring,
        "neighbouring",
        neighbouring.label(),
        other.neighbouring.label());
    List<Entry> taken = new ArrayList<>(other.entries);
    List<Entry> list = new ArrayList<>();
    for (Entry entry : entries) {
      long left = entry.count;
      for (int i = 0; i < taken.size() && left > 0; i++) {
        Entry each = taken.get(i);
        if (each != null
            && each.mechanism.equals(entry.mechanism)
            && each.part.equals(entry.part)) {
          long both = Math.min(left, each.count);
          left -= both;
          taken.set(
              i,
              both == each.count ? null : new Entry(each.mechanism, each.count - both, each.part));
        }
      }
      if (left > 0) {
        add(list, new Entry(entry.mechanism, left, entry.part));
      }
    }
    return new Ledger(neighbouring, list);
  }

  /**
   * The same releases, made on the units of one part only.
   *
   * @param part the name of the part, on one line
   * @return a new ledger
   */
  public Ledger onPart(String part) {
    Check.that(!part.isEmpty(), "part", "not empty", "\"\"");
    Check.that(
        entries.stream().allMatch(entry -> entry.part.isEmpty()), "part", "given once", part);
    return new Ledger(
        neighbouring,
        entries.stream().map(entry -> new Entry(entry.mechanism, entry.count, part)).toList());
  }

  /**
   * What a unit of each part is exposed to: the entries on all units and those of its part.
   *
   * @return one ledger for each part, and at least one
   */
  public List<Ledger> perPart() {
    Set<String> parts = new LinkedHashSet<>();
    entries.stream().map(Entry::part).filter(part -> !part.isEmpty()).forEach(parts::add);
    if (parts.isEmpty()) {
      return List.of(this);
    }
    return parts.stream()
        .map(
            part ->
                entries.stream().filter(entry -> entry.part.isEmpty() || entry.part.equals(part)))
        .map(
            kept ->
                new Ledger(
                    neighbouring,
                    kept.map(entry -> new Entry(entry.mechanism, entry.count)).toList()))
        .toList();
  }

  /**
   * Distinct mechanisms with their total counts; composition does not mind the order.
   *
   * @return in order of first appearance
   */
  public Map<Mechanism, Long> totals() {
    Map<Mechanism, Long> totals = new LinkedHashMap<>();
    entries.forEach(entry -> totals.merge(entry.mechanism, entry.count, Ledger::sum));
    return totals;
  }

  private static long sum(long a, long b) {
    Check.that(a <= Long.MAX_VALUE - b, "steps", "at most 2^63 in all", a + " + " + b);
    return a + b;
  }

  /**
   * The ledger as JSON.
   *
   * @return one JSON object, which {@link #parse} reads back
   */
  public String toJson() {
    return LedgerJson.write(this);
  }

  /**
   * Reads what {@link #toJson} wrote. Unknown or missing fields are refused by name.
   *
   * @param json one JSON object
   * @return the ledger
   */
  public static Ledger parse(String json) {
    return LedgerJson.read(json);
  }
}
