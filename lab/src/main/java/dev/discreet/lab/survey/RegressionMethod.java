package dev.discreet.lab.survey;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.regression.FunctionalMechanism;
import dev.discreet.algorithms.regression.LeastSquares;
import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.algorithms.regression.RegressionBounds;
import dev.discreet.algorithms.regression.RegressionBudget;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.algorithms.regression.SufficientStatistics;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.data.DataSet;

/** The ways to fit that are held against each other. */
enum RegressionMethod {
  AS_PRINTED("functional, noise as printed", "functional, document's scales"),
  BEST("functional, best split"),
  GAUSSIAN("functional, Gaussian"),
  STATISTICS("sufficient statistics");

  static final String LEAST_SQUARES = "least squares";

  private static final PrivacyUnit PERSON = new PrivacyUnit("person", true);

  private static final RegressionBounds.Interval UNIT = new RegressionBounds.Interval(0, 1);

  /** As its losses are kept. */
  final String measure;

  /** As pages call it. */
  final String label;

  RegressionMethod(String label) {
    this(label, label);
  }

  RegressionMethod(String measure, String label) {
    this.measure = measure;
    this.label = label;
  }

  /** Inputs and target of all sets here are in [0, 1] by declared bounds. */
  private static RegressionBounds bounds(DataSet.Part part) {
    return RegressionBounds.same(part.examples().input().size(), UNIT, UNIT);
  }

  static LinearModel leastSquares(DataSet.Part train) {
    return new LeastSquares(bounds(train), RegressionLoss.SQUARED, true)
        .fit(train.examples(), train.units())
        .model();
  }

  /**
   * @param delta of the two with Gaussian noise
   */
  LinearModel fit(DataSet.Part train, double epsilon, double delta, long seed) {
    RegressionBounds bounds = bounds(train);
    try (PrivacySession session =
        PrivacySession.open(
            Journal.inMemory(Neighbouring.REPLACE_ONE), Randomness.insecure(seed))) {
      if (this == STATISTICS) {
        return new SufficientStatistics(bounds, true, new RegressionBudget.Gaussian(epsilon, delta))
            .fit(session, train, PERSON)
            .model();
      }
      int p = bounds.features().size() + 1;
      RegressionBudget budget =
          switch (this) {
            case AS_PRINTED -> printed(epsilon, p);
            case GAUSSIAN -> new RegressionBudget.Gaussian(epsilon, delta);
            default -> new RegressionBudget.Pure(epsilon);
          };
      return new FunctionalMechanism(bounds, RegressionLoss.SQUARED, true, budget)
          .fit(session, train, PERSON, budget.delta())
          .model();
    }
  }

  /**
   * The split that gives our mechanism the document's scales of noise. There a quadratic
   * coefficient gets Laplace noise of scale 2p²/ε₁ and a linear one, t·z, of 2p/ε₂; ours under
   * replace-one are p(p + 1)/ε₁ and 2p/ε₂. The document gives the more sensitive part the larger
   * budget and does not say how much larger: as much as it is more sensitive is taken, ε₁ : ε₂ =
   * 2p² : 4p.
   */
  static RegressionBudget.Split printed(double epsilon, int p) {
    double quadratic = epsilon * p / (p + 2);
    return new RegressionBudget.Split(quadratic * (p + 1) / (2 * p), epsilon - quadratic);
  }

  /** The document's loss, 1/(2m)·Σ(h − y)² with y in [−1, 1], where y here is in [0, 1]. */
  static double loss(LinearModel model, DataSet.Part test) {
    return 2 * model.error(test.examples());
  }
}
