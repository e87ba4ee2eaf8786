package dev.discreet.lab.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.lab.Bench;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Trial;
import dev.discreet.lab.census.PumsEmployment.Kind;
import dev.discreet.lab.census.PumsEmployment.Level;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PumsEmploymentTest {
  @Test
  void calibrationByHand() {
    // Bin 2: 0.22, 0.28, one of them one; bin 9: 0.95 and 1, both.
    ReliabilityDiagram calibration =
        ReliabilityDiagram.of(new double[] {0.22, 0.28, 0.95, 1.0}, new double[] {0, 1, 1, 1});
    assertEquals(0.25, calibration.said().get(2), 1e-12);
    assertEquals(0.5, calibration.was().get(2), 1e-12);
    assertEquals(0.975, calibration.said().get(9), 1e-12);
    assertEquals(Double.NaN, calibration.said().get(0));
    assertEquals((2 * 0.25 + 2 * 0.025) / 4, calibration.error(), 1e-12);
    assertEquals(0, ReliabilityDiagram.of(new double[] {0, 1}, new double[] {0, 1}).error());
  }

  private static Trial training(Kind kind, Level level, double epochs) {
    Recipe recipe = PumsEmployment.recipe(kind, level, epochs).with("data", "census-50k");
    return new PumsEmployment.Employment(Training.of(recipe, 1).rows(4_000).tested(2_000));
  }

  /** On generated rows: learns more than the majority, and privacy at a tiny ε costs. */
  @Test
  void itLearns(@TempDir Path folder) throws IOException {
    Outcome plain = Bench.trial(folder.resolve("plain"), training(Kind.LOGISTIC, Level.PLAIN, 60));
    Outcome noisy =
        Bench.trial(folder.resolve("noisy"), training(Kind.HIDDEN, new Level(0.01, 1), 2));
    assertTrue(plain.value("accuracy") > plain.value("majority") + 2, plain.toString());
    assertTrue(plain.value("calibration error") < 10, plain.toString());
    assertTrue(noisy.value("accuracy") < plain.value("accuracy"), noisy.toString());
    assertTrue(noisy.value("epsilon") <= 0.01, noisy.toString());
    assertEquals(Double.POSITIVE_INFINITY, plain.value("epsilon"));
    assertEquals(10, plain.curve("said").size());
  }

  @Test
  void theFindingHoldsPrivacyAgainstNone() throws IOException {
    Effort effort = new Effort(true, OptionalInt.of(2));
    Map<String, Outcome> kept = new HashMap<>();
    double change = 0;
    for (Trial trial : PumsEmployment.EXPERIMENT.trials(effort)) {
      boolean tiny = trial.text().contains("epsilon=0.1 ");
      if (trial.text().contains("dense(32)")) {
        continue;
      }
      change = 0.1 - change;
      kept.put(
          trial.text(),
          new Outcome(
              Map.of(
                  "accuracy", List.of((tiny ? 60 : 70) + change),
                  "loss", List.of(0.5),
                  "calibration error", List.of(1.0),
                  "rate error", List.of(1.0),
                  "majority", List.of(63.39),
                  "said", List.of(Double.NaN, 0.2),
                  "was", List.of(Double.NaN, 0.3))));
    }
    Finding finding = PumsEmployment.EXPERIMENT.finding(effort, new Outcomes(kept));
    String verdicts = String.join("\n", finding.verdicts());
    assertTrue(
        verdicts.contains(
            "Noise costs accuracy beyond what clipping does, in points: logistic regression ε = 0.1"
                + " confirmed (-10.00"),
        verdicts);
    assertTrue(
        verdicts.contains("Clipping alone, without noise, costs accuracy, in points: logistic"),
        verdicts);
    assertEquals(3, finding.figures().size());
    assertEquals(63.39, finding.rows().get(10).ours().mean());
  }
}
