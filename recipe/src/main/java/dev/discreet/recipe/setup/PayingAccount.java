package dev.discreet.recipe.setup;

import dev.discreet.account.Account;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.PassedOverAccount;
import dev.discreet.account.Purpose;
import dev.discreet.account.RunAccount;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The account that pays for what settings describe. One that lies beside the data is found without
 * being named, and is passed over only by a setting, which it records.
 *
 * @param account empty where nobody keeps one, and where it is passed over
 * @param passedOver the account that is passed over, if one is
 */
public record PayingAccount(Optional<Account> account, Optional<RunAccount> passedOver) {
  private static final PayingAccount NONE = new PayingAccount(Optional.empty(), Optional.empty());

  /**
   * Finds the account that the settings name, or the one beside the data that they name.
   *
   * @param verb what is going to be done, for the record
   */
  public static PayingAccount of(SettingValues given, String verb) {
    Optional<String> named = given.get(PrivacySettings.ACCOUNT);
    Optional<String> place =
        named.or(() -> given.get(DataSettings.DATA).filter(PayingAccount::hasOneBeside));
    if (place.isEmpty()) {
      return NONE;
    }
    Account found = Account.at(AccountPlaces.of(place.get()));
    if (given.has(PrivacySettings.PASS_OVER_ACCOUNT)) {
      found.passOver(new Purpose(verb, "", ""));
      return new PayingAccount(Optional.empty(), Optional.of(PassedOverAccount.of(found.state())));
    }
    return new PayingAccount(Optional.of(found), Optional.empty());
  }

  private static boolean hasOneBeside(String data) {
    return !data.contains("\0") && Files.isRegularFile(Path.of(data + AccountPlaces.SUFFIX));
  }

  /** The settings with unit and relation of the account, where they say nothing themselves. */
  public SettingValues completed(SettingValues given) {
    if (account.isEmpty()) {
      return given;
    }
    AccountTerms terms = account.get().state().terms();
    SettingValues all = completedBesideRows(given);
    if (terms.unitColumn().isEmpty()) {
      return all.isSet(UnitSettings.UNIT_MAP) || all.isSet(UnitSettings.UNIT_COLUMN)
          ? all
          : or(all, UnitSettings.ONE_ROW_EACH, true);
    }
    return all.isSet(UnitSettings.UNIT_MAP)
        ? all
        : or(all, UnitSettings.UNIT_COLUMN, terms.unitColumn());
  }

  /** The same beside rows that are there already, and carry their units themselves. */
  public SettingValues completedBesideRows(SettingValues given) {
    if (account.isEmpty()) {
      return given;
    }
    AccountTerms terms = account.get().state().terms();
    return or(
        or(given, UnitSettings.UNIT, terms.unit()),
        PrivacySettings.NEIGHBOURING,
        terms.neighbouring());
  }

  private static <T> SettingValues or(SettingValues given, Setting<T> setting, T value) {
    return given.isSet(setting) ? given : given.with(setting, value);
  }

  /**
   * What one run may spend; anything where there is no account.
   *
   * @param run names it, as {@link Account#newRun} or {@link #run} does
   * @param unit who is protected
   */
  public Budget budget(String run, Purpose purpose, String unit) {
    return account.map(each -> each.budget(run, purpose, unit)).orElseGet(Budget::unlimited);
  }

  /** The name of the run that keeps this journal, which may be one that was cut short. */
  public String run(Path journal) {
    return account
        .filter(each -> Files.exists(journal))
        .flatMap(each -> each.runOf(Journal.read(journal)))
        .orElseGet(Account::newRun);
  }

  /**
   * What a run that has ended says of the account: what it took, or that it passed it over.
   *
   * @param run as {@link #budget} was told; one that has charged something
   */
  public Optional<RunAccount> told(String run) {
    return account.<RunAccount>map(each -> each.state().shareOf(run)).or(() -> passedOver);
  }
}
