package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.internal.pairs.SingleRelease;
import dev.discreet.accounting.internal.pld.Bracket;
import dev.discreet.accounting.internal.pld.LossComposition;
import dev.discreet.accounting.internal.pld.RepeatedRelease;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One release, through the grid as if there were many, against its closed form. Rare and large
 * losses with a tiny ε are where grids of two scales meet.
 */
class PldSingleReleaseTest {

  private static LossPair pair(double sigma, double rate) {
    return DominatingPairs.of(
            new Mechanism.PoissonSampled(rate, new Mechanism.Gaussian(sigma)),
            Neighbouring.ADD_REMOVE)
        .upper();
  }

  private static void check(double sigma, double rate, double epsilon) {
    LossPair pair = pair(sigma, rate);
    double exact = SingleRelease.delta(pair, epsilon);
    Bracket forward = onGrid(pair, epsilon);
    Bracket found = Bracket.worse(forward, onGrid(pair.reversed(), epsilon));
    String where = sigma + " " + rate + " " + epsilon + ": " + found + " around " + exact;
    assertTrue(found.upper() >= exact * (1 - 1e-12), where);
    assertTrue(found.lower() <= exact * (1 + 1e-12), where);
  }

  private static Bracket onGrid(LossPair pair, double epsilon) {
    return new LossComposition(List.of(new RepeatedRelease(pair, pair, 1))).delta(epsilon, 1e-3, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "0.17179843033064132, 2.6769911034130677e-05, 4.377335684569455e-09",
    "0.4511260146347868, 5.830054695472268e-05, 5.905890239935882e-09"
  })
  void tinyEpsilonIsNotBelowTheTruth(double sigma, double rate, double epsilon) {
    check(sigma, rate, epsilon);
  }

  /**
   * Settings with a δ below 1e-30 are passed over: no grid reaches there, the bracket is wrong by
   * many orders of magnitude on its safe side, and holds whatever the composition does.
   */
  @Test
  void bothEndsHoldForRareSamples() {
    SplittableRandom random = new SplittableRandom(7);
    int checked = 0;
    for (int i = 0; checked < 24; i++) {
      double rate = Math.pow(10, -6.5 + 3.5 * random.nextDouble());
      double sigma = 0.1 * Math.pow(20, random.nextDouble());
      double epsilon =
          switch (i % 3) {
            case 0 -> 0;
            case 1 -> Math.pow(10, -12 + 10 * random.nextDouble());
            default -> 2 * random.nextDouble();
          };
      if (SingleRelease.delta(pair(sigma, rate), epsilon) >= 1e-30) {
        check(sigma, rate, epsilon);
        checked++;
      }
    }
  }
}
