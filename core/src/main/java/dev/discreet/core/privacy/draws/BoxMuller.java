package dev.discreet.core.privacy.draws;

import java.util.function.LongSupplier;

/**
 * Normal numbers from uniform bits, sixteen at a time: eight pairs (r·cos φ, r·sin φ) with r =
 * √(−2·ln u) (Box and Muller 1958). Plain code and the vectors of {@link SimdBoxMuller} use the
 * same sequence of roundings, so a seeded run repeats on every machine. This is several times
 * faster than a ziggurat, which must branch.
 *
 * <p>Group g takes bits[16g … 16g+15], the first eight for u and the others for φ. Coordinate 16g +
 * j gets the first number of pair j, and 16g + 8 + j the second.
 */
public class BoxMuller {
  public static final int GROUP = 16;
  static final int HALF = GROUP / 2;

  /** 1.5·2⁵²: adding it rounds to a whole number, which is then in the low bits. */
  static final double ROUNDER = 0x1.8p52;

  static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

  /** Bits of √½: mantissas are taken from √½ to √2. */
  static final long ROOT_HALF = Double.doubleToRawLongBits(Math.sqrt(0.5));

  /** Makes every exponent positive, because this Java's vectors can only shift without a sign. */
  static final long BIAS = 1L << 62;

  static final long ONE = Double.doubleToRawLongBits(1.0);
  static final double LN2 = Math.log(2);

  /**
   * Bits below this, or above its mirror image, make u &lt; 2⁻⁸ or 1 − u &lt; 2⁻⁸. There steps of
   * 2⁻⁵² would put the radii too far apart, so such pairs get 53 more bits.
   */
  private static final long COARSE = 1L << 56;

  /** Coefficients of ln((1+s)/(1−s)) = 2s(1 + s²/3 + s⁴/5 + …), the highest power first. */
  static final double[] LOG = {
    1 / 21.0, 1 / 19.0, 1 / 17.0, 1 / 15.0, 1 / 13.0, 1 / 11.0, 1 / 9.0, 1 / 7.0, 1 / 5.0, 1 / 3.0
  };

  /** Coefficients of sin x = x(1 − x²/3! + …) and cos x = 1 − x²/2! + …, for |x| ≤ π/4. */
  static final double[] SIN = series(17);

  static final double[] COS = series(18);

  /** The version with vectors where this Java has them, otherwise the plain one. */
  public static BoxMuller fastest() {
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
        ? new SimdBoxMuller()
        : new BoxMuller();
  }

  /** ±1/n!, ±1/(n−2)!, … down to 1/3! or 1/2!. */
  private static double[] series(int n) {
    double[] terms = new double[n / 2];
    for (int i = 0; i < terms.length; i++) {
      double factorial = 1;
      for (int k = 2; k <= n - 2 * i; k++) {
        factorial *= k;
      }
      terms[i] = ((n - 2 * i) / 2 % 2 == 0 ? 1 : -1) / factorial;
    }
    return terms;
  }

  // For each pair: the radius, and the radius times the cosine and the sine of its small angle.
  private double[] radii = new double[0];
  private double[] cosines = radii;
  private double[] sines = radii;

  /**
   * Adds round(deviation·N) to integers[from], … for {@code groups} whole groups.
   *
   * @param more 64 further bits for each pair that needs them
   */
  public final void add(
      double deviation, long[] bits, int groups, long[] integers, int from, LongSupplier more) {
    int pairs = groups * HALF;
    if (radii.length < pairs) {
      radii = new double[pairs];
      cosines = new double[pairs];
      sines = new double[pairs];
    }
    squares(bits, groups, radii);
    for (int i = 0; i < pairs; i++) {
      long own = bits[i / HALF * GROUP + i % HALF];
      if (Long.compareUnsigned(own, COARSE) < 0 || Long.compareUnsigned(~own, COARSE) < 0) {
        radii[i] = -2 * fineLog(own, more.getAsLong());
      }
    }
    double[] radius = radii;
    for (int i = 0; i < pairs; i++) {
      radius[i] = deviation * Math.sqrt(radius[i]);
    }
    turn(bits, groups, radius, cosines, sines);
    addRounded(bits, groups, cosines, sines, integers, from);
  }

  /** −2·ln u of each pair. */
  void squares(long[] bits, int groups, double[] to) {
    for (int i = 0; i < groups * HALF; i++) {
      to[i] = -2 * log(uniform(bits[i / HALF * GROUP + i % HALF]));
    }
  }

  /** Each radius times cosine and sine of an angle within π/4 of 0. */
  void turn(long[] bits, int groups, double[] radius, double[] cosines, double[] sines) {
    for (int i = 0; i < groups * HALF; i++) {
      double x = (uniform(bits[i / HALF * GROUP + HALF + i % HALF]) - 0.5) * (Math.PI / 2);
      double square = x * x;
      double sine = SIN[0];
      for (int k = 1; k < SIN.length; k++) {
        sine = Math.fma(sine, square, SIN[k]);
      }
      sines[i] = radius[i] * Math.fma(sine * square, x, x);
      double cosine = COS[0];
      for (int k = 1; k < COS.length; k++) {
        cosine = Math.fma(cosine, square, COS[k]);
      }
      cosines[i] = radius[i] * Math.fma(cosine, square, 1);
    }
  }

  /**
   * Turns by one of four right angles. Two spare bits choose the sign of the cosine, and which of
   * the two comes first.
   */
  void addRounded(
      long[] bits, int groups, double[] cosines, double[] sines, long[] integers, int from) {
    for (int i = 0; i < groups * HALF; i++) {
      int at = i / HALF * GROUP + i % HALF;
      long turn = bits[at + HALF];
      long first = Double.doubleToRawLongBits(cosines[i]) ^ (turn << 63);
      long second = Double.doubleToRawLongBits(sines[i]);
      long swap = (first ^ second) & -(turn >>> 1 & 1);
      integers[from + at] += rounded(Double.longBitsToDouble(first ^ swap));
      integers[from + at + HALF] += rounded(Double.longBitsToDouble(second ^ swap));
    }
  }

  /** The upper 52 bits as an odd multiple of 2⁻⁵³, exactly. */
  private static double uniform(long bits) {
    return Double.longBitsToDouble(bits >>> 12 | ONE) - (1 - 0x1p-53);
  }

  private static double log(double u) {
    long bits = Double.doubleToRawLongBits(u);
    long exponent = (bits - ROOT_HALF + BIAS >>> 52) - (BIAS >>> 52);
    double m = Double.longBitsToDouble(bits - (exponent << 52));
    double e = Double.longBitsToDouble(exponent + ROUNDER_BITS) - ROUNDER;
    double s = (m - 1) / (m + 1);
    double square = s * s;
    double p = LOG[0];
    for (int k = 1; k < LOG.length; k++) {
      p = Math.fma(p, square, LOG[k]);
    }
    p = Math.fma(p, square, 1);
    return Math.fma(e, LN2, 2 * s * p);
  }

  private static double fineLog(long bits, long more) {
    double fraction = ((more >>> 11) + 0.5) * 0x1p-53;
    return bits >= 0
        ? StrictMath.log(((bits >>> 12) + fraction) * 0x1p-52)
        : StrictMath.log1p(-((~bits >>> 12) + fraction) * 0x1p-52);
  }

  private static long rounded(double value) {
    return Double.doubleToRawLongBits(value + ROUNDER) - ROUNDER_BITS;
  }
}
