package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A column of raw rows, and which inputs of a network it becomes. Declared, never read off rows.
 *
 * <pre>{@code
 * InputColumn age = new InputColumn.Number("age", 0, 120);
 * InputColumn sex = new InputColumn.Category("sex", List.of("female", "male"));
 * }</pre>
 */
@PublicApi
public sealed interface InputColumn {
  /**
   * What the column is called.
   *
   * @return its name
   */
  String name();

  /**
   * How many inputs it becomes.
   *
   * @return at least 1
   */
  int width();

  /**
   * Writes the inputs of a cell; refuses one that is none of this column.
   *
   * @param cell as a table has it
   * @param to receives the inputs
   * @param at where they begin
   */
  void write(String cell, float[] to, int at);

  /**
   * As {@code model.json} has it.
   *
   * @return its fields
   */
  Map<String, Object> fields();

  /**
   * Reads what {@link #fields} wrote.
   *
   * @param fields of one column
   * @return the column
   */
  static InputColumn read(JsonFields fields) {
    return fields.map().containsKey("values")
        ? new Category(
            fields.text("name"), fields.list("values").stream().map(String::valueOf).toList())
        : new Number(fields.text("name"), fields.number("low"), fields.number("high"));
  }

  /**
   * As an option declares it: {@code age=0..120} or {@code sex=male|female}.
   *
   * @return the text
   */
  String text();

  /**
   * A number in bounds, into which it is moved; it becomes one input in [0, 1].
   *
   * @param name of the column
   * @param low the lower bound
   * @param high the upper bound
   */
  record Number(String name, double low, double high) implements InputColumn {
    /**
     * Checks the bounds.
     *
     * @param name of the column
     * @param low finite
     * @param high finite and above the other
     */
    public Number {
      Check.that(
          Double.isFinite(low) && Double.isFinite(high) && low < high,
          "bounds of column " + name,
          "finite and rising",
          Digits.shortest(low) + ".." + Digits.shortest(high));
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public void write(String cell, float[] to, int at) {
      double value = number(cell);
      Check.that(!Double.isNaN(value), name, "a number", cell);
      double inside = Math.min(Math.max(value, low), high);
      // Halves, so that no difference overflows.
      to[at] = (float) ((inside / 2 - low / 2) / (high / 2 - low / 2));
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      fields.put("low", low);
      fields.put("high", high);
      return fields;
    }

    @Override
    public String text() {
      return name + "=" + Digits.shortest(low) + ".." + Digits.shortest(high);
    }
  }

  /**
   * One of several values; it becomes an input for each, of which one is 1.
   *
   * @param name of the column
   * @param values two or more
   */
  record Category(String name, List<String> values) implements InputColumn {
    /**
     * Checks the values.
     *
     * @param name of the column
     * @param values two or more
     */
    public Category {
      values = List.copyOf(values);
      Check.that(values.size() >= 2, "categories of column " + name, "at least 2", values.size());
    }

    @Override
    public int width() {
      return values.size();
    }

    @Override
    public void write(String cell, float[] to, int at) {
      int found = values.indexOf(cell.strip());
      for (int i = 0; found < 0 && i < values.size(); i++) {
        // Other programs write the category 1 as 1.0.
        found = !Double.isNaN(number(cell)) && number(values.get(i)) == number(cell) ? i : -1;
      }
      Check.that(found >= 0, name, "one of " + String.join(", ", values), cell);
      Arrays.fill(to, at, at + values.size(), 0);
      to[at + found] = 1;
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      fields.put("values", values);
      return fields;
    }

    @Override
    public String text() {
      return name + "=" + String.join("|", values);
    }
  }

  /** Not a number where the cell is none. */
  private static double number(String cell) {
    try {
      return Double.parseDouble(cell.strip());
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
