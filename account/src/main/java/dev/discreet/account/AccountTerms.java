package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.RelationConversion;
import dev.discreet.accounting.filter.Spending;

/**
 * What is fixed when an account is opened, and never changed.
 *
 * <pre>{@code
 * AccountTerms terms =
 *     new AccountTerms("person", "id", Neighbouring.ADD_REMOVE, new PrivacyFilter(8, 1e-6));
 * }</pre>
 *
 * @param unit who is protected, as a singular noun
 * @param unitColumn the column that names a row's unit; empty where each row is a unit of its own,
 *     which is then declared
 * @param neighbouring which populations are neighbours
 * @param ceiling what everything that is ever released may cost together
 */
@PublicApi
public record AccountTerms(
    String unit, String unitColumn, Neighbouring neighbouring, PrivacyFilter ceiling) {
  /**
   * Refuses what is missing.
   *
   * @param unit a singular noun on one line
   * @param unitColumn a column's name, or empty
   * @param neighbouring which populations are neighbours
   * @param ceiling what everything may cost together
   */
  public AccountTerms {
    Check.that(!unit.isBlank() && Check.oneLine(unit), "unit", "a singular noun on one line", unit);
    Check.that(Check.oneLine(unitColumn), "unit column", "a name on one line", unitColumn);
    Check.that(neighbouring != null, "neighbouring", "given", null);
    Check.that(ceiling != null, "ceiling", "given", null);
  }

  /** Who is protected, and how they are told apart. */
  String unitWords() {
    return unit + (unitColumn.isEmpty() ? ", of one row each" : ", by the column " + unitColumn);
  }

  /**
   * What releases cost, as the ceiling counts it.
   *
   * @param ledger read under the account's relation; refused where no rule is known for that
   * @return the cost
   */
  public Spending cost(Ledger ledger) {
    return ceiling().cost(RelationConversion.of(ledger, neighbouring()));
  }
}
