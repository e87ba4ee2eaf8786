package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.data.text.RowFilter;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/**
 * A number that each row has, or has not.
 *
 * @param name in words
 * @param columns what is read of a row
 * @param bounds where it lies, if that is declared
 * @param of the number of a row with these cells; NaN for none
 * @param misfit the place of a cell that is neither missing nor of a declared value; −1 for none
 */
record RowNumber(
    String name,
    List<String> columns,
    Optional<ColumnBounds> bounds,
    ToDoubleFunction<List<String>> of,
    ToIntFunction<List<String>> misfit) {

  /** 1 where a row meets a condition, else 0; none where that is undecided. */
  static RowNumber met(String condition, RowFilter filter) {
    return new RowNumber(
        condition,
        filter.columns(),
        Optional.of(new ColumnBounds(0, 1)),
        cells -> filter.test(cells).map(met -> met ? 1 : 0.0).orElse(Double.NaN),
        filter::misfit);
  }

  /** 0 where a column has a value. */
  static RowNumber present(String column) {
    return new RowNumber(
        column,
        List.of(column),
        Optional.empty(),
        cells -> cells.get(0).isEmpty() ? Double.NaN : 0,
        cells -> -1);
  }

  /** Of a column that is declared by a name alone, or as in {@code income=0..200000}. */
  static RowNumber column(String declared, NumberMarks marks) {
    if (declared.indexOf('=') < 0) {
      return of(declared, Optional.empty(), marks::of, String::isEmpty);
    }
    InputColumn column = InputColumn.parse(declared).marked(marks);
    return column.match(
        RowNumber::bounded,
        values -> refused(declared),
        values -> refused(declared),
        date -> refused(declared),
        text -> refused(declared),
        tokens -> refused(declared),
        missing ->
            missing.column() instanceof InputColumn.Number number
                ? some(missing, number)
                : refused(declared));
  }

  private static RowNumber bounded(InputColumn.Number number) {
    return of(number.name(), bounds(number), number.marks()::of, String::isEmpty);
  }

  private static Optional<ColumnBounds> bounds(InputColumn.Number number) {
    return Optional.of(new ColumnBounds(number.low(), number.high()));
  }

  /**
   * Of the cells of one column.
   *
   * @param number of a cell; NaN for none
   * @param isMissing whether a cell may have none
   */
  static RowNumber of(
      String name,
      Optional<ColumnBounds> bounds,
      ToDoubleFunction<String> number,
      Predicate<String> isMissing) {
    return new RowNumber(
        name,
        List.of(name),
        bounds,
        cells -> number.applyAsDouble(cells.get(0)),
        cells ->
            isMissing.test(cells.get(0)) || !Double.isNaN(number.applyAsDouble(cells.get(0)))
                ? -1
                : 0);
  }

  /** What a model would read in place of a missing cell is no number that anybody had. */
  private static RowNumber some(InputColumn.Missing missing, InputColumn.Number number) {
    return of(
        number.name(),
        bounds(number),
        cell -> missing.isMissing(cell) ? Double.NaN : number.marks().of(cell),
        cell -> cell.isEmpty() || missing.isMissing(cell));
  }

  private static RowNumber refused(String declared) {
    throw new IllegalArgumentException(
        Check.line(
            "column must be one of numbers, as in income=0..200000. Provided value: "
                + Check.shortened(declared)));
  }
}
