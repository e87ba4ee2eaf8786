package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.accounting.Digits;
import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NoiseTest {
  private static final int SIZE = 100 * Noise.BLOCK;
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  private static long[] noise(Noise noise, long release, int size, double deviation) {
    long[] integers = new long[size];
    noise.add(release, integers, new int[] {size}, new double[] {deviation});
    return integers;
  }

  /** Noise of a large deviation, in units of {@code claimed}. */
  private static double[] standard(Noise noise, long release, double deviation, double claimed) {
    return Arrays.stream(noise(noise, release, SIZE, deviation))
        .mapToDouble(x -> x / claimed)
        .toArray();
  }

  private static void assertStandardNormal(double[] sample) {
    int n = sample.length;
    Alarm.kolmogorov("distribution", sample, NORMAL::cumulativeProbability);
    Alarm.normal("mean", 0, Math.sqrt(n), Arrays.stream(sample).sum());
    Alarm.chiSquared("variance", Arrays.stream(sample).map(x -> x * x).sum(), n);
    // Var(x⁴) = 105 − 9.
    Alarm.normal(
        "fourth moment",
        3.0 * n,
        Math.sqrt(96.0 * n),
        Arrays.stream(sample).map(x -> x * x * x * x).sum());
    long beyond = Arrays.stream(sample).filter(x -> Math.abs(x) > 3).count();
    double p = 2 * NORMAL.survivalProbability(3);
    Alarm.normal("beyond 3", n * p, Math.sqrt(n * p * (1 - p)), beyond);
  }

  @Test
  @Tag("statistical")
  void largeNoiseIsNormal() {
    Noise noise = Randomness.secure().noise();
    assertStandardNormal(standard(noise, 0, 0x1p23, 0x1p23));
    assertStandardNormal(standard(noise, 1, 0x1p36, 0x1p36));
  }

  @Test
  @Tag("statistical")
  void theTestSeesNoiseThatIsTwoPercentTooSmall() {
    double[] sample = standard(Randomness.secure().noise(), 0, 0.98e6, 1e6);
    assertThrows(AssertionError.class, () -> assertStandardNormal(sample));
  }

  @Test
  @Tag("statistical")
  void theTestSeesAnotherLawOfTheSameVariance() {
    double[] uniform = new java.util.Random(1).doubles(SIZE, -Math.sqrt(3), Math.sqrt(3)).toArray();
    assertThrows(AssertionError.class, () -> assertStandardNormal(uniform));
  }

  private static void assertLastBitsAreEven(long[] sample) {
    double[] counts = new double[256];
    for (long x : sample) {
      counts[(int) (x & 255)]++;
    }
    double each = sample.length / 256.0;
    double statistic = Arrays.stream(counts).map(c -> (c - each) * (c - each) / each).sum();
    Alarm.chiSquared("last eight bits", statistic, 255);
  }

  /** A value's last digits must not show through. */
  @Test
  @Tag("statistical")
  void everyLastDigitIsAsLikely() {
    Noise noise = Randomness.secure().noise();
    for (int exponent : new int[] {12, 16, 17, 23, 24, 25, 36}) {
      assertLastBitsAreEven(noise(noise, exponent, SIZE, Math.scalb(1.3, exponent - 1)));
    }
    long[] coarse = noise(noise, 99, SIZE, 0x1p20);
    Arrays.setAll(coarse, i -> coarse[i] & ~1);
    assertThrows(AssertionError.class, () -> assertLastBitsAreEven(coarse));
  }

  private static void assertRoundedNormal(long[] sample, double deviation) {
    int width = (int) Math.ceil(4 * deviation);
    // Cells −width..width, the ends taking the tails.
    double[] counts = new double[2 * width + 1];
    for (long x : sample) {
      counts[(int) Math.max(-width, Math.min(width, x)) + width]++;
    }
    double statistic = 0;
    for (int k = -width; k <= width; k++) {
      double upper = k == width ? 1 : NORMAL.cumulativeProbability((k + 0.5) / deviation);
      double lower = k == -width ? 0 : NORMAL.cumulativeProbability((k - 0.5) / deviation);
      double expected = sample.length * (upper - lower);
      statistic += (counts[k + width] - expected) * (counts[k + width] - expected) / expected;
    }
    Alarm.chiSquared("cells of deviation " + deviation, statistic, 2 * width);
  }

  @Test
  @Tag("statistical")
  void smallNoiseIsTheRoundedNormal() {
    Noise noise = Randomness.secure().noise();
    assertRoundedNormal(noise(noise, 0, SIZE, 0.7), 0.7);
    assertRoundedNormal(noise(noise, 1, SIZE, 2), 2);
    assertRoundedNormal(noise(noise, 2, SIZE, 5.3), 5.3);
    long[] truncated = Arrays.stream(noise(noise, 3, SIZE, 0x1p20)).map(x -> x >> 19).toArray();
    assertThrows(AssertionError.class, () -> assertRoundedNormal(truncated, 2));
  }

  @Test
  @Tag("statistical")
  void blocksAndReleasesAreIndependent() {
    Noise noise = Randomness.secure().noise();
    double[] first = standard(noise, 0, 1e6, 1e6);
    double[] second = standard(noise, 1, 1e6, 1e6);
    Alarm.uncorrelated("releases", first, second);
    Alarm.uncorrelated(
        "neighbours", Arrays.copyOf(first, SIZE - 1), Arrays.copyOfRange(first, 1, SIZE));
    Alarm.uncorrelated(
        "blocks",
        Arrays.copyOf(first, SIZE - Noise.BLOCK),
        Arrays.copyOfRange(first, Noise.BLOCK, SIZE));
    Alarm.uncorrelated("keys", first, standard(Randomness.secure().noise(), 0, 1e6, 1e6));
    double[] again = standard(noise, 0, 1e6, 1e6);
    assertThrows(AssertionError.class, () -> Alarm.uncorrelated("one id", first, again));
  }

  @Test
  @Tag("statistical")
  void eachGroupHasItsOwnDeviation() {
    int[] ends = {10_000, 10_000, 100_000, 100_001};
    double[] deviations = {1e3, 5, 1e6, 1e9};
    long[] integers = new long[100_001];
    Randomness.secure().noise().add(7, integers, ends, deviations);
    Alarm.chiSquared("first", squares(integers, 0, 10_000, 1e3), 10_000);
    Alarm.chiSquared("third", squares(integers, 10_000, 100_000, 1e6), 90_000);
    Alarm.normal("last", 0, 1e9, integers[100_000]);
  }

  @Test
  @Tag("statistical")
  void veryLargeNoiseHasASecondOneForItsLastDigits() {
    Noise noise = Randomness.secure().noise();
    long[] even = noise(noise, 1, Noise.BLOCK, Noise.EVEN);
    long[] larger = noise(noise, 1, Noise.BLOCK, 2 * Noise.EVEN);
    // The same id and so the same first noise, twice as large.
    Arrays.setAll(larger, i -> larger[i] - 2 * even[i]);
    Alarm.chiSquared("second", squares(larger, 0, Noise.BLOCK, Noise.SECOND), Noise.BLOCK);
  }

  private static double squares(long[] integers, int from, int to, double deviation) {
    return Arrays.stream(integers, from, to).mapToDouble(x -> x / deviation).map(x -> x * x).sum();
  }

  @Test
  void noiseIsAddedToTheValue() {
    long[] zero = new long[5000];
    long[] value = new long[5000];
    Arrays.setAll(value, i -> i * 1_000_003L - 77);
    Noise noise = Randomness.insecure(1).noise();
    noise.add(3, zero, new int[] {5000}, new double[] {1e4});
    noise.add(3, value, new int[] {5000}, new double[] {1e4});
    for (int i = 0; i < value.length; i++) {
      assertEquals(i * 1_000_003L - 77 + zero[i], value[i]);
    }
  }

  @Test
  void seededNoiseIsTheSameOnAnyNumberOfThreads() throws Exception {
    long[] here = noise(Randomness.insecure(5).noise(), 9, SIZE, 1e6);
    for (int threads : new int[] {1, 2, 5}) {
      var pool = new java.util.concurrent.ForkJoinPool(threads);
      long[] many = new long[SIZE];
      pool.submit(
              () ->
                  Randomness.insecure(5).noise().add(9, many, new int[] {SIZE}, new double[] {1e6}))
          .get();
      pool.shutdown();
      assertArrayEquals(here, many);
    }
    assertFalse(Arrays.equals(here, noise(Randomness.insecure(6).noise(), 9, SIZE, 1e6)));
  }

  @Test
  void theNoiseOfABlockDoesNotDependOnHowManyThereAre() {
    long[] some = noise(Randomness.insecure(5).noise(), 9, 2 * Noise.BLOCK, 1e6);
    long[] more = noise(Randomness.insecure(5).noise(), 9, 9000, 1e6);
    assertArrayEquals(some, Arrays.copyOf(more, some.length));
  }

  @Test
  void refusals() {
    for (double wrong : new double[] {0, -1, Double.NaN, 0x1p37, Double.POSITIVE_INFINITY}) {
      assertEquals(
          "noise in grid steps must be greater than 0 and at most 2^36. Provided value: "
              + Digits.exact(wrong),
          assertThrows(
                  IllegalArgumentException.class,
                  () -> noise(Randomness.insecure(1).noise(), 0, 1, wrong))
              .getMessage());
    }
  }
}
