package dev.discreet.account;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one run took of an account, and how the account stood afterwards.
 *
 * <pre>{@code
 * AccountShare share = account.state().shareOf(run);
 * System.out.println(share.words());
 * }</pre>
 *
 * @param account the account's id
 * @param share what the run took, as a share of the ceiling
 * @param spent what everything together has taken
 * @param stillFits how often the same fits again below the limit
 * @param head how long the account was, and the hash of its last line
 */
@PublicApi
public record AccountShare(
    String account, double share, double spent, long stillFits, KnownHead head) {

  /**
   * For people.
   *
   * @return one line
   */
  public String words() {
    return percent(share)
        + " of it, "
        + percent(spent)
        + " spent in all; "
        + (stillFits == Long.MAX_VALUE ? "any number" : stillFits)
        + " more like this fit";
  }

  /**
   * For files.
   *
   * @return names and values
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", account);
    fields.put("share", share);
    fields.put("spentShare", spent);
    fields.put("length", head.length());
    fields.put("head", head.hash());
    return fields;
  }

  /**
   * A share as people read it, rounded up.
   *
   * @param share of a ceiling
   * @return such as {@code 12.5%}
   */
  public static String percent(double share) {
    return Double.isInfinite(share) ? "more than there is" : Digits.up(100 * share) + "%";
  }
}
