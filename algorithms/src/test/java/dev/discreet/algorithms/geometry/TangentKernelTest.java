package dev.discreet.algorithms.geometry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TangentKernelTest {
  private static final Layout TINY =
      Network.parse("dense(2) tanh dense(1) loss=squared").on(Shape.vector(2));

  /** A few examples with targets of very different size, so that norms differ too. */
  private static TestSet.Public examples(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int n = 3 + (int) (seed % 3);
    float[] inputs = new float[2 * n];
    float[] targets = new float[n];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = (float) (2 * random.nextGaussian());
    }
    for (int i = 0; i < n; i++) {
      targets[i] = (float) (Math.exp(2 * random.nextGaussian()) * (random.nextBoolean() ? 1 : -1));
    }
    return new TestSet.Public(Examples.of(Shape.vector(2), inputs, 1, targets));
  }

  private static float[] theta(Layout layout, long seed) {
    SplittableRandom random = new SplittableRandom(-seed);
    float[] theta = layout.initial(Initialiser.PYTORCH_UNIFORM, seed);
    for (int i = 0; i < theta.length; i++) {
      theta[i] += (float) (0.7 * random.nextGaussian());
    }
    return theta;
  }

  private static TangentKernel kernel(long seed) {
    return TangentKernel.of(TINY, theta(TINY, seed), examples(seed), new Reference());
  }

  private static double size(ClippedKernel kernel) {
    return Math.sqrt(
        Arrays.stream(kernel.matrix()).mapToDouble(row -> Vectors.dot(row, row)).sum());
  }

  private static double least(TangentKernel kernel) {
    return Arrays.stream(kernel.gradientNorms()).min().orElseThrow();
  }

  private static double most(TangentKernel kernel) {
    return Arrays.stream(kernel.gradientNorms()).max().orElseThrow();
  }

  /** Derivatives of outputs by differences, on a network with three outputs. */
  @Test
  void isTheProductOfTheOutputsDerivatives() {
    Layout layout = Network.parse("dense(3) tanh dense(3)").on(Shape.vector(2));
    Examples set =
        Examples.of(
            Shape.vector(2), new float[] {1, -2, 0.5f, 0.3f, -1, 1}, 1, new float[] {0, 2, 1});
    float[] theta = theta(layout, 3);
    double[][] slopes = new double[9][theta.length];
    float[] predicted;
    try (PublicGradients engine = new Reference().open(layout, set)) {
      predicted = engine.predict(theta, new int[] {0, 1, 2});
      for (int p = 0; p < theta.length; p++) {
        float[] up = theta.clone();
        float[] down = theta.clone();
        up[p] += 0.01f;
        down[p] -= 0.01f;
        float[] above = engine.predict(up, new int[] {0, 1, 2});
        float[] below = engine.predict(down, new int[] {0, 1, 2});
        for (int row = 0; row < 9; row++) {
          slopes[row][p] = ((double) above[row] - below[row]) / ((double) up[p] - down[p]);
        }
      }
      TangentKernel kernel =
          TangentKernel.of(layout, theta, new TestSet.Public(set), new Reference());
      double[][] h = kernel.matrix();
      for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
          assertEquals(Vectors.dot(slopes[i], slopes[j]), h[i][j], 2e-3);
        }
      }
      // Softmax: the residuals of an example add up to zero.
      double[] r = kernel.residual();
      assertEquals(0, r[0] + r[1] + r[2], 1e-9);
      float[][] gradients = engine.perExampleGradients(theta, new int[] {0, 1, 2});
      double[] norms = kernel.gradientNorms();
      for (int i = 0; i < 3; i++) {
        double square = 0;
        for (float value : gradients[i]) {
          square += (double) value * value;
        }
        assertEquals(Math.sqrt(square), norms[i], 1e-5);
      }
      double[][] fast =
          TangentKernel.of(
                  layout, theta, new TestSet.Public(set), Engine.named("cpu").withThreads(1))
              .matrix();
      for (int i = 0; i < 9; i++) {
        assertArrayEquals(h[i], fast[i], 1e-4);
      }
    }
    assertEquals(9, predicted.length);
  }

  /** The loss's slope along the clipped step is what the kernel says. */
  @Test
  void descentIsTheGradientTimesTheClippedOne() {
    TestSet.Public set = examples(4);
    float[] theta = theta(TINY, 4);
    double c = 0.5;
    double wanted = 0;
    int n = set.examples().size();
    try (PublicGradients engine = new Reference().open(TINY, set.examples())) {
      float[][] rows =
          engine.perExampleGradients(theta, java.util.stream.IntStream.range(0, n).toArray());
      for (int p = 0; p < theta.length; p++) {
        double whole = 0;
        double clipped = 0;
        for (float[] row : rows) {
          double norm = 0;
          for (float value : row) {
            norm += (double) value * value;
          }
          whole += row[p];
          clipped += row[p] * Math.min(1, c / Math.sqrt(norm));
        }
        wanted += whole * clipped;
      }
    }
    ClippedKernel found =
        TangentKernel.of(TINY, theta, set, new Reference()).clipped(new ClippingRule.Flat(), c);
    assertEquals(wanted, found.descent(), 1e-5 * Math.abs(wanted));
  }

  /** Seed 001's table, row by row, on 300 networks. */
  @Test
  void everyRuleDoesToTheKernelWhatTheTableSays() {
    int[] rising = new int[2];
    int[] indefinite = new int[2];
    int unstable = 0;
    for (int seed = 1; seed <= 300; seed++) {
      TangentKernel kernel = kernel(seed);
      for (ClippedKernel whole :
          new ClippedKernel[] {
            kernel.clipped(new ClippingRule.None(), 1),
            kernel.clipped(new ClippingRule.Flat(), 2 * most(kernel)),
            kernel.clippedByLayer(new ClippingRule.Flat(), 4 * most(kernel)),
            kernel.clipped(new ClippingRule.Global(2 * most(kernel)), 1)
          }) {
        assertEquals(0, whole.asymmetry(), 1e-12);
        assertTrue(whole.leastForm() >= -1e-9 * size(whole));
        assertTrue(whole.leastRealPart() >= -1e-9 * size(whole));
        assertTrue(whole.descent() > 0);
      }
      for (ClippingRule rule :
          new ClippingRule[] {
            new ClippingRule.Flat(),
            new ClippingRule.Automatic(0.01),
            new ClippingRule.Normalised(),
            new ClippingRule.Global((least(kernel) + most(kernel)) / 2)
          }) {
        ClippedKernel flat = kernel.clipped(rule, least(kernel));
        assertTrue(flat.asymmetry() > 1e-6, rule::toString);
        // Similar to a symmetric kernel: no eigenvalue below zero, whatever its form.
        assertTrue(flat.leastRealPart() >= -1e-8 * size(flat), flat::toString);
      }
      ClippedKernel flat = kernel.clipped(new ClippingRule.Flat(), least(kernel));
      ClippedKernel layer = kernel.clippedByLayer(new ClippingRule.Flat(), least(kernel));
      rising[0] += flat.descent() < 0 ? 1 : 0;
      rising[1] += layer.descent() < 0 ? 1 : 0;
      indefinite[0] += flat.leastForm() < -1e-6 * size(flat) ? 1 : 0;
      indefinite[1] += layer.leastForm() < -1e-6 * size(layer) ? 1 : 0;
      unstable += layer.leastRealPart() < -1e-6 * size(layer) ? 1 : 0;
    }
    String counts = Arrays.toString(rising) + " " + Arrays.toString(indefinite) + " " + unstable;
    assertTrue(rising[0] > 5 && rising[1] > 5, counts);
    assertTrue(indefinite[0] > 100 && indefinite[1] > 100, counts);
    assertTrue(unstable > 5, counts);
  }

  @Test
  void theLeastRealPartIsThatOfTheEigenvalues() {
    // A turn: eigenvalues 0.3 ± 2i.
    assertEquals(0.3, ClippedKernel.leastRealPart(new double[][] {{0.3, -2}, {2, 0.3}}), 1e-9);
    // Triangular: its diagonal, however large the rest.
    double[][] triangle = {{2, 50, -7}, {0, -0.01, 3}, {0, 0, 1}};
    assertEquals(-0.01, ClippedKernel.leastRealPart(triangle), 1e-8);
    assertEquals(0, ClippedKernel.leastRealPart(new double[2][2]));
    assertEquals(4, ClippedKernel.leastRealPart(new double[][] {{4}}), 1e-9);
  }

  @Test
  void refusesNothingAndNoThreshold() {
    TestSet.Public none =
        new TestSet.Public(Examples.of(Shape.vector(2), new float[0], 1, new float[0]));
    assertThrows(
        IllegalArgumentException.class,
        () -> TangentKernel.of(TINY, theta(TINY, 1), none, new Reference()));
    assertThrows(
        IllegalArgumentException.class, () -> kernel(1).clipped(new ClippingRule.Flat(), 0));
  }
}
