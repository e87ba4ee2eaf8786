package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrateCommandTest {
  private static final String TARGET = "calibrate --json --epsilon 1 --delta 1e-5 ";

  private static void assertSafeAndTight(Run run) {
    assertEquals(1.0, run.number("targetEpsilon"));
    assertTrue(run.number("epsilon") <= 1, run.out());
    assertTrue(run.number("epsilon") >= 0.999, run.out());
    assertTrue(run.number("epsilonLower") <= run.number("epsilon"), run.out());
  }

  @Test
  void theNoiseMultiplierOfTheIssue() {
    Run run = Run.of(TARGET + "--sampling-rate 0.01 --steps 1");
    assertSafeAndTight(run);
    double exact = 0.673793;
    double found = run.number("noiseMultiplier");
    assertTrue(found >= exact && found <= exact * 1.001, run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pld", "rdp", "gdp"})
  void whatIsFoundCostsWhatItSays(String accountant) {
    String by = " --accountant " + accountant;
    Run found = Run.of(TARGET + "--sampling-rate 0.01 --steps 1000" + by);
    assertSafeAndTight(found);
    Run asked =
        Run.of(
            "epsilon --json --sampling-rate 0.01 --steps 1000 --delta 1e-5 --noise-multiplier "
                + found.number("noiseMultiplier")
                + by);
    assertEquals(asked.number("epsilon"), found.number("epsilon"));
    assertEquals(!accountant.equals("gdp"), found.object().get("guarantee"));
    assertEquals(accountant.equals("gdp"), found.out().contains("approximation, not a guarantee"));
  }

  @Test
  void theLargestSamplingRate() {
    Run run = Run.of(TARGET + "--noise-multiplier 1 --steps 1000");
    assertSafeAndTight(run);
    assertEquals(1000, run.object().get("steps"));
    assertEquals(1.0, run.object().get("noiseMultiplier"));
  }

  @Test
  void theMostSteps() {
    Run run = Run.of(TARGET + "--noise-multiplier 2 --sampling-rate 0.01");
    int steps = (int) run.object().get("steps");
    String one = "epsilon --json --noise-multiplier 2 --sampling-rate 0.01 --delta 1e-5 --steps ";
    assertTrue(Run.of(one + steps).number("epsilon") <= 1);
    assertTrue(Run.of(one + (steps + 1)).number("epsilon") > 1);
  }

  @Test
  void peopleSeeTheSafeSide() {
    String noise = "--epsilon 1 --delta 1e-5 --sampling-rate 0.01 --steps 1000";
    double exact = Run.of("calibrate --json " + noise).number("noiseMultiplier");
    String text = Run.of("calibrate " + noise).done().out();
    double shown = Double.parseDouble(text.split("\\s+")[2]);
    assertTrue(shown >= exact && shown < exact + 1e-5, text);
    String rate = "--epsilon 1 --delta 1e-5 --noise-multiplier 1 --steps 1000";
    exact = Run.of("calibrate --json " + rate).number("samplingRate");
    text = Run.of("calibrate " + rate).done().out();
    shown = Double.parseDouble(text.split("\\s+")[2]);
    assertTrue(shown <= exact && shown > exact - 1e-7, text);
    text = Run.of("calibrate --accountant gdp " + noise).done().out();
    assertTrue(text.contains("approximation, not a guarantee"), text);
  }

  @Test
  void samplingIsNotAlwaysNeeded() {
    Run run = Run.of(TARGET + "--sampler none --steps 1");
    assertSafeAndTight(run);
    assertEquals(3.730631634816, run.number("noiseMultiplier"), 4e-3);
  }

  @Test
  void theAnalyticGaussian() {
    Run run = Run.of(TARGET + "--mechanism gaussian");
    assertEquals(3.730631634816, run.number("noiseMultiplier"), 3.7e-9);
    assertSafeAndTight(run);
  }

  @Test
  void theRelationDoublesTheNoiseOfARelease() {
    double one = Run.of(TARGET + "--mechanism gaussian").number("noiseMultiplier");
    Run two = Run.of(TARGET + "--mechanism gaussian --neighbouring replace-one");
    assertEquals(2 * one, two.number("noiseMultiplier"), 1e-12);
    assertSafeAndTight(two);
  }

  @Test
  void theClassicalGaussianIsWasteful() {
    Run run = Run.of("calibrate --json --mechanism classical-gaussian --epsilon 0.5 --delta 1e-5");
    assertEquals(9.6896, run.number("noiseMultiplier"), 1e-4);
    assertTrue(run.number("epsilon") < 0.4, run.out());
  }

  @Test
  void laplaceNeedsNoDelta() {
    Run run = Run.of("calibrate --json --mechanism laplace --epsilon 0.5");
    assertEquals(2.0, run.number("scale"));
    assertEquals(0.5, run.number("epsilon"), 1e-9);
    assertEquals(0.0, run.number("delta"));
    assertTrue(
        Run.of("calibrate --mechanism laplace --epsilon 0.5").done().out().contains("scale"));
  }

  @Test
  void whatCannotBeReachedIsSaid() {
    String line =
        Run.of("calibrate --epsilon 0.01 --delta 1e-9 --noise-multiplier 0.1 --sampler none")
            .line(2);
    assertTrue(line.contains("not even one step") && line.endsWith("Provided value: 0.01"), line);
  }

  /** A delta that the accountant takes for 0: no Gaussian keeps to any epsilon there. */
  @Test
  void noMoreIsClaimedThanTheAccountantSays() {
    String tiny = " --mechanism gaussian --epsilon 0.5 --delta 1e-320";
    Run json = Run.of("calibrate --json" + tiny);
    assertEquals("Infinity", json.object().get("epsilon"));
    assertEquals(0.0, json.number("delta"));
    String text = Run.of("calibrate" + tiny).done().out();
    assertTrue(text.contains("Infinity (nothing is promised)"), text);
  }
}
