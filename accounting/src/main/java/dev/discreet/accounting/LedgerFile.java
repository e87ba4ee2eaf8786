package dev.discreet.accounting;

import java.util.List;
import java.util.stream.Stream;

/**
 * A ledger as a file keeps it: with whom it is of. A cost to a row is no cost to a person, so a
 * ledger alone cannot be read.
 *
 * <pre>{@code
 * LedgerFile file = LedgerFile.parse(Files.readString(Path.of("ledger.json")));
 * double epsilon = new PldAccountant().epsilon(file.ledger(), 1e-6).epsilon();
 * }</pre>
 *
 * @param ledger what was released
 * @param unit who is protected, as a singular noun; empty where the file does not say
 * @param units the public number of them; 0 where the file does not say
 * @param declared whether somebody declared that number; if not, it was taken as public
 * @param accountant who accounted for the statement beside the file; empty where it does not say
 * @param conditions what its cost is no promise without, each a text on one line; empty for none
 */
@PublicApi
public record LedgerFile(
    Ledger ledger,
    String unit,
    long units,
    boolean declared,
    String accountant,
    List<String> conditions) {
  /**
   * Refuses what is not on one line.
   *
   * @param ledger what was released
   * @param unit who is protected, as a singular noun; may be empty
   * @param units the public number of them, or 0
   * @param declared whether somebody declared that number
   * @param accountant who accounted for the statement; may be empty
   * @param conditions each on one line; may be empty
   */
  public LedgerFile {
    Check.that(ledger != null, "ledger", "given", null);
    Check.that(Check.oneLine(unit), "unit", "a singular noun on one line", unit);
    Check.that(Check.oneLine(accountant), "accountant", "on one line", accountant);
    Check.that(units >= 0, "units", "at least 0", units);
    conditions = List.copyOf(conditions);
    for (String each : conditions) {
      Check.that(!each.isBlank() && Check.oneLine(each), "condition", "a text on one line", each);
    }
  }

  /**
   * A file without conditions.
   *
   * @param ledger what was released
   * @param unit who is protected, as a singular noun; may be empty
   * @param units the public number of them, or 0
   * @param declared whether somebody declared that number
   * @param accountant who accounted for the statement; may be empty
   */
  public LedgerFile(Ledger ledger, String unit, long units, boolean declared, String accountant) {
    this(ledger, unit, units, declared, accountant, List.of());
  }

  /**
   * The same with other releases, of the same units and on the same conditions.
   *
   * @param other what was released
   * @return a file of it
   */
  public LedgerFile withLedger(Ledger other) {
    return new LedgerFile(other, unit, units, declared, accountant, conditions);
  }

  /**
   * The same on more conditions. Those that it has, and empty ones, add nothing.
   *
   * @param more each on one line
   * @return the file with all of them
   */
  public LedgerFile on(List<String> more) {
    List<String> all =
        Stream.concat(conditions.stream(), more.stream())
            .filter(each -> !each.isBlank())
            .distinct()
            .toList();
    return new LedgerFile(ledger, unit, units, declared, accountant, all);
  }

  /**
   * The same on more conditions.
   *
   * @param more each on one line
   * @return the file with all of them
   */
  public LedgerFile on(String... more) {
    return on(List.of(more));
  }

  /**
   * The conditions one after another.
   *
   * @return sentences on one line; empty for none
   */
  public String conditionsText() {
    return String.join(" ", conditions);
  }

  /**
   * Why the number of units may be told.
   *
   * @return {@code declared} or {@code taken as public}
   */
  public String unitsAre() {
    return declared ? LedgerJson.DECLARED : LedgerJson.TAKEN;
  }

  /**
   * Everything in both.
   *
   * @param other a file of the same units under the same relation
   * @return one file
   */
  public LedgerFile plus(LedgerFile other) {
    Check.that(!unit.isEmpty(), "unit of the ledger", "said by the file, to add another", "none");
    Check.that(unit.equals(other.unit), "unit of the ledger", unit, other.unit);
    Check.that(
        units == other.units, "number of " + unit + "s of the ledger", "" + units, other.units);
    return new LedgerFile(
            ledger.plus(other.ledger),
            unit,
            units,
            declared && other.declared,
            accountant.equals(other.accountant) ? accountant : "",
            conditions)
        .on(other.conditions);
  }

  /**
   * The file as JSON.
   *
   * @return one JSON object; {@link #parse} reads it back, and {@link Ledger#parse} the ledger of
   *     it
   */
  public String toJson() {
    return LedgerJson.write(this);
  }

  /**
   * Reads what {@link #toJson} wrote. Files that older versions wrote say neither unit nor number
   * nor accountant nor conditions, or have all conditions in one text.
   *
   * @param json one JSON object
   * @return the file
   */
  public static LedgerFile parse(String json) {
    return LedgerJson.file(json);
  }

  /**
   * The same of JSON that is parsed already, as a part of something larger.
   *
   * @param json a map of texts, numbers, lists and maps
   * @return the file
   */
  public static LedgerFile ofParsed(Object json) {
    return LedgerJson.file(json);
  }
}
