package dev.discreet.account;

import dev.discreet.accounting.PublicApi;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a run or a search would take of an account, before it has begun.
 *
 * <pre>{@code
 * AccountOutlook outlook = account.state().outlook(ledger);
 * System.out.println(outlook.words());
 * }</pre>
 *
 * @param share what it would take, as a share of the ceiling
 * @param spent what was taken before
 * @param fits how many like it fit below the limit, this one included
 */
@PublicApi
public record AccountOutlook(double share, double spent, long fits) {

  /**
   * For people.
   *
   * @return one line
   */
  public String words() {
    return "this takes "
        + AccountShare.percent(share)
        + " of it, and "
        + AccountShare.percent(spent)
        + " is spent; "
        + AccountShare.times(fits)
        + " like it fit";
  }

  /**
   * For files.
   *
   * @return names and values
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("share", share);
    fields.put("spentShare", spent);
    fields.put("fits", fits);
    return fields;
  }
}
