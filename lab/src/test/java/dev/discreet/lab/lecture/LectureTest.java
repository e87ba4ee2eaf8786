package dev.discreet.lab.lecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.algorithms.geometry.ClippedQuadratic;
import dev.discreet.lab.Bench;
import dev.discreet.lab.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LectureTest {
  @TempDir Path folder;

  @Test
  void badExamplesEndWhereTheyMust() throws IOException {
    Finding finding = Bench.run(new BadExamples(), folder);
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
    Finding finding = Bench.runOnRealData(Bench.only("mnist", new ClipGeometry()), folder);
    String verdicts = String.join("\n", finding.verdicts());
    assertTrue(verdicts.contains("mnist: gradients are symmetric along ∇f"), verdicts);
    assertTrue(verdicts.contains("cifar10 (JPEG copies): not run yet."), verdicts);
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
        Bench.runOnRealData(Bench.only("SGD without clipping", new GradientSubspace()), folder);
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
}
