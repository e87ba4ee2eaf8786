package dev.discreet.spark.ml;

import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.AccountedSpending;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** What a stage that is no run may spend, and of which account. */
final class PaidRelease {
  private final String stage;
  private final AccountedSpending account;
  private final SettingValues given;

  private PaidRelease(String stage, AccountedSpending account, SettingValues given) {
    this.stage = stage;
    this.account = account;
    this.given = given;
  }

  /**
   * @param verb for the record of the account
   */
  static PaidRelease of(PrivateStage<?, ?> stage, String verb) {
    SettingValues values = stage.values();
    AccountedSpending account = AccountedSpending.of(values, verb, null);
    return new PaidRelease(stage.getClass().getSimpleName(), account, account.completed(values));
  }

  Neighbouring relation() {
    return given.get(PrivacySettings.NEIGHBOURING).orElse(Neighbouring.ADD_REMOVE);
  }

  PrivacyUnit unit() {
    return ProtectedUnit.of(
        given.get(UnitSettings.UNIT).orElse(null), "privacyUnitCol", true, false);
  }

  double epsilon() {
    Optional<Double> epsilon = given.get(PrivacySettings.EPSILON);
    Check.that(epsilon.isPresent(), "epsilon of " + stage, "set", "none");
    return epsilon.get();
  }

  /** What was set, that of the account, or one by the declared number of units. */
  double delta() {
    Optional<Double> delta =
        given.get(PrivacySettings.DELTA).or(() -> declared().map(DefaultDelta::of));
    Check.that(
        delta.isPresent(),
        "delta of " + stage,
        "set, or declaredUnits, from which it can be made",
        "none");
    return delta.get();
  }

  private Optional<Long> declared() {
    return given.get(UnitSettings.DECLARED_UNITS);
  }

  int rowsPerUnit() {
    Optional<Long> rows = given.get(UnitSettings.EXAMPLES_PER_UNIT);
    Check.that(
        rows.isPresent(),
        "examplesPerUnit of " + stage,
        "set to how many rows of a unit count",
        "none");
    return Math.toIntExact(rows.get());
  }

  /** Refuses one release that the account has no room for. */
  void checkRoom(DoubleFunction<Ledger> ledger) {
    account.checkRoom(unit().noun(), epsilon(), ledger);
  }

  /**
   * Spends, and has settled what it cost when it returns.
   *
   * @param released what is made of the session after its last release
   */
  <T> T spend(Function<PrivacySession, T> released) {
    Randomness randomness =
        given
            .get(PrivacySettings.INSECURE_SEED)
            .map(Randomness::insecure)
            .orElseGet(Randomness::secure);
    try (PrivacySession session =
        PrivacySession.open(
            Journal.inMemory(relation()), randomness, account.budget(unit().noun()))) {
      return released.apply(session);
    }
  }

  /** What releases promise, before the account was asked. */
  Privacy privacy(PrivacySession session, double delta) {
    PrivacyStatement alone = PrivacyStatement.of(unit().noun(), session.ledger(), delta);
    PrivacyStatement statement = declared().map(alone::among).orElse(alone);
    return new Privacy.Guaranteed(
        statement.file(declared().isPresent()), statement, List.of(), session.isSecure());
  }

  /** The same after the session was closed, with what the account says. */
  Privacy told(Privacy privacy) {
    return account.told().map(RunAccount::paragraph).map(privacy::noting).orElse(privacy);
  }
}
