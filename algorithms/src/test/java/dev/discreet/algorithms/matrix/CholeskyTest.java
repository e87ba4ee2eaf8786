package dev.discreet.algorithms.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CholeskyTest {

  private static RealMatrix gram(int n, int rows, long seed) {
    Random random = new Random(seed);
    RealMatrix x = MatrixUtils.createRealMatrix(rows, n);
    for (int i = 0; i < rows; i++) {
      x.setRow(i, random.doubles(n, -1, 1).toArray());
    }
    return x.transpose().multiply(x);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 20})
  void solvesAsHipparchusDoes(int n) {
    RealMatrix a = gram(n, 3 * n, n);
    double[] b = new Random(n).doubles(n, -5, 5).toArray();
    double[] oracle =
        new CholeskyDecomposition(a).getSolver().solve(MatrixUtils.createRealVector(b)).toArray();
    assertArrayEquals(oracle, Cholesky.of(a.getData(), 0).orElseThrow().solve(b), 1e-9);
  }

  @Test
  void refusesWhatIsNotPositiveDefinite() {
    assertTrue(Cholesky.of(new double[][] {{1, 2}, {2, 1}}, 0).isEmpty());
    assertTrue(Cholesky.of(new double[][] {{1, 2}, {2, 1}}, 1.5).isPresent());
    assertTrue(Cholesky.of(new double[][] {{Double.NaN}}, 0).isEmpty());
    assertTrue(Cholesky.of(new double[][] {{0}}, 0).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 14, 40})
  void leastEigenvalueIsWithinItsError(int n) {
    for (int rows : new int[] {n - 1, n + 1, 4 * n, 1000}) {
      RealMatrix a = gram(n, Math.max(1, rows), 31L * n + rows);
      double oracle = new EigenDecompositionSymmetric(a).getEigenvalue(n - 1);
      double largest = 0;
      for (int i = 0; i < n; i++) {
        largest = Math.max(largest, a.getEntry(i, i));
      }
      double error = Cholesky.leastEigenvalueError(n, largest);
      assertTrue(error < 1e-11 * largest, "too wide to test anything: " + error);
      assertEquals(Math.max(0, oracle), Cholesky.leastEigenvalue(a.getData()), 2 * error);
    }
    assertEquals(0, Cholesky.leastEigenvalue(new double[n][n]));
  }
}
