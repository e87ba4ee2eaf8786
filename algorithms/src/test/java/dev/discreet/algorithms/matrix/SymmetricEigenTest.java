package dev.discreet.algorithms.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Random;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.MatrixUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SymmetricEigenTest {

  /** Gram matrices of `rank` random rows, less a share of the diagonal: indefinite ones too. */
  private static double[][] random(int n, int rank, double less, long seed) {
    Random random = new Random(seed);
    double[][] a = new double[n][n];
    for (int r = 0; r < rank; r++) {
      double[] x = random.doubles(n, -1, 1).toArray();
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          a[i][j] += x[i] * x[j];
        }
      }
    }
    for (int i = 0; i < n; i++) {
      a[i][i] -= less;
    }
    return a;
  }

  private static void check(double[][] a) {
    int n = a.length;
    SymmetricEigen eigen = SymmetricEigen.of(a);
    double size = Arrays.stream(a).flatMapToDouble(Arrays::stream).map(Math::abs).max().orElse(0);
    double close = 1e-13 * n * Math.max(size, Double.MIN_NORMAL);
    double[] oracle =
        new EigenDecompositionSymmetric(MatrixUtils.createRealMatrix(a), 1e-300, true)
            .getEigenvalues();
    assertArrayEquals(oracle, eigen.values(), close);
    for (int i = 0; i < n; i++) {
      double[] v = eigen.vectors()[i];
      for (int j = 0; j < n; j++) {
        assertEquals(i == j ? 1 : 0, dot(v, eigen.vectors()[j]), 1e-12);
        assertEquals(eigen.values()[i] * v[j], dot(a[j], v), close);
      }
    }
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 0",
    "2, 5, 0",
    "3, 1, 0",
    "5, 20, 10",
    "17, 3, 1",
    "40, 400, 100",
    "120, 60, 5"
  })
  void agreesWithHipparchus(int n, int rank, double less) {
    for (long seed = 0; seed < 5; seed++) {
      check(random(n, rank, less, seed));
    }
  }

  @Test
  void matricesThatHaveFewDifferentEigenvalues() {
    check(new double[7][7]);
    check(random(6, 0, -3, 0));
    double[][] ones = new double[9][9];
    Arrays.stream(ones).forEach(row -> Arrays.fill(row, 1));
    check(ones);
    double[][] graded = new double[6][6];
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) {
        graded[i][j] = Math.pow(10, -3.0 * (i + j));
      }
    }
    check(graded);
    check(new double[][] {{0, 1}, {1, 0}});
    double[][] tiny = random(5, 9, 2, 3);
    Arrays.stream(tiny).forEach(row -> Arrays.setAll(row, i -> row[i] * 1e-150));
    check(tiny);
  }

  @Test
  void invertsOnTheDirectionsThatAreKept() {
    double[][] a = {{2, 0, 0}, {0, -1, 0}, {0, 0, 0.5}};
    SymmetricEigen eigen = SymmetricEigen.of(a);
    assertArrayEquals(
        new double[] {1, 0, 4}, eigen.inverseTimes(new double[] {2, 3, 2}, 0, 0), 1e-15);
    assertArrayEquals(
        new double[] {0.5, 0, 0}, eigen.inverseTimes(new double[] {2, 3, 2}, 1, 2), 1e-15);
  }

  @Test
  void refusesWhatHasNoEigenvalues() {
    assertThrows(IllegalArgumentException.class, () -> SymmetricEigen.of(new double[2][3]));
    assertThrows(
        IllegalArgumentException.class, () -> SymmetricEigen.of(new double[][] {{Double.NaN}}));
  }
}
