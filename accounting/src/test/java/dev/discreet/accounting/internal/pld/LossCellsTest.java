package dev.discreet.accounting.internal.pld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.MechanismPairs;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.internal.pairs.FoldedProbability;
import dev.discreet.accounting.internal.pairs.LossPair;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One release on a grid: connect-the-dots lies above the true divergence, the optimistic twin
 * below, and both are close.
 */
class LossCellsTest {

  static Stream<LossPair> pairs() {
    Mechanism gaussian = new Mechanism.Gaussian(0.8);
    Mechanism laplace = new Mechanism.Laplace(1.5);
    return Stream.of(
            gaussian,
            laplace,
            new Mechanism.PoissonSampled(0.1, gaussian),
            new Mechanism.PoissonSampled(0.3, laplace),
            new Mechanism.RandomizedResponse(0.7, 4),
            new Mechanism.FixedSizeSampled(5, 20, gaussian))
        .flatMap(
            mechanism ->
                Stream.of(Neighbouring.ADD_REMOVE, Neighbouring.REPLACE_ONE)
                    .map(relation -> MechanismPairs.of(mechanism, relation).upper()))
        .flatMap(pair -> Stream.of(pair, pair.reversed()));
  }

  private static double trueDivergence(LossPair pair, double epsilon) {
    return FoldedProbability.tail(pair.p(epsilon))
        - Math.exp(epsilon) * FoldedProbability.tail(pair.q(epsilon));
  }

  private static double gridDivergence(LossCells cells, double[] points, double epsilon) {
    double sum = 0;
    for (int i = 0; i < points.length; i++) {
      double loss = cells.point(i);
      sum += loss > epsilon ? points[i] * -Math.expm1(epsilon - loss) : 0;
    }
    return sum;
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void endsEncloseTheTrueDivergence(LossPair pair) {
    double low = Math.max(pair.min(), -30);
    double high = Math.min(pair.max(), 30);
    for (double step : List.of(0.5, 0.05, 0.003)) {
      LossCells cells = LossCells.of(pair, step, low, high);
      double[] dots = cells.rounded(cells.p(), cells.shareUp(), 0, cells.count(), cells.headP());
      double[] twin = cells.merged(0, cells.count());
      double total = 0;
      for (double mass : dots) {
        total += mass;
      }
      assertEquals(1, total + cells.tailP(), 1e-12);
      for (double epsilon = -1.3; epsilon < 3; epsilon += 0.0717) {
        double exact = trueDivergence(pair, epsilon);
        double above = gridDivergence(cells, dots, epsilon) + cells.tailP();
        double below = gridDivergence(cells, twin, epsilon) + pair.infinity();
        assertTrue(above >= exact - 1e-13, step + " " + epsilon + ": " + above + " < " + exact);
        assertTrue(below <= exact + 1e-13, step + " " + epsilon + ": " + below + " > " + exact);
        assertTrue(above - exact <= step, "far above: " + above + " > " + exact);
        assertTrue(exact - below <= step, "far below: " + below + " < " + exact);
      }
    }
  }
}
