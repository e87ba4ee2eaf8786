package dev.discreet.audit.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.math.ClopperPearson;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bounds of drawn scores: right as often as they say, and near the truth. */
class ScoreSampleTest {

  private static ScoreSample gaussian(Random random, double mu, int draws) {
    return new ScoreSample(
        random.doubles(draws).map(any -> random.nextGaussian() + mu).toArray(),
        random.doubles(draws).map(any -> random.nextGaussian()).toArray());
  }

  private static void assertErrorRate(
      double errorRate,
      double truth,
      Supplier<ScoreSample> draw,
      ToDoubleFunction<ScoreSample> bound) {
    int repetitions = 1000;
    int errors = 0;
    for (int i = 0; i < repetitions; i++) {
      errors += bound.applyAsDouble(draw.get()) > truth ? 1 : 0;
    }
    double least = ClopperPearson.of(errors, repetitions, 1e-6).low();
    assertTrue(least <= errorRate, errors + " of " + repetitions + " at error rate " + errorRate);
  }

  /** False alarm: 1e-6. */
  @Test
  @Tag("statistical")
  void boundsAreTooLargeNoOftenerThanStated() {
    Random random = new Random(17);
    assertErrorRate(
        0.1, 1, () -> gaussian(random, 1, 200), scores -> GaussianFit.of(scores, 0.1).mu());
    // Two answers, one e times as likely with the person as without.
    Supplier<ScoreSample> coin =
        () ->
            new ScoreSample(
                random.doubles(200).map(u -> u < 0.3 * Math.E ? 1 : 0).toArray(),
                random.doubles(200).map(u -> u < 0.3 ? 1 : 0).toArray());
    double truth = Math.log(0.7 / (1 - 0.3 * Math.E));
    assertErrorRate(0.1, truth, coin, scores -> EpsilonLowerBound.of(scores, 0, 0.1).epsilon());
  }

  /** The test above can fail: a bound that is judged by the draws that chose it errs more often. */
  @Test
  @Tag("statistical")
  void aCutJudgedByItsOwnChoiceErrsTooOften() {
    Random random = new Random(18);
    int errors = 0;
    for (int i = 0; i < 100; i++) {
      double[] with = DoubleStream.generate(random::nextGaussian).limit(1000).sorted().toArray();
      double[] without = DoubleStream.generate(random::nextGaussian).limit(1000).toArray();
      double best =
          IntStream.range(0, 40)
              .mapToDouble(cut -> with[25 * cut])
              .map(
                  cut ->
                      GaussianFit.of(
                              new GuessCounts(
                                  Arrays.stream(with).filter(s -> s >= cut).count(),
                                  1000,
                                  Arrays.stream(without).filter(s -> s >= cut).count(),
                                  1000),
                              0.5)
                          .mu())
              .max()
              .orElseThrow();
      errors += best > 0 ? 1 : 0;
    }
    assertTrue(ClopperPearson.of(errors, 100, 1e-6).low() > 0.5, errors + " of 100");
  }

  /** Miss: below 1e-6; an honest μ of 2 is found to within 5%. */
  @Test
  @Tag("statistical")
  void boundsAreNearTheTruth() {
    ScoreSample scores = gaussian(new Random(19), 2, 50_000);
    double mu = GaussianFit.of(scores, 1e-6).mu();
    assertTrue(mu > 1.9 && mu < 2, "mu " + mu);
    // 9.99747 at 1e-5: few draws prove less, however good they are.
    double epsilon = EpsilonLowerBound.of(scores, 1e-5, 1e-6).epsilon();
    assertTrue(epsilon > 4.1 && epsilon < 9.99, "epsilon " + epsilon);
  }

  @Test
  void scoresThatPointTheOtherWayProveAsMuch() {
    double[] high = new Random(20).doubles(1000).map(u -> 2 + u).toArray();
    double[] low = new Random(21).doubles(1000).toArray();
    double expected = EpsilonLowerBound.of(new GuessCounts(750, 750, 0, 750), 0, 0.01).epsilon();
    assertEquals(expected, EpsilonLowerBound.of(new ScoreSample(high, low), 0, 0.01).epsilon());
    assertEquals(expected, EpsilonLowerBound.of(new ScoreSample(low, high), 0, 0.01).epsilon());
  }

  @Test
  void oneScoreForAllProvesNothing() {
    ScoreSample same = new ScoreSample(new double[100], new double[100]);
    assertEquals(0, EpsilonLowerBound.of(same, 0, 0.05).epsilon());
    assertEquals(0, GaussianFit.of(same, 0.05).mu());
  }

  @Test
  void infiniteScoresAreScores() {
    double[] never = new double[1000];
    double[] impossible = new double[1000];
    Arrays.fill(impossible, 0, 500, Double.POSITIVE_INFINITY);
    assertTrue(EpsilonLowerBound.of(new ScoreSample(impossible, never), 0, 1e-3).epsilon() > 3.5);
  }
}
