package dev.discreet.core.privacy.journal;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the sessions of a journal have charged, in all and by who pays for them. */
final class Charges {
  private final Neighbouring neighbouring;
  private final Map<Mechanism, Long> all = new LinkedHashMap<>();
  // An empty name where nobody pays.
  private final Map<String, Map<Mechanism, Long>> byPayer = new LinkedHashMap<>();
  private String payer = "";

  Charges(Neighbouring neighbouring) {
    this.neighbouring = neighbouring;
  }

  /** What is charged from here on, somebody pays for; an empty name for nobody. */
  void startSession(String paidBy) {
    payer = paidBy;
    byPayer.putIfAbsent(payer, new LinkedHashMap<>());
  }

  void add(Mechanism mechanism, long count) {
    all.merge(mechanism, count, Math::addExact);
    byPayer
        .computeIfAbsent(payer, each -> new LinkedHashMap<>())
        .merge(mechanism, count, Math::addExact);
  }

  /** Takes back what the session that is open has charged and not used. */
  void giveBack(Ledger.Entry unused) {
    giveBack(unused, all);
    giveBack(unused, byPayer.getOrDefault(payer, Map.of()));
  }

  private static void giveBack(Ledger.Entry unused, Map<Mechanism, Long> from) {
    long left = from.getOrDefault(unused.mechanism(), 0L) - unused.count();
    Check.that(left >= 0, "unused entries", "charged before", unused);
    if (left == 0) {
      from.remove(unused.mechanism());
    } else {
      from.put(unused.mechanism(), left);
    }
  }

  Map<Mechanism, Long> counts() {
    return Collections.unmodifiableMap(all);
  }

  Set<String> payers() {
    return Set.copyOf(byPayer.keySet());
  }

  Ledger ledger() {
    return ledger(all);
  }

  /** What sessions have charged that any of these pays for. */
  Ledger ledger(Set<String> payers) {
    Map<Mechanism, Long> theirs = new LinkedHashMap<>();
    byPayer.forEach(
        (each, counts) -> {
          if (payers.contains(each)) {
            counts.forEach((mechanism, count) -> theirs.merge(mechanism, count, Math::addExact));
          }
        });
    return ledger(theirs);
  }

  private Ledger ledger(Map<Mechanism, Long> counts) {
    List<Ledger.Entry> entries = new ArrayList<>();
    counts.forEach((mechanism, count) -> entries.add(new Ledger.Entry(mechanism, count)));
    return new Ledger(neighbouring, entries);
  }
}
