package dev.discreet.core.privacy.draws;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The fast draws against their slow twin, whose own test compares it with mpmath. */
class BoxMullerTest {
  private static final int HALF = BoxMuller.HALF;

  /** With 125,000, four million draws are compared, which takes some minutes. */
  private static final int PAIRS = Integer.getInteger("discreet.pairs", 400) / HALF * HALF;

  private static final double[] DEVIATIONS = {
    1e-300, 0.5, 0.7, 3.3, 1023.5, 0x1p22 * 1.3, 0x1p30 + 12345.678, 0x1p36
  };

  private static long[] random(BoxMuller.MoreDigits[] more) {
    more[0] = (pair, round) -> new SplittableRandom(1_000_003L * pair + round).longs(2).toArray();
    return new SplittableRandom(7).longs(2L * PAIRS).toArray();
  }

  /** Words among which many make u very small or nearly 1, or an angle near 0 or at its ends. */
  private static long[] extremes() {
    SplittableRandom random = new SplittableRandom(8);
    long[] words = random.longs(2L * PAIRS).toArray();
    for (int i = 0; i < PAIRS; i++) {
      int at = BoxMuller.wordOf(i);
      long small = words[at] >>> random.nextInt(64);
      words[at] = random.nextBoolean() ? small : ~small;
      long turn = words[at + HALF] >>> random.nextInt(62);
      switch (random.nextInt(4)) {
        case 0 -> words[at + HALF] = turn;
        case 1 -> words[at + HALF] = ~turn;
        case 2 -> words[at + HALF] = Long.MIN_VALUE + turn;
        default -> words[at + HALF] = Long.MIN_VALUE - turn;
      }
    }
    words[0] = 0;
    words[1] = -1;
    words[2] = 1;
    words[3] = -2;
    return words;
  }

  private static long[] run(
      BoxMuller normals, double deviation, long[] words, BoxMuller.MoreDigits more) {
    long[] integers = new long[words.length];
    normals.add(deviation, words, 0, words.length / BoxMuller.GROUP, integers, 0, more);
    return integers;
  }

  private static long[] exact(double deviation, long[] words, BoxMuller.MoreDigits more) {
    long[] integers = new long[words.length];
    long[] pair = new long[2];
    for (int i = 0; i < words.length / 2; i++) {
      int at = BoxMuller.wordOf(i);
      int number = i;
      ExactBoxMuller.pair(
          deviation, words[at], words[at + HALF], round -> more.of(number, round), pair);
      integers[at] = pair[0];
      integers[at + HALF] = pair[1];
    }
    return integers;
  }

  @Test
  void theyAreThoseOfTheExactTwin() {
    BoxMuller.MoreDigits[] more = new BoxMuller.MoreDigits[1];
    long[] random = random(more);
    for (long[] words : new long[][] {random, extremes()}) {
      for (double deviation : DEVIATIONS) {
        long[] exact = exact(deviation, words, more[0]);
        assertArrayEquals(exact, run(new BoxMuller(), deviation, words, more[0]));
        assertArrayEquals(exact, run(new SimdBoxMuller(), deviation, words, more[0]));
      }
    }
  }

  /** A bound that is five times as small would be broken, and the bound itself is not. */
  @Test
  void theBoundOfTheErrorHoldsWhateverTheFurtherDigits() {
    double worst = 0;
    for (long word : new long[] {0, -1}) {
      worst = Math.max(worst, worstError(random(new BoxMuller.MoreDigits[1]), word));
      worst = Math.max(worst, worstError(extremes(), word));
    }
    assertTrue(worst > 0.2 && worst < 1, "largest error ÷ bound: " + worst);
  }

  /** The largest error among these words, as a share of its bound. */
  private static double worstError(long[] words, long further) {
    double fine = 0x1p57;
    // Not for ever: a U of 0 would decide nothing.
    long[] exact =
        exact(
            fine,
            words,
            (pair, round) -> round < 3 ? new long[] {further, further} : new long[] {1, 1});
    BoxMuller normals = new BoxMuller();
    normals.prepare(1, words, 0, words.length / BoxMuller.GROUP);
    double worst = 0;
    for (int i = 0; i < words.length / 2; i++) {
      int at = BoxMuller.wordOf(i);
      if (Double.isFinite(normals.errors[i])) {
        long turn = words[at + HALF];
        boolean swapped = (turn & 2) == 2;
        double cosine = (turn & 1) == 1 ? -normals.cosines[i] : normals.cosines[i];
        double sine = normals.sines[i];
        worst = Math.max(worst, error(swapped ? sine : cosine, exact[at]) / normals.errors[i]);
        worst =
            Math.max(worst, error(swapped ? cosine : sine, exact[at + HALF]) / normals.errors[i]);
      }
    }
    return worst;
  }

  private static double error(double fast, long exact) {
    BigDecimal scaled = new BigDecimal(fast).multiply(new BigDecimal(0x1p57));
    return scaled.subtract(new BigDecimal(exact)).abs().doubleValue() * 0x1p-57;
  }

  /** Of large noise so much is left to the twin as the bound says: 2·s·(A·E[r] + B·E[1/r]). */
  @Test
  void littleIsLeftToTheExactTwin() {
    BoxMuller normals = new SimdBoxMuller();
    int groups = 4096;
    long[] words = new SplittableRandom(9).longs((long) groups * BoxMuller.GROUP).toArray();
    long[] integers = new long[words.length];
    BoxMuller.MoreDigits more = (pair, round) -> new long[] {pair, round};
    normals.add(0x1p30, words, 0, groups, integers, 0, more);
    assertTrue(normals.undecided() <= 3, "of 2^15 pairs: " + normals.undecided());
    normals.add(0x1p36, words, 0, groups, integers, 0, more);
    int left = normals.undecided();
    // On average 23 of them.
    assertTrue(left > 5 && left < 80, "of 2^15 pairs: " + left);
  }

  @Test
  void wordsThatDecideNothingAreLeftToTheExactTwin() {
    long[] words = new long[BoxMuller.GROUP];
    for (BoxMuller normals : new BoxMuller[] {new BoxMuller(), new SimdBoxMuller()}) {
      for (long word : new long[] {0, -1}) {
        Arrays.fill(words, word);
        // The first round says no more than the words, the second is in the middle of its cell.
        BoxMuller.MoreDigits more =
            (pair, round) ->
                round == 1 ? new long[] {word, word} : new long[] {Long.MIN_VALUE, Long.MIN_VALUE};
        long[] fast = run(normals, 0x1p36, words, more);
        assertEquals(HALF, normals.undecided());
        assertArrayEquals(exact(0x1p36, words, more), fast);
      }
    }
  }

  /** Any part of the groups is made of the same words. */
  @Test
  void groupsDoNotDependOnEachOther() {
    BoxMuller.MoreDigits[] more = new BoxMuller.MoreDigits[1];
    long[] words = random(more);
    long[] all = run(new SimdBoxMuller(), 0x1p36, words, more[0]);
    long[] some = new long[words.length];
    BoxMuller normals = BoxMuller.fastest();
    for (int group = words.length / BoxMuller.GROUP - 1; group >= 0; group--) {
      int from = group * BoxMuller.GROUP;
      normals.add(0x1p36, words, group, 1, some, from, more[0]);
    }
    assertArrayEquals(all, some);
  }
}
