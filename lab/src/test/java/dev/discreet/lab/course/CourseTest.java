package dev.discreet.lab.course;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.GradientTransform;
import dev.discreet.lab.Bench;
import dev.discreet.lab.Finding;
import dev.discreet.lab.training.UnitPixels;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CourseTest {
  @Test
  void theListingsSensitivityIsThatOfOneRemoval() {
    assertEquals(99661.8, SalaryMean.mean(SalaryMean.D1), 1e-9);
    assertEquals(7717.05, SalaryMean.listed(SalaryMean.D1), 1e-9);
  }

  @Test
  void noiseOfOneScaleIsPrivateAndOfTwoIsNot() {
    assertEquals(0, SalaryMean.delta(0, 1, 1, 1, 1), 1e-6);
    assertTrue(SalaryMean.delta(0, 1, 1, 0.5, 1) > 0.05);
    // P(x > ½) − e^0·Q(x > ½) for two that are one scale apart.
    assertEquals(1 - Math.exp(-0.5), SalaryMean.delta(0, 1, 1, 1, 0), 1e-4);
  }

  @Test
  void theSensitivitiesOfFiveSalaries(@TempDir Path folder) throws IOException {
    Finding finding = Bench.run(SalaryMean.EXPERIMENT, folder);
    String said = String.join("\n", finding.verdicts());
    assertTrue(said.contains("16723.03"), said);
    assertTrue(said.contains("40000.00"), said);
  }

  @Test
  void thePrintedCompositionsAreTheirFormulasAndNotTheTruth(@TempDir Path folder)
      throws IOException {
    Finding finding = Bench.run(CompositionProblem.EXPERIMENT, folder);
    assertEquals(30.98, Bench.ours(finding, "(b)", "as printed"), 0.01);
    assertEquals(0.3098, Bench.ours(finding, "(c)", "as printed"), 1e-4);
    assertEquals(0.1265, Bench.ours(finding, "(d)", "as printed"), 1e-4);
    assertEquals(135.37, Bench.ours(finding, "(b)", "pld"), 0.02);
    assertEquals(1.26, Bench.ours(finding, "σ = 4", "moments"), 0.005);
    assertEquals(16.84, Bench.ours(finding, "σ = 4", "strong"), 0.01);
    assertEquals(
        Double.POSITIVE_INFINITY, Bench.ours(finding, "(d)", "pld, any"), "δ is spent already");
  }

  @Test
  void theSettingsFoundGiveTheStatedCosts() {
    assertEquals(4.6, FashionStudy.stated(1.0, 600, 50), 0.05);
    assertEquals(17.0, FashionStudy.stated(0.6, 600, 50), 0.4);
    assertEquals(3.9, FashionStudy.stated(0.7, 100, 50), 0.05);
    assertEquals(14.5, FashionStudy.stated(0.7, 1000, 50), 0.1);
    // What a kept run of DP-SGD found for itself.
    assertEquals(9.769914, FashionStudy.spent(0.7, 600, 50), 1e-3);
  }

  /** Noise on the mean drowns what two epochs learn; noise on the sum does not. */
  @Test
  void noiseOnTheMeanIsFarMoreThanNoiseOnTheSum(@TempDir Path folder) throws IOException {
    Finding finding = Bench.runOnRealData(FashionTradeoff.EXPERIMENT, folder);
    assertTrue(Bench.ours(finding, "epoch 2", "as-run") < 50);
    assertTrue(Bench.ours(finding, "epoch 2", "correct, η = 2") > 65);
  }

  @Test
  void aMeanIsClippedToTheBallOnly() {
    Shape input = Shape.vector(4);
    Layout layout = Network.parse("flatten dense(10) loss=logistic").on(input);
    GradientTransform clipping = new BatchClipping(0.5, 0).change(input, 1);
    float[] gradient = new float[layout.parameters()];
    java.util.Arrays.fill(gradient, 1);
    try (GradientTransform.Running running =
        clipping.open(layout, new boolean[gradient.length], Engine.named("cpu"))) {
      running.apply(0, new float[gradient.length], gradient);
    }
    double squares = 0;
    for (float value : gradient) {
      squares += value * value;
    }
    // Weights and biases are two balls.
    assertEquals(Math.sqrt(2) * 0.5, Math.sqrt(squares), 1e-6);
  }

  @Test
  void pixelsAreInTheUnitInterval() {
    Examples one = Examples.of(Shape.vector(2), new float[] {-0.4242f, 2.8215f}, 1, new float[1]);
    float[] pixels = new float[2];
    new UnitPixels(one, 0.1307, 0.3081).input(0, pixels, 0);
    assertEquals(0, pixels[0], 1e-4);
    assertEquals(1, pixels[1], 1e-4);
  }
}
