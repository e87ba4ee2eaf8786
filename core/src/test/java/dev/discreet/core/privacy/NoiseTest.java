package dev.discreet.core.privacy;

import static java.util.Arrays.stream;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Digits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NoiseTest {
  private static final int SIZE = 100 * Noise.BLOCK;
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  private static long[] noise(Noise noise, long release, int size, double deviation) {
    long[] integers = new long[size];
    noise.add(release, integers, new int[] {size}, new double[] {deviation}, integers);
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

  /**
   * Cells at the ends where fewer than 20 are expected are one cell for the chi-squared law, which
   * would not hold there; so few are held to the binomial law itself.
   *
   * @param probabilities of 0, 1, … and of more than the last but one; the law is even
   */
  private static void assertHasLaw(String what, long[] sample, double[] probabilities) {
    int last = probabilities.length - 1;
    double rare = 0;
    for (; sample.length * probabilities[last] + rare < 20; last--) {
      rare += sample.length * probabilities[last];
      long from = last;
      long beyond = Arrays.stream(sample).filter(x -> Math.abs(x) >= from).count();
      double chance = 2 * rare / sample.length;
      double asMany =
          BinomialDistribution.of(sample.length, chance).survivalProbability((int) beyond - 1);
      assertTrue(asMany > Alarm.RATE, () -> what + ": " + beyond + " of at least " + from);
    }
    double[] counts = new double[2 * last + 1];
    for (long x : sample) {
      counts[(int) Math.max(-last, Math.min(last, x)) + last]++;
    }
    double statistic = 0;
    for (int k = -last; k <= last; k++) {
      double end = Math.abs(k) == last ? rare : 0;
      double expected = sample.length * probabilities[Math.abs(k)] + end;
      statistic += (counts[k + last] - expected) * (counts[k + last] - expected) / expected;
    }
    Alarm.chiSquared(what, statistic, 2 * last);
  }

  /** bench/oracles/rounded_normal.py computed the probabilities with a thousand bits. */
  private static Map<Double, double[]> cells() throws IOException {
    Map<Double, double[]> cells = new LinkedHashMap<>();
    try (InputStream in = NoiseTest.class.getResourceAsStream("draws/rounded_normal_cells.csv")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        String[] parts = line.split(",");
        if (!parts[1].equals("k")) {
          cells.merge(
              Double.valueOf(parts[0]),
              new double[] {Double.parseDouble(parts[2])},
              (some, one) -> DoubleStream.concat(stream(some), stream(one)).toArray());
        }
      }
    }
    return cells;
  }

  @Test
  @Tag("statistical")
  void smallNoiseIsTheRoundedNormal() throws IOException {
    Noise noise = Randomness.secure().noise();
    Map<Double, double[]> cells = cells();
    assertEquals(Set.of(0.5, 0.7, 2.3), cells.keySet());
    cells.forEach(
        (deviation, probabilities) ->
            assertHasLaw(
                "cells of deviation " + deviation,
                noise(noise, Math.round(10 * deviation), SIZE, deviation),
                probabilities));
    // Ten far out where a quarter of one is expected.
    long[] far = noise(noise, 4, SIZE, 0.5);
    Arrays.fill(far, 0, 10, 3);
    assertThrows(AssertionError.class, () -> assertHasLaw("far", far, cells.get(0.5)));
    // Rounded down, and not to the nearest.
    long[] truncated = Arrays.stream(noise(noise, 3, SIZE, 2.3 * 1024)).map(x -> x >> 10).toArray();
    assertThrows(AssertionError.class, () -> assertHasLaw("truncated", truncated, cells.get(2.3)));
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
    Randomness.secure().noise().add(7, integers, ends, deviations, integers);
    Alarm.chiSquared("first", squares(integers, 0, 10_000, 1e3), 10_000);
    Alarm.chiSquared("third", squares(integers, 10_000, 100_000, 1e6), 90_000);
    Alarm.normal("last", 0, 1e9, integers[100_000]);
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
    noise.add(3, zero, new int[] {5000}, new double[] {1e4}, zero);
    noise.add(3, value, new int[] {5000}, new double[] {1e4}, value);
    for (int i = 0; i < value.length; i++) {
      assertEquals(i * 1_000_003L - 77 + zero[i], value[i]);
    }
  }

  /** Some blocks were made, some not, and the array was the caller's all the time. */
  @Test
  void nothingOfTheIntegersIsLeftWhereNoiseFails() {
    Noise noise = Randomness.insecure(1).noise();
    long[] integers = new long[SIZE];
    Arrays.fill(integers, 77);
    long[] to = new long[SIZE];
    for (int groups : new int[] {1, SIZE / 2, SIZE - 1}) {
      assertThrows(
          ArrayIndexOutOfBoundsException.class,
          () -> noise.add(groups, integers, new int[] {groups}, new double[] {1e4}, to));
      assertArrayEquals(new long[SIZE], to);
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
                  Randomness.insecure(5)
                      .noise()
                      .add(9, many, new int[] {SIZE}, new double[] {1e6}, many))
          .get();
      pool.shutdown();
      assertArrayEquals(here, many);
    }
    assertFalse(Arrays.equals(here, noise(Randomness.insecure(6).noise(), 9, SIZE, 1e6)));
  }

  /** A coordinate's noise depends on its own deviation, and not on the groups around it. */
  @Test
  void theNoiseOfACoordinateDoesNotDependOnOthers() {
    Noise noise = Randomness.insecure(5).noise();
    long[] alone = noise(noise, 9, 2 * Noise.BLOCK, 1e6);
    assertArrayEquals(alone, Arrays.copyOf(noise(noise, 9, 9000, 1e6), alone.length));
    int[] ends = {3, 3, 20, 37, 4099, 5000, 9000};
    double[] deviations = {1e6, 5, 7, 1e6, 12.5, 1e6, 1e9};
    long[] groups = new long[9000];
    noise.add(9, groups, ends, deviations, groups);
    for (int i = 0; i < alone.length; i++) {
      if (i < 3 || i >= 20 && i < 37 || i >= 4099 && i < 5000) {
        assertEquals(alone[i], groups[i], "coordinate " + i);
      }
    }
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
