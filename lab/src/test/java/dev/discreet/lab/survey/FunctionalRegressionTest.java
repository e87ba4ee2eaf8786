package dev.discreet.lab.survey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.algorithms.regression.RegressionBudget;
import dev.discreet.lab.Bench;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionalRegressionTest {
  /** Scales worked out from the document's sensitivities and from ours, under replace-one. */
  @Test
  void theSplitGivesThePrintedNoise() {
    for (int p : new int[] {2, 14, 15}) {
      double epsilon = 0.8;
      double first = epsilon * (2.0 * p * p) / (2.0 * p * p + 4.0 * p);
      double second = epsilon - first;
      RegressionBudget.Split split = RegressionMethod.printed(epsilon, p);
      double quadratic = 2 * (p * (p + 1) / 2.0) / split.quadratic();
      double linear = 2.0 * p / split.linear();
      assertEquals(2.0 * p * p / first, quadratic, 1e-9);
      // The document's b is −2·Σyx: half of its noise is that of Σyx.
      assertEquals(4.0 * p / second / 2, linear, 1e-9);
    }
  }

  @Test
  void theLossFallsTowardsLeastSquares(@TempDir Path folder) throws IOException {
    Outcome outcome =
        Bench.trial(
            folder,
            new FunctionalRegression.Regressions(
                new FunctionalRegression.Census(20_000, 5_000, 0),
                List.of(0.1, 1.0, 1e4),
                FunctionalRegression.DELTA,
                1));
    double plain = outcome.value(RegressionMethod.LEAST_SQUARES);
    for (RegressionMethod fit : RegressionMethod.values()) {
      List<Double> losses = outcome.curve(fit.measure);
      assertTrue(losses.get(0) > losses.get(1), fit + " " + losses);
      assertTrue(losses.get(1) > losses.get(2), fit + " " + losses);
      assertEquals(plain, losses.get(2), 1e-3 * plain, fit.label);
    }
    // The document's noise is the largest.
    assertTrue(
        outcome.curve(RegressionMethod.AS_PRINTED.measure).get(0)
            > outcome.curve(RegressionMethod.GAUSSIAN.measure).get(0));
  }

  @Test
  void theFindingComparesPairs() throws IOException {
    Effort effort = new Effort(true, OptionalInt.of(2));
    Map<String, Outcome> kept = new HashMap<>();
    double plain = 1;
    // Those of the first set come first.
    for (Trial trial : FunctionalRegression.EXPERIMENT.trials(effort).subList(0, 2)) {
      Outcome outcome = Outcome.of(RegressionMethod.LEAST_SQUARES, plain);
      for (RegressionMethod fit : RegressionMethod.values()) {
        // Twice the loss of least squares, on whichever rows, then a tenth more, then the same.
        outcome = outcome.with(fit.measure, List.of(2 * plain, 1.1 * plain, plain));
      }
      kept.put(trial.text(), outcome);
      plain = 5;
    }
    Finding finding = FunctionalRegression.EXPERIMENT.finding(effort, new Outcomes(kept));
    assertEquals(3 * (1 + 3 * 4), finding.rows().size());
    assertEquals(3000, finding.rows().get(0).ours().mean(), 1e-9);
    assertEquals(0, finding.rows().get(13).ours().size());
    assertEquals(1, finding.figures().size());
    String verdicts = String.join("\n", finding.verdicts());
    assertTrue(verdicts.contains("in percent of it: confirmed (+100.00 ± 0.00)."), verdicts);
    assertTrue(verdicts.contains("in percent of it: inconclusive (+0.00 ± 0.00)."), verdicts);
    assertTrue(verdicts.contains("and at every step of ε"), verdicts);
    assertTrue(verdicts.contains("Fulton County, ε = 0.1, with"), verdicts);
    assertTrue(verdicts.contains("not run yet"), verdicts);
  }
}
