package dev.discreet.cli.account;

import dev.discreet.account.Account;
import dev.discreet.account.AccountFile;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountState;
import dev.discreet.account.AccountStore;
import dev.discreet.account.Purpose;
import dev.discreet.cli.console.Table;
import dev.discreet.core.privacy.Budget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Which account a verb charges. One that lies beside the data is found without being named, and is
 * not passed over without being told.
 */
public final class AccountOptions {
  @Option(
      names = "--account",
      paramLabel = "ACCOUNT",
      description =
          "The account of the people in the data, which is charged. Default: the one beside the"
              + " data, if there is one.")
  private String place;

  @Option(
      names = "--pass-over-account",
      description = "Charge nothing to the account beside the data, which records that.")
  private boolean passOver;

  private Account account;
  private String run;

  /**
   * Finds the account.
   *
   * @param data what the verb reads
   * @param verb for the record, where the account is passed over
   */
  public Optional<AccountState> find(Path data, String verb) {
    if (passOver && place != null) {
      throw new IllegalArgumentException("--account and --pass-over-account exclude each other");
    }
    Optional<AccountStore> store =
        place == null ? beside(data) : Optional.of(AccountPlaces.of(place));
    if (store.isEmpty()) {
      return Optional.empty();
    }
    Account found = Account.at(store.get());
    if (passOver) {
      found.passOver(new Purpose(verb, "", ""));
      return Optional.empty();
    }
    account = found;
    run = Account.newRun();
    return Optional.of(found.state());
  }

  private static Optional<AccountStore> beside(Path data) {
    Path path = Path.of(data + AccountPlaces.SUFFIX);
    return Files.exists(path) ? Optional.of(new AccountFile(path)) : Optional.empty();
  }

  /** What the verb may spend; anything where there is no account. */
  public Budget budget(Purpose purpose, String unit) {
    return account == null ? Budget.unlimited() : account.budget(run, purpose, unit);
  }

  /** What the account has to say after the verb has spent; nothing where there is none. */
  public void row(Table table) {
    if (account != null) {
      AccountState state = account.state();
      AccountState.Item item = state.run(run).orElseThrow();
      table.row(
          "account",
          AccountWords.percent(state.terms().ceiling().share(item.cost()))
              + " of it, "
              + AccountWords.percent(state.share())
              + " spent in all; "
              + AccountWords.stillFits(state.stillFits(item.cost()))
              + " more like this fit");
    }
  }

  /** The same as fields. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (account != null) {
      AccountState state = account.state();
      Map<String, Object> of = new LinkedHashMap<>();
      of.put("id", state.id());
      of.put("share", state.terms().ceiling().share(state.run(run).orElseThrow().cost()));
      of.put("spentShare", state.share());
      of.put("length", state.head().length());
      of.put("head", state.head().hash());
      fields.put("account", of);
    }
    return fields;
  }
}
