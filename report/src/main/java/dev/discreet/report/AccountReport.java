package dev.discreet.report;

import dev.discreet.account.AccountState;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;

/**
 * The page about an account: what it promises, what was spent by whom and when, and what is left.
 *
 * <pre>{@code
 * String page = new AccountReport(account.state(), 300).html();
 * }</pre>
 *
 * @param state the account
 * @param entries how many of the last entries are shown; at least 1
 */
@PublicApi
public record AccountReport(AccountState state, int entries) {
  /**
   * Refuses a table without rows.
   *
   * @param state the account
   * @param entries how many of the last entries are shown; at least 1
   */
  public AccountReport {
    Check.that(entries >= 1, "entries", "at least 1", entries);
  }

  /**
   * One file that needs no other and asks the network for nothing. To be written as UTF-8.
   *
   * @return the text of the page
   */
  public String html() {
    return new AccountPage(this).html();
  }
}
