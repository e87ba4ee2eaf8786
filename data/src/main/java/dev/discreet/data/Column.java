package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Task;
import dev.discreet.data.internal.FileErrors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
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
          first < last && last - first < ColumnText.MOST_CATEGORIES,
          "integers of column " + name,
          "rising, at most " + ColumnText.MOST_CATEGORIES,
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
      Check.that(
          Double.isFinite(low) && Double.isFinite(high) && low < high,
          "bounds of column " + name,
          "finite and rising",
          Digits.shortest(low) + ".." + Digits.shortest(high));
    }

    public double scaled(double value) {
      double inside = Math.min(Math.max(value, low), high);
      // Halves, so that no difference overflows.
      return (inside / 2 - low / 2) / (high / 2 - low / 2);
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
      double value = ColumnText.number(cell);
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
    private final List<String> names;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<Double, Integer> byNumber = new HashMap<>();

    public Categories(String name, List<String> names) {
      this.name = name;
      this.names = List.copyOf(names);
      Check.that(
          names.size() >= 2 && names.size() <= ColumnText.MOST_CATEGORIES,
          "categories of column " + name,
          "in [2, " + ColumnText.MOST_CATEGORIES + "]",
          names.size());
      for (String category : names) {
        Check.that(!category.isBlank(), "category of column " + name, "not empty", "nothing");
        Check.that(
            index.put(category, index.size()) == null,
            "categories of column " + name,
            "distinct",
            FileErrors.shown(category));
      }
      // Other programs write the category 1 as 1.0: the same number is the same category, unless
      // the vocabulary tells such spellings apart.
      names.forEach(category -> byNumber.put(ColumnText.number(category), byNumber.size()));
      if (byNumber.containsKey(Double.NaN) || byNumber.size() < names.size()) {
        byNumber.clear();
      }
    }

    @Override
    public String name() {
      return name;
    }

    public List<String> names() {
      return names;
    }

    @Override
    public int width() {
      return names.size();
    }

    @Override
    public Task task() {
      return new Task.Classes(names);
    }

    @Override
    public InputColumn input() {
      return new InputColumn.Category(name, names);
    }

    /** The category's index, for a cell that has one. */
    public OptionalDouble find(String cell) {
      String text = cell.strip();
      Integer found = index.get(text);
      if (found == null) {
        found = byNumber.get(ColumnText.number(text));
      }
      return found == null ? OptionalDouble.empty() : OptionalDouble.of(found);
    }

    @Override
    public float target(String cell) {
      OptionalDouble found = find(cell);
      if (found.isEmpty()) {
        Check.that(false, name, allowed(), '"' + FileErrors.shown(cell) + '"');
      }
      return (float) found.getAsDouble();
    }

    /** Where the names are no numbers, they stand for 0, 1 and so on. */
    @Override
    public float target(double value) {
      Integer found = byNumber.get(value + 0.0);
      if (found == null && byNumber.isEmpty() && value >= 0 && value < names.size()) {
        found = value == (int) value ? (Integer) (int) value : null;
      }
      if (found == null) {
        Check.that(
            false,
            name,
            byNumber.isEmpty() ? "an integer in [0, " + (names.size() - 1) + "]" : allowed(),
            value);
      }
      return found;
    }

    @Override
    public void input(String cell, float[] to, int at) {
      Arrays.fill(to, at, at + names.size(), 0);
      to[at + (int) target(cell)] = 1;
    }

    private String allowed() {
      int shown = Math.min(names.size(), 20);
      return "one of "
          + String.join(", ", names.subList(0, shown))
          + (shown < names.size() ? ", … (" + names.size() + " declared)" : "");
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Categories that && that.name.equals(name) && that.names.equals(names);
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + names.hashCode();
    }

    @Override
    public String toString() {
      return name + "=" + String.join("|", names);
    }
  }
}
