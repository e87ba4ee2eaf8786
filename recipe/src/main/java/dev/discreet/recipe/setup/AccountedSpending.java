package dev.discreet.recipe.setup;

import dev.discreet.account.Account;
import dev.discreet.account.Purpose;
import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.math.Bisection;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.Budget;
import dev.discreet.recipe.setting.SettingValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;

/** What one verb spends of an account, and what it says of that; nothing where there is none. */
public final class AccountedSpending {
  private static final double LEAST_EPSILON = 1e-6;

  private final PayingAccount payer;
  private final Purpose purpose;
  private final String run = Account.newRun();

  private AccountedSpending(PayingAccount payer, Purpose purpose) {
    this.payer = payer;
    this.purpose = purpose;
  }

  /**
   * By the account that settings name, or that lies beside their data.
   *
   * @param out the folder or file that the verb writes; null for none
   */
  public static AccountedSpending of(SettingValues given, String verb, Path out) {
    return new AccountedSpending(
        PayingAccount.of(given, verb), new Purpose(verb, "", out == null ? "" : out.toString()));
  }

  /** The settings with unit and relation of the account. */
  public SettingValues completed(SettingValues given) {
    return payer.completed(given);
  }

  /** Whether an account is charged. */
  public boolean isCharged() {
    return payer.account().isPresent();
  }

  /** The δ of the account's ceiling, at which costs can be compared with it. */
  public Optional<Double> delta() {
    return payer.account().map(each -> each.state().terms().ceiling().delta()).filter(d -> d > 0);
  }

  /** For a verb that adds no noise: the account refuses it, or its promise ends. */
  public void unprotected() {
    payer.unprotected(purpose);
  }

  /**
   * Refuses what the account has no room for, with the ε that would fit.
   *
   * @param unit who is protected
   * @param epsilon what was asked for
   * @param ledger what is released at an ε
   */
  public void checkRoom(String unit, double epsilon, DoubleFunction<Ledger> ledger) {
    payer.checkRoom(
        new LedgerFile(ledger.apply(epsilon), unit, 0, false, ""),
        state ->
            Bisection.least(
                    inverse -> state.fits(state.terms().cost(ledger.apply(1 / inverse))),
                    1 / epsilon,
                    1 / LEAST_EPSILON,
                    1e-4)
                .stream()
                .mapToObj(inverse -> "What would fit: epsilon " + Digits.down(1 / inverse))
                .findFirst()
                .orElse("Nothing would fit"));
  }

  /** What the verb may spend. */
  public Budget budget(String unit) {
    return payer.budget(run, purpose, unit);
  }

  /** What the verb says of the account after it has spent and its session is closed. */
  public Optional<RunAccount> told() {
    return payer.told(run);
  }

  /** The same as fields. */
  public Map<String, Object> fields() {
    return told()
        .<Map<String, Object>>map(each -> Map.of("account", each.fields()))
        .orElse(Map.of());
  }

  /**
   * Remembers the account beside a journal, for {@code account verify --against}.
   *
   * @param journal null for none
   */
  public void keepHead(Path journal) throws IOException {
    Optional<RunAccount> told = journal == null ? Optional.empty() : told();
    if (told.isPresent()) {
      AtomicFile.write(RunFiles.accountHead(journal), told.get().head().text() + "\n");
    }
  }
}
