package dev.discreet.algorithms.query;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.draws.Scores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stated sensitivities against all neighbours of small data sets: true, and no larger than that.
 */
class ValuesTest {
  private static final double NONE = Double.NaN;
  private static final List<ColumnBounds> BOUNDS =
      List.of(
          new ColumnBounds(0, 100),
          new ColumnBounds(-1, 1),
          new ColumnBounds(20, 100),
          new ColumnBounds(-100, -20),
          new ColumnBounds(-30, 100),
          new ColumnBounds(1e6, 1e6 + 1));

  /** Everything that a unit may have: beyond the bounds, on them, between, nothing. */
  private static List<double[]> units(ColumnBounds bounds, boolean several) {
    double[] values = {
      bounds.low(), bounds.high(), bounds.low() - 1e9, bounds.high() + 1e9, bounds.middle(), NONE
    };
    List<double[]> units = new ArrayList<>();
    for (double a : values) {
      units.add(several ? new double[] {a, a, a, a} : new double[] {a});
      for (double b : values) {
        if (several) {
          units.add(new double[] {a, b});
          units.add(new double[] {b, a, bounds.high(), bounds.low(), a});
        }
      }
    }
    return units;
  }

  private static QueryColumn column(List<double[]> units, boolean several) {
    double[] values = units.stream().flatMapToDouble(Arrays::stream).toArray();
    if (!several) {
      return QueryColumn.ofRows(values);
    }
    int[] unitOf = new int[values.length];
    int row = 0;
    for (int unit = 0; unit < units.size(); unit++) {
      for (int i = 0; i < units.get(unit).length; i++) {
        unitOf[row++] = unit;
      }
    }
    return QueryColumn.ofUnits(values, unitOf, 3);
  }

  /** All pairs of neighbours that differ in one unit beside two others. */
  private static void neighbours(
      ColumnBounds bounds,
      Neighbouring relation,
      boolean several,
      BiConsumer<QueryColumn, QueryColumn> use) {
    double[] first = {bounds.low()};
    double[] last = {bounds.high(), bounds.middle()};
    double[] end = several ? last : first;
    List<double[]> all = units(bounds, several);
    for (double[] unit : all) {
      QueryColumn with = column(List.of(first, unit, end), several);
      if (relation == Neighbouring.REPLACE_ONE) {
        for (double[] other : all) {
          use.accept(with, column(List.of(first, other, end), several));
        }
      } else if (relation == Neighbouring.ADD_REMOVE) {
        use.accept(with, column(List.of(first, end), several));
      } else {
        use.accept(with, column(List.of(first, new double[] {NONE}, end), several));
      }
    }
  }

  static Stream<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (ColumnBounds bounds : BOUNDS) {
      for (Neighbouring relation : Neighbouring.values()) {
        for (boolean several : new boolean[] {false, true}) {
          cases.add(Arguments.of(bounds, relation, several));
        }
      }
    }
    return cases.stream();
  }

  private static void assertSensitivity(
      String what,
      ColumnBounds bounds,
      Neighbouring relation,
      boolean several,
      Function<QueryColumn, GridVector> value) {
    double[] worst = new double[1];
    double[] stated = new double[1];
    neighbours(
        bounds,
        relation,
        several,
        (a, b) -> {
          GridVector one = value.apply(a);
          GridVector two = value.apply(b);
          assertEquals(one.exponent(), two.exponent());
          assertEquals(one.sensitivity(), two.sensitivity());
          double[] moved = new double[one.integers().length];
          Arrays.setAll(
              moved,
              i -> Math.scalb((double) (one.integers()[i] - two.integers()[i]), one.exponent()));
          double squares = Arrays.stream(moved).map(x -> x * x).sum();
          worst[0] =
              Math.max(
                  worst[0],
                  one.norm() == Norm.L1
                      ? Arrays.stream(moved).map(Math::abs).sum()
                      : Math.sqrt(squares));
          stated[0] = relation.sensitivity() * one.sensitivity();
        });
    String found = what + " moved " + worst[0] + ", stated " + stated[0];
    assertTrue(worst[0] <= stated[0], found);
    // So a sensitivity that is half or twice of the true one is noticed.
    assertTrue(worst[0] > 0.999 * stated[0], found);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sensitivitiesAreTrueAndTight(ColumnBounds bounds, Neighbouring relation, boolean several) {
    Bins bins = new Bins.Edges(List.of(bounds.low(), bounds.middle(), bounds.high()));
    for (Norm norm : Norm.values()) {
      assertSensitivity(
          "count",
          bounds,
          relation,
          several,
          column -> Values.count(column, bounds::contains, norm, relation));
      assertSensitivity(
          "sum",
          bounds,
          relation,
          several,
          column -> Values.sum(column, bounds, norm, relation).value());
      assertSensitivity(
          "mean",
          bounds,
          relation,
          several,
          column -> Values.shares(column, bounds, norm, relation));
      assertSensitivity(
          "histogram",
          bounds,
          relation,
          several,
          column -> Values.histogram(column, bins, norm, relation));
    }
  }

  /** What the bounds alone say, in numbers that one can check by hand. */
  @Test
  void asymmetricBounds() {
    QueryColumn rows = QueryColumn.ofRows(new double[] {30, 60});
    ColumnBounds bounds = new ColumnBounds(20, 100);
    assertEquals(100, sumsSensitivity(rows, bounds, Neighbouring.ADD_REMOVE), 1e-4);
    assertEquals(40, sumsSensitivity(rows, bounds, Neighbouring.REPLACE_ONE), 1e-4);
    assertEquals(
        30, sumsSensitivity(rows, new ColumnBounds(-30, 10), Neighbouring.ADD_REMOVE), 1e-4);
    assertEquals(
        20, sumsSensitivity(rows, new ColumnBounds(-30, 10), Neighbouring.REPLACE_ONE), 1e-4);
    QueryColumn units = QueryColumn.ofUnits(new double[] {30, 60}, new int[] {0, 0}, 5);
    assertEquals(500, sumsSensitivity(units, bounds, Neighbouring.ADD_REMOVE), 1e-3);
    // A unit of no row is a neighbour of one with five: 500 apart, which is 2C.
    assertEquals(250, sumsSensitivity(units, bounds, Neighbouring.REPLACE_ONE), 1e-3);
  }

  private static double sumsSensitivity(
      QueryColumn column, ColumnBounds bounds, Neighbouring relation) {
    return Values.sum(column, bounds, Norm.L1, relation).value().sensitivity();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void scoresOfQuantilesMoveAsStated(ColumnBounds bounds, Neighbouring relation, boolean several) {
    double[] candidates = new double[9];
    Arrays.setAll(candidates, i -> bounds.low() + bounds.width() * i / 8);
    for (double q : new double[] {0.5, 0.1, 0.99}) {
      double[] worst = new double[1];
      double[] stated = new double[1];
      neighbours(
          bounds,
          relation,
          several,
          (a, b) -> {
            QuantileScores here = QuantileScores.of(a, q, bounds, candidates, relation);
            QuantileScores there = QuantileScores.of(b, q, bounds, candidates, relation);
            List<Function<QuantileScores, Scores>> all =
                List.of(
                    QuantileScores::ofValue,
                    each -> each.ofEnd(false, 1, 0.5),
                    each -> each.ofEnd(true, 1, 0.5));
            for (Function<QuantileScores, Scores> each : all) {
              Scores one = each.apply(here);
              Scores two = each.apply(there);
              for (int i = 0; i < candidates.length; i++) {
                double moved =
                    Math.scalb((double) (one.integers()[i] - two.integers()[i]), one.exponent());
                worst[0] = Math.max(worst[0], Math.abs(moved));
              }
              stated[0] = one.sensitivity();
            }
          });
      assertTrue(worst[0] <= stated[0], worst[0] + " of " + stated[0]);
      assertTrue(worst[0] > 0.5 * stated[0], worst[0] + " of " + stated[0]);
    }
  }

  @Test
  void scoresAreDistancesInRows() {
    QueryColumn column = QueryColumn.ofRows(new double[] {1, 2, 2, 2, 9, NONE, 50});
    double[] candidates = {0, 1, 1.5, 2, 5, 10};
    Scores scores =
        QuantileScores.of(column, 0.5, new ColumnBounds(0, 10), candidates, Neighbouring.ADD_REMOVE)
            .ofValue();
    // Six numbers, so the target is 3 rows; 2 has one row below and four up to it.
    double[] expected = {-3, -2, -2, 0, -1, -2};
    assertArrayEquals(
        expected,
        Arrays.stream(scores.integers()).mapToDouble(s -> Math.scalb((double) s, -20)).toArray());
    assertEquals(0.5, scores.sensitivity());
  }

  @Test
  void aUnitsFirstRowsCountAndNoOthers() {
    double[] values = {1, 10, 100, NONE, 1000, 10_000};
    int[] unitOf = {0, 1, 0, 1, 0, 1};
    assertArrayEquals(
        new double[] {1, 10, 100, 10_000}, kept(QueryColumn.ofUnits(values, unitOf, 2)));
    // Another unit's rows do not change which they are.
    assertArrayEquals(
        new double[] {1, 5, 100},
        kept(QueryColumn.ofUnits(new double[] {1, 5, 100, 1000}, new int[] {0, 1, 0, 0}, 2)));
    assertArrayEquals(new double[0], kept(QueryColumn.ofUnits(new double[0], new int[0], 2)));
  }

  @Test
  void binsAreHalfOpenAndTheLastIsClosed() {
    Bins bins = new Bins.Edges(List.of(0.0, 1.0, 5.0));
    double[] values = {-0.1, -0.0, 0, 0.5, 1, 4.9, 5, 5.1, NONE};
    int[] expected = {-1, 0, 0, 0, 1, 1, 1, -1, -1};
    for (int i = 0; i < values.length; i++) {
      assertEquals(expected[i], bins.of(values[i]), "bin of " + values[i]);
    }
    assertEquals(List.of("0..1", "1..5"), bins.names());
    Bins.Categories colours = new Bins.Categories(List.of("red", "green"));
    assertEquals(1, colours.of(colours.number("green")));
    assertEquals(-1, colours.of(colours.number("blue")));
    assertEquals(
        List.of(0.0, 2.5, 5.0, 7.5, 10.0), Bins.Edges.even(new ColumnBounds(0, 10), 4).edges());
  }

  private static double[] kept(QueryColumn column) {
    double[][] seen = new double[1][];
    column.sum(
        values -> {
          seen[0] = values;
          return new long[0];
        });
    return seen[0];
  }
}
