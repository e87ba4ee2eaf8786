package dev.discreet.algorithms.geometry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GradientCloudTest {
  private static final GradientNoise SYMMETRIC = new GradientNoise.Gaussian(1);

  /** Bad example 1 as noise: +2 twice in three, −4 else, so the mean is zero. */
  private static GradientNoise lopsided(int dimensions) {
    double[] near = new double[dimensions];
    double[] far = new double[dimensions];
    near[0] = 4;
    far[0] = -8;
    return new GradientNoise.Mixture(
        0.1, new double[][] {near, far}, new double[] {2 / 3.0, 1 / 3.0});
  }

  @Test
  void cosinesAreCounted() {
    GradientCloud cloud =
        GradientCloud.outsideTheGuarantee(
            new float[][] {{3, 0}, {1, 0}, {0, 2}, {0, -2}, {-1, 0}, {0, 0}});
    GradientCloud.Histogram cosines = cloud.cosines(4);
    assertArrayEquals(new double[] {0.5, 0}, cloud.mean(), 1e-15);
    assertArrayEquals(new long[] {1, 0, 2, 2}, cosines.counts());
    GradientCloud around = cloud.around(new double[] {0, 7});
    assertArrayEquals(new long[] {1, 0, 3, 1}, around.cosines(4).counts());
    assertEquals(49, around.clippingBias(1).unclipped(), 1e-12);
    assertEquals(-1, cosines.edge(0));
    assertEquals(0.5, cosines.edge(3));
    assertTrue(cosines.toString().contains("OUTSIDE THE GUARANTEE"));
  }

  @Test
  void saysWhereItsGradientsComeFrom() {
    Examples examples = Examples.of(Shape.vector(1), new float[] {1, 2}, 1, new float[] {-3, 9});
    try (PublicGradients engine =
        new Reference()
            .open(Network.parse("dense(1) loss=squared").on(Shape.vector(1)), examples)) {
      GradientCloud cloud =
          GradientCloud.declaredPublic(engine, new float[] {0, 1}, new int[] {0, 1});
      // f = 1: residuals 4 and −8, weight gradients 4·1 and −8·2.
      assertArrayEquals(new double[] {-6, -2}, cloud.mean(), 1e-6);
      assertEquals("public data", cloud.label());
      assertEquals("public data", cloud.clippingBias(1).label());
    }
    assertEquals(
        "drawn from a distribution",
        GradientCloud.drawn(new double[] {1}, SYMMETRIC, 3, 1).label());
  }

  @Test
  void projectionsShowLengthsAndAnglesOfAPlane() {
    GradientCloud cloud = GradientCloud.drawn(new double[2], SYMMETRIC, 20, 3);
    GradientCloud again = GradientCloud.drawn(new double[2], SYMMETRIC, 20, 3);
    List<double[][]> sides = cloud.projections(8, 1);
    assertEquals(8, sides.size());
    assertFalse(Arrays.equals(sides.get(0)[0], sides.get(1)[0]));
    // In two dimensions a projection is a turn: lengths stay.
    double[][] two = sides.get(0);
    double[][] other = again.projections(8, 1).get(7);
    for (int i = 0; i < two.length; i++) {
      assertEquals(Vectors.norm(two[i]), Vectors.norm(other[i]), 1e-12);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void symmetryIsOneForSymmetricNoiseAndLessForOther(int dimensions) {
    double[] gradient = new double[dimensions];
    gradient[0] = 0.5;
    GradientCloud even = GradientCloud.drawn(gradient, SYMMETRIC, 1500, 4);
    assertEquals(1, even.symmetry(), 0.02);
    GradientCloud odd = GradientCloud.drawn(gradient, lopsided(dimensions), 1500, 4);
    assertTrue(odd.symmetry() < 0.9, () -> "" + odd.symmetry());
    assertTrue(odd.symmetryAlong(gradient) < 0.9);
    // Of two equal halves on either side nothing is lopsided.
    double[] side = new double[dimensions];
    side[0] = 6;
    GradientNoise mixed =
        new GradientNoise.Mixture(
            0.3, new double[][] {side, Vectors.scaled(side, -1)}, new double[] {0.5, 0.5});
    assertEquals(1, GradientCloud.drawn(gradient, mixed, 1500, 4).symmetry(), 0.03);
  }

  /** One symmetric cloud in twenty is called lopsided, also where a few points are far out. */
  @Test
  void chanceHasTheTailsOfTheCloud() {
    double[] axis = {1};
    GradientNoise tails =
        new GradientNoise.Mixture(
            1, new double[][] {{0}, {30}, {-30}}, new double[] {0.96, 0.02, 0.02});
    int called = 0;
    for (int seed = 0; seed < 200; seed++) {
      GradientCloud cloud = GradientCloud.drawn(axis, tails, 60, seed).around(axis);
      called += cloud.symmetryAlong(axis) < cloud.symmetryByChance(axis, 60, seed) ? 1 : 0;
    }
    assertTrue(called <= 20, "called lopsided: " + called);
    GradientCloud odd = GradientCloud.drawn(axis, lopsided(1), 60, 1).around(axis);
    assertTrue(odd.symmetryAlong(axis) < odd.symmetryByChance(axis, 60, 1));
  }

  @Test
  void symmetryOfThreePointsByHand() {
    // Of nine pairs of 4, 4 and −8: apart 4·12, together 4·8 + 4·4 + 16.
    GradientCloud cloud = GradientCloud.outsideTheGuarantee(new float[][] {{4}, {4}, {-8}});
    assertEquals(48 / 64.0, cloud.symmetry(), 1e-12);
  }

  /** The theorem of Chen, Wu and Hong: never below its bound for symmetric noise. */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.3, 1, 3})
  void symmetricNoiseKeepsDescentGoingDown(double deviation) {
    double[] gradient = {0.8, 0.6};
    for (double threshold : new double[] {0.2, 1, 4}) {
      ClippingBias bias =
          GradientCloud.drawn(gradient, new GradientNoise.Gaussian(deviation), 4000, 7)
              .clippingBias(new ConvexSet.Ball(threshold), gradient);
      assertEquals(1, bias.unclipped(), 1e-12);
      assertTrue(bias.symmetric() >= bias.bound() - 1e-12, bias::toString);
      assertTrue(bias.symmetric() > 0, bias::toString);
      // The sample's own asymmetry: six standard errors of a value within ±C.
      assertEquals(0, bias.bias(), 6 * threshold / Math.sqrt(4000));
    }
  }

  @Test
  void lopsidedNoiseTurnsDescentRound() {
    double[] gradient = {-0.5};
    ClippingBias bias =
        GradientCloud.drawn(gradient, lopsided(1), 3000, 8)
            .clippingBias(new ConvexSet.Ball(1), gradient);
    // Clipped, +4 and −8 count alike: the mean is about 1/3, against a gradient of −1/2.
    assertEquals(-0.5 / 3, bias.alignment(), 0.03);
    assertTrue(bias.bias() < -0.1, bias::toString);
    assertTrue(bias.shift() > 0.7);
    // With a box, the same; and a threshold beyond all noise does no harm.
    assertTrue(
        GradientCloud.drawn(gradient, lopsided(1), 3000, 8)
                .clippingBias(new ConvexSet.Box(1), gradient)
                .alignment()
            < 0);
    assertEquals(
        0.25,
        GradientCloud.drawn(gradient, lopsided(1), 30_000, 8)
            .clippingBias(new ConvexSet.Ball(100), gradient)
            .alignment(),
        0.1);
  }

  @Test
  void positivelySkewedNoiseDoesNoHarm() {
    double[] gradient = {0.3, 0.4};
    double last = Double.NEGATIVE_INFINITY;
    for (double skew : new double[] {-0.9, 0, 0.5, 1}) {
      ClippingBias bias =
          GradientCloud.drawn(gradient, new GradientNoise.Skewed(2, skew, gradient), 6000, 9)
              .clippingBias(new ConvexSet.Ball(1), gradient);
      assertTrue(bias.alignment() > last);
      last = bias.alignment();
      assertEquals(Math.signum(skew), Math.signum(Math.rint(20 * bias.bias())), 0, bias::toString);
    }
  }

  @Test
  void aClosedFormAgrees() {
    ClippingBias bias =
        GradientCloud.drawn(new double[] {0.5}, SYMMETRIC, 200_000, 10)
            .clippingBias(new ConvexSet.Ball(1), new double[] {0.5});
    assertEquals(0.5 * ClippedQuadratic.ofGaussian(0.5, 1), bias.alignment(), 0.004);
  }

  @Test
  void refusesWhatIsNoCloud() {
    assertThrows(
        IllegalArgumentException.class, () -> GradientCloud.outsideTheGuarantee(new float[0][]));
    assertThrows(
        IllegalArgumentException.class,
        () -> GradientCloud.outsideTheGuarantee(new float[][] {{1}, {1, 2}}));
    assertThrows(
        IllegalArgumentException.class,
        () -> GradientCloud.outsideTheGuarantee(new float[][] {{Float.NaN}}));
    GradientCloud one = GradientCloud.outsideTheGuarantee(new float[][] {{1}});
    assertThrows(IllegalArgumentException.class, () -> one.projections(8, 1));
    assertThrows(IllegalArgumentException.class, () -> one.clippingBias(0));
    assertThrows(IllegalArgumentException.class, () -> one.cosines(0));
    assertThrows(IllegalArgumentException.class, () -> new GradientNoise.Skewed(1, 2, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new GradientNoise.Mixture(1, new double[][] {{1}}, new double[] {0.5}));
  }
}
