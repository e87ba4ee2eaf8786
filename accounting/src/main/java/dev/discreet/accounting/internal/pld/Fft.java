package dev.discreet.accounting.internal.pld;

/**
 * Complex FFT of a power-of-two length. Forward leaves frequencies in bit-reversed order and
 * inverse takes them so: what happens between them here is pointwise, and saves both permutations.
 * Halves are finished one after the other, so that long transforms stay in cache.
 *
 * <p><b>How large the rounding error is</b> ({@link #error}), with u = 2⁻⁵³. A complex sum is off
 * by at most u of its size and a complex product by √5·u (Brent, Percival and Zimmermann 2007,
 * "Error bounds on complex floating-point multiplication"). Twiddles are computed in the first
 * octant: the angle, at most π/4, is off by 1.36u of itself (π, and one product; the division is by
 * a power of two), and sine and cosine by one ulp, u at most, each. That is μ = 1.07u + √2·u ≤ 2.5u
 * in all. So a stage's butterfly has the relative error η = (1+u)(1+√5·u)(1+μ) − 1 ≤ 5.75u. A stage
 * is √2 times a unitary matrix, so over t = log₂ n stages the error's Euclidean norm is at most
 * (1+η)^t − 1 of the result's (as in Percival 2003, theorem 5.1, and Higham 2002, theorem 24.2,
 * with μ for the weights); and since every output is a sum of inputs times t such factors, each
 * single output is off by at most that much of the sum of the inputs' sizes. 6·t·u is above both.
 * Underflow is far below the slack that callers add.
 */
final class Fft {
  private final int n;
  // Twiddles of the stage with half-length m begin at index m.
  private final double[] cos;
  private final double[] sin;

  Fft(int n) {
    this.n = n;
    cos = new double[n];
    sin = new double[n];
    int half = n / 2;
    for (int j = 0; j < half; j++) {
      // Of the angle π·j/half: how far from the nearest multiple of a quarter turn, and of which.
      int quarter = Math.max(1, half / 2);
      int turns = (2 * j + quarter) / (2 * quarter);
      double angle = Math.PI * (j - turns * quarter) / half;
      double c = Math.cos(angle);
      double s = Math.sin(angle);
      cos[half + j] = turns == 0 ? c : turns == 1 ? -s : -c;
      sin[half + j] = turns == 0 ? -s : turns == 1 ? -c : s;
    }
    for (int k = half - 1; k > 0; k--) {
      // Stage m at j turns by the same angle as stage 2m at 2j.
      int m = Integer.highestOneBit(k);
      cos[k] = cos[2 * m + 2 * (k - m)];
      sin[k] = sin[2 * m + 2 * (k - m)];
    }
  }

  int length() {
    return n;
  }

  /** The largest relative error of either transform. */
  double error() {
    return 6 * 0x1p-53 * Integer.numberOfTrailingZeros(n);
  }

  void forward(double[] re, double[] im) {
    forward(re, im, 0, n);
  }

  /** The inverse, without the division by the length. */
  void inverse(double[] re, double[] im) {
    inverse(re, im, 0, n);
  }

  /** Where the frequency −k is when k is at {@code place} in bit-reversed order. */
  static int negated(int place) {
    return place < 2 ? place : 3 * Integer.highestOneBit(place) - 1 - place;
  }

  private void forward(double[] re, double[] im, int from, int length) {
    if (length == 1) {
      return;
    }
    int m = length >> 1;
    for (int j = 0; j < m; j++) {
      int a = from + j;
      int b = a + m;
      double dr = re[a] - re[b];
      double di = im[a] - im[b];
      re[a] += re[b];
      im[a] += im[b];
      re[b] = dr * cos[m + j] - di * sin[m + j];
      im[b] = dr * sin[m + j] + di * cos[m + j];
    }
    forward(re, im, from, m);
    forward(re, im, from + m, m);
  }

  private void inverse(double[] re, double[] im, int from, int length) {
    if (length == 1) {
      return;
    }
    int m = length >> 1;
    inverse(re, im, from, m);
    inverse(re, im, from + m, m);
    for (int j = 0; j < m; j++) {
      int a = from + j;
      int b = a + m;
      double br = re[b] * cos[m + j] + im[b] * sin[m + j];
      double bi = im[b] * cos[m + j] - re[b] * sin[m + j];
      re[b] = re[a] - br;
      im[b] = im[a] - bi;
      re[a] += br;
      im[a] += bi;
    }
  }
}
