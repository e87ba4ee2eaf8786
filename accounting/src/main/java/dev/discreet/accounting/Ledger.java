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
 */
public record Ledger(Neighbouring neighbouring, List<Entry> entries) {

  /**
   * {@code count} independent releases of {@code mechanism}; {@code part} is empty when they saw
   * all units.
   */
  public record Entry(Mechanism mechanism, long count, String part) {
    public Entry {
      Check.that(mechanism != null, "mechanism", "given", null);
      Check.that(count >= 1, "steps", "a whole number of at least 1", count);
      Check.that(part != null, "part", "given (empty for all units)", null);
      // Statements print it.
      Check.that(Check.oneLine(part), "part", "a name on one line", part);
    }

    public Entry(Mechanism mechanism, long count) {
      this(mechanism, count, "");
    }
  }

  public Ledger {
    Check.that(
        neighbouring != null, "neighbouring", "one of add/remove, replace-one, zero-out", null);
    entries = List.copyOf(entries);
  }

  public static Ledger empty(Neighbouring neighbouring) {
    return new Ledger(neighbouring, List.of());
  }

  public static Ledger of(Neighbouring neighbouring, Mechanism mechanism, long count) {
    return empty(neighbouring).plus(mechanism, count);
  }

  /** This ledger and {@code count} more releases; equal neighbours in time become one entry. */
  public Ledger plus(Mechanism mechanism, long count) {
    List<Entry> list = new ArrayList<>(entries);
    add(list, new Entry(mechanism, count));
    return new Ledger(neighbouring, list);
  }

  /** This ledger and everything in {@code other}, which must be under the same relation. */
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

  /** The same releases, made on the units of one part only. */
  public Ledger onPart(String part) {
    Check.that(!part.isEmpty(), "part", "not empty", "\"\"");
    Check.that(
        entries.stream().allMatch(entry -> entry.part.isEmpty()), "part", "given once", part);
    return new Ledger(
        neighbouring,
        entries.stream().map(entry -> new Entry(entry.mechanism, entry.count, part)).toList());
  }

  /**
   * What a unit of each part is exposed to: the entries on all units and those of its part. Never
   * empty.
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
   * Distinct mechanisms with their total counts, in order of first appearance; composition does not
   * mind the order.
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

  /** One JSON object; {@link #parse} reads it back. */
  public String toJson() {
    return LedgerJson.write(this);
  }

  public static Ledger parse(String json) {
    return LedgerJson.read(json);
  }
}
