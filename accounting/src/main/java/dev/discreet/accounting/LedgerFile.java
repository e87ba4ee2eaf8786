package dev.discreet.accounting;

/**
 * A ledger as a file keeps it: with whom it is of. A cost to a row is no cost to a person, so a
 * ledger alone cannot be read.
 *
 * @param unit who is protected, as a singular noun; empty where the file does not say
 * @param units the public number of them; 0 where the file does not say
 * @param declared whether somebody declared that number; if not, it was taken as public
 * @param accountant who accounted for the statement beside the file; empty where it does not say
 * @param conditions what its cost is no promise without, as sentences on one line; empty for none
 */
public record LedgerFile(
    Ledger ledger,
    String unit,
    long units,
    boolean declared,
    String accountant,
    String conditions) {
  public LedgerFile {
    Check.that(ledger != null, "ledger", "given", null);
    Check.that(Check.oneLine(unit), "unit", "a singular noun on one line", unit);
    Check.that(Check.oneLine(accountant), "accountant", "on one line", accountant);
    Check.that(units >= 0, "units", "at least 0", units);
    Check.that(Check.oneLine(conditions), "conditions", "on one line", conditions);
  }

  /** Without conditions. */
  public LedgerFile(Ledger ledger, String unit, long units, boolean declared, String accountant) {
    this(ledger, unit, units, declared, accountant, "");
  }

  /** On these sentences too; those that it has, and empty ones, add nothing. */
  public LedgerFile on(String... more) {
    StringBuilder all = new StringBuilder(conditions);
    for (String each : more) {
      if (!each.isBlank() && all.indexOf(each) < 0) {
        all.append(all.isEmpty() ? "" : " ").append(each);
      }
    }
    return new LedgerFile(ledger, unit, units, declared, accountant, all.toString());
  }

  /** Why the number of units may be told. */
  public String unitsAre() {
    return declared ? LedgerJson.DECLARED : LedgerJson.TAKEN;
  }

  /** Everything in both, which must be of the same units under the same relation. */
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

  /** One JSON object; {@link #parse} reads it back, and {@link Ledger#parse} the ledger of it. */
  public String toJson() {
    return LedgerJson.write(this);
  }

  /** Files that older versions wrote say neither unit nor number nor accountant nor conditions. */
  public static LedgerFile parse(String json) {
    return LedgerJson.file(json);
  }
}
