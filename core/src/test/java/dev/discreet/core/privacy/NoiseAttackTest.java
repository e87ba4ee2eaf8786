package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongToIntFunction;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Attacks that use how a program makes Gaussian noise, and not the noise itself. They break noise
 * that is made without thought, and learn no more from ours than the theory of ideal noise allows.
 */
@Tag("statistical")
class NoiseAttackTest {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
  private static final int SIZE = 1 << 20;

  /** Noise multiplier and ε of the attacks. */
  private static final double SIGMA = 4;

  private static final double EPSILON = 1;

  /** A program that releases a value of sensitivity 1 many times: 64 bits for each. */
  private interface Release {
    long[] of(int value, long release);
  }

  /** What ideal noise of this multiplier loses at ε: the δ of Balle and Wang 2018. */
  private static double ideal() {
    return NORMAL.cumulativeProbability(1 / (2 * SIGMA) - EPSILON * SIGMA)
        - Math.exp(EPSILON) * NORMAL.cumulativeProbability(-1 / (2 * SIGMA) - EPSILON * SIGMA);
  }

  /**
   * What the attack proves about δ. Half of the releases show which sights are more than e^ε times
   * as likely for 0 as for 1. The other half say how often these are seen: P₀ − e^ε·P₁ is a lower
   * bound of δ. By Hoeffding the answer is too large with probability at most {@link Alarm#RATE}.
   */
  private static double proven(Release release, LongToIntFunction sight, int sights) {
    double[] zero = new double[sights];
    double[] one = new double[sights];
    for (long r : release.of(0, 0)) {
      zero[sight.applyAsInt(r)]++;
    }
    for (long r : release.of(1, 1)) {
      one[sight.applyAsInt(r)]++;
    }
    boolean[] telling = new boolean[sights];
    for (int i = 0; i < sights; i++) {
      telling[i] = zero[i] > Math.exp(EPSILON) * one[i];
    }
    double seen0 = share(release.of(0, 2), sight, telling);
    double seen1 = share(release.of(1, 3), sight, telling);
    double doubt = Math.sqrt(Math.log(2 / Alarm.RATE) / (2.0 * SIZE));
    return seen0 - doubt - Math.exp(EPSILON) * (seen1 + doubt);
  }

  private static double share(long[] releases, LongToIntFunction sight, boolean[] telling) {
    return (double) Arrays.stream(releases).filter(r -> telling[sight.applyAsInt(r)]).count()
        / releases.length;
  }

  /** Ours, as a multiple of 2^−bits. */
  private static Release ours(int bits) {
    Noise noise = Randomness.secure().noise();
    return (value, release) -> {
      long[] integers = new long[SIZE];
      Arrays.fill(integers, (long) value << bits);
      noise.add(
          release, integers, new int[] {SIZE}, new double[] {Math.scalb(SIGMA, bits)}, integers);
      return integers;
    };
  }

  /** The value plus a normal number in double precision, as bits. */
  private static long[] inDoublePrecision(int value, long release) {
    Random random = new Random(release);
    return random
        .ints(SIZE)
        .mapToLong(i -> Double.doubleToRawLongBits(value + SIGMA * random.nextGaussian()))
        .toArray();
  }

  /**
   * The place of the last bit that is set (Mironov 2012). A sum of 1 and a number near −1 has no
   * bits below 2⁻⁵³, while a number near 0 has.
   */
  @Test
  void lastBits() {
    LongToIntFunction ofDouble =
        bits -> {
          long mantissa = bits & (1L << 52) - 1 | 1L << 52;
          int exponent = Math.getExponent(Double.longBitsToDouble(bits)) - 52;
          return Math.max(0, Math.min(127, exponent + Long.numberOfTrailingZeros(mantissa) + 100));
        };
    double naive = proven(NoiseAttackTest::inDoublePrecision, ofDouble, 128);
    assertTrue(naive > 0.02 && naive > 1000 * ideal(), "naive: " + naive);
    double ours = proven(ours(22), Long::numberOfTrailingZeros, 65);
    assertTrue(ours <= ideal(), "ours: " + ours);
    double asDouble =
        proven(
            (value, release) ->
                Arrays.stream(ours(22).of(value, release))
                    .map(k -> Double.doubleToRawLongBits(k * 0x1p-22))
                    .toArray(),
            ofDouble,
            128);
    assertTrue(asDouble <= ideal(), "ours as doubles: " + asDouble);
  }

  /**
   * The release itself: some integers are far more likely than their neighbours where noise is made
   * of few bits, here of a table of 2¹⁶ normal numbers that are scaled up.
   */
  @Test
  void ratiosOfProbabilities() {
    int bits = 12;
    double[] table = new double[1 << 16];
    Arrays.setAll(table, i -> NORMAL.inverseCumulativeProbability((i + 0.5) / table.length));
    Release fromTable =
        (value, release) ->
            new Random(release)
                .ints(SIZE, 0, table.length)
                .mapToLong(
                    i -> Math.round(Math.scalb(SIGMA * table[i], bits)) + ((long) value << bits))
                .toArray();
    int edge = 1 << 17;
    LongToIntFunction all = k -> (int) Math.max(0, Math.min(2 * edge, k + edge));
    double naive = proven(fromTable, all, 2 * edge + 1);
    assertTrue(naive > 0.02 && naive > 1000 * ideal(), "naive: " + naive);
    double ours = proven(ours(bits), all, 2 * edge + 1);
    assertTrue(ours <= ideal(), "ours: " + ours);
  }

  /** The attack's own verdict on a mechanism whose δ is known: it answers 0 with certainty. */
  @Test
  void theAttackProvesWhatIsTrue() {
    double certain = proven((value, release) -> new long[] {value}, k -> (int) k, 2);
    assertEquals(
        1 - (1 + Math.E) * Math.sqrt(Math.log(2 / Alarm.RATE) / (2.0 * SIZE)), certain, 1e-9);
    assertTrue(ideal() > 0 && ideal() < 1e-4, "ideal: " + ideal());
  }
}
