package dev.discreet.algorithms.projected;

import java.util.stream.IntStream;

/** Products with a matrix that is held as rows, long and few. */
final class Rows {
  private Rows() {}

  /** Four sums at once, in double precision: one would wait for each addition. */
  static double dot(float[] x, float[] y) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i + 4 <= x.length; i += 4) {
      a += (double) x[i] * y[i];
      b += (double) x[i + 1] * y[i + 1];
      c += (double) x[i + 2] * y[i + 2];
      d += (double) x[i + 3] * y[i + 3];
    }
    for (; i < x.length; i++) {
      a += (double) x[i] * y[i];
    }
    return a + b + (c + d);
  }

  /** The product with a vector. */
  static double[] times(float[][] rows, float[] vector) {
    return IntStream.range(0, rows.length)
        .parallel()
        .mapToDouble(i -> dot(rows[i], vector))
        .toArray();
  }

  /** Σ weightᵢ·rowᵢ. */
  static double[] combine(double[] weights, float[][] rows, int length) {
    double[] sum = new double[length];
    for (int i = 0; i < rows.length; i++) {
      double weight = weights[i];
      float[] row = rows[i];
      for (int j = 0; j < length; j++) {
        sum[j] += weight * row[j];
      }
    }
    return sum;
  }
}
