package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.ColumnSyntax;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.model.Task;
import dev.discreet.core.model.ValueBounds;
import dev.discreet.data.internal.FileErrors;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A declared column: its name, and what its cells may be. How it is written is said at {@link
 * InputColumn#parse}; the one text of a column is that of its {@link #input}, {@link
 * InputColumn#text}. Numbers in bounds and categories can also be labels.
 */
public sealed interface Column {
  String name();

  /** How many inputs it makes. */
  int width();

  /** What predicting it means; refused for a column that only inputs can be. */
  Task task();

  /** The same for whoever uses a model that was trained on it. */
  InputColumn input();

  /** The value as a target: a class's index, or a number moved into the bounds and to [0, 1]. */
  float target(String cell);

  /** The target of a value in a file of numbers. */
  float target(double value);

  /** Writes the value's inputs: a number in [0, 1], or a 1 among zeros. */
  default void input(String cell, float[] to, int at) {
    input().write(cell, to, at);
  }

  /** Reads {@code age=0..120}, {@code sex=male|female}, and what else {@link InputColumn} has. */
  static Column parse(String text) {
    return parse(text, NumberMarks.PLAIN);
  }

  /**
   * The same of a table whose numbers have other marks; those of the declaration are always plain.
   */
  static Column parse(String text, NumberMarks marks) {
    return of(InputColumn.parse(text).marked(marks));
  }

  /** The same of cells that are numbers, which have no marks. */
  default Column plain() {
    return of(input().marked(NumberMarks.PLAIN));
  }

  private static Column of(InputColumn input) {
    return input.match(
        number -> new Bounded(number.name(), number.low(), number.high(), number.marks()),
        Categories::new,
        InputOnly::new,
        InputOnly::new,
        InputOnly::new,
        InputOnly::new,
        missing -> new SomeMissing(of(missing.column()), missing));
  }

  /** Reads what is to be predicted; a row in which it is missing counts as zero. */
  static Column label(String text, NumberMarks marks) {
    Column column = parse(text, marks);
    Check.that(
        column.canBeLabel(),
        "label",
        "NAME=A|B for classes or NAME=LOW..HIGH for a number, without missing= (a row without a"
            + " label counts as zero)",
        FileErrors.shown(text));
    return column;
  }

  /** Whether it can be predicted. */
  boolean canBeLabel();

  /** The declared labels of a file that has no columns; the text may leave the name out. */
  static Column label(Optional<String> text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "label must be declared, as 0|1|2 or {0..9} for classes or as 0..10 for a number:"
              + " nothing is read off private values.");
    }
    return label(
        text.get().indexOf('=') < 0 ? "label=" + text.get() : text.get(), NumberMarks.PLAIN);
  }

  /** The bounds of plain numbers: {@code LOW..HIGH}. */
  static Bounded bounds(String text) {
    double[] bounds = ColumnSyntax.bounds(text).orElse(new double[] {Double.NaN, Double.NaN});
    Check.that(
        bounds[0] < bounds[1] && Double.isFinite(bounds[0]) && Double.isFinite(bounds[1]),
        "bounds",
        "LOW..HIGH with LOW below HIGH, as in 0..100",
        FileErrors.shown(text));
    return new Bounded("bounds", bounds[0], bounds[1]);
  }

  /** Plain categories: {@code A|B|C}, or {@code {1..9}} for integers. */
  static Categories categories(String text) {
    Column column = ColumnSyntax.listsCategories(text) ? parse("categories=" + text) : null;
    if (column instanceof Categories categories) {
      return categories;
    }
    throw new IllegalArgumentException(
        Check.line(
            "categories must be two or more, as in A|B|C or {1..9} for integers. Provided value: "
                + FileErrors.shown(text)));
  }

  /** A number in bounds; one outside is moved to the nearer bound. */
  record Bounded(String name, double low, double high, NumberMarks marks) implements Column {
    public Bounded {
      ValueBounds.check("column " + name, low, high);
    }

    /** Of plain numbers. */
    public Bounded(String name, double low, double high) {
      this(name, low, high, NumberMarks.PLAIN);
    }

    public double scaled(double value) {
      return ValueBounds.scaled(value, low, high);
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public Task task() {
      return new Task.Number(name, low, high);
    }

    @Override
    public boolean canBeLabel() {
      return true;
    }

    @Override
    public InputColumn input() {
      return new InputColumn.Number(name, low, high, marks);
    }

    @Override
    public float target(String cell) {
      double value = marks.of(cell);
      if (Double.isNaN(value)) { // first, for messages take longer than all the rest
        Check.that(false, name, marks.wanted(), FileErrors.quoted(cell));
      }
      return (float) scaled(value);
    }

    @Override
    public float target(double value) {
      Check.that(Double.isFinite(value), name, "a finite number", value);
      return (float) scaled(value);
    }

    @Override
    public void input(String cell, float[] to, int at) {
      to[at] = target(cell);
    }
  }

  /** One of a declared vocabulary. */
  record Categories(InputColumn.Category input) implements Column {
    @Override
    public String name() {
      return input.name();
    }

    public List<String> names() {
      return input.values();
    }

    @Override
    public int width() {
      return input.width();
    }

    @Override
    public Task task() {
      return new Task.Classes(names());
    }

    @Override
    public boolean canBeLabel() {
      return true;
    }

    /** The same in cells whose numbers have other marks. */
    public Categories marked(NumberMarks marks) {
      return new Categories(input.marked(marks));
    }

    /** The category's index, for a cell that has one. */
    public OptionalInt find(String cell) {
      return input.find(cell);
    }

    @Override
    public float target(String cell) {
      OptionalInt found = find(cell);
      if (found.isEmpty()) { // first, for messages take longer than all the rest
        Check.that(false, name(), input.allowed(), FileErrors.quoted(cell));
      }
      return found.getAsInt();
    }

    /** Where the names are no numbers, they stand for 0, 1 and so on. */
    @Override
    public float target(double value) {
      boolean numbers = input.areNumbers();
      OptionalInt found = input.find(value);
      if (!numbers && value >= 0 && value < names().size() && value == (int) value) {
        found = OptionalInt.of((int) value);
      }
      if (found.isEmpty()) {
        Check.that(
            false,
            name(),
            numbers ? input.allowed() : "an integer in [0, " + (names().size() - 1) + "]",
            value);
      }
      return found.getAsInt();
    }

    @Override
    public String toString() {
      return input.text();
    }
  }

  /** A column of which some cells are missing; as a label, those rows count as zero. */
  record SomeMissing(Column there, InputColumn.Missing input) implements Column {
    @Override
    public String name() {
      return there.name();
    }

    @Override
    public int width() {
      return input.width();
    }

    @Override
    public Task task() {
      return there.task();
    }

    @Override
    public boolean canBeLabel() {
      return there.canBeLabel() && input.policy().refuses();
    }

    @Override
    public float target(String cell) {
      if (input.isMissing(cell)) {
        Check.that(false, name(), "there", '"' + FileErrors.shown(cell) + '"');
      }
      return there.target(cell);
    }

    @Override
    public float target(double value) {
      if (input.isMissing(value)) {
        Check.that(false, name(), "there", value);
      }
      return there.target(value);
    }
  }

  /** A column that says something of a row and cannot be predicted. */
  record InputOnly(InputColumn input) implements Column {
    @Override
    public String name() {
      return input.name();
    }

    @Override
    public int width() {
      return input.width();
    }

    @Override
    public Task task() {
      throw noLabel();
    }

    @Override
    public boolean canBeLabel() {
      return false;
    }

    @Override
    public float target(String cell) {
      throw noLabel();
    }

    @Override
    public float target(double value) {
      throw noLabel();
    }

    private IllegalArgumentException noLabel() {
      return new IllegalArgumentException(
          "label must be a number in bounds or of categories. Provided value: " + input.text());
    }
  }
}
