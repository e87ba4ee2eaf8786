package dev.discreet.account;

import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.statement.StatementParagraph;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The account that a run passed over, by a named option and on the account's record.
 *
 * <pre>{@code
 * account.passOver(new Purpose("train", "", "runs/first"));
 * PassedOverAccount over = PassedOverAccount.of(account.state());
 * }</pre>
 *
 * @param account the account's id
 * @param name what people call it
 * @param head the account with the record that it was passed over
 */
@PublicApi
public record PassedOverAccount(String account, String name, KnownHead head) implements RunAccount {

  /**
   * Of an account that knows already that it is passed over.
   *
   * @param state the account
   * @return what the run says of it
   */
  public static PassedOverAccount of(AccountState state) {
    return new PassedOverAccount(state.id(), state.name(), state.head());
  }

  @Override
  public String words() {
    return "PASSED OVER: nothing is charged to " + name + ", whose promise does not cover this";
  }

  @Override
  public StatementParagraph paragraph() {
    return new StatementParagraph(
        "Account",
        "These people have an account, "
            + name
            + " ("
            + account
            + "), and this run PASSED IT OVER: its cost was not charged there, so the account's"
            + " promise over all runs does not cover this one. The account records that. "
            + AccountShare.headWords(head));
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", account);
    fields.put("name", name);
    fields.put("passedOver", true);
    fields.put("length", head.length());
    fields.put("head", head.hash());
    return fields;
  }
}
