package dev.discreet.audit.game;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.Answer;
import dev.discreet.algorithms.query.Bins;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.KeySelection;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.algorithms.query.QueryColumn;
import dev.discreet.algorithms.query.UnitKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Games with queries: two columns that are neighbours, and as far apart as neighbours can be. */
final class QueryGames {
  private static final Protection LAPLACE = new Protection.Laplace(1);
  private static final Protection GAUSSIAN = new Protection.Gaussian(3, 1e-3);
  private static final double NONE = Double.NaN;

  // Zero is neither a bound nor the middle.
  private static final ColumnBounds BOUNDS = new ColumnBounds(-3, 10);

  private QueryGames() {}

  static List<MechanismGame> all() {
    Query count = new Query.Count(Optional.empty());
    Query sum = new Query.Sum(BOUNDS);
    Query mean = new Query.Mean(BOUNDS);
    Query median = new Query.Quantile(0.5, BOUNDS, 14);
    Query high = new Query.Quantile(0.9, BOUNDS, 14);
    Query bins = new Query.Histogram(Bins.Edges.even(BOUNDS, 3));
    Neighbouring added = Neighbouring.ADD_REMOVE;
    Neighbouring replaced = Neighbouring.REPLACE_ONE;
    Neighbouring zeroed = Neighbouring.ZERO_OUT;
    return List.of(
        game("count", "one row more", count, LAPLACE, added, rows(1, 2, 99), rows(1, 2)),
        game(
            "count-replace-one",
            "a number for a missing value",
            new Query.Count(Optional.of(BOUNDS)),
            LAPLACE,
            replaced,
            rows(1, 2, 10),
            rows(1, 2, 10.5)),
        game("count-gaussian", "one row more", count, GAUSSIAN, added, rows(1), rows()),
        game("sum", "one row more, beyond the bounds", sum, LAPLACE, added, rows(1, 1e9), rows(1)),
        game(
            "sum-replace-one",
            "the upper bound for the lower",
            sum,
            LAPLACE,
            replaced,
            rows(1, 10),
            rows(1, -1e9)),
        game(
            "sum-zero-out",
            "a missing value for the upper bound",
            sum,
            GAUSSIAN,
            zeroed,
            rows(1, 10),
            rows(1, NONE)),
        game(
            "sum-of-units",
            "a unit of 5 rows more, of which 3 count",
            sum,
            LAPLACE,
            added,
            units(new int[] {0, 0, 1, 1, 1, 1, 1}, 1, 1, 10, 10, 10, 10, 10),
            units(new int[] {0, 0}, 1, 1)),
        game(
            "sum-of-units-replaced",
            "a unit of 3 rows at the upper bound for one of 3 at the lower",
            sum,
            GAUSSIAN,
            replaced,
            units(new int[] {0, 1, 1, 1}, 1, 10, 10, 10),
            units(new int[] {0, 1, 1, 1}, 1, -3, -3, -3)),
        game("mean", "one row more", mean, LAPLACE, added, rows(-3, -3, 10), rows(-3, -3)),
        game(
            "mean-replace-one",
            "the upper bound for the lower",
            mean,
            LAPLACE,
            replaced,
            rows(many(200, 3.5), 10),
            rows(many(200, 3.5), -3)),
        game(
            "mean-of-units",
            "a unit of 3 rows more",
            mean,
            GAUSSIAN,
            added,
            units(new int[] {0, 0, 1, 1, 1}, -3, -3, 10, 10, 10),
            units(new int[] {0, 0}, -3, -3)),
        game("median", "one row more", median, LAPLACE, added, rows(4.5, 4.5), rows(4.5)),
        game(
            "median-replace-one",
            "the upper bound for the lower",
            median,
            LAPLACE,
            replaced,
            rows(10),
            rows(-3)),
        game("quantile", "one row more", high, LAPLACE, added, rows(10), rows()),
        game("histogram", "one row more", bins, LAPLACE, added, rows(1, 9), rows(1)),
        game(
            "histogram-replace-one",
            "a row of another bin",
            bins,
            GAUSSIAN,
            replaced,
            rows(1, 9),
            rows(1, -2)),
        game(
            "histogram-of-units",
            "a unit of 4 rows more in one bin, of which 3 count",
            bins,
            GAUSSIAN,
            added,
            units(new int[] {0, 1, 1, 1, 1}, 1, 9, 9, 9, 9),
            units(new int[] {0}, 1)),
        selection(
            "key-selection",
            "one row more, with a key that nobody else has",
            1,
            added,
            UnitKeys.ofRows(List.of("a", "a", "b", "own")),
            UnitKeys.ofRows(List.of("a", "a", "b"))),
        selection(
            "key-selection-of-units",
            "a unit of 3 keys more, of which 2 count",
            2,
            added,
            UnitKeys.ofUnits(List.of("a", "b", "a", "a", "b", "own"), new int[] {0, 0, 1, 2, 2, 2}),
            UnitKeys.ofUnits(List.of("a", "b", "a"), new int[] {0, 0, 1})),
        selection(
            "key-selection-replace-one",
            "one key for another",
            1,
            replaced,
            UnitKeys.ofRows(List.of("a", "a", "a", "b", "b")),
            UnitKeys.ofRows(List.of("a", "a", "b", "b", "b"))));
  }

  private static double[] many(int rows, double value) {
    double[] values = new double[rows];
    Arrays.fill(values, value);
    return values;
  }

  private static QueryColumn rows(double... values) {
    return QueryColumn.ofRows(values);
  }

  private static QueryColumn rows(double[] others, double last) {
    double[] values = Arrays.copyOf(others, others.length + 1);
    values[others.length] = last;
    return QueryColumn.ofRows(values);
  }

  private static QueryColumn units(int[] unitOf, double... values) {
    return QueryColumn.ofUnits(values, unitOf, 3);
  }

  private static MechanismGame selection(
      String name,
      String pair,
      int keysPerUnit,
      Neighbouring relation,
      UnitKeys with,
      UnitKeys without) {
    KeySelection selection = new KeySelection(1.5, 0.2, keysPerUnit);
    return SessionGames.repeated(
        "query-" + name,
        pair,
        false,
        relation,
        (session, present) -> {
          var shown = selection.ask(session, () -> present ? with : without);
          return new Transcript(
              new double[] {shown.contains("a") ? 1 : 0, shown.contains("b") ? 1 : 0},
              shown.toString());
        });
  }

  private static MechanismGame game(
      String name,
      String pair,
      Query query,
      Protection protection,
      Neighbouring relation,
      QueryColumn with,
      QueryColumn without) {
    return SessionGames.repeated(
        "query-" + name,
        pair,
        protection instanceof Protection.Gaussian && !(query instanceof Query.Mean),
        relation,
        (session, present) ->
            shown(query.ask(session, protection, () -> present ? with : without)));
  }

  /** The deviation that is told beside a mean comes from noisy counts; elsewhere it is fixed. */
  private static Transcript shown(Answer answer) {
    double[] values = new double[answer.values().size() + 1];
    for (int i = 0; i < answer.values().size(); i++) {
      values[i] = answer.values().get(i);
    }
    values[values.length - 1] = answer.deviation().orElse(0);
    return new Transcript(values, answer.cost().entries().toString());
  }
}
