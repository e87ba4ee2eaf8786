package dev.discreet.audit.game;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.RandomRuns;
import dev.discreet.algorithms.pca.PrivatePca;
import dev.discreet.algorithms.pca.Projection;
import dev.discreet.algorithms.regression.FunctionalMechanism;
import dev.discreet.algorithms.regression.RegressionBounds;
import dev.discreet.algorithms.regression.RegressionBudget;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.algorithms.tuning.Search;
import dev.discreet.algorithms.tuning.Tuner;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import java.util.List;

/** Games with whole algorithms: principal directions, regression, paid tuning. */
final class AlgorithmGames {
  private AlgorithmGames() {}

  static List<MechanismGame> all() {
    return List.of(
        pca("pca", "one row more", Neighbouring.ADD_REMOVE, rows(1, 0, 3, 4), rows(1, 0)),
        pca(
            "pca-replace-one",
            "a row at right angles to the other's",
            Neighbouring.REPLACE_ONE,
            rows(1, 0, 3, 4),
            rows(1, 0, -4, 3)),
        regression(
            "regress-laplace",
            RegressionLoss.SQUARED,
            new RegressionBudget.Joint(1),
            Neighbouring.ADD_REMOVE),
        regression(
            "regress-gaussian",
            RegressionLoss.SQUARED,
            new RegressionBudget.Gaussian(2, 1e-3),
            Neighbouring.REPLACE_ONE),
        tuning("tune-geometric", RandomRuns.NegativeBinomial.ofMean(1, 3)),
        tuning("tune-poisson", RandomRuns.Poisson.ofMean(3)));
  }

  private static PrivateData rows(float... numbers) {
    return PrivateData.each(
        Examples.of(Shape.vector(2), numbers, 1, new float[numbers.length / 2]));
  }

  /** Directions and eigenvalues give the noisy matrix back, which the attacker looks at. */
  private static MechanismGame pca(
      String name, String pair, Neighbouring relation, PrivateData with, PrivateData without) {
    return SessionGames.repeated(
        name,
        pair,
        false,
        relation,
        (session, present) -> {
          Projection shown =
              PrivatePca.fit(
                  session,
                  present ? with : without,
                  2,
                  relation == Neighbouring.REPLACE_ONE ? 2 : 1);
          double[] matrix = new double[3];
          for (int k = 0; k < 2; k++) {
            double[] v = shown.directions()[k];
            double size = shown.eigenvalues()[k];
            matrix[0] += size * v[0] * v[0];
            matrix[1] += size * v[0] * v[1];
            matrix[2] += size * v[1] * v[1];
          }
          return new Transcript(matrix, "");
        });
  }

  /** The worst row has its feature and its target at a bound. */
  private static MechanismGame regression(
      String name, RegressionLoss loss, RegressionBudget budget, Neighbouring relation) {
    RegressionBounds bounds =
        RegressionBounds.same(
            1, new RegressionBounds.Interval(0, 8), new RegressionBounds.Interval(-1, 1));
    FunctionalMechanism mechanism = new FunctionalMechanism(bounds, loss, false, budget);
    Examples with = Examples.of(Shape.vector(1), new float[] {8, 0, 8}, 1, new float[] {0, 0, 1});
    Examples without =
        relation == Neighbouring.REPLACE_ONE
            ? Examples.of(Shape.vector(1), new float[] {8, 0, 8}, 1, new float[] {0, 0, -1})
            : Examples.of(Shape.vector(1), new float[] {8, 0}, 1, new float[] {0, 0});
    return new MechanismGame(
        name,
        relation == Neighbouring.REPLACE_ONE ? "another target of one row" : "one row more",
        false,
        0.05,
        present -> {
          try (PrivacySession session = PrivacySession.open(relation)) {
            Examples rows = present ? with : without;
            double[] weights =
                mechanism.fit(session, rows, Units.each(rows.size()), "row").model().weights();
            return new Plays(List.of(new Transcript(weights, "")), session.ledger());
          }
        });
  }

  /** Each run releases a count, and the run with the largest one wins. */
  private static MechanismGame tuning(String name, RandomRuns runs) {
    Neighbouring relation = Neighbouring.ADD_REMOVE;
    Mechanism mechanism = new Mechanism.Gaussian(2);
    Ledger one = Ledger.of(relation, mechanism, 1);
    return new MechanismGame(
        name,
        "one unit more in the count that each run releases and is chosen by",
        false,
        0.25,
        with -> {
          Tuner.Winner<double[]> winner =
              Tuner.random(
                  runs,
                  List.of(one),
                  Randomness.secure(),
                  (candidate, draw) -> {
                    try (PrivacySession session = PrivacySession.open(relation)) {
                      double[] noisy =
                          session
                              .release(
                                  mechanism,
                                  new GridVector(
                                      new long[] {with ? 1001 : 0},
                                      -10,
                                      Norm.L2,
                                      Math.scalb(1001.0, -10)))
                              .values();
                      return new Tuner.Scored<>(noisy, noisy[0], session.ledger());
                    }
                  });
          return new Plays(
              List.of(new Transcript(winner.output(), "" + winner.candidate())),
              new Search.Random(runs).ledger(List.of(one)));
        });
  }
}
