package dev.discreet.algorithms.projected;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.algorithms.matrix.SymmetricEigen;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SubspaceTest {
  private static final BiFunction<float[][], Integer, Subspace> EXACT = GramSubspace::of;
  private static final BiFunction<float[][], Integer, Subspace> ITERATED =
      (rows, k) -> PowerSubspace.of(rows, k, 60, 3);

  static Stream<BiFunction<float[][], Integer, Subspace>> twins() {
    return Stream.of(EXACT, ITERATED);
  }

  /** Gradients of a tiny network with 26 parameters. */
  static float[][] gradients(int examples, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] inputs = new float[3 * examples];
    float[] labels = new float[examples];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = (float) random.nextGaussian();
    }
    for (int i = 0; i < examples; i++) {
      labels[i] = random.nextInt(2);
    }
    Layout layout = Network.parse("dense(4) tanh dense(2)").on(Shape.vector(3));
    Examples set = Examples.of(Shape.vector(3), inputs, 1, labels);
    try (PublicGradients engine = new Reference().open(layout, set)) {
      return engine.perExampleGradients(
          layout.initial(Initialiser.PYTORCH_UNIFORM, seed),
          IntStream.range(0, examples).toArray());
    }
  }

  static float[] random(int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] vector = new float[length];
    for (int i = 0; i < length; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  private static float[] projected(Subspace space, float[] vector) {
    float[] copy = vector.clone();
    space.project(copy);
    return copy;
  }

  /** The same from the d×d matrix itself. */
  private static double[] slow(float[][] rows, int k, float[] vector, double[] values) {
    int d = vector.length;
    double[][] moment = new double[d][d];
    for (float[] row : rows) {
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          moment[i][j] += (double) row[i] * row[j] / rows.length;
        }
      }
    }
    SymmetricEigen eigen = SymmetricEigen.of(moment);
    System.arraycopy(eigen.values(), 0, values, 0, k);
    double[] sum = new double[d];
    for (int e = 0; e < k; e++) {
      double[] direction = eigen.vectors()[e];
      double length = IntStream.range(0, d).mapToDouble(i -> direction[i] * vector[i]).sum();
      for (int i = 0; i < d; i++) {
        sum[i] += length * direction[i];
      }
    }
    return sum;
  }

  @ParameterizedTest
  @MethodSource("twins")
  void agreesWithTheDenseMatrix(BiFunction<float[][], Integer, Subspace> way) {
    for (int m : new int[] {5, 12, 40}) {
      float[][] rows = gradients(m, m);
      float[] vector = random(rows[0].length, 1);
      for (int k : new int[] {1, 2, 4}) {
        double[] values = new double[k];
        double[] wanted = slow(rows, k, vector, values);
        Subspace space = way.apply(rows, k);
        assertEquals(k, space.dimension());
        float[] found = projected(space, vector);
        for (int i = 0; i < wanted.length; i++) {
          assertEquals(wanted[i], found[i], 2e-5, "m " + m + ", k " + k);
        }
        assertArrayEquals(
            values, Arrays.copyOf(space.spectrum().eigenvalues(), k), 1e-7 * values[0]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("twins")
  void isAProjection(BiFunction<float[][], Integer, Subspace> way) {
    float[][] rows = gradients(9, 4);
    int d = rows[0].length;
    Subspace space = way.apply(rows, 6);
    float[] x = random(d, 5);
    float[] y = random(d, 6);
    float[] px = projected(space, x);
    float[] py = projected(space, y);
    assertArrayEquals(px, projected(space, px), 1e-5f);
    assertEquals(RowProducts.dot(px, y), RowProducts.dot(x, py), 1e-5);
    // Its trace is its dimension.
    double trace = 0;
    for (int i = 0; i < d; i++) {
      float[] unit = new float[d];
      unit[i] = 1;
      trace += projected(space, unit)[i];
    }
    assertEquals(6, trace, 1e-5);
  }

  @ParameterizedTest
  @MethodSource("twins")
  void keepsPublicGradientsWhereItHasAllTheirDirections(
      BiFunction<float[][], Integer, Subspace> way) {
    float[][] rows = gradients(7, 8);
    Subspace space = way.apply(rows, 7);
    for (float[] row : rows) {
      assertArrayEquals(row, projected(space, row), 2e-5f);
    }
    assertEquals(1, space.spectrum().share(7), 1e-9);
    assertTrue(space.spectrum().share(1) < 0.99);
  }

  @ParameterizedTest
  @MethodSource("twins")
  void hasNoMoreDirectionsThanTheGradients(BiFunction<float[][], Integer, Subspace> way) {
    float[][] rows = gradients(3, 8);
    float[] broken = new float[rows[0].length];
    broken[2] = Float.NaN;
    float[][] seven = {
      rows[0], rows[1], rows[2], rows[0], broken, rows[1], new float[broken.length]
    };
    Subspace space = way.apply(seven, 6);
    assertEquals(3, space.dimension());
    assertArrayEquals(rows[2], projected(space, rows[2]), 2e-5f);
    Subspace nothing = way.apply(new float[][] {new float[4], new float[4]}, 2);
    assertEquals(0, nothing.dimension());
    assertArrayEquals(new float[4], projected(nothing, random(4, 1)));
  }

  @Test
  void manyGradientsAreIterated() {
    float[][] rows = new float[600][];
    Arrays.setAll(rows, i -> random(30, i));
    // Four strong directions among thirty.
    for (float[] row : rows) {
      for (int i = 4; i < row.length; i++) {
        row[i] *= 0.05f;
      }
    }
    Subspace fast = Subspace.of(rows, 4);
    assertTrue(fast instanceof PowerSubspace);
    float[] vector = random(30, 1000);
    assertArrayEquals(projected(GramSubspace.of(rows, 4), vector), projected(fast, vector), 1e-5f);
  }

  @Test
  void refusesWhatNoGradientsHave() {
    float[][] rows = gradients(3, 1);
    assertRefused(
        "k must be at least 1 and at most the public examples, 3. Provided value: 4", rows, 4);
    assertRefused(
        "k must be at least 1 and at most the public examples, 3. Provided value: 0", rows, 0);
    assertRefused("public examples must be at least 1. Provided value: 0", new float[0][], 1);
    float[][] narrow = {{1}, {2}, {3}};
    assertRefused("k must be at most the trainable parameters, 1. Provided value: 2", narrow, 2);
  }

  private static void assertRefused(String message, float[][] rows, int k) {
    twins()
        .forEach(
            way ->
                assertEquals(
                    message,
                    assertThrows(IllegalArgumentException.class, () -> way.apply(rows, k))
                        .getMessage()));
  }
}
