package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClippingRuleTest {

  static Stream<ClippingRule> bounding() {
    return Stream.of(
        new ClippingRule.Flat(),
        new ClippingRule.Automatic(0.01),
        new ClippingRule.Automatic(Double.MIN_VALUE),
        new ClippingRule.PerSample(0.1),
        new ClippingRule.PerSample(7),
        new ClippingRule.PerSample(Double.MIN_VALUE),
        new ClippingRule.PerSample(Double.MAX_VALUE),
        new ClippingRule.Normalised(),
        new ClippingRule.Global(3),
        new ClippingRule.Global(Double.MIN_VALUE));
  }

  @ParameterizedTest
  @MethodSource("bounding")
  void noNormPassesTheThreshold(ClippingRule rule) {
    double[] norms = {
      0,
      Double.MIN_VALUE,
      1e-310,
      1e-200,
      1e-45,
      1e-30,
      0.01,
      0.99,
      1,
      3,
      3.01,
      1e30,
      1e300,
      Double.MAX_VALUE
    };
    for (double threshold : new double[] {1e-20, 0.03, 1, 1e20}) {
      for (double norm : norms) {
        double factor = rule.factor(norm, threshold);
        assertTrue(factor >= 0 && factor * norm <= threshold * (1 + 0x1p-51), rule + " at " + norm);
        // In single precision too, where a quotient may leave the range or lose its digits.
        float single = (float) factor;
        assertTrue(Float.isFinite(single), rule + " at " + norm);
        assertTrue((double) single * norm <= threshold / Grid.SHRINK, rule + " at " + norm);
      }
    }
  }

  @Test
  void factors() {
    assertEquals(1, new ClippingRule.Flat().factor(0.5, 1));
    assertEquals(0.25, new ClippingRule.Flat().factor(4, 1));
    assertEquals(0.5, new ClippingRule.Automatic(1).factor(3, 2));
    assertEquals(2, new ClippingRule.PerSample(0.1).factor(0, 2));
    // 2/(3 + 1/4)
    assertEquals(8.0 / 13, new ClippingRule.PerSample(1).factor(3, 2), 1e-15);
    assertEquals(4, new ClippingRule.Normalised().factor(0.5, 2));
    assertEquals(0, new ClippingRule.Normalised().factor(0, 2));
    assertEquals(0.5, new ClippingRule.Global(2).factor(1.9, 1));
    assertEquals(0, new ClippingRule.Global(2).factor(2.1, 1));
    assertEquals(1, new ClippingRule.None().factor(1e9, 1));
  }

  /** Found by trying norms, too: what decay before clipping is carried by depends on it. */
  @Test
  void noFactorPassesTheLargest() {
    for (double r : new double[] {1e-12, 0.01, 0.1, 0.25, 0.99, 1, 1.01, 50}) {
      ClippingRule rule = new ClippingRule.PerSample(r);
      double found = rule.factor(0, 0.3);
      for (double norm = 1e-9; norm < 1e3; norm *= 1.001) {
        found = Math.max(found, rule.factor(norm, 0.3));
      }
      double said = rule.largestFactor(0.3);
      assertTrue(found <= said * (1 + 1e-12) && found > 0.999 * said, r + ": " + found);
    }
  }

  @Test
  void refusals() {
    assertEquals(
        "gamma must be greater than 0. Provided value: 0",
        assertThrows(IllegalArgumentException.class, () -> new ClippingRule.Automatic(0))
            .getMessage());
    assertEquals(
        "r must be finite and greater than 0. Provided value: Infinity",
        assertThrows(
                IllegalArgumentException.class,
                () -> new ClippingRule.PerSample(Double.POSITIVE_INFINITY))
            .getMessage());
    assertEquals(
        "cutoff must be finite and greater than 0. Provided value: -1",
        assertThrows(IllegalArgumentException.class, () -> new ClippingRule.Global(-1))
            .getMessage());
  }
}
