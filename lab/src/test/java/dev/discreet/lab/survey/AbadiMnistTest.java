package dev.discreet.lab.survey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.MomentsAccountant;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
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
    Ledger ledger =
        Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(level.pcaNoise()), 1)
            .plus(new Mechanism.PoissonSampled(0.01, new Mechanism.Gaussian(level.noise())), steps);
    return new MomentsAccountant().epsilon(ledger, AbadiMnist.DELTA).epsilon();
  }

  /** Two layers with noise of their own cost together what one Gaussian of the stated σ does. */
  @ParameterizedTest
  @MethodSource("levels")
  void thePlanSpendsWhatIsStated(Level level) {
    Ledger ledger = level.plan().forUnits(60_000).ledger();
    double epsilon = new MomentsAccountant().epsilon(ledger, AbadiMnist.DELTA).epsilon();
    assertEquals(level.epsilon(), epsilon, 1e-3 * level.epsilon());
    assertTrue(level.plan().forUnits(60_000).epsilon(AbadiMnist.DELTA).epsilon() < epsilon);
  }

  @Test
  void theFindingHasTheMisquotation() throws IOException {
    Effort effort = Effort.full();
    Map<String, Outcome> kept = new HashMap<>();
    double accuracy = 90;
    for (Level level : AbadiMnist.LEVELS) {
      double noise = 0;
      for (Trial trial : AbadiMnist.trials(level, Method.PAPER, effort)) {
        kept.put(
            trial.text(),
            new Outcome(
                Map.of("accuracy", List.of(50.0, accuracy + noise), "epsilon", List.of(1.0))));
        noise += 0.1;
      }
      accuracy += 4;
    }
    Finding finding = new AbadiMnist().finding(effort, new Outcomes(kept));
    String verdicts = String.join("\n", finding.verdicts());
    assertTrue(verdicts.contains("More accurate at ε = 2 than at 0.5: confirmed"), verdicts);
    assertTrue(verdicts.contains("More accurate at ε = 8 than at 2: confirmed"), verdicts);
    assertTrue(verdicts.contains("published 90%, ours 90.10 ± 0.10%: +0.10 points."), verdicts);
    assertTrue(verdicts.contains("Document 001 quotes 97% at ε = 2."), verdicts);
    assertEquals(97, finding.rows().get(4).published().orElseThrow());
    assertEquals("0.5", finding.tables().get(0).cells().get(0).get(0));
  }
}
