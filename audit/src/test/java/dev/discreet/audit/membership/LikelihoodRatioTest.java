package dev.discreet.audit.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LikelihoodRatioTest {
  private static final int PLAYERS = 5;

  /** Each player is in every other shadow. */
  private static List<ModelScores> shadows(int count) {
    SplittableRandom random = new SplittableRandom(7);
    List<ModelScores> shadows = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      boolean[] in = new boolean[PLAYERS];
      float[] statistics = new float[PLAYERS];
      for (int i = 0; i < PLAYERS; i++) {
        in[i] = (k + i) % 2 == 0;
        statistics[i] = (float) ((in[i] ? 2 + i : i) + (i + 1) * random.nextDouble());
      }
      shadows.add(new ModelScores(in, statistics));
    }
    return shadows;
  }

  private static double[] values(List<ModelScores> shadows, int player, boolean side) {
    return shadows.stream()
        .filter(each -> each.in()[player] == side)
        .mapToDouble(each -> each.statistics()[player])
        .toArray();
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double squares(double[] values) {
    double mean = mean(values);
    double sum = 0;
    for (double value : values) {
      sum += (value - mean) * (value - mean);
    }
    return sum;
  }

  /** Of few shadows one deviation for all players, of many one for each. */
  private static double deviation(List<ModelScores> shadows, int player, boolean side) {
    double[] own = values(shadows, player, side);
    if (own.length >= LikelihoodRatio.OWN_VARIANCE) {
      return Math.sqrt(squares(own) / (own.length - 1));
    }
    double sum = 0;
    int freedom = 0;
    for (int i = 0; i < PLAYERS; i++) {
      double[] values = values(shadows, i, side);
      sum += squares(values);
      freedom += values.length - 1;
    }
    return Math.sqrt(sum / freedom);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 16, 64, 70})
  void scoresAreThoseOfTheDensities(int count) {
    List<ModelScores> shadows = shadows(count);
    float[] target = {0.5f, 3, -2, 10, 4.25f};
    double[] online = new LikelihoodRatio(shadows).online(target);
    double[] offline = new LikelihoodRatio(shadows).offline(target);
    for (int i = 0; i < PLAYERS; i++) {
      NormalDistribution in =
          NormalDistribution.of(mean(values(shadows, i, true)), deviation(shadows, i, true));
      NormalDistribution out =
          NormalDistribution.of(mean(values(shadows, i, false)), deviation(shadows, i, false));
      assertEquals(in.logDensity(target[i]) - out.logDensity(target[i]), online[i], 1e-6);
      double probability = NormalDistribution.of(0, 1).cumulativeProbability(offline[i]);
      assertEquals(out.cumulativeProbability(target[i]), probability, 1e-6);
    }
  }

  @Test
  void aMemberScoresHigherThanAnother() {
    LikelihoodRatio ratio = new LikelihoodRatio(shadows(16));
    double[] asIn = ratio.online(new float[] {2.5f, 4, 5.5f, 7, 8.5f});
    double[] asOut = ratio.online(new float[] {0.5f, 2, 3.5f, 5, 6.5f});
    for (int i = 0; i < PLAYERS; i++) {
      assertTrue(asIn[i] > asOut[i], i + ": " + asIn[i] + " and " + asOut[i]);
    }
  }

  @Test
  void shadowsThatAllAgreeGiveNumbers() {
    boolean[] with = {true};
    boolean[] without = {false};
    float[] same = {1};
    LikelihoodRatio ratio =
        new LikelihoodRatio(
            List.of(
                new ModelScores(with, same),
                new ModelScores(with, same),
                new ModelScores(without, same),
                new ModelScores(without, same)));
    assertEquals(0, ratio.online(new float[] {3})[0]);
  }

  @Test
  void refusesAPlayerWhoWasNeverOut() {
    ModelScores in = new ModelScores(new boolean[] {true}, new float[] {1});
    assertThrows(
        IllegalArgumentException.class, () -> new LikelihoodRatio(List.of(in, in, in, in)));
  }
}
