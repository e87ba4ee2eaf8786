package dev.discreet.recipe.regress;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.regression.FunctionalMechanism;
import dev.discreet.algorithms.regression.LeastSquares;
import dev.discreet.algorithms.regression.RegressionBounds;
import dev.discreet.algorithms.regression.RegressionBudget;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.algorithms.regression.RegressionResult;
import dev.discreet.algorithms.regression.SufficientStatistics;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.setting.UnitSettings;
import java.nio.file.Path;

/**
 * A regression whose rows are open, and for which nothing is spent yet.
 *
 * @param use what raw rows and the label mean
 * @param bounds of inputs and label as they are fitted
 * @param units the number of units, which is public
 * @param delta of Gaussian noise
 */
public record PreparedRegression(
    RegressionRecipe recipe,
    DataSet data,
    ModelUse use,
    RegressionBounds bounds,
    RegressionLoss loss,
    long units,
    double delta) {

  /** What the fit costs at {@link #statedDelta}; infinite for one that is not private. */
  public double epsilon() {
    return recipe.epsilon();
  }

  /** The δ at which the cost is stated: 0 for Laplace noise alone. */
  public double statedDelta() {
    return recipe.isPure() ? 0 : delta;
  }

  /**
   * Reads the sums, once, and charges them.
   *
   * @param journal the file that keeps what is charged; null for none
   */
  public FittedRegression fit(Path journal) {
    RegressionResult result = result(journal);
    return FittedRegression.of(this, result, recipe.account().told());
  }

  private RegressionResult result(Path file) {
    DataSet.Part rows = data.train();
    boolean intercept = recipe.hasIntercept();
    String unit = recipe.unit().noun();
    if (!recipe.method().isPrivate()) {
      recipe.account().unprotected();
      return new LeastSquares(bounds, loss, intercept).fit(rows.examples(), rows.units());
    }
    Journal journal =
        file == null
            ? Journal.inMemory(recipe.neighbours())
            : Journal.file(file, recipe.neighbours(), unit);
    try (PrivacySession session =
        PrivacySession.open(journal, Randomness.secure(), recipe.account().budget(unit))) {
      Check.that(
          session.caveat().isEmpty(), "ledger", "of private releases only", session.caveat());
      RegressionBudget.Gaussian gaussian = new RegressionBudget.Gaussian(recipe.epsilon(), delta);
      RegressionResult fitted =
          switch (recipe.method()) {
            case SUFFICIENT_STATISTICS ->
                new SufficientStatistics(bounds, intercept, gaussian, recipe.hasIntervals())
                    .fit(session, rows, recipe.unit());
            case FUNCTIONAL ->
                functional(laplace()).fit(session, rows, recipe.unit(), statedDelta());
            default -> functional(gaussian).fit(session, rows, recipe.unit(), statedDelta());
          };
      return fitted.among(units, recipe.choices().isGiven(UnitSettings.DECLARED_UNITS));
    }
  }

  private FunctionalMechanism functional(RegressionBudget budget) {
    return new FunctionalMechanism(
        bounds, loss, recipe.hasIntercept(), budget, recipe.hasIntervals());
  }

  private RegressionBudget laplace() {
    double epsilon = recipe.epsilon();
    return recipe
        .linearShare()
        .<RegressionBudget>map(
            share -> new RegressionBudget.Split(epsilon - share * epsilon, share * epsilon))
        .orElseGet(() -> new RegressionBudget.Pure(epsilon));
  }
}
