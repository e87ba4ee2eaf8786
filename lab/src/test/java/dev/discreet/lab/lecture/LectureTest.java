package dev.discreet.lab.lecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.algorithms.geometry.ClippedQuadratic;
import dev.discreet.lab.Bench;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Trial;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.OptimizerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LectureTest {
  @TempDir Path folder;

  @Test
  void badExamplesEndWhereTheyMust() throws IOException {
    Finding finding = Bench.run(BadExamples.EXPERIMENT, folder);
    assertEquals(1.0 / 3, finding.rows().get(0).ours().mean(), 1e-12);
    assertEquals(0, finding.rows().get(1).ours().mean(), 1e-12);
    assertEquals(0.33151, finding.rows().get(2).ours().mean(), 1e-5);
    // 200,000 draws of something within 1.
    assertEquals(0.33151, finding.rows().get(3).ours().mean(), 0.005);
    var ends = finding.tables().get(0).cells();
    assertEquals("1.000", ends.get(0).get(3));
    for (int start = 4; start < 8; start++) {
      assertEquals(-2.5, Double.parseDouble(ends.get(0).get(start)), 0.002);
      assertTrue(Math.abs(Double.parseDouble(ends.get(1).get(start))) < 2.001);
    }
    assertEquals(3, finding.figures().size());
    assertTrue(Files.exists(folder.resolve("bad-examples.html")));
    String verdicts = String.join("\n", finding.verdicts());
    assertTrue(verdicts.contains("at x* = 1: refuted. "), verdicts);
    assertTrue(verdicts.contains("than at 1: confirmed (it ends from -6 at -2.5"), verdicts);
    assertTrue(verdicts.contains("the plateau: confirmed (it ends from -6 at -2."), verdicts);
    Finding before = Bench.empty(BadExamples.EXPERIMENT, Bench.QUICK);
    assertTrue(before.isEmpty());
    assertTrue(before.verdicts().get(1).endsWith("not run yet."), before.verdicts().get(1));
  }

  @Test
  void noiseBeforeClippingMovesTheRestingPlaceToTheOptimum() {
    ClippedQuadratic loss = ClippedQuadratic.badExample1();
    assertEquals(-2.5, PreNoise.resting(loss, 1, 0), 1e-9);
    double before = -2.5;
    for (double noise : new double[] {1, 2, 4, 8, 16, 64}) {
      double now = PreNoise.resting(loss, 1, noise);
      assertTrue(now > before && now < 1, noise + ": " + now);
      before = now;
    }
    assertEquals(1, before, 0.02);
  }

  @Test
  void gradientsAreLookedAtAroundTheTrueOne() throws IOException {
    Finding finding =
        Bench.runOnRealData(Bench.only("data=mnist", ClipGeometry.EXPERIMENT), folder);
    String verdicts = String.join("\n", finding.verdicts());
    assertTrue(verdicts.contains("MNIST: gradients are symmetric along ∇f"), verdicts);
    assertTrue(verdicts.contains("CIFAR-10: not run yet."), verdicts);
    for (var row : finding.tables().get(0).cells()) {
      double chance = Double.parseDouble(row.get(2));
      assertTrue(chance > 0.5 && chance <= 1, row::toString);
    }
    // At the start a step clipped to 1 goes down, and by no more than 1.
    String first = finding.tables().get(1).cells().get(0).get(3);
    double alignment = Double.parseDouble(first.substring(0, first.indexOf(' ')));
    assertTrue(alignment > 0 && alignment <= 1, first);
  }

  @Test
  void gradientsHaveASpectrum() throws IOException {
    Finding finding =
        Bench.runOnRealData(
            Bench.only("mlp(128,128) ema=0 non-private", GradientSubspace.EXPERIMENT), folder);
    var rows =
        finding.tables().stream()
            .filter(table -> table.columns().contains("mean ‖g‖²"))
            .findFirst()
            .orElseThrow()
            .cells();
    assertEquals(1, rows.size());
    double ten = Double.parseDouble(rows.get(0).get(2));
    double fifty = Double.parseDouble(rows.get(0).get(3));
    double longest = Double.parseDouble(rows.get(0).get(4));
    double unit = Double.parseDouble(rows.get(0).get(5));
    assertTrue(ten > 100 * 10 / 60.0 && ten < fifty && fifty <= 100, rows::toString);
    // A space of fifty directions can hold the fifty longest, and more.
    assertTrue(longest <= fifty && longest > 100 * 50 / 60.0, rows::toString);
    assertTrue(unit > 100 * 50 / 60.0 && unit <= 100, rows::toString);
  }

  /** Runs of a seed are a pair: a difference that is the same for each has no spread. */
  @Test
  void noiseIsComparedSeedBySeed() throws IOException {
    Finding langevin = made(LangevinRates.EXPERIMENT, 3, "temperature=0,");
    String verdicts = String.join("\n", langevin.verdicts());
    assertTrue(
        verdicts.contains(
            "VGG-like, α = 0.03: costs accuracy: confirmed (-3.00 ± 0.00); costs less than two"
                + " points: refuted (-3.00 ± 0.00)."),
        verdicts);
    Recipe ran = Recipe.parse(langevin.runFile());
    assertEquals(0.0005, ran.get(OptimizerSettings.TEMPERATURE).orElseThrow(), 1e-15);
    String images =
        String.join("\n", made(PreNoise.EXPERIMENT, 3, "noise-before-clipping=0 ").verdicts());
    assertTrue(
        images.contains("MNIST, C = 1, noise 0.01 better than none: refuted (-3.00 ± 0.00)."),
        images);
  }

  /** As if every trial had been run: one without noise is so many points better on each seed. */
  private static Finding made(Experiment experiment, double better, String without)
      throws IOException {
    Map<String, Outcome> kept = new HashMap<>();
    for (Trial trial : experiment.trials(Effort.full())) {
      String seed = trial.text().substring(trial.text().lastIndexOf(' ') + 1);
      double accuracy =
          10 * Double.parseDouble(seed) + (trial.text().contains(without) ? better : 0);
      kept.put(
          trial.text(),
          Outcome.of("accuracy", accuracy).with("rest", accuracy).with("path", accuracy));
    }
    return experiment.finding(Effort.full(), new Outcomes(kept));
  }
}
