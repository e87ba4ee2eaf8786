package dev.discreet.core.privacy.draws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.TreeMap;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class ExactBoxMullerTest {
  /** bench/oracles/rounded_normal.py wrote the file. Its integers have no more than one answer. */
  @ParameterizedTest
  @CsvFileSource(resources = "rounded_normal.csv", numLinesToSkip = 1)
  void asComputedWithAThousandBits(
      double deviation, String words, long first, long second, int rounds) {
    long[] all =
        Arrays.stream(words.split(" ")).mapToLong(w -> Long.parseUnsignedLong(w, 16)).toArray();
    int[] asked = new int[1];
    long[] pair = new long[2];
    ExactBoxMuller.pair(
        deviation,
        all[0],
        all[1],
        round -> {
          asked[0] = round;
          return new long[] {all[2 * round], all[2 * round + 1]};
        },
        pair);
    assertEquals(first, pair[0]);
    assertEquals(second, pair[1]);
    // Bounds are a little wider than what the digits leave open, so a round more may be asked for.
    assertTrue(asked[0] == rounds || asked[0] == rounds + 1, "rounds: " + asked[0]);
    // The same pair among others, with the fast draws in front.
    for (BoxMuller normals : new BoxMuller[] {new BoxMuller(), new SimdBoxMuller()}) {
      long[] group = new long[BoxMuller.GROUP];
      Arrays.fill(group, 0x5555_5555_5555_5555L);
      group[5] = all[0];
      group[5 + BoxMuller.HALF] = all[1];
      long[] integers = new long[BoxMuller.GROUP];
      normals.add(
          deviation,
          group,
          0,
          1,
          integers,
          0,
          (number, round) -> new long[] {all[2 * round], all[2 * round + 1]});
      assertEquals(first, integers[5]);
      assertEquals(second, integers[5 + BoxMuller.HALF]);
    }
  }

  /**
   * Nothing is drawn here. All pairs of eight digits of U and six of V are tried; the share of
   * those that decide k is at most the probability of k, and with those that decide nothing at
   * least. By symmetry the spare bits need not be tried.
   */
  @Test
  void shareOfTheDigitsThatDecideForAnIntegerIsItsProbability() {
    double deviation = 1.4;
    int digits = 8;
    TreeMap<Long, Integer> decided = new TreeMap<>();
    int open = 0;
    long[] pair = new long[2];
    for (int u = 1; u < 1 << digits; u++) {
      for (int v = 0; v < 1 << digits - 2; v++) {
        if (ExactBoxMuller.decide(
            deviation, BigInteger.valueOf(u), BigInteger.valueOf(v), digits, pair)) {
          for (long sign : new long[] {1, -1}) {
            decided.merge(sign * pair[0], 1, Integer::sum);
            decided.merge(sign * pair[1], 1, Integer::sum);
          }
        } else {
          open++;
        }
      }
    }
    double all = Math.scalb(1.0, 2 * digits - 2);
    double undecided = open / all + Math.scalb(1.0, -digits);
    assertTrue(undecided < 0.2, "undecided: " + undecided);
    NormalDistribution law = NormalDistribution.of(0, deviation);
    decided.forEach(
        (k, count) -> {
          double probability = law.probability(k - 0.5, k + 0.5);
          double share = count / (4 * all);
          assertTrue(
              share <= probability && probability <= share + undecided,
              k + ": " + share + " of the digits for a probability of " + probability);
        });
  }
}
