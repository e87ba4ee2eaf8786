package dev.discreet.accounting.pld;

/**
 * Complex FFT of a power-of-two length. Forward leaves frequencies in bit-reversed order and
 * inverse takes them so: what happens between them here is pointwise, and saves both permutations.
 * Halves are finished one after the other, so that long transforms stay in cache.
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
      double angle = -Math.PI * j / half;
      cos[half + j] = Math.cos(angle);
      sin[half + j] = Math.sin(angle);
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
