package dev.discreet.algorithms.matrix;

import dev.discreet.accounting.Check;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The eigenvalues of a symmetric matrix, largest first, and their eigenvectors: Householder's
 * reduction to three diagonals, then implicit QR steps with Wilkinson's shift (Golub and Van Loan,
 * section 8.3). Vectors are kept as rows, so that every inner loop runs along an array. 784 rows
 * take a second or two.
 *
 * @param vectors one in each row, of length 1
 */
public record SymmetricEigen(double[] values, double[][] vectors) {
  private static final double UNIT = 0x1p-52;

  /**
   * @param a symmetric and finite; it is not changed
   */
  public static SymmetricEigen of(double[][] a) {
    for (double[] row : a) {
      Check.that(row.length == a.length, "matrix", "square", a.length + "x" + row.length);
      Check.that(Arrays.stream(row).allMatch(Double::isFinite), "matrix", "finite", "not so");
    }
    int n = a.length;
    double[][] work = Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
    double[] diagonal = new double[n];
    double[] beside = new double[n];
    double[][] rows = reduce(work, diagonal, beside);
    iterate(diagonal, beside, rows);
    int[] order =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -diagonal[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    return new SymmetricEigen(
        Arrays.stream(order).mapToDouble(i -> diagonal[i]).toArray(),
        Arrays.stream(order).mapToObj(i -> rows[i]).toArray(double[][]::new));
  }

  /**
   * (A + ridge·I)⁻¹·b, restricted to the directions whose eigenvalue is above {@code least} ≥ 0.
   */
  public double[] inverseTimes(double[] b, double least, double ridge) {
    double[] x = new double[b.length];
    for (int i = 0; i < b.length && values[i] > least; i++) {
      add(dot(vectors[i], b, 0) / (values[i] + ridge), vectors[i], x, 0);
    }
    return x;
  }

  /** Computes T = Qᵀ·A·Q with three diagonals and returns Qᵀ. */
  private static double[][] reduce(double[][] a, double[] diagonal, double[] beside) {
    int n = a.length;
    double[] scale = new double[n];
    double[] w = new double[n];
    for (int k = 0; k < n - 1; k++) {
      double[] v = a[k];
      diagonal[k] = v[k];
      double norm = norm(v, k + 1);
      beside[k] = v[k + 1] > 0 ? -norm : norm;
      if (k == n - 2 || norm == 0) {
        beside[k] = k == n - 2 ? v[k + 1] : 0;
        continue;
      }
      // The reflection I − scale·v·vᵀ moves the row into its first place, `beside`. The row is
      // divided by its norm, because squares of tiny rows would underflow.
      for (int i = k + 1; i < n; i++) {
        v[i] /= norm;
      }
      v[k + 1] -= beside[k] / norm;
      scale[k] = 1 / Math.abs(v[k + 1]);
      double inner = 0;
      for (int i = k + 1; i < n; i++) {
        w[i] = scale[k] * dot(a[i], v, k + 1);
        inner += w[i] * v[i];
      }
      for (int i = k + 1; i < n; i++) {
        w[i] -= 0.5 * scale[k] * inner * v[i];
      }
      for (int i = k + 1; i < n; i++) {
        double[] row = a[i];
        double vi = v[i];
        double wi = w[i];
        for (int j = k + 1; j < n; j++) {
          row[j] -= vi * w[j] + wi * v[j];
        }
      }
    }
    diagonal[n - 1] = a[n - 1][n - 1];
    return product(a, scale);
  }

  /**
   * Qᵀ from its reflections, beginning with the last one: then only the lower right corner changes.
   */
  private static double[][] product(double[][] reflections, double[] scale) {
    int n = scale.length;
    double[][] q = new double[n][n];
    IntStream.range(0, n).forEach(i -> q[i][i] = 1);
    for (int k = n - 3; k >= 0; k--) {
      double[] v = reflections[k];
      double[] sum = new double[n];
      for (int i = k + 1; i < n && scale[k] > 0; i++) {
        add(scale[k] * v[i], q[i], sum, k + 1);
      }
      for (int i = k + 1; i < n && scale[k] > 0; i++) {
        add(-v[i], sum, q[i], k + 1);
      }
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        double swapped = q[i][j];
        q[i][j] = q[j][i];
        q[j][i] = swapped;
      }
    }
    return q;
  }

  /**
   * QR steps on the last block that does not yet consist of single eigenvalues, until none is left.
   */
  private static void iterate(double[] diagonal, double[] beside, double[][] rows) {
    double size = 0;
    for (int i = 0; i < diagonal.length; i++) {
      size = Math.max(size, Math.abs(diagonal[i]) + Math.abs(beside[i]));
    }
    int high = diagonal.length - 1;
    for (long steps = 0; high > 0; steps++) {
      // Two or three steps for each eigenvalue are usual.
      Check.that(steps <= 100L * diagonal.length, "matrix", "one whose iteration ends", "another");
      if (Math.abs(beside[high - 1]) <= UNIT * size) {
        high--;
        continue;
      }
      int low = high - 1;
      while (low > 0 && Math.abs(beside[low - 1]) > UNIT * size) {
        low--;
      }
      step(diagonal, beside, rows, low, high);
    }
  }

  /** One implicit QR step: an element outside the three diagonals is moved from low to high. */
  private static void step(double[] d, double[] e, double[][] rows, int low, int high) {
    double half = (d[high - 1] - d[high]) / 2;
    double last = e[high - 1];
    double shift = d[high] - last * (last / (half + Math.copySign(Math.hypot(half, last), half)));
    double x = d[low] - shift;
    double bulge = e[low];
    for (int k = low; k < high; k++) {
      double r = Math.hypot(x, bulge);
      double c = r == 0 ? 1 : x / r;
      double s = r == 0 ? 0 : bulge / r;
      if (k > low) {
        e[k - 1] = r;
      }
      double a = d[k];
      double b = e[k];
      double g = d[k + 1];
      double cross = 2 * c * s * b;
      d[k] = c * c * a + cross + s * s * g;
      d[k + 1] = s * s * a - cross + c * c * g;
      e[k] = c * s * (g - a) + (c * c - s * s) * b;
      if (k < high - 1) {
        x = e[k];
        bulge = s * e[k + 1];
        e[k + 1] *= c;
      }
      rotate(rows[k], rows[k + 1], c, s);
    }
  }

  private static void rotate(double[] upper, double[] lower, double c, double s) {
    for (int i = 0; i < upper.length; i++) {
      double u = upper[i];
      double l = lower[i];
      upper[i] = c * u + s * l;
      lower[i] = c * l - s * u;
    }
  }

  private static void add(double factor, double[] from, double[] to, int start) {
    for (int i = start; i < to.length; i++) {
      to[i] += factor * from[i];
    }
  }

  private static double dot(double[] x, double[] y, int start) {
    // Four sums, which the processor can add in parallel.
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = start;
    for (; i <= x.length - 4; i += 4) {
      s0 += x[i] * y[i];
      s1 += x[i + 1] * y[i + 1];
      s2 += x[i + 2] * y[i + 2];
      s3 += x[i + 3] * y[i + 3];
    }
    for (; i < x.length; i++) {
      s0 += x[i] * y[i];
    }
    return s0 + s1 + s2 + s3;
  }

  private static double norm(double[] x, int start) {
    double largest = 0;
    for (int i = start; i < x.length; i++) {
      largest = Math.max(largest, Math.abs(x[i]));
    }
    double sum = 0;
    for (int i = start; i < x.length && largest > 0; i++) {
      sum += x[i] / largest * (x[i] / largest);
    }
    return largest * Math.sqrt(sum);
  }
}
