package dev.discreet.accounting.internal.pld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
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

  /** Against a transform with 40 digits: the whole error, that of each output, and both ways. */
  @ParameterizedTest
  @ValueSource(ints = {2, 8, 128})
  void errorsAreWithinTheProvenBound(int n) {
    BigDecimal[][] turns = turns(n);
    SplittableRandom random = new SplittableRandom(7 + n);
    for (boolean forward : new boolean[] {true, false}) {
      double[] re = random.doubles(n).map(x -> x * x * x - 0.2).toArray();
      double[] im = random.doubles(n).map(x -> x * x * x - 0.2).toArray();
      double[] outRe = re.clone();
      double[] outIm = im.clone();
      Fft fft = new Fft(n);
      int bits = Integer.numberOfTrailingZeros(n);
      if (forward) {
        fft.forward(outRe, outIm);
      } else {
        fft.inverse(outRe, outIm);
      }
      double squares = 0;
      double size = 0;
      double sum = 0;
      for (int i = 0; i < n; i++) {
        sum += Math.hypot(re[i], im[i]);
      }
      for (int place = 0; place < n; place++) {
        BigDecimal exactRe = BigDecimal.ZERO;
        BigDecimal exactIm = BigDecimal.ZERO;
        for (int i = 0; i < n; i++) {
          // Frequencies are in bit-reversed order, on either side.
          int at = Integer.reverse(forward ? place : i) >>> (32 - bits);
          int k = (int) ((long) at * (forward ? i : place) % n);
          BigDecimal c = turns[0][k];
          BigDecimal s = forward ? turns[1][k].negate() : turns[1][k];
          BigDecimal x = new BigDecimal(re[i]);
          BigDecimal y = new BigDecimal(im[i]);
          exactRe = exactRe.add(x.multiply(c).subtract(y.multiply(s)), DIGITS);
          exactIm = exactIm.add(x.multiply(s).add(y.multiply(c)), DIGITS);
        }
        double error =
            Math.hypot(
                new BigDecimal(outRe[place]).subtract(exactRe).doubleValue(),
                new BigDecimal(outIm[place]).subtract(exactIm).doubleValue());
        assertTrue(error <= fft.error() * sum, place + ": " + error);
        squares += error * error;
        size += Math.pow(exactRe.doubleValue(), 2) + Math.pow(exactIm.doubleValue(), 2);
      }
      double relative = Math.sqrt(squares / size);
      assertTrue(relative <= fft.error(), relative + " > " + fft.error());
      // The reference is another computation, and the bound is not far away.
      assertTrue(n == 2 || relative > fft.error() / 100, relative + " against " + fft.error());
    }
  }

  private static final MathContext DIGITS = new MathContext(40);

  /** Cosines and sines of 2πk/n, by halving a quarter turn. */
  private static BigDecimal[][] turns(int n) {
    BigDecimal cos = BigDecimal.ONE.negate();
    BigDecimal sin = BigDecimal.ZERO;
    BigDecimal two = BigDecimal.valueOf(2);
    for (int m = 2; m < n; m *= 2) {
      BigDecimal half = BigDecimal.ONE.subtract(cos).divide(two, DIGITS).sqrt(DIGITS);
      cos = BigDecimal.ONE.add(cos).divide(two, DIGITS).sqrt(DIGITS);
      sin = half;
    }
    BigDecimal[][] all = new BigDecimal[2][n];
    all[0][0] = BigDecimal.ONE;
    all[1][0] = BigDecimal.ZERO;
    for (int k = 1; k < n; k++) {
      BigDecimal c = all[0][k - 1];
      BigDecimal s = all[1][k - 1];
      all[0][k] = c.multiply(cos).subtract(s.multiply(sin)).round(DIGITS);
      all[1][k] = s.multiply(cos).add(c.multiply(sin)).round(DIGITS);
    }
    return all;
  }
}
