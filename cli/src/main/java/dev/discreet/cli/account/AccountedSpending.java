package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.account.Purpose;
import dev.discreet.cli.console.Table;
import dev.discreet.core.privacy.Budget;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.PayingAccount;
import java.util.Map;

/** What one verb spends of an account, and what it says of that; nothing where there is none. */
public final class AccountedSpending {
  private final PayingAccount payer;
  private final Purpose purpose;
  private final String run = Account.newRun();

  private AccountedSpending(PayingAccount payer, Purpose purpose) {
    this.payer = payer;
    this.purpose = purpose;
  }

  /** By the account that settings name, or that lies beside their data. */
  public static AccountedSpending of(SettingValues given, String verb) {
    return new AccountedSpending(PayingAccount.of(given, verb), new Purpose(verb, "", ""));
  }

  /** The settings with unit and relation of the account. */
  public SettingValues completed(SettingValues given) {
    return payer.completed(given);
  }

  /** What the verb may spend. */
  public Budget budget(String unit) {
    return payer.budget(run, purpose, unit);
  }

  /** What the account has to say after the verb has spent. */
  public void row(Table table) {
    payer.state().ifPresent(state -> table.row("account", state.shareOf(run).words()));
  }

  /** The same as fields. */
  public Map<String, Object> fields() {
    return payer
        .state()
        .<Map<String, Object>>map(state -> Map.of("account", state.shareOf(run).fields()))
        .orElse(Map.of());
  }
}
