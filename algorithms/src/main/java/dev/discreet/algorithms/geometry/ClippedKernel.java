package dev.discreet.algorithms.geometry;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.matrix.SymmetricEigen;
import java.util.Arrays;

/**
 * A tangent kernel K under clipping, with the figures that answer seed 001's questions about it.
 *
 * @param asymmetry ‖K − Kᵀ‖/‖K‖ in the Frobenius norm; 0 for a symmetric kernel
 * @param leastForm the smallest xᵀKx/‖x‖²: below 0, the loss can rise for some derivative of it
 * @param leastRealPart the smallest real part of an eigenvalue: below 0, some combination of
 *     outputs is driven away from its targets
 * @param descent rᵀKr: how fast the loss falls now; below 0, it rises
 */
public record ClippedKernel(
    double[][] matrix, double asymmetry, double leastForm, double leastRealPart, double descent) {

  static ClippedKernel of(double[][] kernel, double[] residual) {
    int n = kernel.length;
    double[][] symmetric = new double[n][n];
    double difference = 0;
    double size = 0;
    double descent = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        symmetric[i][j] = (kernel[i][j] + kernel[j][i]) / 2;
        double apart = kernel[i][j] - kernel[j][i];
        difference += apart * apart;
        size += kernel[i][j] * kernel[i][j];
        descent += residual[i] * kernel[i][j] * residual[j];
      }
    }
    double[] values = SymmetricEigen.of(symmetric).values();
    return new ClippedKernel(
        kernel,
        size > 0 ? Math.sqrt(difference / size) : 0,
        values[n - 1],
        leastRealPart(kernel),
        descent);
  }

  /**
   * Computed from ‖exp(−K·t)‖, whose logarithm grows as −t times the answer. exp(−K·t) is squared
   * until t is 2⁴⁰ times its first value, and rescaled after each squaring.
   */
  static double leastRealPart(double[][] kernel) {
    int n = kernel.length;
    double norm = Math.sqrt(Arrays.stream(kernel).mapToDouble(row -> Vectors.dot(row, row)).sum());
    Check.that(Double.isFinite(norm), "kernel", "finite", norm);
    if (norm == 0) {
      return 0;
    }
    double[][] power = exponential(kernel, -0.5 / norm);
    double time = 0.5 / norm;
    double log = 0;
    for (int turn = 0; turn < 40; turn++) {
      power = times(power, power);
      time *= 2;
      log *= 2;
      double largest = 0;
      for (double[] row : power) {
        for (double value : row) {
          largest = Math.max(largest, Math.abs(value));
        }
      }
      for (int i = 0; i < n; i++) {
        power[i] = Vectors.scaled(power[i], 1 / largest);
      }
      log += Math.log(largest);
    }
    return -log / time;
  }

  /** The exponential series, for a matrix whose norm times the factor is at most one half. */
  private static double[][] exponential(double[][] kernel, double factor) {
    int n = kernel.length;
    double[][] sum = new double[n][n];
    double[][] term = new double[n][n];
    for (int i = 0; i < n; i++) {
      sum[i][i] = 1;
      term[i][i] = 1;
    }
    for (int k = 1; k <= 18; k++) {
      term = times(term, kernel);
      for (int i = 0; i < n; i++) {
        term[i] = Vectors.scaled(term[i], factor / k);
        sum[i] = Vectors.plus(sum[i], 1, term[i]);
      }
    }
    return sum;
  }

  private static double[][] times(double[][] a, double[][] b) {
    int n = a.length;
    double[][] product = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) {
        double factor = a[i][k];
        double[] row = b[k];
        for (int j = 0; j < n; j++) {
          product[i][j] += factor * row[j];
        }
      }
    }
    return product;
  }

  @Override
  public String toString() {
    return String.format(
        java.util.Locale.ROOT,
        "asymmetry %.3g, least form %.3g, least real part %.3g, descent %.3g (public data)",
        asymmetry,
        leastForm,
        leastRealPart,
        descent);
  }
}
