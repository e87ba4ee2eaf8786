package dev.discreet.cli;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import java.util.Map;

/**
 * What a question is about.
 *
 * @param words for people
 * @param fields for JSON
 * @param file what the file says of the ledger; null where there is none
 */
record Subject(Ledger ledger, String words, Map<String, Object> fields, LedgerFile file) {
  Subject(Ledger ledger, String words, Map<String, Object> fields) {
    this(ledger, words, fields, null);
  }

  /** The public number of units; 0 where it is not known. */
  long units() {
    return file != null
        ? file.units()
        : fields.get("units") instanceof Number number ? number.longValue() : 0;
  }
}
