package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.cells.CellAxis;
import dev.discreet.algorithms.query.Bins;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.NumberMarks;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * A declared column by which a table is made.
 *
 * @param axis its name and its values
 * @param place of the value that a cell has; −1 for none
 * @param isMissing whether a cell may have none
 */
record AxisColumn(CellAxis axis, ToIntFunction<String> place, Predicate<String> isMissing) {
  private static final String MISSING = "missing";

  /**
   * Reads {@code region=north|south}, with what else may be declared of categories, or {@code
   * age=0,18,65,120}, the edges of bins.
   */
  static AxisColumn parse(String declared, NumberMarks marks) {
    int equals = declared.indexOf('=');
    String values = declared.substring(equals + 1).strip();
    if (equals > 0 && values.matches("[-+.\\deE]+(\\s*,\\s*[-+.\\deE]+)+")) {
      return bins(
          declared.substring(0, equals).strip(),
          new QueryCommand.EdgesConverter().convert(values.replaceAll("\\s+", "")),
          marks);
    }
    return of(equals > 0 ? InputColumn.parse(declared).marked(marks) : refused(declared), declared);
  }

  static AxisColumn bins(String name, Bins.Edges edges, NumberMarks marks) {
    return new AxisColumn(
        new CellAxis(name, edges.names()),
        cell -> edges.of(marks.of(cell)),
        cell -> cell.isEmpty() || !Double.isNaN(marks.of(cell)));
  }

  private static AxisColumn of(InputColumn column, String declared) {
    return column.match(
        number -> refused(declared),
        category ->
            new AxisColumn(
                new CellAxis(category.name(), category.values()),
                cell -> category.find(cell).orElse(-1),
                String::isEmpty),
        ordered ->
            new AxisColumn(
                new CellAxis(ordered.name(), ordered.values()),
                cell -> place(ordered, cell),
                String::isEmpty),
        date -> refused(declared),
        text -> refused(declared),
        tokens -> refused(declared),
        missing -> some(missing, of(missing.column(), declared)));
  }

  /** The inputs of a value are 1 up to it. */
  private static int place(InputColumn.Ordered ordered, String cell) {
    float[] inputs = new float[ordered.width()];
    try {
      ordered.write(cell, inputs, 0);
    } catch (IllegalArgumentException e) {
      return -1;
    }
    int place = 0;
    for (float input : inputs) {
      place += (int) input;
    }
    return place;
  }

  /** A missing cell has a value of its own, or none: a constant is what a model reads for it. */
  private static AxisColumn some(InputColumn.Missing missing, AxisColumn there) {
    List<String> labels = there.axis.labels();
    boolean own = missing.policy().isIndicated();
    int unknown = own ? labels.size() : -1;
    return new AxisColumn(
        own
            ? new CellAxis(
                there.axis.name(), Stream.concat(labels.stream(), Stream.of(MISSING)).toList())
            : there.axis,
        cell -> missing.isMissing(cell) ? unknown : there.place.applyAsInt(cell),
        cell -> cell.isEmpty() || missing.isMissing(cell));
  }

  private static <T> T refused(String declared) {
    throw new IllegalArgumentException(
        Check.line(
            "by must be a column with declared values, as in region=north|south, {0..9} for"
                + " integers, or age=0,18,65,120 for bins (a name alone where --columns FILE declares"
                + " it so). Provided value: "
                + Check.shortened(declared)));
  }
}
