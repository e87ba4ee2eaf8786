package dev.discreet.accounting.pld;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.hipparchus.complex.Complex;
import org.hipparchus.transform.DftNormalization;
import org.hipparchus.transform.FastFourierTransformer;
import org.hipparchus.transform.TransformType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FftTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 64, 1024})
  void agreesWithHipparchusInBitReversedOrder(int n) {
    SplittableRandom random = new SplittableRandom(n);
    double[] re = random.doubles(n).toArray();
    double[] im = random.doubles(n).toArray();
    Complex[] input = new Complex[n];
    for (int i = 0; i < n; i++) {
      input[i] = new Complex(re[i], im[i]);
    }
    Complex[] expected =
        new FastFourierTransformer(DftNormalization.STANDARD)
            .transform(input, TransformType.FORWARD);
    double[] outRe = re.clone();
    double[] outIm = im.clone();
    Fft fft = new Fft(n);
    fft.forward(outRe, outIm);
    int bits = Integer.numberOfTrailingZeros(n);
    for (int place = 0; place < n; place++) {
      int frequency = bits == 0 ? 0 : Integer.reverse(place) >>> (32 - bits);
      assertEquals(expected[frequency].getReal(), outRe[place], 1e-12 * n);
      assertEquals(expected[frequency].getImaginary(), outIm[place], 1e-12 * n);
      int minus = Fft.negated(place);
      int minusFrequency = bits == 0 ? 0 : Integer.reverse(minus) >>> (32 - bits);
      assertEquals((n - frequency) % n, minusFrequency);
    }
    fft.inverse(outRe, outIm);
    for (int i = 0; i < n; i++) {
      assertEquals(re[i], outRe[i] / n, 1e-14 * n);
      assertEquals(im[i], outIm[i] / n, 1e-14 * n);
    }
  }
}
