package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.cells.Measure;
import dev.discreet.algorithms.query.Bins;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.Query;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.data.text.RowFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** What each question has of its own: a column, and of which rows and in which cells. */
final class QueryOptions {
  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "The column, by its name or as in income=0..200000. A cell that is no number counts as"
              + " missing.")
  private String column;

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description =
          "Only of rows that meet a condition, by what each holds itself: \"age >= 18 AND region IN"
              + " ('north', 'west')\". A row for which it cannot be decided does not count."
              + " --rows-where is read by a database, and chooses rows before any question.")
  private String where;

  @Option(
      names = "--by",
      paramLabel = "COLUMN",
      description =
          "In each cell of a table of declared values: region=north|south, or age=0,18,65,120 for"
              + " bins; once for each column.")
  private List<String> by = List.of();

  @Option(
      names = "--by-undeclared",
      paramLabel = "COLUMN",
      description =
          "In the cell of each value of a column of which nobody declared the values. Which are"
              + " shown is itself selected privately, by how many units have each: for half of"
              + " epsilon and all of delta, or half of it with --mechanism gaussian (here laplace is"
              + " the default). There may be others, which are not shown.")
  private String byUndeclared;

  @Option(
      names = "--cells-per-unit",
      paramLabel = "K",
      converter = Quantity.CellsPerUnit.class,
      description =
          "With --by or --by-undeclared, and --unit-column: in how many cells a unit counts, the first K of its own"
              + " rows. The noise grows with it.")
  private Long cellsPerUnit;

  @Option(
      names = "--margins",
      description = "With --by: the rows and columns of the table added up too, at no cost.")
  private boolean margins;

  @Option(
      names = "--non-negative",
      description =
          "Move the counts or sums of a table to the nearest ones that are not below 0 and have the"
              + " same total (or 0, where that is below 0), at no cost.")
  private boolean nonNegative;

  boolean hasColumn() {
    return column != null;
  }

  /** Whether all rows are asked of together. */
  private boolean isPlain() {
    return where == null
        && by.isEmpty()
        && byUndeclared == null
        && cellsPerUnit == null
        && !margins
        && !nonNegative;
  }

  String column() {
    Usage.needed(column == null ? List.of("--column NAME") : List.of());
    return column;
  }

  /** The numbers of the column. */
  RowNumber number(FrameOptions frame) {
    return RowNumber.column(frame.declared(column()), frame.marks());
  }

  /** A condition on each row, for which what is declared as missing is missing too. */
  static RowFilter condition(FrameOptions frame, String name, String condition) {
    return RowFilter.of(name, condition, frame.marks())
        .missing(column -> missing(frame.declared(column), frame.marks()));
  }

  private static Predicate<String> missing(String declared, NumberMarks marks) {
    return declared.indexOf('=') >= 0
            && InputColumn.parse(declared).marked(marks) instanceof InputColumn.Missing some
        ? some::isMissing
        : String::isEmpty;
  }

  /** Those that were typed, or else those of the column's own declaration. */
  static ColumnBounds bounds(ColumnBounds typed, RowNumber number) {
    Usage.needed(
        typed == null && number.bounds().isEmpty() ? List.of("--bounds LOW..HIGH") : List.of());
    return typed == null ? number.bounds().orElseThrow() : typed;
  }

  /** How many rows there are. */
  Question count(FrameOptions frame, Query.Count query) {
    if (column == null) {
      return cells(frame, "count", "rows", new Measure.Count(), List.of(), List.of(), List.of());
    }
    RowNumber number =
        query.bounds().isEmpty() ? RowNumber.present(name(frame)) : within(frame, query.bounds());
    return isPlain()
        ? plain(frame, query, "count", number)
        : cells(
            frame,
            "count",
            number.name(),
            new Measure.Count(),
            List.of(number),
            List.of(),
            List.of());
  }

  private String name(FrameOptions frame) {
    String declared = frame.declared(column());
    return declared.indexOf('=') < 0 ? declared : declared.substring(0, declared.indexOf('='));
  }

  private RowNumber within(FrameOptions frame, Optional<ColumnBounds> bounds) {
    RowNumber number = number(frame);
    return new RowNumber(number.name(), number.columns(), bounds, number.of(), number.misfit());
  }

  /** What follows from the numbers of one column. */
  Question ofNumbers(
      FrameOptions frame, String name, Optional<Query> query, Measure measure, RowNumber number) {
    return isPlain() && query.isPresent()
        ? plain(frame, query.get(), name, number)
        : cells(frame, name, number.name(), measure, List.of(), List.of(number), List.of());
  }

  Question ratio(FrameOptions frame, String of, Measure measure, List<RowNumber> numbers) {
    return cells(frame, "ratio", of, measure, List.of(), numbers, List.of());
  }

  /** Counts by one column more. */
  Question histogram(FrameOptions frame, RowNumber number, Bins bins, AxisColumn axis) {
    return isPlain()
        ? plain(frame, new Query.Histogram(bins), "histogram", number)
        : cells(
            frame,
            "histogram",
            axis.axis().name(),
            new Measure.Count(),
            List.of(),
            List.of(),
            List.of(axis));
  }

  Question quantile(FrameOptions frame, Query.Quantile query, RowNumber number) {
    return isPlain()
        ? plain(frame, query, "quantile", number)
        : new CellsQuestion(
            new CellsQuestion.Asked(
                "quantile",
                number.name(),
                Optional.empty(),
                Optional.of(query),
                List.of(),
                List.of(number)),
            cells(frame, List.of()),
            part -> frame.protection(true, part));
  }

  private static Question plain(FrameOptions frame, Query query, String name, RowNumber number) {
    boolean choice = query instanceof Query.Quantile;
    return new PlainQuestion(query, name, number, part -> frame.protection(choice, part));
  }

  private Question cells(
      FrameOptions frame,
      String name,
      String of,
      Measure measure,
      List<RowNumber> counted,
      List<RowNumber> numbers,
      List<AxisColumn> more) {
    CellsQuestion.Cells cells = cells(frame, more);
    return new CellsQuestion(
        new CellsQuestion.Asked(name, of, Optional.of(measure), Optional.empty(), counted, numbers),
        cells,
        part ->
            cells
                .keys()
                .map(keys -> keys.price().measure(part, cells.atMost()))
                .orElseGet(() -> frame.protection(false, part)));
  }

  private CellsQuestion.Cells cells(FrameOptions frame, List<AxisColumn> more) {
    List<AxisColumn> axes = new ArrayList<>();
    by.forEach(each -> axes.add(AxisColumn.parse(frame.declared(each), frame.marks())));
    axes.addAll(more);
    return new CellsQuestion.Cells(
        Optional.ofNullable(where),
        Optional.ofNullable(where).map(text -> condition(frame, "where", text)),
        axes,
        keys(frame),
        cellsPerUnit == null ? 0 : cellsPerUnit,
        margins,
        nonNegative);
  }

  private Optional<CellsQuestion.Keys> keys(FrameOptions frame) {
    if (byUndeclared == null) {
      return Optional.empty();
    }
    String column = byUndeclared.strip();
    Check.that(
        !column.isEmpty() && column.indexOf('=') < 0,
        "--by-undeclared",
        "a column's name alone; values that are declared belong to --by",
        byUndeclared);
    return Optional.of(new CellsQuestion.Keys(column, SelectionPrice.of(frame)));
  }
}
