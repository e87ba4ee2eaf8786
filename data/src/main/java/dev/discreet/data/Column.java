package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Task;
import dev.discreet.core.model.ValueBounds;
import dev.discreet.core.model.Vocabulary;
import dev.discreet.data.internal.FileErrors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** A declared column: its name and either its bounds or its vocabulary. */
public sealed interface Column {
  String name();

  /** How many inputs it makes. */
  int width();

  /** What predicting it means. */
  Task task();

  /** The same for whoever uses a model that was trained on it. */
  InputColumn input();

  /** The value as a target: a class's index, or a number moved into the bounds and to [0, 1]. */
  float target(String cell);

  /** The target of a value in a file of numbers. */
  float target(double value);

  /** Writes the value's inputs: a number in [0, 1], or a 1 among zeros. */
  void input(String cell, float[] to, int at);

  /**
   * Reads {@code age=0..120}, {@code sex=male|female} or {@code grade={1..16}}, which is short for
   * the integers one by one.
   */
  static Column parse(String text) {
    int equals = text.indexOf('=');
    String name = equals < 0 ? "" : text.substring(0, equals).strip();
    String values = text.substring(equals + 1).strip();
    Check.that(
        !name.isEmpty() && Check.oneLine(text),
        "column",
        "NAME=" + ColumnText.VALUES,
        FileErrors.shown(text));
    Matcher bounds = ColumnText.BOUNDS.matcher(values);
    if (bounds.matches()) {
      return new Bounded(
          name, Double.parseDouble(bounds.group(1)), Double.parseDouble(bounds.group(2)));
    }
    Matcher integers = ColumnText.INTEGERS.matcher(values);
    if (integers.matches()) {
      long first = Long.parseLong(integers.group(1));
      long last = Long.parseLong(integers.group(2));
      Check.that(
          first < last && last - first < Vocabulary.MOST,
          "integers of column " + name,
          "rising, at most " + Vocabulary.MOST,
          values);
      return new Categories(
          name, LongStream.rangeClosed(first, last).mapToObj(Long::toString).toList());
    }
    Check.that(
        values.indexOf('|') >= 0,
        "column " + name,
        name + "=" + ColumnText.VALUES,
        FileErrors.shown(text));
    return new Categories(
        name, Pattern.compile("\\|").splitAsStream(values + " ").map(String::strip).toList());
  }

  /** The declared labels of a file that has no columns; the text may leave the name out. */
  static Column label(Optional<String> text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "label must be declared, as 0|1|2 or {0..9} for classes or as 0..10 for a number:"
              + " nothing is read off private values.");
    }
    return parse(text.get().indexOf('=') < 0 ? "label=" + text.get() : text.get());
  }

  /** The bounds of plain numbers: {@code LOW..HIGH}. */
  static Bounded bounds(String text) {
    Matcher bounds = ColumnText.BOUNDS.matcher(text.strip());
    boolean two = bounds.matches();
    double low = two ? Double.parseDouble(bounds.group(1)) : Double.NaN;
    double high = two ? Double.parseDouble(bounds.group(2)) : Double.NaN;
    Check.that(
        low < high && Double.isFinite(low) && Double.isFinite(high),
        "bounds",
        "LOW..HIGH with LOW below HIGH, as in 0..100",
        FileErrors.shown(text));
    return new Bounded("bounds", low, high);
  }

  /** Plain categories: {@code A|B|C}, or {@code {1..9}} for integers. */
  static Categories categories(String text) {
    boolean listed = text.indexOf('|') >= 0 || ColumnText.INTEGERS.matcher(text.strip()).matches();
    Check.that(
        listed,
        "categories",
        "two or more, as in A|B|C or {1..9} for integers",
        FileErrors.shown(text));
    return (Categories) parse("categories=" + text);
  }

  /** A number in bounds; one outside is moved to the nearer bound. */
  record Bounded(String name, double low, double high) implements Column {
    public Bounded {
      ValueBounds.check("column " + name, low, high);
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
    public InputColumn input() {
      return new InputColumn.Number(name, low, high);
    }

    @Override
    public float target(String cell) {
      double value = CellNumber.of(cell);
      if (Double.isNaN(value)) { // first, for messages take longer than all the rest
        Check.that(false, name, "a number", '"' + FileErrors.shown(cell) + '"');
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
  final class Categories implements Column {
    private final String name;
    private final Vocabulary vocabulary;

    Categories(String name, List<String> names) {
      this.name = name;
      this.vocabulary = new Vocabulary(name, names);
    }

    @Override
    public String name() {
      return name;
    }

    public List<String> names() {
      return vocabulary.names();
    }

    @Override
    public int width() {
      return names().size();
    }

    @Override
    public Task task() {
      return new Task.Classes(names());
    }

    @Override
    public InputColumn input() {
      return new InputColumn.Category(name, names());
    }

    /** The category's index, for a cell that has one. */
    public OptionalInt find(String cell) {
      return vocabulary.find(cell);
    }

    @Override
    public float target(String cell) {
      OptionalInt found = find(cell);
      if (found.isEmpty()) { // first, for messages take longer than all the rest
        Check.that(false, name, vocabulary.allowed(), '"' + FileErrors.shown(cell) + '"');
      }
      return found.getAsInt();
    }

    /** Where the names are no numbers, they stand for 0, 1 and so on. */
    @Override
    public float target(double value) {
      boolean numbers = vocabulary.areNumbers();
      OptionalInt found = vocabulary.find(value);
      if (!numbers && value >= 0 && value < names().size() && value == (int) value) {
        found = OptionalInt.of((int) value);
      }
      if (found.isEmpty()) {
        Check.that(
            false,
            name,
            numbers ? vocabulary.allowed() : "an integer in [0, " + (names().size() - 1) + "]",
            value);
      }
      return found.getAsInt();
    }

    @Override
    public void input(String cell, float[] to, int at) {
      Arrays.fill(to, at, at + names().size(), 0);
      to[at + (int) target(cell)] = 1;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Categories that
          && that.name.equals(name)
          && that.names().equals(names());
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + names().hashCode();
    }

    @Override
    public String toString() {
      return name + "=" + String.join("|", names());
    }
  }
}
