package dev.discreet.core.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InitialiserTest {
  /** 300·200 weights. */
  private static final Layout DENSE = Network.parse("dense(200)").on(Shape.vector(300));

  @ParameterizedTest
  @CsvSource({
    "pytorch-uniform, 0.0333333, 0.0577350",
    "he-normal, 0.0816497, 1",
    "he-uniform, 0.0816497, 0.1414214",
    "xavier-normal, 0.0632456, 1",
    "xavier-uniform, 0.0632456, 0.1095445",
    "lecun-normal, 0.0577350, 1",
    "zeros, 0, 0"
  })
  void meanDeviationAndBound(String name, double deviation, double bound) {
    float[] parameters = DENSE.initial(Initialiser.named(name), 1);
    float[] weights = Arrays.copyOf(parameters, 60_000);
    double mean = 0;
    double square = 0;
    for (float weight : weights) {
      assertTrue(Math.abs(weight) <= bound, name + " " + weight);
      mean += weight / 60_000.0;
      square += weight * weight / 60_000.0;
    }
    // The seed is fixed; five standard errors of mean and deviation.
    assertEquals(0, mean, 5 * deviation / Math.sqrt(60_000));
    assertEquals(deviation, Math.sqrt(square), 5 * deviation / Math.sqrt(120_000));
    float[] biases = Arrays.copyOfRange(parameters, 60_000, 60_200);
    boolean zero = Arrays.equals(biases, new float[200]);
    assertEquals(!name.equals("pytorch-uniform"), zero);
  }

  @Test
  void normalTailsAreThere() {
    float[] parameters = DENSE.initial(Initialiser.LECUN_NORMAL, 2);
    int beyond = 0;
    for (int i = 0; i < 60_000; i++) {
      beyond += Math.abs(parameters[i]) > 2 / Math.sqrt(300) ? 1 : 0;
    }
    assertEquals(0.0455 * 60_000, beyond, 5 * Math.sqrt(0.0455 * 60_000));
  }

  @ParameterizedTest
  @EnumSource
  void normsBeginAtOneAndZero(Initialiser initialiser) {
    Layout layout =
        Network.parse("groupnorm(2) residual(layernorm) dense(2)").on(new Shape(2, 2, 4));
    float[] parameters = layout.initial(initialiser, 3);
    float[] expected = {1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0};
    assertArrayEquals(expected, Arrays.copyOf(parameters, 16));
  }

  @Test
  void embeddingsAreStandardNormal() {
    Layout layout = Network.parse("embedding(1000,16) dense(2)").on(Shape.vector(4));
    float[] parameters = layout.initial(Initialiser.PYTORCH_UNIFORM, 4);
    double square = 0;
    for (int i = 0; i < 16_000; i++) {
      square += parameters[i] * parameters[i] / 16_000;
    }
    assertEquals(1, square, 5 * Math.sqrt(2 / 16_000.0));
  }

  @Test
  void groupsAndProjectionsHaveTheirOwnFanIn() {
    Layout layout =
        Network.parse("conv(8,3,groups=4) projected(conv(16,1))").on(new Shape(5, 5, 8));
    float[] parameters = layout.initial(Initialiser.PYTORCH_UNIFORM, 5);
    assertEquals(1 / Math.sqrt(18), largest(parameters, layout.slices().get(0)), 0.02);
    assertEquals(1 / Math.sqrt(8), largest(parameters, layout.slices().get(4)), 0.02);
  }

  private static double largest(float[] parameters, Layout.Slice slice) {
    double largest = 0;
    for (int i = slice.offset(); i < slice.end(); i++) {
      largest = Math.max(largest, Math.abs(parameters[i]));
    }
    return largest;
  }

  @Test
  void theSeedDecides() {
    float[] once = DENSE.initial(Initialiser.HE_NORMAL, 6);
    assertArrayEquals(once, DENSE.initial(Initialiser.HE_NORMAL, 6));
    assertFalse(Arrays.equals(once, DENSE.initial(Initialiser.HE_NORMAL, 7)));
  }

  @Test
  void names() {
    for (Initialiser initialiser : Initialiser.values()) {
      assertEquals(initialiser, Initialiser.named(initialiser.toString()));
    }
    assertEquals(
        "initialiser must be one of [pytorch-uniform, he-normal, he-uniform, xavier-normal,"
            + " xavier-uniform, lecun-normal, zeros]. Provided value: glorot",
        assertThrows(IllegalArgumentException.class, () -> Initialiser.named("glorot"))
            .getMessage());
  }
}
