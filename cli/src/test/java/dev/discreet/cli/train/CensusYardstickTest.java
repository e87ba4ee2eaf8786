package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.regression.FunctionalMechanism;
import dev.discreet.algorithms.regression.LeastSquares;
import dev.discreet.algorithms.regression.RegressionBounds;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.data.DataSet;
import dev.discreet.data.generate.GeneratedSets;
import org.junit.jupiter.api.Test;

/** The functional mechanism on the census: docs/algorithms/functional-mechanism.md has it whole. */
class CensusYardstickTest {

  @Test
  void errorFallsWithEpsilonAndIsNearTheNonPrivateOne() {
    DataSet census = GeneratedSets.make("census", 0, 20_000, 5_000);
    Examples rows = census.train().examples();
    Examples test = census.test().orElseThrow().examples();
    Units units = census.train().units();
    RegressionBounds.Interval unit = new RegressionBounds.Interval(0, 1);
    RegressionBounds bounds = RegressionBounds.same(13, unit, unit);
    double plain =
        new LeastSquares(bounds, RegressionLoss.SQUARED, true).fit(rows, units).model().error(test);
    double before = Double.POSITIVE_INFINITY;
    for (double epsilon : new double[] {0.2, 0.8, 3.2}) {
      double error = 0;
      for (int seed = 0; seed < 5; seed++) {
        try (PrivacySession session =
            PrivacySession.open(
                Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(seed))) {
          error +=
              FunctionalMechanism.linear(bounds, epsilon)
                      .fit(session, rows, units, "row")
                      .model()
                      .error(test)
                  / 5;
        }
      }
      assertTrue(error < before, "at epsilon " + epsilon + ": " + error + " after " + before);
      before = error;
    }
    assertTrue(before < 1.1 * plain, before + " of " + plain);
  }
}
