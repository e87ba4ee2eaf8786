package dev.discreet.algorithms.geometry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClippedQuadraticTest {

  /** The slide prints E[Clip] = 0 here; it is 1/3, and that is why iterates leave. */
  @Test
  void badExample1IsPushedAwayFromItsOptimum() {
    ClippedQuadratic f = ClippedQuadratic.badExample1();
    assertEquals(1, f.optimum());
    assertEquals(0, f.gradient(1));
    assertEquals(1 / 3.0, f.clippedGradient(1, 1), 1e-15);
    assertArrayEquals(new double[] {-2.5, -2.5}, f.clippedOptima(1), 1e-12);
    double x = f.optimum();
    for (int i = 0; i < 10_000; i++) {
      x -= 0.01 * f.clippedGradient(x, 1);
    }
    assertEquals(-2.5, x, 1e-9);
    // Left of the optimum the true slope is down to the right, the clipped one to the left.
    assertTrue(f.gradient(0.5) < 0 && f.clippedGradient(0.5, 1) > 0);
    // A large threshold clips nothing.
    assertArrayEquals(new double[] {1, 1}, f.clippedOptima(100), 1e-9);
  }

  @Test
  void badExample2StandsStillFarFromItsOptimum() {
    ClippedQuadratic f = ClippedQuadratic.badExample2();
    assertEquals(0, f.optimum());
    for (double x = -2; x <= 2; x += 0.125) {
      assertEquals(0, f.clippedGradient(x, 1));
    }
    assertTrue(f.clippedGradient(2.01, 1) > 0);
    assertArrayEquals(new double[] {-2, 2}, f.clippedOptima(1), 1e-12);
  }

  @Test
  void theSlidesQuestionHasAnAnswer() {
    assertEquals(0.331510, ClippedQuadratic.ofGaussian(0.5, 1), 1e-6);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 1", "0, 1", "-0.7, 0.3", "2, 1", "0.1, 5", "3, 0.5"})
  void theClosedFormIsTheIntegral(double x, double c) {
    int parts = 400_000;
    double sum = 0;
    for (int i = 0; i < parts; i++) {
      double a = -10 + 20 * (i + 0.5) / parts;
      double density = Math.exp(-0.5 * a * a) / Math.sqrt(2 * Math.PI);
      sum += density * Math.max(-c, Math.min(c, x - a)) * 20 / parts;
    }
    assertEquals(sum, ClippedQuadratic.ofGaussian(x, c), 1e-9);
  }

  /**
   * The slide's two remarks: noise beyond C + x cancels in pairs, and inside C − x the pairs have
   * the true gradient for their mean. What is between makes up the rest.
   */
  @Test
  void pairsOfNoiseGiveTheSame() {
    double x = 0.5;
    double c = 1;
    int parts = 400_000;
    double inside = 0;
    double between = 0;
    for (int i = 0; i < parts; i++) {
      double size = (c + x) * (i + 0.5) / parts;
      double mass = 2 * Math.exp(-0.5 * size * size) / Math.sqrt(2 * Math.PI) * (c + x) / parts;
      if (size <= c - x) {
        inside += mass * x;
      } else {
        between += mass * (c + x - size) / 2;
      }
    }
    assertEquals(ClippedQuadratic.ofGaussian(x, c), inside + between, 1e-6);
  }
}
