package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;

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
   * What there is to say of each kind of column. A new kind is a further parameter, so that every
   * caller fails to compile until it knows it.
   *
   * @param <T> what is said
   * @param number for a number in bounds
   * @param category for one of several values
   * @return what the function of this kind gives
   */
  <T> T match(Function<Number, T> number, Function<Category, T> category);

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
      ValueBounds.check("column " + name, low, high);
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public void write(String cell, float[] to, int at) {
      double value = CellNumber.of(cell);
      Check.that(!Double.isNaN(value), name, "a number", cell);
      to[at] = (float) ValueBounds.scaled(value, low, high);
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

    @Override
    public <T> T match(Function<Number, T> number, Function<Category, T> category) {
      return number.apply(this);
    }
  }

  /**
   * One of several values; it becomes an input for each, of which one is 1. A cell that is the same
   * number as a value is that value, as 1.0 is 1, unless the values tell such spellings apart.
   */
  final class Category implements InputColumn {
    private final String name;
    private final Vocabulary values;

    /**
     * Checks the values.
     *
     * @param name of the column
     * @param values two or more, all different
     */
    public Category(String name, List<String> values) {
      this.name = name;
      this.values = new Vocabulary(name, values);
    }

    @Override
    public String name() {
      return name;
    }

    /** {@return the values, in their order} */
    public List<String> values() {
      return values.names();
    }

    /** {@return whether each value is a number of its own, so that 1.0 is 1} */
    public boolean areNumbers() {
      return values.areNumbers();
    }

    @Override
    public int width() {
      return values().size();
    }

    @Override
    public void write(String cell, float[] to, int at) {
      OptionalInt found = values.find(cell);
      if (found.isEmpty()) { // first, because the message takes longer than all the rest
        Check.that(false, name, values.allowed(), cell);
      }
      Arrays.fill(to, at, at + width(), 0);
      to[at + found.getAsInt()] = 1;
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      fields.put("values", values());
      return fields;
    }

    @Override
    public String text() {
      return name + "=" + String.join("|", values());
    }

    @Override
    public <T> T match(Function<Number, T> number, Function<Category, T> category) {
      return category.apply(this);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Category that
          && that.name.equals(name)
          && that.values().equals(values());
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + values().hashCode();
    }

    @Override
    public String toString() {
      return text();
    }
  }
}
