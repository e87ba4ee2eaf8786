package dev.discreet.algorithms.geometry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConvexSetTest {
  private static final double[] SIZES = {0.5, 2, 1e-3, 1, 3};

  /** Each set with what is at most 1 inside it, written down apart from its code. */
  static Stream<Arguments> sets() {
    return Stream.of(
        set(new ConvexSet.Ball(1.5), v -> Math.sqrt(sum(v, x -> x * x)) / 1.5),
        set(new ConvexSet.CrossPolytope(1.5), v -> sum(v, Math::abs) / 1.5),
        set(
            new ConvexSet.Box(SIZES),
            v -> {
              double most = 0;
              for (int i = 0; i < v.length; i++) {
                most = Math.max(most, Math.abs(v[i]) / SIZES[i]);
              }
              return most;
            }),
        set(
            new ConvexSet.Ellipsoid(SIZES),
            v -> {
              double sum = 0;
              for (int i = 0; i < v.length; i++) {
                sum += v[i] / SIZES[i] * (v[i] / SIZES[i]);
              }
              return Math.sqrt(sum);
            }));
  }

  private static Arguments set(ConvexSet set, ToDoubleFunction<double[]> gauge) {
    return Arguments.of(set, gauge);
  }

  private static double sum(double[] values, java.util.function.DoubleUnaryOperator of) {
    return Arrays.stream(values).map(of).sum();
  }

  private static double[] random(SplittableRandom random, double scale) {
    double[] vector = new double[SIZES.length];
    // Some coordinates are zero, as gradients' often are.
    Arrays.setAll(vector, i -> random.nextInt(4) == 0 ? 0 : scale * random.nextGaussian());
    return vector;
  }

  /** p is nearest to v in a convex set if and only if ⟨v − p, y − p⟩ ≤ 0 for all y in it. */
  @ParameterizedTest
  @MethodSource("sets")
  void givesTheNearestPoint(ConvexSet set, ToDoubleFunction<double[]> gauge) {
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 300; trial++) {
      double[] v = random(random, Math.exp(3 * random.nextGaussian()));
      double[] p = set.project(v);
      double inside = gauge.applyAsDouble(v);
      if (inside <= 1) {
        assertArrayEquals(v, p);
      } else {
        assertEquals(1, gauge.applyAsDouble(p), 1e-9);
      }
      assertTrue(Vectors.norm(p) <= set.radius() * (1 + 1e-9));
      assertArrayEquals(p, set.project(p), 1e-9);
      double[] away = Vectors.plus(v, -1, p);
      double slack = 1e-9 * (Vectors.norm(v) + 1) * (set.radius() + 1);
      for (int other = 0; other < 60; other++) {
        double[] y = random(random, 1);
        // On the surface, where the farthest are; and near p, where the next best are.
        y = Vectors.plus(y, other % 2 == 0 ? 0 : 30, p);
        y = Vectors.scaled(y, 1 / Math.max(1e-300, gauge.applyAsDouble(y)));
        double angle = Vectors.dot(away, Vectors.plus(y, -1, p));
        assertTrue(angle <= slack, () -> set + " " + Arrays.toString(v) + " " + angle);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sets")
  void isNowhereLongerThanItsRadius(ConvexSet set, ToDoubleFunction<double[]> gauge) {
    double longest = 0;
    for (int i = 0; i < 1 << SIZES.length; i++) {
      double[] corner = new double[SIZES.length];
      for (int j = 0; j < corner.length; j++) {
        corner[j] = (i >> j & 1) == 1 ? 1e6 : 0;
      }
      longest = Math.max(longest, Vectors.norm(set.project(corner)));
    }
    assertEquals(set.radius(), longest, 1e-3 * set.radius());
  }

  @Test
  void clipsAsHandsWould() {
    double[] v = {3, -1, 0.5};
    assertArrayEquals(new double[] {2, 0, 0}, new ConvexSet.CrossPolytope(2).project(v), 1e-15);
    assertArrayEquals(
        new double[] {2.25, -0.25, 0}, new ConvexSet.CrossPolytope(2.5).project(v), 1e-15);
    assertArrayEquals(new double[] {1, -1, 0.5}, new ConvexSet.Box(1, 1, 1).project(v));
    assertArrayEquals(
        new double[] {0.6, 0.8}, new ConvexSet.Ball(1).project(new double[] {3, 4}), 1e-15);
    // An ellipsoid with equal axes is a ball.
    assertArrayEquals(
        new double[] {1.2, 1.6}, new ConvexSet.Ellipsoid(2, 2).project(new double[] {3, 4}), 1e-14);
  }

  @Test
  void refusesSizesThatAreNone() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(IllegalArgumentException.class, () -> new ConvexSet.Ball(bad));
      assertThrows(IllegalArgumentException.class, () -> new ConvexSet.Box(1, bad));
      assertThrows(IllegalArgumentException.class, () -> new ConvexSet.Ellipsoid(1, bad));
      assertThrows(IllegalArgumentException.class, () -> new ConvexSet.CrossPolytope(bad));
    }
    assertEquals(
        "vector must be of 2 numbers. Provided value: 3",
        assertThrows(
                IllegalArgumentException.class,
                () -> new ConvexSet.Box(1, 1).project(new double[3]))
            .getMessage());
  }
}
