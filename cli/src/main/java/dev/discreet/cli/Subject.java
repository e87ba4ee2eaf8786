package dev.discreet.cli;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.privacy.journal.SpentSoFar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a question is about.
 *
 * @param words for people
 * @param fields for JSON
 * @param journal where the ledger is still one that grows; empty where it is not
 * @param file what the file says of the ledger; null where there is none
 */
record Subject(
    Ledger ledger,
    String words,
    Map<String, Object> fields,
    LedgerFile file,
    Optional<Journal> journal) {
  Subject(Ledger ledger, String words, Map<String, Object> fields) {
    this(ledger, words, fields, null, Optional.empty());
  }

  /** What a cost at that δ is no promise without. */
  List<String> conditions(double delta) {
    String chosen = journal.map(each -> SpentSoFar.of(each, delta).condition(delta)).orElse("");
    return file == null ? List.of() : file.on(chosen).conditions();
  }

  /** The same as sentences; empty for nothing. */
  String conditionsText(double delta) {
    return String.join(" ", conditions(delta));
  }

  /** The same for JSON. */
  Map<String, Object> conditionFields(double delta) {
    Map<String, Object> all = new LinkedHashMap<>();
    if (!conditions(delta).isEmpty()) {
      all.put("conditions", conditionsText(delta));
    }
    journal.ifPresent(
        each -> {
          SpentSoFar standing = SpentSoFar.of(each, delta);
          all.put("holds", standing.sumHolds(delta));
          standing
              .budget()
              .ifPresent(
                  budget -> {
                    all.put("budgetEpsilon", budget.epsilon());
                    all.put("budgetDelta", budget.delta());
                    all.put("budgetSpent", standing.epsilon());
                  });
        });
    return all;
  }

  /** The public number of units; 0 where it is not known. */
  long units() {
    return file != null
        ? file.units()
        : fields.get("units") instanceof Number number ? number.longValue() : 0;
  }
}
