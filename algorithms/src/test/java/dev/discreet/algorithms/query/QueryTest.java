package dev.discreet.algorithms.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueryTest {
  private static final ColumnBounds BOUNDS = new ColumnBounds(20, 100);
  private static final List<Query> QUERIES =
      List.of(
          new Query.Count(Optional.empty()),
          new Query.Sum(BOUNDS),
          new Query.Mean(BOUNDS),
          new Query.Histogram(Bins.Edges.even(BOUNDS, 4)),
          new Query.Quantile(0.5, BOUNDS, 801));

  private static PrivacySession session(Neighbouring relation, long seed) {
    return PrivacySession.open(Journal.inMemory(relation), Randomness.insecure(seed));
  }

  private static double[] values(int n) {
    return new SplittableRandom(4).doubles(n, 0, 120).toArray();
  }

  private static double clampedSum(double[] values) {
    return Arrays.stream(values).map(BOUNDS::clamp).sum();
  }

  /** With hardly any noise the answers are those of a few plain lines. */
  @ParameterizedTest
  @EnumSource(Neighbouring.class)
  void answersAreThoseOfASlowOracle(Neighbouring relation) {
    double[] values = values(1001);
    int[] unitOf = new int[values.length];
    Arrays.setAll(unitOf, i -> i);
    Protection[] protections = {new Protection.Laplace(1000), new Protection.Gaussian(1000, 1e-5)};
    for (QueryColumn column :
        List.of(QueryColumn.ofRows(values), QueryColumn.ofUnits(values, unitOf, 1))) {
      for (Protection protection : protections) {
        try (PrivacySession session = session(relation, 1)) {
          double sum = clampedSum(values);
          assertEquals(1001, QUERIES.get(0).ask(session, protection, () -> column).value(), 1);
          assertEquals(
              Arrays.stream(values).filter(BOUNDS::contains).count(),
              new Query.Count(Optional.of(BOUNDS)).ask(session, protection, () -> column).value(),
              1);
          assertEquals(sum, QUERIES.get(1).ask(session, protection, () -> column).value(), 100);
          assertEquals(
              sum / 1001, QUERIES.get(2).ask(session, protection, () -> column).value(), 0.1);
          List<Double> counts = QUERIES.get(3).ask(session, protection, () -> column).values();
          for (int bin = 0; bin < 4; bin++) {
            double low = 20 + 20 * bin;
            long expected = Arrays.stream(values).filter(v -> v >= low && v < low + 20).count();
            assertEquals(expected, counts.get(bin), 1);
          }
          if (protection instanceof Protection.Laplace) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            double median = QUERIES.get(4).ask(session, protection, () -> column).value();
            assertEquals(sorted[500], median, 0.3);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Neighbouring.class)
  void anAnswerIsPaidForBeforeTheColumnIsRead(Neighbouring relation) {
    for (Query query : QUERIES) {
      for (Protection protection :
          new Protection[] {new Protection.Laplace(0.7), new Protection.Gaussian(0.7, 1e-6)}) {
        if (query instanceof Query.Quantile && protection.delta() > 0) {
          continue;
        }
        try (PrivacySession session = session(relation, 2)) {
          Ledger expected = query.cost(protection, relation);
          Answer answer =
              query.ask(
                  session,
                  protection,
                  () -> {
                    assertEquals(expected, session.ledger());
                    return QueryColumn.ofRows(values(10));
                  });
          assertEquals(expected, answer.cost());
          assertEquals(expected, session.ledger());
          // It costs what was asked for under the relation, and not half or twice that.
          double cost = new PldAccountant().epsilon(session.ledger(), protection.delta()).epsilon();
          assertEquals(0.7, cost, 1e-6, query + " by " + protection);
        }
      }
    }
  }

  /** Of 4,000 answers, with a false alarm below 1e-8: six deviations and more. */
  private static void assertDeviation(double[] errors, double stated, double fourth) {
    double mean = Arrays.stream(errors).map(e -> e * e).average().orElseThrow();
    double deviation = stated * stated * Math.sqrt((fourth - 1) / errors.length);
    assertTrue(
        Math.abs(mean - stated * stated) < 7 * deviation,
        "deviation " + Math.sqrt(mean) + ", stated " + stated);
  }

  private static double[] errors(
      Query query, Protection protection, Neighbouring relation, DoubleUnaryOperator error) {
    double[] values = values(2000);
    try (PrivacySession session =
        PrivacySession.open(Journal.inMemory(relation), Randomness.secure())) {
      double[] errors = new double[4000];
      QueryColumn column = QueryColumn.ofRows(values);
      Arrays.setAll(
          errors, i -> error.applyAsDouble(query.ask(session, protection, () -> column).value()));
      return errors;
    }
  }

  @Test
  @Tag("statistical")
  void noiseIsAsLargeAsStatedAndCheckableByHand() {
    double sum = clampedSum(values(2000));
    DoubleUnaryOperator ofSum = v -> v - sum;
    Protection laplace = new Protection.Laplace(0.5);
    Protection gaussian = new Protection.Gaussian(0.5, 1e-5);
    // Add/remove: 100/ε. Replace-one: 80/ε. Fourth moments: 6 for Laplace, 3 for a Gaussian.
    double[] added = errors(QUERIES.get(1), laplace, Neighbouring.ADD_REMOVE, ofSum);
    assertDeviation(added, Math.sqrt(2) * 200, 6);
    assertThrows(AssertionError.class, () -> assertDeviation(added, Math.sqrt(2) * 100, 6));
    assertThrows(AssertionError.class, () -> assertDeviation(added, Math.sqrt(2) * 400, 6));
    double[] replaced = errors(QUERIES.get(1), laplace, Neighbouring.REPLACE_ONE, ofSum);
    assertDeviation(replaced, Math.sqrt(2) * 160, 6);
    double[] normal = errors(QUERIES.get(1), gaussian, Neighbouring.ADD_REMOVE, ofSum);
    double stated = gaussian.deviation(Neighbouring.ADD_REMOVE, 100);
    double classical = 100 * Math.sqrt(2 * Math.log(1.25e5)) / 0.5;
    assertTrue(stated < classical && stated > 0.6 * classical, stated + " of " + classical);
    assertDeviation(normal, stated, 3);
    // A count of 2,000 whole rows.
    assertDeviation(
        errors(QUERIES.get(0), laplace, Neighbouring.ADD_REMOVE, v -> v - 2000),
        Math.sqrt(8 + 1 / 12.0),
        6);
    double mean = sum / 2000;
    double[] ofMean = errors(QUERIES.get(2), laplace, Neighbouring.ADD_REMOVE, v -> v - mean);
    double place = (mean - 20) / 80;
    assertDeviation(ofMean, 80 * Math.sqrt(8) / 2000 * Math.hypot(place, 1 - place), 6);
  }

  @Test
  void anAnswerSaysHowFarOffItIs() {
    QueryColumn column = QueryColumn.ofRows(values(2000));
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE, 3)) {
      Protection laplace = new Protection.Laplace(0.5);
      Answer sum = QUERIES.get(1).ask(session, laplace, () -> column);
      assertEquals(Math.sqrt(2) * 200, sum.deviation().orElseThrow(), 1e-3);
      Answer mean = QUERIES.get(2).ask(session, laplace, () -> column);
      assertEquals(0.08, mean.deviation().orElseThrow(), 0.01);
      assertTrue(QUERIES.get(4).ask(session, laplace, () -> column).deviation().isEmpty());
      // Nobody at all: still an answer, within the bounds, and no promise of precision.
      Answer nobody = QUERIES.get(2).ask(session, laplace, () -> QueryColumn.ofRows(new double[0]));
      assertTrue(BOUNDS.contains(nobody.value()));
      assertTrue(nobody.deviation().orElseThrow() > 1);
      assertTrue(
          BOUNDS.contains(
              QUERIES
                  .get(4)
                  .ask(session, laplace, () -> QueryColumn.ofRows(new double[0]))
                  .value()));
    }
  }

  @Test
  @Tag("statistical")
  void aQuantilesErrorFallsWithEpsilon() {
    // Uniform on [0, 120], clamped: the 0.25-quantile is 30. False alarms: none to speak of, since
    // the exponential mechanism misses by more than 120/2000·(2/ε)(ln 801 + 25) with chance e^-25.
    QueryColumn column = QueryColumn.ofRows(values(2000));
    Query query = new Query.Quantile(0.25, BOUNDS, 801);
    double[] sorted = values(2000);
    Arrays.sort(sorted);
    for (double epsilon : new double[] {0.5, 2}) {
      try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
        int rows = (int) Math.ceil(2 * 0.75 / epsilon * (Math.log(801) + 25)) + 5;
        for (int i = 0; i < 20; i++) {
          double answer = query.ask(session, new Protection.Laplace(epsilon), () -> column).value();
          assertTrue(
              answer >= sorted[500 - rows] - 0.1 && answer <= sorted[500 + rows] + 0.1,
              answer + " at " + epsilon);
        }
      }
    }
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  @Test
  void refusals() {
    refused(
        "upper bound must be above the lower one, 5. Provided value: 1",
        () -> new ColumnBounds(5, 1));
    assertThrows(IllegalArgumentException.class, () -> new ColumnBounds(Double.NaN, 1));
    assertThrows(
        IllegalArgumentException.class, () -> new ColumnBounds(0, Double.POSITIVE_INFINITY));
    refused(
        "quantile must be in (0, 1). Provided value: 1.5",
        () -> new Query.Quantile(1.5, BOUNDS, 10));
    refused(
        "candidates must be in [2, 1048576]. Provided value: 1",
        () -> new Query.Quantile(0.5, BOUNDS, 1));
    refused("epsilon must be in [1e-6, 1000]. Provided value: 0", () -> new Protection.Laplace(0));
    refused(
        "delta must be in (0, 1) for Gaussian noise. Provided value: 0",
        () -> new Protection.Gaussian(1, 0));
    assertThrows(IllegalArgumentException.class, () -> new Protection.Gaussian(1e-6, 1e-12));
    refused(
        "rows per unit must be in [1, 1000000]. Provided value: 0",
        () -> QueryColumn.ofUnits(new double[1], new int[1], 0));
    assertThrows(IllegalArgumentException.class, () -> new Bins.Edges(List.of(1.0, 1.0)));
    assertThrows(IllegalArgumentException.class, () -> new Bins.Categories(List.of("a", "a")));
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE, 1)) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              QUERIES
                  .get(4)
                  .ask(
                      session,
                      new Protection.Gaussian(1, 1e-5),
                      () -> {
                        throw new AssertionError("read");
                      }));
      assertTrue(session.ledger().entries().isEmpty());
    }
    Ledger entry = QUERIES.get(4).cost(new Protection.Laplace(2), Neighbouring.REPLACE_ONE);
    assertEquals(Ledger.of(Neighbouring.REPLACE_ONE, new Mechanism.Exponential(2), 1), entry);
  }
}
