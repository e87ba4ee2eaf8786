package dev.discreet.core.privacy.draws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.privacy.Alarm;
import dev.discreet.core.privacy.Randomness;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.commons.statistics.distribution.LaplaceDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactDrawsTest {
  private static final class Exhausted extends RuntimeException {
    final long[] sides;

    Exhausted(long... sides) {
      super(null, null, false, false);
      this.sides = sides;
    }
  }

  /** A die whose throws are given, and then no more. */
  private record Given(int[] drawn, int[] next) implements Dice {
    @Override
    public long below(long bound) {
      if (next[0] < drawn.length) {
        return drawn[next[0]++];
      }
      long[] sides = new long[(int) bound];
      Arrays.fill(sides, 1);
      throw new Exhausted(sides);
    }

    @Override
    public boolean chance(long part, long all) {
      if (part == 0 || part == all) {
        return part == all;
      }
      if (next[0] < drawn.length) {
        return drawn[next[0]++] == 0;
      }
      throw new Exhausted(part, all - part);
    }
  }

  /** The probability of each result over all throws that are at least {@code least} likely. */
  private static <T> Map<T, Fraction> law(Function<Dice, T> draw, double least) {
    record Path(int[] drawn, Fraction probability) {}
    Map<T, Fraction> law = new TreeMap<>();
    Deque<Path> open = new ArrayDeque<>(List.of(new Path(new int[0], Fraction.ONE)));
    while (!open.isEmpty()) {
      Path path = open.pop();
      try {
        law.merge(draw.apply(new Given(path.drawn, new int[1])), path.probability, Fraction::plus);
      } catch (Exhausted e) {
        long all = Arrays.stream(e.sides).sum();
        for (int side = 0; side < e.sides.length; side++) {
          Fraction each = path.probability.times(e.sides[side], all);
          if (each.toDouble() >= least) {
            int[] longer = Arrays.copyOf(path.drawn, path.drawn.length + 1);
            longer[path.drawn.length] = side;
            open.push(new Path(longer, each));
          }
        }
      }
    }
    return law;
  }

  /** An exact probability. */
  private record Fraction(BigInteger numerator, BigInteger denominator) {
    static final Fraction ONE = new Fraction(BigInteger.ONE, BigInteger.ONE);

    Fraction times(long part, long all) {
      return new Fraction(
          numerator.multiply(BigInteger.valueOf(part)),
          denominator.multiply(BigInteger.valueOf(all)));
    }

    Fraction plus(Fraction other) {
      BigInteger sum =
          numerator.multiply(other.denominator).add(other.numerator.multiply(denominator));
      BigInteger product = denominator.multiply(other.denominator);
      BigInteger common = sum.gcd(product);
      return new Fraction(sum.divide(common), product.divide(common));
    }

    double toDouble() {
      return new BigDecimal(numerator)
          .divide(new BigDecimal(denominator), java.math.MathContext.DECIMAL64)
          .doubleValue();
    }
  }

  /** Every probability lies between what is enumerated and that and the rest. */
  private static <T> void assertLaw(Map<T, Fraction> law, Function<T, Double> exact, double rest) {
    double found = law.values().stream().mapToDouble(Fraction::toDouble).sum();
    assertTrue(found > 1 - rest && found <= 1 + 1e-14, "in all " + found);
    law.forEach(
        (value, p) -> {
          double expected = exact.apply(value);
          assertTrue(
              p.toDouble() <= expected + 1e-14 && p.toDouble() + 1 - found >= expected - 1e-14,
              value + ": " + p.toDouble() + " and not " + expected);
        });
  }

  @ParameterizedTest
  @CsvSource({"0,1,1", "0,1,2", "0,2,3", "0,5,7", "0,0,5", "1,0,1", "1,1,3", "2,3,4"})
  void exponentialsAreExact(long whole, long numerator, long denominator) {
    Map<Boolean, Fraction> law =
        law(dice -> new ExactDraws(dice).exp(whole, numerator, denominator), 1e-10);
    double x = whole + (double) numerator / denominator;
    assertLaw(law, yes -> yes ? Math.exp(-x) : -Math.expm1(-x), 1e-5);
  }

  private static double rounded(double b, long k) {
    double distance = Math.abs(k);
    return k == 0
        ? -Math.expm1(-0.5 / b)
        : 0.5 * (Math.exp(-(distance - 0.5) / b) - Math.exp(-(distance + 0.5) / b));
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "3,1", "1,1"})
  void laplaceNoiseIsTheRoundedLaw(long scale, int shift) {
    ExactDraws.Laplace law = new ExactDraws.Laplace(scale, shift);
    double b = Math.scalb((double) scale, -shift);
    assertLaw(law(dice -> new ExactDraws(dice).rounded(law), 1e-7), k -> rounded(b, k), 1e-2);
    // What the ledger says, on the law itself: no integer is more than e^(1/b) times likelier next
    // door, and the worst loss has probability ½, as for the Laplace mechanism.
    double nearer = 0;
    for (long k = -60; k <= 60; k++) {
      assertTrue(Math.abs(Math.log(rounded(b, k) / rounded(b, k - 1))) <= 1 / b + 1e-9);
      nearer += k <= 0 ? rounded(b, k) : 0;
    }
    assertTrue(nearer > 0.5);
  }

  @Test
  void theEnumerationSeesAnotherScale() {
    ExactDraws.Laplace law = new ExactDraws.Laplace(2, 0);
    Map<Long, Fraction> found = law(dice -> new ExactDraws(dice).rounded(law), 1e-7);
    assertThrows(AssertionError.class, () -> assertLaw(found, k -> rounded(1, k), 1e-2));
  }

  @Test
  void theScaleIsRoundedUpAndByLittle() {
    for (double steps :
        new double[] {0x1p-20, 1e-3, 0.1, 1, 4.7, 1e6, 0x1.fffffffffp31, 1e12, 0x1p50}) {
      BigDecimal exact = new BigDecimal(steps);
      ExactDraws.Laplace law = ExactDraws.Laplace.of(exact);
      BigDecimal got = new BigDecimal(law.scale()).divide(new BigDecimal(1L << law.shift()));
      assertTrue(got.compareTo(exact) >= 0, steps + " became " + got);
      assertTrue(got.doubleValue() <= steps * (1 + 0x1p-30), steps + " became " + got);
    }
    for (double wrong : new double[] {0, 0x1p-21, 0x1p51}) {
      assertThrows(
          IllegalArgumentException.class, () -> ExactDraws.Laplace.of(new BigDecimal(wrong)));
    }
  }

  @Test
  void choicesAreTheExponentialMechanisms() {
    // ε/(2Δ) = ½ a step.
    Scores scores = Scores.of(new long[] {7, 6, 6, 5}, 1);
    double[] weights = {1, Math.exp(-0.5), Math.exp(-0.5), Math.exp(-1)};
    double all = Arrays.stream(weights).sum();
    ExactDraws draws = new ExactDraws(stream(5));
    int n = 200_000;
    double[] counts = new double[4];
    for (int i = 0; i < n; i++) {
      counts[draws.choose(scores, 1)]++;
    }
    assertChosen(counts, weights, all, n);
    double[] flat = {1, 1, 1, 1};
    assertThrows(AssertionError.class, () -> assertChosen(counts, flat, 4, n));
    double[] twice = Arrays.stream(weights).map(w -> w * w).toArray();
    assertThrows(
        AssertionError.class, () -> assertChosen(counts, twice, Arrays.stream(twice).sum(), n));
  }

  /** The same mechanism, every throw counted. */
  @Test
  void choicesAreExact() {
    Scores scores = new Scores(new long[] {7, 6, 6}, -1, 0.25);
    double[] weights = {1, Math.exp(-1), Math.exp(-1)};
    double all = Arrays.stream(weights).sum();
    Map<Integer, Fraction> law = law(dice -> new ExactDraws(dice).choose(scores, 1), 1e-7);
    assertEquals(3, law.size());
    assertLaw(law, c -> weights[c] / all, 2e-2);
    assertThrows(AssertionError.class, () -> assertLaw(law, c -> weights[c] * weights[c], 2e-2));
  }

  private static void assertChosen(double[] counts, double[] weights, double all, int n) {
    double statistic = 0;
    for (int i = 0; i < counts.length; i++) {
      double expected = n * weights[i] / all;
      statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    Alarm.chiSquared("choices", statistic, counts.length - 1);
  }

  @Test
  void aChoiceFollowsItsScores() {
    // An ε so large that only the best is ever taken, and an ε of 0 that takes all alike.
    Scores scores = Scores.of(new long[] {3, 9, 9, -4}, 1);
    ExactDraws draws = new ExactDraws(stream(6));
    List<Integer> best = new ArrayList<>();
    boolean[] seen = new boolean[4];
    for (int i = 0; i < 200; i++) {
      best.add(draws.choose(scores, 1e4));
      seen[draws.choose(scores, 0)] = true;
    }
    assertTrue(best.stream().allMatch(c -> c == 1 || c == 2));
    assertTrue(best.contains(1) && best.contains(2));
    for (boolean one : seen) {
      assertTrue(one);
    }
    assertEquals(0, draws.choose(Scores.of(new long[] {0, -(1L << 61)}, 1), 1));
    // A score's grid and its sensitivity scale alike.
    Scores fine = new Scores(new long[] {3L << 20, 9L << 20}, -20, 1);
    Scores coarse = new Scores(new long[] {3, 9}, 0, 1);
    Scores wide = new Scores(new long[] {30, 90}, 0, 10);
    for (int i = 0; i < 200; i++) {
      int a = new ExactDraws(stream(i)).choose(fine, 0.5);
      assertEquals(a, new ExactDraws(stream(i)).choose(coarse, 0.5));
      assertEquals(a, new ExactDraws(stream(i)).choose(wide, 0.5));
    }
  }

  private static KeyStream stream(int release) {
    return new KeyStream(new javax.crypto.spec.SecretKeySpec(new byte[16], "AES"), 0)
        .start(release, 0);
  }

  @Test
  @Tag("statistical")
  void theDieIsEven() {
    KeyStream stream = stream(1);
    for (int sides : new int[] {1, 2, 3, 5, 100}) {
      double[] counts = new double[sides];
      for (int i = 0; i < 100_000; i++) {
        counts[(int) stream.below(sides)]++;
      }
      double[] weights = new double[sides];
      Arrays.fill(weights, 1);
      if (sides > 1) {
        assertChosen(counts, weights, sides, 100_000);
      }
    }
    for (int i = 0; i < 1000; i++) {
      long drawn = stream.below(1L << 62);
      assertTrue(drawn >= 0 && drawn < 1L << 62);
    }
  }

  private static double[] noise(double scale, int size) {
    long[] integers = new long[size];
    ExactDraws draws = new ExactDraws(Randomness.secure().dice("noise"));
    ExactDraws.Laplace law = ExactDraws.Laplace.of(new BigDecimal(scale));
    Arrays.setAll(integers, i -> draws.rounded(law));
    return Arrays.stream(integers).mapToDouble(x -> x).toArray();
  }

  private static void assertLaplace(double[] sample, double scale) {
    LaplaceDistribution law = LaplaceDistribution.of(0, scale);
    Alarm.kolmogorov("distribution", sample, law::cumulativeProbability);
    int n = sample.length;
    Alarm.normal("mean", 0, scale * Math.sqrt(2.0 * n), Arrays.stream(sample).sum());
    // |x| is exponential: mean b, deviation b.
    Alarm.normal(
        "absolute", scale * n, scale * Math.sqrt(n), Arrays.stream(sample).map(Math::abs).sum());
  }

  @Test
  @Tag("statistical")
  void largeNoiseIsLaplace() {
    assertLaplace(noise(1e7, 100_000), 1e7);
    assertLaplace(noise(1e12, 100_000), 1e12);
  }

  @Test
  @Tag("statistical")
  void theTestSeesNoiseThatIsTooSmallAndAnotherLaw() {
    // The mean size is 16 deviations off, and the alarm is at 6.
    double[] small = noise(0.95e7, 100_000);
    assertThrows(AssertionError.class, () -> assertLaplace(small, 1e7));
    double[] normal = new java.util.Random(1).doubles(100_000, -2e7, 2e7).toArray();
    assertThrows(AssertionError.class, () -> assertLaplace(normal, 1e7));
  }
}
