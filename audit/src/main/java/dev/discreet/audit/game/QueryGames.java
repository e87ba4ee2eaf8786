package dev.discreet.audit.game;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.cells.CellAnswer;
import dev.discreet.algorithms.cells.CellAxis;
import dev.discreet.algorithms.cells.CellQuestion;
import dev.discreet.algorithms.cells.CellRows;
import dev.discreet.algorithms.cells.Measure;
import dev.discreet.algorithms.cells.RowsByKey;
import dev.discreet.algorithms.cells.SelectedCells;
import dev.discreet.algorithms.query.Answer;
import dev.discreet.algorithms.query.Bins;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.KeySelection;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.algorithms.query.QueryColumn;
import dev.discreet.algorithms.query.UnitKeys;
import dev.discreet.core.privacy.PrivacySession;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Games with queries: two columns that are neighbours, and as far apart as neighbours can be. */
final class QueryGames {
  private static final Protection LAPLACE = new Protection.Laplace(1);
  private static final Protection GAUSSIAN = new Protection.Gaussian(3, 1e-3);
  private static final List<CellAxis> AXES =
      List.of(new CellAxis("a", List.of("x", "y", "z")), new CellAxis("b", List.of("p", "q")));
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
        table(
            "table-of-counts",
            "a unit more, in 2 cells with 2 rows each",
            new CellQuestion.Sums(new Measure.Count(), AXES),
            LAPLACE,
            added,
            units(new int[] {0, 1, 1, 2, 2, 3}, new int[] {0, 1, 1, 1, 1, 1}, 0),
            units(new int[] {0}, new int[] {0}, 0)),
        table(
            "table-of-sums-replaced",
            "a unit in 2 cells at the upper bound for one in 2 cells at the lower, of 3 cells",
            new CellQuestion.Sums(new Measure.Sum(BOUNDS), AXES.subList(0, 1)),
            GAUSSIAN,
            replaced,
            units(new int[] {0, 0, 1, 1}, new int[] {1, 1, 1, 1}, 1, 10, 10, 10, 10),
            units(new int[] {1, 1, 2, 2}, new int[] {1, 1, 1, 1}, 1, -3, -3, 10, 10)),
        table(
            "table-of-means",
            "a unit more, at the upper bound",
            new CellQuestion.Sums(new Measure.Mean(BOUNDS), AXES),
            LAPLACE,
            added,
            units(new int[] {0, 1, 1}, new int[] {0, 1, 1}, 1, -3, 10, 10),
            units(new int[] {0}, new int[] {0}, 1, -3)),
        table(
            "table-of-variances",
            "a unit more, at the upper bound",
            new CellQuestion.Sums(new Measure.Variance(BOUNDS), AXES),
            GAUSSIAN,
            added,
            units(new int[] {0, 0, 0, 0}, new int[] {0, 2, 1, 1}, 1, -3, -3, 10, 10),
            units(new int[] {0, 0}, new int[] {0, 2}, 1, -3, -3)),
        table(
            "table-of-ratios",
            "a unit more, at both upper bounds",
            new CellQuestion.Sums(
                new Measure.Ratio(BOUNDS, new ColumnBounds(0, 2)), AXES.subList(0, 1)),
            LAPLACE,
            added,
            units(new int[] {0, 0, 0}, new int[] {0, 1, 1}, 2, -3, 10, 10),
            units(new int[] {0}, new int[] {0}, 2, -3)),
        table(
            "table-of-medians",
            "a unit more in 2 cells",
            new CellQuestion.Quantile((Query.Quantile) median, AXES.subList(0, 1), 2),
            LAPLACE,
            added,
            units(new int[] {0, 0, 1, 1}, new int[] {1, 1, 1, 1}, 1, 10, 10, 10, 10),
            units(new int[] {}, new int[] {}, 1)),
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
            UnitKeys.ofRows(List.of("a", "a", "b", "b", "b"))),
        selectedCells(
            "selected-cells",
            "a unit of 3 keys more, of which 2 with 2 rows each count",
            RowsByKey.ofUnits(
                List.of("a", "b", "a", "a", "a", "a", "own", "own", "b"),
                new int[] {0, 0, 1, 2, 2, 2, 2, 2, 2},
                2),
            RowsByKey.ofUnits(List.of("a", "b", "a"), new int[] {0, 0, 1}, 2)));
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

  /** Units in at most 2 cells, with at most 2 rows in each; every column has the same numbers. */
  private static CellRows units(int[] cells, int[] unitOf, int columns, double... values) {
    double[][] numbers = new double[columns][];
    Arrays.fill(numbers, values);
    return CellRows.ofUnits(cells, unitOf, 2, 2, numbers);
  }

  private static MechanismGame table(
      String name,
      String pair,
      CellQuestion question,
      Protection protection,
      Neighbouring relation,
      CellRows with,
      CellRows without) {
    boolean plain =
        question instanceof CellQuestion.Sums sums
            && (sums.measure() instanceof Measure.Count || sums.measure() instanceof Measure.Sum);
    return SessionGames.repeated(
        "query-" + name,
        pair,
        protection instanceof Protection.Gaussian && plain,
        relation,
        (session, present) -> {
          CellAnswer answer = question.ask(session, protection, () -> present ? with : without);
          return shown(new Answer(answer.estimates(), answer.cost()));
        });
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

  /** Which keys are shown, and how many rows each has that is. */
  private static MechanismGame selectedCells(
      String name, String pair, RowsByKey with, RowsByKey without) {
    SelectedCells question =
        new SelectedCells("key", new Measure.Count(), new KeySelection(1.5, 0.2, 2));
    return new MechanismGame(
        "query-" + name,
        pair,
        false,
        1,
        present -> {
          try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
            var answer = question.ask(session, LAPLACE, () -> present ? with : without);
            double[] counts = new double[3];
            List<String> shown = answer.map(each -> each.axes().get(0).labels()).orElse(List.of());
            for (int i = 0; i < shown.size(); i++) {
              counts[List.of("a", "b", "own").indexOf(shown.get(i))] =
                  answer.get().estimates().get(i).value();
            }
            return new Plays(List.of(new Transcript(counts, shown.toString())), session.ledger());
          }
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
