package dev.discreet.algorithms.geometry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Seed 001's columns on convergence: many small steps along clipped gradients, without noise. */
class ClippedDescentTest {
  private static final Layout LAYOUT =
      Network.parse("dense(8) tanh dense(1) loss=squared").on(Shape.vector(2));
  private static final int[] ALL = {0, 1, 2, 3};
  private static final int WHOLE = LAYOUT.parameters();
  private static final int SECOND = LAYOUT.slices().get(2).offset();

  /**
   * @param rise how far the loss ever climbed above its least until then
   */
  private record Path(double rise, double last) {}

  private static Examples examples() {
    SplittableRandom random = new SplittableRandom(1);
    float[] inputs = new float[8];
    float[] targets = new float[4];
    for (int i = 0; i < 8; i++) {
      inputs[i] = (float) (2 * random.nextGaussian());
    }
    for (int i = 0; i < 4; i++) {
      targets[i] = (float) (Math.exp(random.nextGaussian()) * (random.nextBoolean() ? 1 : -1));
    }
    return Examples.of(Shape.vector(2), inputs, 1, targets);
  }

  /** Where each group of parameters that is clipped by itself begins and ends. */
  private static Path descend(List<int[]> groups, double threshold, double rate, int steps) {
    return descend(new ClippingRule.Flat(), groups, threshold, rate, steps);
  }

  private static Path descend(
      ClippingRule rule, List<int[]> groups, double threshold, double rate, int steps) {
    float[] theta = LAYOUT.initial(Initialiser.PYTORCH_UNIFORM, 1);
    double least = Double.POSITIVE_INFINITY;
    double rise = 0;
    try (PublicGradients engine = new Reference().open(LAYOUT, examples())) {
      for (int step = 0; step < steps; step++) {
        double loss = engine.loss(theta, ALL);
        least = Math.min(least, loss);
        rise = Math.max(rise, loss - least);
        for (float[] gradient : engine.perExampleGradients(theta, ALL)) {
          for (int[] group : groups) {
            double square = 0;
            for (int p = group[0]; p < group[1]; p++) {
              square += (double) gradient[p] * gradient[p];
            }
            double factor = rule.factor(Math.sqrt(square), threshold);
            for (int p = group[0]; p < group[1]; p++) {
              theta[p] -= (float) (rate * factor * gradient[p]);
            }
          }
        }
      }
      return new Path(rise, engine.loss(theta, ALL));
    }
  }

  @Test
  void withoutClippingTheLossFallsAllTheTimeToZero() {
    for (double threshold : new double[] {Double.POSITIVE_INFINITY, 1000}) {
      Path path = descend(List.of(new int[] {0, WHOLE}), threshold, 0.01, 8000);
      assertEquals(0, path.rise, 1e-9);
      assertEquals(0, path.last, 1e-6);
    }
  }

  @Test
  void withASmallThresholdItRisesOnTheWay() {
    Path flat = descend(List.of(new int[] {0, WHOLE}), 0.1, 0.02, 8000);
    Path layers =
        descend(
            List.of(new int[] {0, SECOND}, new int[] {SECOND, WHOLE}),
            0.1 / Math.sqrt(2),
            0.02,
            8000);
    for (Path path : List.of(flat, layers)) {
      assertTrue(path.rise > 0.01, path::toString);
      assertEquals(0, path.last, 1e-6);
    }
    // Not for the length of its steps: half of it changes little.
    Path finer = descend(List.of(new int[] {0, WHOLE}), 0.1, 0.01, 16_000);
    assertEquals(flat.rise, finer.rise, 0.05 * flat.rise);
  }

  /** The rules that seed 001's table lacks, as docs/algorithms/clipping.md has them. */
  @Test
  void theOtherRulesRiseTooOrLeaveExamplesOut() {
    List<int[]> all = List.of(new int[] {0, WHOLE});
    for (ClippingRule rule :
        List.of(new ClippingRule.Automatic(0.01), new ClippingRule.Normalised())) {
      Path path = descend(rule, all, 0.1, 0.02, 8000);
      assertTrue(path.rise > 0.1, path::toString);
      // Steps keep their length near the end, so it hovers above 0; shorter ones hover lower.
      assertTrue(path.last > 1e-6 && path.last < 1e-3, path::toString);
      Path finer = descend(rule, all, 0.1, 0.01, 16_000);
      assertTrue(finer.last < path.last / 4, finer::toString);
    }
    Path above = descend(new ClippingRule.Global(1000), all, 1000, 0.02, 8000);
    assertEquals(0, above.rise, 1e-9);
    assertEquals(0, above.last, 1e-6);
    // Here an example is longer than the cut-off for good, and is never learned.
    Path below = descend(new ClippingRule.Global(1), all, 1, 0.02, 8000);
    assertTrue(below.last > 1, below::toString);
  }
}
