package dev.discreet.accounting.internal.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.accounting.math.Normal;
import org.junit.jupiter.api.Test;

class QuadratureTest {

  @Test
  void powers() {
    for (int n = 0; n <= 31; n++) {
      int power = n;
      double found =
          Math.exp(Quadrature.logIntegrate(x -> power * Math.log(x), 0.5, 2, Double.MAX_VALUE));
      double expected = (Math.pow(2, n + 1) - Math.pow(0.5, n + 1)) / (n + 1);
      assertEquals(expected, found, 1e-13 * expected, "x^" + n + " is exact in one panel");
    }
  }

  @Test
  void theBell() {
    double log = Quadrature.logIntegrate(Normal::logDensity, -14, 14, 1);
    assertEquals(0, log, 1e-13);
    double shifted = Quadrature.logIntegrate(x -> 5000 + Normal.logDensity(x), 3, 14, 1);
    assertEquals(5000 + Math.log(Normal.tail(3)), shifted, 1e-11);
  }

  @Test
  void nothing() {
    assertEquals(Double.NEGATIVE_INFINITY, Quadrature.logIntegrate(x -> 0, 1, 1, 1));
    assertEquals(Double.NEGATIVE_INFINITY, Quadrature.logIntegrate(x -> 0, 2, 1, 1));
  }
}
