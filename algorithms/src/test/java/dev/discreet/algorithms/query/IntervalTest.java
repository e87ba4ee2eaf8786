package dev.discreet.algorithms.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.AddedNoise.Law;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.math.ClopperPearson;
import dev.discreet.accounting.math.Normal;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Intervals contain the exact answer as often as they say, over the noise. */
class IntervalTest {
  private static final ColumnBounds BOUNDS = new ColumnBounds(20, 100);
  private static final int TRIES = 1500;

  private static PrivacySession session(Neighbouring relation) {
    return PrivacySession.open(Journal.inMemory(relation), Randomness.secure());
  }

  /**
   * Whether something is found as often as with probability {@code confidence}, or more often; a
   * false alarm has probability 1e-9.
   *
   * @return below the probability that it is found, but for the same chance
   */
  private static double covered(double confidence, int tries, IntPredicate contains) {
    int found = 0;
    for (int i = 0; i < tries; i++) {
      found += contains.test(i) ? 1 : 0;
    }
    ClopperPearson share = ClopperPearson.of(found, tries, 1e-9);
    assertTrue(share.high() >= confidence, found + " of " + tries + " at " + confidence);
    return share.low();
  }

  private static double[] values(int rows) {
    return new SplittableRandom(4).doubles(rows, 0, 120).toArray();
  }

  private static double clamped(double[] values) {
    return Arrays.stream(values).map(BOUNDS::clamp).sum();
  }

  /** Of whole steps: the least half-width that the law's own distribution function allows. */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.9, 0.95, 0.999, 1 - 1e-9})
  void aReachIsTheLeastThatTheLawAllows(double confidence) {
    for (double scale : new double[] {0.01, 0.4, 3, 1e6}) {
      for (Law law : Law.values()) {
        double reach = new NoiseLaw(law, scale, 0.25).reach(confidence);
        assertEquals(Math.rint(reach / 0.25), reach / 0.25, "whole steps");
        assertTrue(inside(law, reach + 0.125, scale) >= confidence * (1 - 1e-12));
        assertTrue(reach == 0 || inside(law, reach - 0.125, scale) < confidence);
      }
    }
  }

  private static double inside(Law law, double t, double scale) {
    return law == Law.LAPLACE ? -Math.expm1(-t / scale) : 1 - 2 * Normal.tail(t / scale);
  }

  /** Against sums over a fine grid of one noise of the other's tail. */
  @Test
  void theLawOfADifferenceIsThatOfAConvolution() {
    for (double confidence : new double[] {0.3, 0.9, 0.99}) {
      for (double b : new double[] {0, 0.2, 0.999999, 1, 1.7}) {
        double reach = new NoiseLaw(Law.LAPLACE, 2, 1e-12).reach(confidence, 1, b);
        double outside = 0;
        double cell = 1e-3;
        for (double y = -60 + cell / 2; y < 60; y += cell) {
          double density = Math.exp(-Math.abs(y)) / 2;
          double above = tail((reach + 2 * b * y) / 2);
          double below = tail((reach - 2 * b * y) / 2);
          outside += density * cell * (above + below);
        }
        assertEquals(1 - confidence, outside, 2e-6, confidence + " of 1 and " + b);
      }
    }
  }

  /** P(N &gt; t) of Laplace noise of scale 1. */
  private static double tail(double t) {
    return t >= 0 ? Math.exp(-t) / 2 : 1 - Math.exp(t) / 2;
  }

  /** Quotients rely on it: what is excluded is then one piece on each side. */
  @Test
  void theReachOfADifferenceIsConvex() {
    for (double confidence : new double[] {0.01, 0.2, 0.5, 0.9, 0.95, 0.9999}) {
      NoiseLaw law = new NoiseLaw(Law.LAPLACE, 1, 1e-9);
      for (int i = 1; i < 200; i++) {
        double p = i / 200.0;
        double here = law.reach(confidence, 1 - p, p);
        double before = law.reach(confidence, 1 - p + 0.005, p - 0.005);
        double after = law.reach(confidence, 1 - p - 0.005, p + 0.005);
        assertTrue(here <= (before + after) / 2 + 1e-9, confidence + " at " + p);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Neighbouring.class)
  @Tag("statistical")
  void sumsAndCountsAreCoveredAsOftenAsSaid(Neighbouring relation) {
    double[] values = values(50);
    QueryColumn column = QueryColumn.ofRows(values);
    for (Protection protection :
        List.of(new Protection.Laplace(0.3), new Protection.Gaussian(0.3, 1e-5))) {
      try (PrivacySession session = session(relation)) {
        for (double confidence : new double[] {0.5, 0.95}) {
          double sum = clamped(values);
          double least =
              covered(
                  confidence,
                  TRIES,
                  i ->
                      new Query.Sum(BOUNDS)
                          .ask(session, protection, () -> column)
                          .interval(confidence)
                          .contains(sum));
          assertTrue(least <= confidence, "exact, so no more often than said");
          covered(
              confidence,
              TRIES,
              i ->
                  new Query.Count(Optional.empty())
                      .ask(session, protection, () -> column)
                      .interval(confidence)
                      .contains(50));
        }
      }
    }
  }

  /** Of few rows and much noise too, where a first-order formula would be far off. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 30})
  @Tag("statistical")
  void meansAreCoveredAsOftenAsSaid(int rows) {
    for (Neighbouring relation : Neighbouring.values()) {
      for (boolean ends : new boolean[] {false, true}) {
        double[] values = values(rows);
        if (ends) {
          Arrays.fill(values, 20);
        }
        QueryColumn column = QueryColumn.ofRows(values);
        double mean = rows == 0 ? 60 : clamped(values) / rows;
        for (Protection protection :
            List.of(new Protection.Laplace(0.5), new Protection.Gaussian(0.5, 1e-3))) {
          try (PrivacySession session = session(relation)) {
            covered(
                0.9,
                300,
                i -> {
                  Answer answer = new Query.Mean(BOUNDS).ask(session, protection, () -> column);
                  NoiseInterval where = answer.interval(0.9);
                  assertTrue(where.contains(answer.value()));
                  assertTrue(BOUNDS.contains(where.low()) && BOUNDS.contains(where.high()));
                  return where.contains(mean);
                });
          }
        }
      }
    }
  }

  /** Between candidates, on them, all alike, few and none. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 200})
  @Tag("statistical")
  void quantilesAreCoveredAsOftenAsSaid(int rows) {
    for (boolean alike : new boolean[] {false, true}) {
      double[] values = values(rows);
      if (alike) {
        Arrays.fill(values, 61.2345);
      }
      double[] sorted = Arrays.stream(values).map(BOUNDS::clamp).sorted().toArray();
      QueryColumn column = QueryColumn.ofRows(values);
      for (double q : new double[] {0.02, 0.5}) {
        try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
          Query query = new Query.Quantile(q, BOUNDS, 81, OptionalDouble.of(0.6));
          covered(
              0.6,
              200,
              i -> {
                Answer answer = query.ask(session, new Protection.Laplace(1), () -> column);
                NoiseInterval where = answer.interval(0.6);
                assertTrue(where.contains(answer.value()));
                assertEquals(new NoiseInterval(20, 100), answer.interval(0.61));
                return rows == 0
                    || where.contains(sorted[(int) Math.min(rows - 1, Math.ceil(q * rows) - 1)]);
              });
        }
      }
    }
  }

  /** With many rows what is bought is narrow. */
  @Test
  void anIntervalOfAQuantileIsOfUse() {
    QueryColumn column = QueryColumn.ofRows(values(20_000));
    Query query = new Query.Quantile(0.5, BOUNDS, 8001, OptionalDouble.of(0.95));
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
      NoiseInterval where =
          query.ask(session, new Protection.Laplace(1), () -> column).interval(0.95);
      assertTrue(where.high() - where.low() < 3, where.toString());
    }
  }

  /** The test that these tests can fail: intervals made for half the noise. */
  @Test
  @Tag("statistical")
  void intervalsThatAreTooNarrowAreNoticed() {
    QueryColumn column = QueryColumn.ofRows(values(50));
    double mean = clamped(values(50)) / 50;
    double sum = clamped(values(50));
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
      Protection protection = new Protection.Laplace(0.5);
      ToDoubleFunction<Query> off = query -> query instanceof Query.Mean ? mean : sum;
      for (Query query : List.of(new Query.Mean(BOUNDS), new Query.Sum(BOUNDS))) {
        assertThrows(
            AssertionError.class,
            () ->
                covered(
                    0.95,
                    TRIES,
                    i -> {
                      Answer answer = query.ask(session, protection, () -> column);
                      NoiseInterval full = answer.interval(0.95);
                      NoiseInterval half =
                          new NoiseInterval(
                              (full.low() + answer.value()) / 2,
                              (full.high() + answer.value()) / 2);
                      return half.contains(off.applyAsDouble(query));
                    }));
      }
    }
  }

  @Test
  void refusals() {
    assertEquals(
        "confidence must be in (0, 1). Provided value: 1",
        assertThrows(IllegalArgumentException.class, () -> NoiseInterval.checkConfidence(1))
            .getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> new Query.Quantile(0.5, BOUNDS, 10, OptionalDouble.of(0)));
    // So many rows per unit for so little that no interval could be bought.
    QueryColumn many = QueryColumn.ofUnits(new double[1], new int[1], 1_000_000);
    try (PrivacySession session = session(Neighbouring.ADD_REMOVE)) {
      Query query = new Query.Quantile(0.5, BOUNDS, 10, OptionalDouble.of(0.9));
      Answer answer = query.ask(session, new Protection.Laplace(1e-6), () -> many);
      assertEquals(new NoiseInterval(20, 100), answer.interval(0.9));
    }
  }
}
