package dev.discreet.algorithms.pca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.matrix.CoarseSums;
import dev.discreet.algorithms.matrix.RowReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import java.util.Arrays;
import java.util.Random;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class PrivatePcaTest {

  private static PrivacySession session() {
    return PrivacySession.open(Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(2));
  }

  /** Rows near a plane, of very different lengths. */
  private static float[] plane(int n, int d) {
    Random random = new Random(9);
    float[] inputs = new float[n * d];
    for (int i = 0; i < n; i++) {
      double length = Math.pow(10, random.nextInt(5) - 2);
      double a = 3 * random.nextGaussian();
      double b = random.nextGaussian();
      for (int j = 0; j < d; j++) {
        double value = a * Math.cos(j) + b * Math.sin(2 * j) + 0.05 * random.nextGaussian();
        inputs[i * d + j] = (float) (length * value);
      }
    }
    return inputs;
  }

  private static Examples examples(float[] inputs, int d) {
    return Examples.of(Shape.vector(d), inputs, 1, new float[inputs.length / d]);
  }

  @Test
  void agreesWithTheExactDirectionsWhenThereIsLittleNoise() {
    int n = 3000;
    int d = 12;
    float[] inputs = plane(n, d);
    RealMatrix moment = MatrixUtils.createRealMatrix(d, d);
    for (int i = 0; i < n; i++) {
      double[] row = new double[d];
      for (int j = 0; j < d; j++) {
        row[j] = inputs[i * d + j];
      }
      double norm = Math.sqrt(Arrays.stream(row).map(x -> x * x).sum());
      for (int j = 0; j < d; j++) {
        for (int k = 0; k < d; k++) {
          moment.addToEntry(j, k, row[j] * row[k] / norm / norm);
        }
      }
    }
    EigenDecompositionSymmetric oracle = new EigenDecompositionSymmetric(moment);
    try (PrivacySession session = session()) {
      Projection found =
          PrivatePca.fit(session, PrivateData.of(examples(inputs, d), Units.each(n)), 2, 1e-3);
      for (int k = 0; k < 2; k++) {
        double cosine =
            oracle
                .getEigenvector(k)
                .dotProduct(MatrixUtils.createRealVector(found.directions()[k]));
        assertEquals(1, Math.abs(cosine), 1e-5);
        // Rounding towards zero makes rows a little shorter.
        assertEquals(oracle.getEigenvalue(k), found.eigenvalues()[k], 1e-3 * n);
      }
      assertEquals(
          Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(1e-3), 1), session.ledger());
    }
  }

  /** The norm of what is released of one row, times √2 off the diagonal: never above 1. */
  @Test
  void noRowMovesTheMomentByMoreThanOne() {
    Random random = new Random(6);
    double most = 0;
    for (int run = 0; run < 20_000; run++) {
      int d = 1 + random.nextInt(7);
      float[] x = new float[d];
      for (int i = 0; i < d; i++) {
        x[i] =
            switch (random.nextInt(6)) {
              case 0 -> 0;
              case 1 -> Float.MAX_VALUE;
              case 2 -> -Float.MIN_VALUE;
              case 3 -> 1;
              default -> random.nextFloat() - 0.5f;
            };
      }
      int[] row = new int[d];
      PrivatePca.rows(examples(x, d)).read(0, row);
      double squares = 0;
      for (int j = 0; j < d; j++) {
        for (int k = j; k < d; k++) {
          double weight = j == k ? 1 : CoarseSums.ROOT_TWO / (double) CoarseSums.PLAIN;
          double value = weight * row[j] * row[k] / RowReader.ONE / RowReader.ONE;
          squares += value * value;
        }
      }
      assertTrue(squares <= 1, Arrays.toString(x) + " has " + squares);
      most = Math.max(most, squares);
    }
    // Off by 2 would show.
    assertEquals(1, most, 1e-3);
  }

  /** 300 and 44,850 squares: off by 50% and 5% with a probability below 1e-8. */
  @Test
  @Tag("statistical")
  void noiseIsTheMultiplierOnTheDiagonalAndLessBesideIt() {
    int d = 300;
    try (PrivacySession session = session()) {
      Projection all =
          PrivatePca.fit(session, PrivateData.of(examples(new float[0], d), Units.each(0)), d, 3);
      double[][] moment = new double[d][d];
      for (int k = 0; k < d; k++) {
        double[] v = all.directions()[k];
        for (int i = 0; i < d; i++) {
          for (int j = 0; j < d; j++) {
            moment[i][j] += all.eigenvalues()[k] * v[i] * v[j];
          }
        }
      }
      double diagonal = 0;
      double beside = 0;
      for (int i = 0; i < d; i++) {
        diagonal += moment[i][i] * moment[i][i] / d;
        for (int j = 0; j < i; j++) {
          beside += moment[i][j] * moment[i][j] / (d * (d - 1) / 2.0);
        }
      }
      assertEquals(9, diagonal, 4.5);
      assertEquals(4.5, beside, 0.225);
    }
  }

  @Test
  void rowsThatAreNoneAddNothing() {
    float[] bad = {Float.NaN, 1, Float.POSITIVE_INFINITY, 1, 0, 0, 3, 4};
    RowReader rows = PrivatePca.rows(examples(bad, 2));
    for (int i = 0; i < 3; i++) {
      int[] row = new int[2];
      rows.read(i, row);
      assertArrayEquals(new int[2], row);
    }
    int[] row = new int[2];
    rows.read(3, row);
    assertEquals(0.6, row[0] / (double) RowReader.ONE, 1e-4);
    assertEquals(0.8, row[1] / (double) RowReader.ONE, 1e-4);
  }

  @Test
  void projectsExamples() {
    Projection projection =
        new Projection(new double[][] {{1, 0, 0}, {0, 0.6, 0.8}}, new double[] {2, 1});
    Examples view =
        projection.apply(
            Examples.of(
                new Shape(1, 3, 1), new float[] {1, 2, 3, 4, 5, 10}, 1, new float[] {7, 8}));
    assertEquals(Shape.vector(2), view.input());
    assertEquals(2, view.size());
    float[] to = new float[3];
    view.input(1, to, 1);
    assertArrayEquals(new float[] {0, 4, 11}, to, 1e-6f);
    view.target(1, to, 0);
    assertEquals(8, to[0]);
    refused("columns of examples", () -> projection.apply(examples(new float[2], 2)));
  }

  private static void refused(String start, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.startsWith(start), message);
  }

  @Test
  void badInputIsRefusedAndNotCharged() {
    try (PrivacySession session = session()) {
      Examples examples = examples(new float[6], 3);
      refused(
          "directions",
          () -> PrivatePca.fit(session, PrivateData.of(examples, Units.each(2)), 4, 1));
      refused(
          "directions",
          () -> PrivatePca.fit(session, PrivateData.of(examples, Units.each(2)), 0, 1));
      refused(
          "noise multiplier",
          () -> PrivatePca.fit(session, PrivateData.of(examples, Units.each(2)), 1, 0));
      refused(
          "noise multiplier",
          () -> PrivatePca.fit(session, PrivateData.of(examples, Units.each(2)), 1, -1));
      refused(
          "noise multiplier",
          () -> PrivatePca.fit(session, PrivateData.of(examples, Units.each(2)), 1, Double.NaN));
      refused(
          "examples of the units",
          () -> PrivatePca.fit(session, PrivateData.of(examples, Units.each(3)), 1, 1));
      assertTrue(session.ledger().entries().isEmpty());
    }
  }
}
