package dev.discreet.accounting.internal.pld;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fast composition against plain convolution. */
class FourierCompositionTest {
  private static final int N = 256;

  private static double[] convolve(double[] a, double[] b) {
    double[] sum = new double[N];
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) {
        sum[(i + j) % N] += a[i] * b[j];
      }
    }
    return sum;
  }

  private static double[] power(double[] a, int count) {
    double[] product = new double[N];
    product[0] = 1;
    for (int i = 0; i < count; i++) {
      product = convolve(product, a);
    }
    return product;
  }

  private static double[] vector(SplittableRandom random, double atOnePlace) {
    double[] x = random.doubles(N).map(v -> v * v * v).toArray();
    double total = 0;
    for (double v : x) {
      total += v;
    }
    for (int i = 0; i < N; i++) {
      x[i] *= (1 - atOnePlace) / total;
    }
    x[random.nextInt(N)] += atOnePlace;
    return x;
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0, 7", "0.5, 20", "0.999, 70", "0.99999, 90"})
  void composesWithinItsErrorBound(double atOnePlace, int count) {
    SplittableRandom random = new SplittableRandom(count);
    double[] a = vector(random, atOnePlace);
    double[] b = vector(random, atOnePlace);
    double[] c = vector(random, 0.1);
    FourierComposition spectrum = new FourierComposition(new Fft(N), false);
    double[] none = new double[N];
    spectrum.multiply(a, b, none, none, count);
    spectrum.multiply(c, c, none, none, 2);
    double[][] composed = spectrum.inverse();
    check(convolve(power(a, count), power(c, 2)), composed[0], spectrum, 0);
    check(convolve(power(b, count), power(c, 2)), composed[1], spectrum, 1);
  }

  @ParameterizedTest
  @CsvSource({"1e-3, 64", "1e-6, 100", "1e-12, 80"})
  void jumpsAreComposedWithAnErrorRelativeToTheirProbability(double jump, int count) {
    SplittableRandom random = new SplittableRandom(count);
    double[] a = vector(random, 0.999);
    double[] bulk = new double[N];
    double[] jumps = new double[N];
    for (int i = 0; i < N; i++) {
      bulk[i] = a[i] * (1 - jump);
      jumps[i] = i > N / 2 ? jump / (N - 1 - N / 2) : 0;
    }
    double[] both = new double[N];
    for (int i = 0; i < N; i++) {
      both[i] = bulk[i] + jumps[i];
    }
    FourierComposition spectrum = new FourierComposition(new Fft(N), true);
    spectrum.multiply(bulk, bulk, jumps, jumps, count);
    double[] composed = spectrum.inverse()[0];
    // Σ over the place of the first jump: bulk^i * jumps * both^(count-1-i), all terms positive.
    double[] expected = new double[N];
    for (int i = 0; i < count; i++) {
      double[] term = convolve(convolve(power(bulk, i), jumps), power(both, count - 1 - i));
      for (int k = 0; k < N; k++) {
        expected[k] += term[k];
      }
    }
    check(expected, composed, spectrum, 0);
    assertTrue(spectrum.error(0) < 1e-10 * jump * count, "error bound " + spectrum.error(0));
  }

  private static void check(
      double[] expected, double[] composed, FourierComposition spectrum, int sequence) {
    double squares = 0;
    double size = 0;
    for (int k = 0; k < N; k++) {
      double found = composed[(int) ((k - spectrum.place(sequence)) & (N - 1))];
      squares += (found - expected[k]) * (found - expected[k]);
      size += expected[k] * expected[k];
    }
    // The vectors' totals are 1 up to rounding, which the powers multiply, and plain convolution
    // rounds too.
    double allowed = spectrum.error(sequence) + 100 * 16 * 0x1p-53 * Math.sqrt(size);
    assertTrue(Math.sqrt(squares) <= allowed, Math.sqrt(squares) + " > " + allowed);
  }
}
