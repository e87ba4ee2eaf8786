package dev.discreet.recipe.regress;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.algorithms.regression.RegressionBounds;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.data.Column;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.FitMethod;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.RegressionSettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Setting.Group;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.AccountedSpending;
import dev.discreet.recipe.setup.ColumnChoices;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.MisfitRows;
import dev.discreet.recipe.setup.UseChoices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A regression described: every setting was read, and found to go with the others. */
public final class RegressionRecipe {
  private static final Set<Setting<?>> OTHERS =
      Set.of(
          PrivacySettings.EPSILON,
          PrivacySettings.DELTA,
          PrivacySettings.NEIGHBOURING,
          PrivacySettings.ACCOUNT,
          PrivacySettings.PASS_OVER_ACCOUNT,
          PrivacySettings.BREAK_ACCOUNT,
          UnitSettings.DECLARED_UNITS,
          UnitSettings.UNIT,
          UnitSettings.ONE_ROW_EACH,
          RunSettings.OUT,
          CallSettings.ACCEPT_MISFITS);

  private final EffectiveSettings choices;
  private final AccountedSpending account;
  private final FitMethod method;
  // Whether the cost is stated at a delta of 0.
  private final boolean pure;

  private RegressionRecipe(
      EffectiveSettings choices, AccountedSpending account, FitMethod method, boolean pure) {
    this.choices = choices;
    this.account = account;
    this.method = method;
    this.pure = pure;
  }

  /**
   * Of what was set.
   *
   * @param ledger a file that remembers what several regressions spent; null for none
   */
  public static RegressionRecipe of(SettingValues asked, Path ledger) throws IOException {
    SettingValues given = ColumnChoices.declared(asked);
    EffectiveSettings choices = new EffectiveSettings(given);
    for (Setting<?> setting : given.values().keySet()) {
      if (setting.group() != Group.DATA
          && setting.group() != Group.REGRESSION
          && !OTHERS.contains(setting)) {
        choices.refuse("is for discreet train", setting);
      }
    }
    FitMethod method = choices.or(RegressionSettings.METHOD);
    switch (method) {
      case FUNCTIONAL -> {
        if (ledger == null) {
          choices.refuse(
              "is for Gaussian noise or beside --ledger; functional has delta 0",
              PrivacySettings.DELTA);
        }
      }
      case LEAST_SQUARES ->
          choices.refuse(
              "cannot stand beside least-squares, which is not private",
              PrivacySettings.EPSILON,
              PrivacySettings.DELTA,
              RegressionSettings.LINEAR_SHARE,
              PrivacySettings.NEIGHBOURING,
              UnitSettings.UNIT,
              UnitSettings.ONE_ROW_EACH,
              UnitSettings.DECLARED_UNITS);
      default -> choices.refuse("is for --method functional", RegressionSettings.LINEAR_SHARE);
    }
    Path out = given.get(RunSettings.OUT).orElse(null);
    AccountedSpending account = AccountedSpending.of(given, "regress", out == null ? ledger : out);
    EffectiveSettings completed =
        new EffectiveSettings(
            ColumnChoices.expanded(
                fittingAll(method.isPrivate() ? account.completed(given) : given, account)));
    completed.or(RegressionSettings.METHOD);
    completed.or(PrivacySettings.NEIGHBOURING, Neighbouring.ADD_REMOVE);
    ProtectedUnit.of(completed);
    boolean pure = method == FitMethod.FUNCTIONAL && !given.isSet(PrivacySettings.DELTA);
    return new RegressionRecipe(completed, account, method, pure);
  }

  /** Nothing of held-out rows is shown where an account is charged: they would be wasted. */
  private static SettingValues fittingAll(SettingValues given, AccountedSpending account) {
    String data = given.get(DataSettings.DATA).orElse("");
    boolean useless = account.isCharged() && !DataSets.names().contains(data);
    return useless && !given.isSet(DataSettings.TEST_SHARE)
        ? given.with(DataSettings.TEST_SHARE, 0.0)
        : given;
  }

  public FitMethod method() {
    return method;
  }

  public AccountedSpending account() {
    return account;
  }

  public PrivacyUnit unit() {
    return ProtectedUnit.of(choices);
  }

  Neighbouring neighbours() {
    return choices.or(PrivacySettings.NEIGHBOURING, Neighbouring.ADD_REMOVE);
  }

  EffectiveSettings choices() {
    return choices;
  }

  boolean hasIntercept() {
    return !choices.get(RegressionSettings.NO_INTERCEPT).orElse(false);
  }

  /** Whether coefficients have intervals, which may need one more sum. */
  boolean hasIntervals() {
    return !choices.get(RegressionSettings.NO_INTERVALS).orElse(false);
  }

  Optional<Double> linearShare() {
    return choices.get(RegressionSettings.LINEAR_SHARE);
  }

  /** What the fit may cost; infinite for one that is not private. */
  double epsilon() {
    return method.isPrivate()
        ? choices.get(PrivacySettings.EPSILON).orElseThrow()
        : Double.POSITIVE_INFINITY;
  }

  boolean isPure() {
    return pure;
  }

  /**
   * Opens the rows, and refuses those that cannot be fitted before anything is spent.
   *
   * @param progress hears a line now and then while something is fetched
   * @param warning hears of rows that do not fit what was declared
   */
  public PreparedRegression prepare(Consumer<String> progress, Consumer<String> warning)
      throws IOException {
    DataSet data =
        MisfitRows.told(
            DataSets.open(DataChoices.name(choices), DataChoices.options(choices, progress)),
            choices.given().has(CallSettings.ACCEPT_MISFITS),
            warning);
    Check.that(
        data.train().examples().input().positions() == 1,
        "data to regress",
        "a table",
        data.train().examples().input());
    Task task = data.task();
    Check.that(
        task.<Boolean>match(classes -> classes.names().size() == 2, number -> true),
        "label to regress",
        "a number in bounds or one of 2 classes",
        task);
    RegressionLoss loss =
        task.match(classes -> RegressionLoss.LOGISTIC, number -> RegressionLoss.SQUARED);
    Check.that(
        loss == RegressionLoss.SQUARED || method != FitMethod.SUFFICIENT_STATISTICS,
        "label of sufficient-statistics",
        "a number in bounds",
        task);
    // The data room moves targets from their declared bounds to [0, 1].
    Column.Bounded each = choices.or(RegressionSettings.FEATURE_BOUNDS);
    RegressionBounds bounds =
        RegressionBounds.same(
            data.train().examples().input().size(),
            new RegressionBounds.Interval(each.low(), each.high()),
            new RegressionBounds.Interval(0, 1));
    ModelUse use = UseChoices.of(choices, task);
    use.inputs().check(Network.parse("dense(1)").on(data.train().examples().input()));
    if (method.isPrivate()) {
      data.train()
          .checkNumber(
              choices.isGiven(UnitSettings.DECLARED_UNITS), UnitSettings.DECLARED_UNITS.name());
    }
    // The number of units is public: it was declared, or it is taken as public.
    long units =
        choices.get(UnitSettings.DECLARED_UNITS).orElse(Math.max(1L, data.train().units().count()));
    double delta = choices.get(PrivacySettings.DELTA).orElseGet(() -> DefaultDelta.of(units));
    return new PreparedRegression(this, data, use, bounds, loss, units, delta);
  }
}
