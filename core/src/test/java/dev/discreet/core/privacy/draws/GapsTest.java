package dev.discreet.core.privacy.draws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast gap, the exact one by logarithms, and the exact one by powers. */
class GapsTest {
  private static final IntToLongFunction NONE =
      round -> {
        throw new AssertionError("the first digits suffice");
      };

  private static IntToLongFunction digits(long seed) {
    return round -> new SplittableRandom(seed + round).nextLong();
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0.5,
        0.25,
        0.75,
        0.1,
        0.01,
        1e-3,
        0.9,
        0.999,
        0x1.fffffffffffffp-1,
        1 - 0x1p-30,
        1e-12,
        1e-20,
        0x1p-60,
        1e-300,
        Double.MIN_VALUE,
        Double.MIN_NORMAL,
        1.0 / 3
      })
  void allThreeAgree(double rate) {
    Gaps gaps = new Gaps(rate);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 160; i++) {
      long word = random.nextLong();
      if (i % 4 == 1) {
        word >>>= random.nextInt(64);
      } else if (i % 4 == 2) {
        word = ~(word >>> random.nextInt(64));
      } else if (i % 4 == 3) {
        word = new long[] {0, 1, 2, -1, -2, 1L << 63, 1L << 62, (1L << 63) - 1}[i / 4 % 8];
      }
      IntToLongFunction more = digits(i);
      int exact = ExactGap.of(rate, 300, word, more);
      assertEquals(exact, gaps.next(300, word, more), rate + ": " + Long.toHexString(word));
      if (i < 60) {
        int most = rate < 1e-15 ? 2 : 40;
        assertEquals(
            new Trials(rate).gap(most, word, more), Math.min(exact, most), Long.toHexString(word));
      }
    }
  }

  /** Words at which one gap ends and another begins, and those beside them. */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.1, 0.01, 1e-3, 1e-5, 0.7, 1.0 / 3, 1e-12})
  void aroundEveryBoundary(double rate) {
    Gaps gaps = new Gaps(rate);
    Trials trials = new Trials(rate);
    for (int k : new int[] {1, 2, 3, 7, 31, 200}) {
      long word = trials.digits(k, 1).longValue();
      for (long at : new long[] {word - 2, word - 1, word, word + 1, word + 2}) {
        for (long seed = 0; seed < 3; seed++) {
          IntToLongFunction more = digits(seed);
          int expected =
              trials.isAbove(k, at, more)
                  ? trials.gap(k, at, more)
                  : k + (trials.isAbove(k + 1, at, more) ? 0 : 1);
          assertEquals(expected, Math.min(k + 1, gaps.next(1000, at, more)), k + ": " + at);
          assertEquals(expected, Math.min(k + 1, ExactGap.of(rate, 1000, at, more)));
        }
      }
    }
  }

  /** Only the second, third and fourth 64 digits tell on which side of a boundary a number is. */
  @Test
  void asManyDigitsAsItTakes() {
    for (double rate : new double[] {0.1, 1e-5, 0.7}) {
      for (int words = 2; words <= 4; words++) {
        for (int side = -1; side <= 1; side += 2) {
          int all = words;
          BigInteger digits = new Trials(rate).digits(30, words).add(BigInteger.valueOf(side));
          int[] asked = {0};
          IntToLongFunction more =
              round -> {
                asked[0] = Math.max(asked[0], round);
                return digits.shiftRight(64 * (all - 1 - round)).longValue();
              };
          long word = digits.shiftRight(64 * (words - 1)).longValue();
          assertEquals(side > 0 ? 29 : 30, new Gaps(rate).next(1000, word, more));
          assertEquals(words - 1, asked[0], "rounds of digits");
        }
      }
    }
  }

  /** A power of a half is on a boundary itself; every further digit puts it above. */
  @Test
  void aBoundaryWithFewDigits() {
    Gaps half = new Gaps(0.5);
    assertEquals(2, half.next(9, 1L << 61, round -> round == 3 ? 1 : 0));
    assertEquals(3, half.next(9, (1L << 61) - 1, round -> -1L << (round == 3 ? 1 : 0)));
    assertEquals(0, half.next(9, -1, NONE));
    assertEquals(7, half.next(7, 1, NONE));
    assertEquals(0, half.next(0, 1, NONE));
  }

  /** Of all words, the share below (1−q)ᵏ has gaps of k or more. */
  @Test
  void theShareOfWordsIsTheProbability() {
    for (double rate : new double[] {0.3, 1e-4}) {
      Trials trials = new Trials(rate);
      for (int k : new int[] {1, 5, 100}) {
        long word = trials.digits(k, 1).longValue();
        Gaps gaps = new Gaps(rate);
        assertEquals(k, gaps.next(k, word - 1, digits(1)));
        assertTrue(gaps.next(k, word + 1, digits(1)) < k);
      }
    }
  }

  @Test
  void refusals() {
    for (double rate : new double[] {0, 1, -0.5, 2, Double.NaN}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> new Gaps(rate)).getMessage();
      assertTrue(message.startsWith("rate must be in (0, 1). Provided value: "), message);
    }
  }
}
