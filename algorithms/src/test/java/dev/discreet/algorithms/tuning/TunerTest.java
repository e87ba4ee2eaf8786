package dev.discreet.algorithms.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.RandomRuns;
import dev.discreet.accounting.RandomRuns.NegativeBinomial;
import dev.discreet.algorithms.tuning.Tuner.Scored;
import dev.discreet.algorithms.tuning.Tuner.Winner;
import dev.discreet.core.privacy.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TunerTest {
  private static Ledger ledger(double sigma) {
    return Ledger.of(Neighbouring.ADD_REMOVE, new Gaussian(sigma), 1);
  }

  private static final List<Ledger> THREE = List.of(ledger(1), ledger(2), ledger(3));

  /**
   * The winner's law is that which the theorem is about: candidate drawn evenly, then the best of K
   * by generating function. Outcomes are scores 0, 1, 2 with chances by candidate. The seeds are
   * fixed; over seeds an alarm would be false about once in 1e9, 6 deviations.
   */
  @Test
  @Tag("statistical")
  void theWinnerIsTheBestOfIndependentRuns() {
    double[][] chances = {{0.7, 0.25, 0.05}, {0.2, 0.7, 0.1}, {0.5, 0.5, 0}};
    double gamma = 0.25;
    int draws = 20_000;
    SplittableRandom random = new SplittableRandom(9);
    long[][] counts = new long[3][3];
    for (int i = 0; i < draws; i++) {
      Winner<Integer> winner =
          Tuner.random(
              new NegativeBinomial(1, gamma),
              THREE,
              Randomness.insecure(i),
              (candidate, draw) -> {
                double u = random.nextDouble();
                double[] p = chances[candidate];
                int outcome = u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2;
                return new Scored<>(outcome, outcome, THREE.get(candidate));
              });
      counts[winner.candidate()][winner.output()]++;
    }
    double below = 0;
    for (int outcome = 0; outcome < 3; outcome++) {
      double at = 0;
      for (double[] p : chances) {
        at += p[outcome] / 3;
      }
      double share = geometric(below + at, gamma) - geometric(below, gamma);
      for (int candidate = 0; candidate < 3; candidate++) {
        double p = share * chances[candidate][outcome] / 3 / at;
        double deviation = Math.sqrt(draws * p * (1 - p)) + 1e-9;
        double z = (counts[candidate][outcome] - draws * p) / deviation;
        assertTrue(Math.abs(z) < 6, candidate + " " + outcome + ": " + z);
      }
      below += at;
    }
  }

  private static double geometric(double x, double gamma) {
    return gamma * x / (1 - (1 - gamma) * x);
  }

  @Test
  void theLedgerIsThatOfTheSearch() {
    RandomRuns runs = NegativeBinomial.ofMean(1, 4);
    Ledger random = new Search.Random(runs).ledger(THREE);
    assertEquals(1, random.entries().size());
    Mechanism.BestOf best = (Mechanism.BestOf) random.entries().get(0).mechanism();
    assertEquals(THREE.stream().map(Ledger::entries).toList(), best.candidates());
    assertEquals(3, new Search.Grid().ledger(THREE).entries().size());
  }

  @Test
  void aRunThatReleasedMoreThanItDeclaredIsRefused() {
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    Tuner.random(
                        NegativeBinomial.ofMean(1, 4),
                        List.of(ledger(2)),
                        Randomness.secure(),
                        (candidate, draw) -> new Scored<>("", 1, ledger(2).plus(ledger(2)))))
            .getMessage();
    assertTrue(said.startsWith("ledger of a run must be what its candidate declared"), said);
  }

  @Test
  void aGridRunsEachOnce() {
    List<Integer> ran = new ArrayList<>();
    List<Scored<String>> all =
        Tuner.grid(
            THREE,
            (candidate, draw) -> {
              ran.add(candidate);
              return new Scored<>("run " + candidate, candidate == 1 ? 5 : 4, THREE.get(candidate));
            });
    assertEquals(List.of(0, 1, 2), ran);
    assertEquals(new Winner<>(1, "run 1", 5), Tuner.best(all));
  }

  /** What diverged loses, and the first of equals wins. */
  @Test
  void scoresThatAreNoNumbersLose() {
    double[] scores = {Double.NaN, 0.5, 0.5};
    List<Scored<Integer>> all =
        Tuner.grid(THREE, (i, draw) -> new Scored<>(i, scores[i], THREE.get(i)));
    assertEquals(1, Tuner.best(all).candidate());
    List<Scored<Integer>> none =
        Tuner.grid(THREE, (i, draw) -> new Scored<>(i, Double.NaN, THREE.get(i)));
    assertEquals(0, Tuner.best(none).candidate());
  }

  @Test
  void candidatesOfTwoRelationsAreRefused() {
    List<Ledger> mixed =
        List.of(ledger(1), Ledger.of(Neighbouring.REPLACE_ONE, new Gaussian(1), 1));
    for (Search search : List.of(new Search.Grid(), new Search.Random(new RandomRuns.Poisson(1)))) {
      assertThrows(IllegalArgumentException.class, () -> search.ledger(mixed));
      assertThrows(IllegalArgumentException.class, () -> search.ledger(List.of()));
    }
  }
}
