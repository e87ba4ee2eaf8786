package dev.discreet.account;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.statement.StatementParagraph;
import java.util.Map;

/**
 * What a run has to say of the account of the people in its data: what it took of it, or that it
 * passed it over. Released files say this, so it tells of no folder and no machine.
 *
 * <pre>{@code
 * RunAccount of = account.state().shareOf(run);
 * System.out.println(of.paragraph().text());
 * }</pre>
 */
@PublicApi
public sealed interface RunAccount permits AccountShare, PassedOverAccount {

  /**
   * The account as it was when the run had ended and was settled.
   *
   * @return its length and its last hash
   */
  KnownHead head();

  /**
   * For people, in a table.
   *
   * @return one line
   */
  String words();

  /**
   * For people, in the run's privacy statement.
   *
   * @return a paragraph
   */
  StatementParagraph paragraph();

  /**
   * For JSON.
   *
   * @return names and values
   */
  Map<String, Object> fields();

  /**
   * For JSON beside a ledger, as in {@code run.json}.
   *
   * @param stated the ledger
   * @return the fields, and what the run was charged where that is not the ledger
   */
  default Map<String, Object> fields(Ledger stated) {
    return fields();
  }
}
