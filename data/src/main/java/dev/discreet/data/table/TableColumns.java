package dev.discreet.data.table;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.DataOptions;
import dev.discreet.data.internal.CellText;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The declared columns of a table, and how the cells of a row become an example: in the same way
 * wherever the rows lie.
 */
public final class TableColumns {
  private final Column label;
  private final List<Column> columns;
  // Of cells that are numbers, whatever marks the numbers have that are text.
  private final Column plainLabel;
  private final List<Column> plainColumns;
  private final int width;

  /**
   * @param label what to predict; with an empty name where rows come without labels
   */
  public TableColumns(Column label, List<Column> columns) {
    this.label = label;
    this.columns = List.copyOf(columns);
    Check.that(!columns.isEmpty(), "columns", "at least one, as in age=0..120", "none");
    List<String> declared =
        Stream.concat(Stream.of(label), columns.stream()).map(Column::name).toList();
    for (int i = 1; i < declared.size(); i++) {
      Check.that(
          declared.indexOf(declared.get(i)) == i,
          "columns",
          "distinct, and other than the label",
          declared.get(i));
    }
    plainLabel = label.plain();
    plainColumns = columns.stream().map(Column::plain).toList();
    width = columns.stream().mapToInt(Column::width).reduce(0, Math::addExact);
  }

  /** Those that were declared of some data; refuses data of which too little was. */
  public static TableColumns declared(Object data, DataOptions options) {
    return new TableColumns(label(data, options), columns(data, options));
  }

  /** Those that were declared of rows without labels. */
  public static TableColumns inputs(Object data, DataOptions options) {
    return new TableColumns(new Column.Bounded("", 0, 1), columns(data, options));
  }

  private static Column label(Object data, DataOptions options) {
    return Column.label(
        options
            .label()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "label must be declared for "
                            + data
                            + ": NAME=A|B for classes, NAME=LOW..HIGH for a number. Provided"
                            + " value: none")),
        options.dialect().numbers());
  }

  private static List<Column> columns(Object data, DataOptions options) {
    Check.that(
        !options.columns().isEmpty(),
        "columns",
        "declared for " + data + ": NAME=LOW..HIGH or NAME=A|B each",
        "none");
    return options.columns().stream()
        .map(each -> Column.parse(each, options.dialect().numbers()))
        .toList();
  }

  /** The names of the columns that are read: the label's, where there is one, then the others. */
  public List<String> names() {
    return read().map(Column::name).toList();
  }

  /** The columns that are read, in the order of their {@link #names}. */
  Stream<Column> read() {
    return hasLabel() ? Stream.concat(Stream.of(label), columns.stream()) : columns.stream();
  }

  /** Whether the first of the {@link #names} is the label's. */
  boolean hasLabel() {
    return !label.name().isEmpty();
  }

  /** The shape of an example. */
  public Shape input() {
    return Shape.vector(width);
  }

  /** What is predicted. */
  public Task task() {
    return label.task();
  }

  /**
   * Reads a row.
   *
   * @param cells the cell of each of {@link #names}, by its place: a text, a number or null
   * @param to takes the inputs, and after them the target, which is 0 without a label
   * @throws IllegalArgumentException where a cell does not fit; the message begins with its column
   */
  public void read(IntFunction<Object> cells, float[] to) {
    int first = hasLabel() ? 1 : 0;
    to[width] = first == 0 ? 0 : target(cells.apply(0));
    for (int i = 0, at = 0; i < columns.size(); at += columns.get(i).width(), i++) {
      input(i, cells.apply(first + i), to, at);
    }
  }

  /**
   * Whether a cell fits its column.
   *
   * @param column its place in {@link #names}
   */
  public boolean fits(int column, Object cell) {
    int input = hasLabel() ? column - 1 : column;
    try {
      if (input < 0) {
        target(cell);
      } else {
        input(input, cell, new float[columns.get(input).width()], 0);
      }
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** What the cells of a column hold. */
  public enum Cells {
    NUMBERS("of numbers, or of text that has them"),
    /** Categories some of which are numbers. */
    VALUES("of text or numbers, as the declared categories are"),
    WORDS("of text, as the declared categories are"),
    DATES("of dates, or of text that has them"),
    TEXTS("of text");

    private final String words;

    Cells(String words) {
      this.words = words;
    }

    /** In words, for refusals. */
    public String words() {
      return words;
    }
  }

  /**
   * What the cells of a column hold that are not missing.
   *
   * @param column its place in {@link #names}
   */
  public Cells cells(int column) {
    return cells(read().skip(column).findFirst().orElseThrow().input());
  }

  private static Cells cells(InputColumn column) {
    return column.match(
        number -> Cells.NUMBERS,
        category -> areWords(category.values()) ? Cells.WORDS : Cells.VALUES,
        ordered -> areWords(ordered.values()) ? Cells.WORDS : Cells.VALUES,
        date -> Cells.DATES,
        text -> Cells.TEXTS,
        tokens -> Cells.TEXTS,
        missing -> cells(missing.column()));
  }

  private static boolean areWords(List<String> values) {
    return values.stream().allMatch(value -> Double.isNaN(CellNumber.of(value)));
  }

  private float target(Object cell) {
    if (!(cell instanceof Number number)) {
      return label.target(CellText.of(cell));
    }
    return plainLabel instanceof Column.Bounded
        ? plainLabel.target(number.doubleValue())
        : plainLabel.target(CellText.of(cell));
  }

  private void input(int column, Object cell, float[] to, int at) {
    if (!(cell instanceof Number number)) {
      columns.get(column).input(CellText.of(cell), to, at);
    } else if (plainColumns.get(column) instanceof Column.Bounded bounded) {
      to[at] = bounded.target(number.doubleValue());
    } else {
      plainColumns.get(column).input(CellText.of(cell), to, at);
    }
  }
}
