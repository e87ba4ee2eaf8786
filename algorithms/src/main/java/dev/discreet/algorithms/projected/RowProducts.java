package dev.discreet.algorithms.projected;

import dev.discreet.accounting.Check;
import java.util.stream.IntStream;

/** Products with a matrix of few, long rows. */
final class RowProducts {
  /** An eigenvalue below this share of the largest counts as zero. */
  static final double ZERO = 1e-10;

  private RowProducts() {}

  /** Refuses a k that is too large for these numbers of gradients and parameters. */
  static void check(int k, int gradients, int parameters) {
    Check.that(gradients >= 1, "public examples", "at least 1", gradients);
    Check.that(
        k >= 1 && k <= gradients,
        "k",
        "at least 1 and at most the public examples, " + gradients,
        k);
    Check.that(k <= parameters, "k", "at most the trainable parameters, " + parameters, k);
  }

  /** The gradients, with zeros in place of those that are not finite. */
  static float[][] finite(float[][] gradients) {
    float[][] rows = gradients.clone();
    for (int i = 0; i < rows.length; i++) {
      Check.that(rows[i].length == rows[0].length, "gradients", "of one length", rows[i].length);
      if (!Double.isFinite(dot(rows[i], rows[i]))) {
        rows[i] = new float[rows[i].length];
      }
    }
    return rows;
  }

  /** Four sums at once, in double precision: a single sum would wait for each addition. */
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

  /**
   * All inner products. They are computed for two rows by four at a time, so that a number that was
   * read and widened is used more than once. Otherwise reading and widening are more than half of
   * the work.
   */
  static double[][] gram(float[][] rows) {
    int m = rows.length;
    double[][] gram = new double[m][m];
    IntStream.range(0, (m + 1) / 2)
        .parallel()
        .forEach(
            pair -> {
              int i = 2 * pair;
              int next = Math.min(i + 1, m - 1);
              int j = i;
              for (; j + 4 <= m; j += 4) {
                block(rows, i, next, j, gram);
              }
              for (; j < m; j++) {
                gram[i][j] = dot(rows[i], rows[j]);
                gram[next][j] = dot(rows[next], rows[j]);
              }
            });
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < i; j++) {
        gram[i][j] = gram[j][i];
      }
    }
    return gram;
  }

  private static void block(float[][] rows, int i, int next, int j, double[][] gram) {
    float[] x = rows[i];
    float[] y = rows[next];
    float[] a = rows[j];
    float[] b = rows[j + 1];
    float[] c = rows[j + 2];
    float[] d = rows[j + 3];
    double xa = 0;
    double xb = 0;
    double xc = 0;
    double xd = 0;
    double ya = 0;
    double yb = 0;
    double yc = 0;
    double yd = 0;
    for (int p = 0; p < x.length; p++) {
      double xp = x[p];
      double yp = y[p];
      xa += xp * a[p];
      ya += yp * a[p];
      xb += xp * b[p];
      yb += yp * b[p];
      xc += xp * c[p];
      yc += yp * c[p];
      xd += xp * d[p];
      yd += yp * d[p];
    }
    gram[i][j] = xa;
    gram[i][j + 1] = xb;
    gram[i][j + 2] = xc;
    gram[i][j + 3] = xd;
    gram[next][j] = ya;
    gram[next][j + 1] = yb;
    gram[next][j + 2] = yc;
    gram[next][j + 3] = yd;
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
