package dev.discreet.algorithms.matrix;

import java.util.Optional;

/**
 * The factorisation A = R·Rᵀ of a positive definite A.
 *
 * @param r lower triangular; elements above the diagonal are not used
 */
public record Cholesky(double[][] r) {

  /** Empty where A + shift·I is not positive definite in double precision. */
  public static Optional<Cholesky> of(double[][] a, double shift) {
    int n = a.length;
    double[][] r = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = i == j ? a[i][i] + shift : a[i][j];
        for (int k = 0; k < j; k++) {
          sum -= r[i][k] * r[j][k];
        }
        if (i > j) {
          r[i][j] = sum / r[j][j];
        } else if (sum > 0 && Double.isFinite(sum)) {
          r[i][i] = Math.sqrt(sum);
        } else {
          return Optional.empty();
        }
      }
    }
    return Optional.of(new Cholesky(r));
  }

  /** The x with A·x = b. */
  public double[] solve(double[] b) {
    int n = r.length;
    double[] x = b.clone();
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) {
        x[i] -= r[i][k] * x[k];
      }
      x[i] /= r[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) {
        x[i] -= r[k][i] * x[k];
      }
      x[i] /= r[i][i];
    }
    return x;
  }

  /**
   * The least eigenvalue of a matrix that is positive semidefinite up to rounding. It is found by
   * halving an interval: the factorisation exists at one end and does not exist at the other.
   *
   * <p>That is slower than an eigenvalue algorithm, but has a proven error, which they lack. Where
   * a factor R exists, R·Rᵀ differs from the matrix by at most γ·trace. Where none exists, the
   * least eigenvalue is at most n·γ times the largest diagonal element. Here γ = (n+1)u/(1 −
   * 2(n+1)u), u = 2⁻⁵³ (Higham 2002, theorems 10.3 and 10.7). {@link #leastEigenvalueError} is more
   * than that.
   */
  public static double leastEigenvalue(double[][] a) {
    double high = Double.POSITIVE_INFINITY;
    for (int i = 0; i < a.length; i++) {
      high = Math.min(high, a[i][i]);
    }
    double low = 0;
    for (int i = 0; i < 64 && low < high; i++) {
      double middle = low + (high - low) / 2;
      if (of(a, -middle).isPresent()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The largest possible error of {@link #leastEigenvalue}.
   *
   * @param n rows
   * @param largest bound on the matrix's diagonal elements
   */
  public static double leastEigenvalueError(int n, double largest) {
    return 2.0 * (n + 3) * (n + 3) * 0x1p-53 * largest;
  }
}
