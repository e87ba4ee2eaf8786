package dev.discreet.algorithms.regression;

import dev.discreet.algorithms.matrix.CoarseSums;
import dev.discreet.algorithms.matrix.ProductSums;
import dev.discreet.algorithms.matrix.RowReader;
import dev.discreet.core.engine.PrivateData;
import java.util.Arrays;

/**
 * Σ z·zᵀ and Σ t·z over all units, exact and private: the coefficients of the loss as a polynomial
 * of the weights. Its constant, Σ t², is used only where it is asked for.
 *
 * @param p weights
 * @param sums the triangle of rows (z, t)
 */
record Coefficients(int p, long[] sums) {

  static Coefficients of(Scaling scaling, PrivateData data) {
    int p = scaling.weights();
    return new Coefficients(
        p, data.sum((examples, units) -> ProductSums.of(units, p + 1, scaling.rows(examples))));
  }

  /** How many quadratic coefficients there are; a symmetric pair counts once. */
  static int quadratic(int p) {
    return ProductSums.size(p);
  }

  /** How many linear coefficients there are, with Σ t² or without. */
  static int linear(int p, boolean spread) {
    return spread ? p + 1 : p;
  }

  private long sum(int j, int k) {
    return sums[ProductSums.row(p + 1, j) + k];
  }

  void putQuadratic(CoarseSums to) {
    for (int j = 0; j < p; j++) {
      for (int k = j; k < p; k++) {
        to.put(sum(j, k), CoarseSums.PLAIN);
      }
    }
  }

  /**
   * @param spread whether Σ t² follows, whose terms are at most 1 as all others
   */
  void putLinear(CoarseSums to, boolean spread) {
    for (int j = 0; j < linear(p, spread); j++) {
      to.put(sum(j, p), CoarseSums.PLAIN);
    }
  }

  /** The quadratic coefficients without noise. */
  double[][] matrix() {
    double[][] matrix = new double[p][p];
    for (int j = 0; j < p; j++) {
      for (int k = j; k < p; k++) {
        matrix[j][k] = number(sum(j, k));
        matrix[k][j] = matrix[j][k];
      }
    }
    return matrix;
  }

  /** The linear coefficients without noise. */
  double[] vector() {
    return Arrays.copyOf(vectorAndSquares(), p);
  }

  /** The linear coefficients and Σ t² without noise. */
  double[] vectorAndSquares() {
    double[] vector = new double[p + 1];
    for (int j = 0; j <= p; j++) {
      vector[j] = number(sum(j, p));
    }
    return vector;
  }

  private static double number(long sum) {
    return sum / ((double) RowReader.ONE * RowReader.ONE);
  }

  /** A symmetric matrix from its released triangle. */
  static double[][] matrix(int p, double[] triangle) {
    double[][] matrix = new double[p][p];
    for (int j = 0; j < p; j++) {
      for (int k = j; k < p; k++) {
        matrix[j][k] = triangle[ProductSums.row(p, j) + k];
        matrix[k][j] = matrix[j][k];
      }
    }
    return matrix;
  }
}
