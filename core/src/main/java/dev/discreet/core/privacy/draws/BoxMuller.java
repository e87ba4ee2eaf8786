package dev.discreet.core.privacy.draws;

import java.util.Arrays;

/**
 * Rounded normal numbers from uniform bits, sixteen at a time: eight pairs (r·cos φ, r·sin φ) with
 * r = √(−2·ln u) (Box and Muller 1958). Plain code and the vectors of {@link SimdBoxMuller} use the
 * same sequence of roundings. This is several times faster than a ziggurat, which must branch.
 *
 * <p><b>Formal guarantee.</b> Given ideal bits, the integers have exactly the probabilities of
 * rounded normal numbers. They are those of {@link ExactBoxMuller}, which has no error. Here each
 * number is computed in double precision, with a bound on its error and on what the digits that
 * were not looked at can change. Where another integer is not further away than that,
 * ExactBoxMuller is asked. The proof of the bound is in docs/trust.md.
 *
 * <p>Group g takes words[16g … 16g+15], the first eight for u and the others for φ. Coordinate 16g
 * + j gets the first number of pair 8g + j, and 16g + 8 + j the second. So a number depends only on
 * its place and on the words of its pair, and not on which others are drawn.
 */
class BoxMuller {
  static final int GROUP = 16;
  static final int HALF = GROUP / 2;

  /** 1.5·2⁵²: adding it rounds to a whole number, which is then in the low bits. */
  static final double ROUNDER = 0x1.8p52;

  static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

  /** 2⁸⁴ and 2⁵²: the halves of a word become the last bits of such numbers. */
  static final long UPPER = Double.doubleToRawLongBits(0x1p84);

  static final long LOWER = Double.doubleToRawLongBits(0x1p52);
  static final long LOWER_HALF = 0xffff_ffffL;

  /** Bits of √½: mantissas are taken from √½ to √2. */
  static final long ROOT_HALF = Double.doubleToRawLongBits(Math.sqrt(0.5));

  /** Makes every exponent positive, because this Java's vectors can only shift without a sign. */
  static final long BIAS = 1L << 62;

  static final long ONE = Double.doubleToRawLongBits(1.0);

  /** The double nearest to ln 2; no library decides about its last bit. */
  static final double LN2 = 0x1.62e42fefa39efp-1;

  /** Coefficients of ln((1+s)/(1−s)) = 2s(1 + s²/3 + s⁴/5 + …), the highest power first. */
  static final double[] LOG = {
    1 / 21.0, 1 / 19.0, 1 / 17.0, 1 / 15.0, 1 / 13.0, 1 / 11.0, 1 / 9.0, 1 / 7.0, 1 / 5.0, 1 / 3.0
  };

  /** Coefficients of sin x = x(1 − x²/3! + …) and cos x = 1 − x²/2! + …, for |x| ≤ π/4. */
  static final double[] SIN = series(17);

  static final double[] COS = series(18);

  /**
   * A number of deviation s is wrong by at most s·(ERROR·r + NEAR_ONE/r + UNSEEN/(u·r)). The first
   * term is that of the formula, the second that of rounding u where it is near 1, the third that
   * of the digits of u that were not looked at.
   */
  static final double ERROR = 0x1p-49;

  static final double NEAR_ONE = 0x1.4p-52;
  static final double UNSEEN = 0x1.4p-63;

  /** Where the digits of a pair go on. */
  @FunctionalInterface
  interface MoreDigits {
    /**
     * Two words, 64 further digits of u and 64 of the angle.
     *
     * @param pair its number among those that all words make
     * @param round from 1
     */
    long[] of(int pair, int round);
  }

  /** The version with vectors where this Java has them, otherwise the plain one. */
  static BoxMuller fastest() {
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

  // For each pair: the radius, the bound on the error of its numbers, and the radius times the
  // cosine and the sine of its small angle. All are multiples of the deviation.
  double[] radii = new double[0];
  double[] errors = radii;
  double[] cosines = radii;
  double[] sines = radii;

  /** So many groups are drawn one by one, and every eighth of them as if it were undecided. */
  private static final int COLD = 6000;

  private int calls;

  /** Takes the branch of undecided pairs, whose bits are the same. */
  boolean rehearsing;

  // Pairs that are left to the exact twin.
  private int[] undecided = new int[16];
  private int undecidedCount;

  /**
   * Adds round(deviation·N) to integers[from], … for {@code groups} whole groups.
   *
   * @param deviation at most 2³⁶
   * @param words those of the groups from number 0 on
   * @param first number of the group whose numbers are added to integers[from]
   */
  final void add(
      double deviation,
      long[] words,
      int first,
      int groups,
      long[] integers,
      int from,
      MoreDigits more) {
    // Java compiles what was called a hundred times sooner than what did as much in a few calls,
    // and drops compiled code when a branch is taken that was never taken before.
    int each = calls < COLD ? 1 : groups;
    undecidedCount = 0;
    for (int g = 0; g < groups; g += each) {
      rehearsing = calls < COLD && calls % 8 == 0;
      addSome(
          deviation,
          words,
          first + g,
          Math.min(each, groups - g),
          integers,
          from + g * GROUP,
          more);
      calls += calls < COLD ? 1 : 0;
    }
  }

  private void addSome(
      double deviation,
      long[] words,
      int first,
      int groups,
      long[] integers,
      int from,
      MoreDigits more) {
    prepare(deviation, words, first, groups);
    int before = undecidedCount;
    addRounded(words, first * GROUP, groups, integers, from);
    long[] pair = new long[2];
    for (int k = before; k < undecidedCount; k++) {
      int i = undecided[k];
      int at = wordOf(i);
      int number = first * HALF + i;
      ExactBoxMuller.pair(
          deviation,
          words[first * GROUP + at],
          words[first * GROUP + at + HALF],
          round -> more.of(number, round),
          pair);
      integers[from + at] += pair[0];
      integers[from + at + HALF] += pair[1];
    }
  }

  /** All but rounding, in double precision. */
  final void prepare(double deviation, long[] words, int first, int groups) {
    int pairs = groups * HALF;
    if (radii.length < pairs) {
      radii = new double[pairs];
      errors = new double[pairs];
      cosines = new double[pairs];
      sines = new double[pairs];
    }
    logarithms(words, first * GROUP, groups);
    lengths(deviation, radii, errors, pairs);
    turn(words, first * GROUP, groups);
  }

  /** How many pairs of the last {@link #add} were left to the exact twin. */
  final int undecided() {
    return undecidedCount;
  }

  /**
   * Where the first word of a pair is among the words, and its first number among the numbers. The
   * second ones are {@link #HALF} further.
   */
  static int wordOf(int pair) {
    return pair / HALF * GROUP + pair % HALF;
  }

  /** The logarithm of each u among the radii, and u itself among the errors. */
  void logarithms(long[] words, int offset, int groups) {
    for (int i = 0; i < groups * HALF; i++) {
      double u = uniform(words[offset + wordOf(i)]);
      radii[i] = log(u);
      errors[i] = u;
    }
  }

  /**
   * Radius and error bound of each pair, from what {@link #logarithms} left. Both versions do this
   * in plain code: Java 17 puts roots of vectors on the heap, with all that is made of them.
   */
  private static void lengths(double deviation, double[] radii, double[] errors, int pairs) {
    for (int i = 0; i < pairs; i++) {
      double square = Math.abs(2 * radii[i]);
      double root = Math.sqrt(square);
      double u = errors[i];
      radii[i] = deviation * root;
      errors[i] = deviation / (u * root) * Math.fma(Math.fma(square, ERROR, NEAR_ONE), u, UNSEEN);
    }
  }

  /** Each radius times cosine and sine of an angle within π/4 of 0. */
  void turn(long[] words, int offset, int groups) {
    for (int i = 0; i < groups * HALF; i++) {
      double x = (middle(words[offset + wordOf(i) + HALF]) - 0.5) * (Math.PI / 2);
      double square = x * x;
      double sine = SIN[0];
      for (int k = 1; k < SIN.length; k++) {
        sine = Math.fma(sine, square, SIN[k]);
      }
      sines[i] = radii[i] * Math.fma(sine * square, x, x);
      double cosine = COS[0];
      for (int k = 1; k < COS.length; k++) {
        cosine = Math.fma(cosine, square, COS[k]);
      }
      cosines[i] = radii[i] * Math.fma(cosine, square, 1);
    }
  }

  /** Adds the numbers that are decided, and notes the other pairs. */
  void addRounded(long[] words, int offset, int groups, long[] integers, int from) {
    addPlainly(words, offset, 0, groups * HALF, integers, from);
  }

  /**
   * Turns by one of four right angles: two spare bits choose the sign of the cosine, and which of
   * the two comes first.
   */
  final void addPlainly(
      long[] words, int offset, int fromPair, int toPair, long[] integers, int from) {
    for (int i = fromPair; i < toPair; i++) {
      int at = wordOf(i);
      long turn = words[offset + at + HALF];
      double cosine =
          Double.longBitsToDouble(Double.doubleToRawLongBits(cosines[i]) ^ (turn << 63));
      boolean swap = (turn & 2) == 2;
      double first = swap ? sines[i] : cosine;
      double second = swap ? cosine : sines[i];
      if (isDecided(first, errors[i]) && isDecided(second, errors[i])) {
        integers[from + at] += rounded(first);
        integers[from + at + HALF] += rounded(second);
      } else {
        if (undecidedCount == undecided.length) {
          undecided = Arrays.copyOf(undecided, 2 * undecidedCount);
        }
        undecided[undecidedCount++] = i;
      }
    }
  }

  /** False where the bound is infinite or not a number, too. */
  private static boolean isDecided(double value, double error) {
    return Math.abs(value - (value + ROUNDER - ROUNDER)) + error < 0.5;
  }

  /** The whole word as a fraction, rounded once. */
  static double uniform(long word) {
    double upper = Double.longBitsToDouble(word >>> 32 | UPPER) - (0x1p84 + 0x1p52);
    double lower = Double.longBitsToDouble(word & LOWER_HALF | LOWER);
    return (upper + lower) * 0x1p-64;
  }

  /** The middle of the numbers that begin with the upper 52 bits: an odd multiple of 2⁻⁵³. */
  private static double middle(long word) {
    return Double.longBitsToDouble(word >>> 12 | ONE) - (1 - 0x1p-53);
  }

  static double log(double u) {
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

  private static long rounded(double value) {
    return Double.doubleToRawLongBits(value + ROUNDER) - ROUNDER_BITS;
  }
}
