package dev.discreet.lab.survey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.MomentsAccountant;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.survey.AbadiMnist.Level;
import dev.discreet.lab.survey.AbadiMnist.Method;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AbadiMnistTest {
  static List<Level> levels() {
    return AbadiMnist.LEVELS;
  }

  /** The length of a run is the longest that the paper's own accountant lets pass. */
  @ParameterizedTest
  @MethodSource("levels")
  void theStepsAreThoseOfTheMomentsAccountant(Level level) {
    assertTrue(moments(level, level.steps()) <= level.epsilon());
    assertTrue(moments(level, level.steps() + 1) > level.epsilon());
  }

  private static double moments(Level level, long steps) {
    return epsilon(level.counted(steps));
  }

  private static double epsilon(Ledger ledger) {
    return new MomentsAccountant().epsilon(ledger, AbadiMnist.DELTA).epsilon();
  }

  /** A step's layers come from one lot, and cost no less than from two. */
  @ParameterizedTest
  @MethodSource("levels")
  void theLayersTogetherCostNoLess(Level level) {
    var plan = level.plan(level.steps()).forUnits(60_000);
    double together = epsilon(plan.ledger());
    assertTrue(together > epsilon(level.counted(level.steps())), "" + together);
    assertTrue(plan.epsilon(AbadiMnist.DELTA).epsilon() < together);
    assertEquals(level.noise() / Math.sqrt(2), plan.multiplier(0), 1e-12);
  }

  private static List<Trial> paper(Level level, Effort effort) {
    return new AbadiMnist(new Study.Setup("", effort, new Outcomes(Map.of())))
        .trials(level, Method.PAPER);
  }

  @Test
  void theFindingHasTheMisquotation() throws IOException {
    Effort effort = Effort.full();
    Map<String, Outcome> kept = new HashMap<>();
    double accuracy = 90;
    for (Level level : AbadiMnist.LEVELS) {
      double noise = 0;
      for (Trial trial : paper(level, effort)) {
        kept.put(
            trial.text(),
            new Outcome(
                Map.of("accuracy", List.of(50.0, accuracy + noise), "epsilon", List.of(1.0))));
        noise += 0.1;
      }
      accuracy += 4;
    }
    Finding finding = AbadiMnist.EXPERIMENT.finding(effort, new Outcomes(kept));
    String verdicts = String.join("\n", finding.verdicts());
    assertTrue(verdicts.contains("More accurate at ε = 2 than at 0.5: confirmed"), verdicts);
    assertTrue(verdicts.contains("More accurate at ε = 8 than at 2: confirmed"), verdicts);
    assertTrue(verdicts.contains("above the published 90%: +0.10 ± 0.25."), verdicts);
    assertTrue(verdicts.contains("Document 001 quotes 97% at ε = 2."), verdicts);
    assertEquals(97, finding.rows().get(4).published());
    assertEquals("0.5", finding.tables().get(0).cells().get(0).get(0));
  }
}
