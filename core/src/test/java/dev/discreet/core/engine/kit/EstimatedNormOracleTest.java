package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.reference.ExactSum;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import org.junit.jupiter.api.Test;

/** What engines with estimated norms are compared with is right itself. */
class EstimatedNormOracleTest {
  /** That the estimates matter at all, and that their directions change with the release. */
  @Test
  void differsFromExactNormsAndBetweenReleases() {
    Layout layout =
        EstimatedNormChecks.layout("conv(5,2) tanh flatten dense(4)", new Shape(4, 4, 2));
    Trial trial =
        Trial.of(
            layout,
            EstimatedNormChecks.rule(layout, 10, false),
            Trial.examples(layout, 9, 1),
            0.05);
    ExactSum one = trial.exact();
    ExactSum other = trial.withNoise(0, 6).exact();
    for (int i = 0; i < 9; i++) {
      double flat = 0.05 / one.norms()[i][0];
      assertTrue(Math.abs(one.factors()[i][0] / flat - 1) > 1e-5, "unit " + i);
      assertTrue(Math.abs(one.factors()[i][0] / other.factors()[i][0] - 1) > 1e-5, "unit " + i);
    }
  }

  /** ‖Vg‖²/‖g‖² has the mean and variance of χ²ᵣ over releases, whatever g; the key is fixed. */
  @Test
  void projectionsHaveTheLawOfChiSquare() {
    Layout layout = EstimatedNormChecks.layout("dense(3)", Shape.vector(4));
    Trial trial =
        Trial.of(
            layout, EstimatedNormChecks.rule(layout, 6, false), Trial.examples(layout, 1, 3), 1);
    int n = 4000;
    double sum = 0;
    double squares = 0;
    for (long release = 0; release < n; release++) {
      double chi = 6 / Math.pow(EstimatedNormChecks.scale(trial.withNoise(0, release), 0), 2);
      sum += chi;
      squares += chi * chi;
    }
    double mean = sum / n;
    // Five deviations of each: √(2r/n), and about √((8r² + 48r)/n) for the variance.
    assertEquals(6, mean, 5 * Math.sqrt(12.0 / n));
    assertEquals(12, squares / n - mean * mean, 5 * Math.sqrt((8 * 36 + 48 * 6) / (double) n));
  }
}
