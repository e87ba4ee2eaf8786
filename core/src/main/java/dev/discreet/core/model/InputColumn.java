package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A column of raw rows, and which inputs of a network it becomes. Declared, never read off rows.
 *
 * <pre>{@code
 * InputColumn age = new InputColumn.Number("age", 0, 120);
 * InputColumn sex = new InputColumn.Category("sex", List.of("female", "male"));
 * }</pre>
 */
@PublicApi
public sealed interface InputColumn
    permits InputColumn.Number,
        InputColumn.Category,
        InputColumn.Ordered,
        InputColumn.Missing,
        DateColumn,
        HashedText,
        TokenText {
  /** Stands in a cell for bytes that are no text, and for a quote out of place. */
  char GARBLED = '\uFFFD';

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
    return ColumnFields.read(fields).marked(NumberMarks.read(fields));
  }

  /**
   * Reads a declaration as options and run files have it: a name, an equals sign, what the values
   * are, and after commas what else is declared.
   *
   * <pre>
   * age=0..120                            a number in bounds
   * age=0..120,missing=40                 40 where the cell is empty
   * age=0..120,missing=own                a further input, which is 1 where the cell is empty
   * age=0..120,missing=indicator(40)      both
   * age=0..120,missing-cells=NA|99        NA and 99 count as the empty cell does
   * sex=male|female                       one of several values
   * grade={1..16}                         short for the integers one by one
   * region=north|south,other=elsewhere    a further value, for all other cells
   * grade=low&lt;mid&lt;high                    values that have an order
   * visit=2015-01-01..2024-12-31          a date as a number between two days
   * visit=month+weekday                   an input for each month and for each weekday
   * visit=month,pattern=dd.MM.yyyy        the same of dates that are not written as 2024-12-31
   * note=text,hash=1024,words=1..2        free text: words and pairs of words, counted in 1024 inputs
   * note=text,hash=1024,letters=3..5      the same of three to five letters
   * note=tokens,vocabulary=a|b,length=64  free text: the tokens of its first 64 words
   * </pre>
   *
   * @param text of one column
   * @return the column
   */
  static InputColumn parse(String text) {
    return ColumnSyntax.parse(text);
  }

  /**
   * As {@link #parse} reads it: the one text of this declaration.
   *
   * @return the text
   */
  String text();

  /**
   * The marks of numbers in its cells.
   *
   * @return plain ones unless declared, or where no cell is a number
   */
  default NumberMarks marks() {
    return NumberMarks.PLAIN;
  }

  /**
   * This column in a table whose numbers have other marks. What was declared of it keeps its
   * meaning: numbers in declarations are always plain.
   *
   * @param marks of numbers in its cells
   * @return that column; this one stays as it is
   */
  default InputColumn marked(NumberMarks marks) {
    return this;
  }

  /**
   * What there is to say of each kind of column. A new kind is a further parameter, so that every
   * caller fails to compile until it knows it.
   *
   * @param <T> what is said
   * @param number for a number in bounds
   * @param category for one of several values
   * @param ordered for one of several values that have an order
   * @param date for dates
   * @param text for free text whose words or letters are counted
   * @param tokens for free text as tokens
   * @param missing for a column of which some cells are missing
   * @return what the function of this kind gives
   */
  <T> T match(
      Function<Number, T> number,
      Function<Category, T> category,
      Function<Ordered, T> ordered,
      Function<DateColumn, T> date,
      Function<HashedText, T> text,
      Function<TokenText, T> tokens,
      Function<Missing, T> missing);

  /**
   * A number in bounds, into which it is moved; it becomes one input in [0, 1].
   *
   * @param name of the column
   * @param low the lower bound
   * @param high the upper bound
   * @param marks of numbers in its cells
   */
  record Number(String name, double low, double high, NumberMarks marks) implements InputColumn {
    /**
     * Checks the bounds.
     *
     * @param name of the column
     * @param low finite
     * @param high finite and above the other
     * @param marks of numbers in its cells
     */
    public Number {
      ValueBounds.check("column " + name, low, high);
    }

    /**
     * Of plain numbers.
     *
     * @param name of the column
     * @param low finite
     * @param high finite and above the other
     */
    public Number(String name, double low, double high) {
      this(name, low, high, NumberMarks.PLAIN);
    }

    @Override
    public Number marked(NumberMarks other) {
      return new Number(name, low, high, other);
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public void write(String cell, float[] to, int at) {
      double value = marks.of(cell);
      if (Double.isNaN(value)) { // first, because the message takes longer than all the rest
        Check.that(false, name, marks.wanted(), cell);
      }
      to[at] = (float) ValueBounds.scaled(value, low, high);
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      fields.put("low", low);
      fields.put("high", high);
      fields.putAll(marks.fields());
      return fields;
    }

    @Override
    public String text() {
      return name + "=" + Digits.shortest(low) + ".." + Digits.shortest(high);
    }

    @Override
    public <T> T match(
        Function<Number, T> number,
        Function<Category, T> category,
        Function<Ordered, T> ordered,
        Function<DateColumn, T> date,
        Function<HashedText, T> text,
        Function<TokenText, T> tokens,
        Function<Missing, T> missing) {
      return number.apply(this);
    }
  }

  /**
   * One of several values; it becomes an input for each, of which one is 1. A cell that is the same
   * number as a value is that value, as 1.0 is 1, unless the values tell such spellings apart. One
   * of them may be declared to stand for all other cells; the empty cell is never one of those.
   */
  final class Category implements InputColumn {
    private final String name;
    private final Vocabulary values;
    private final boolean hasOther;

    /**
     * Checks the values.
     *
     * @param name of the column
     * @param values two or more, all different
     */
    public Category(String name, List<String> values) {
      this(name, values, Optional.empty());
    }

    /**
     * Checks the values.
     *
     * @param name of the column
     * @param values one or more, all different
     * @param other a further value, for all cells that are none of them; empty to refuse those
     */
    public Category(String name, List<String> values, Optional<String> other) {
      this.name = name;
      this.values = new Vocabulary(name, Stream.concat(values.stream(), other.stream()).toList());
      this.hasOther = other.isPresent();
      ColumnSyntax.checkValues(name, this.values.names(), "|");
    }

    private Category(String name, Vocabulary values, boolean hasOther) {
      this.name = name;
      this.values = values;
      this.hasOther = hasOther;
    }

    @Override
    public NumberMarks marks() {
      return values.marks();
    }

    @Override
    public Category marked(NumberMarks marks) {
      return new Category(name, values.marked(marks), hasOther);
    }

    @Override
    public String name() {
      return name;
    }

    /** {@return the values, in their order; the one for all other cells is the last} */
    public List<String> values() {
      return values.names();
    }

    /** {@return the value that stands for all cells that are none of the others} */
    public Optional<String> other() {
      return hasOther ? Optional.of(values().get(width() - 1)) : Optional.empty();
    }

    /** {@return whether each value is a number of its own, so that 1.0 is 1} */
    public boolean areNumbers() {
      return values.areNumbers();
    }

    /**
     * Which value a cell is.
     *
     * @param cell as a table has it
     * @return its place among the values; empty where it is none of this column
     */
    public OptionalInt find(String cell) {
      OptionalInt found = values.find(cell);
      return found.isPresent() || !hasOther || cell.isBlank() || cell.indexOf(GARBLED) >= 0
          ? found
          : OptionalInt.of(width() - 1);
    }

    /**
     * Which value a number is.
     *
     * @param value as an array has it
     * @return its place among the values; empty where it is none of this column
     */
    public OptionalInt find(double value) {
      OptionalInt found = values.find(value);
      return found.isPresent() || !hasOther || Double.isNaN(value)
          ? found
          : OptionalInt.of(width() - 1);
    }

    /** Whether a cell is one of the values, and not of the others. */
    boolean names(String cell) {
      return values.find(cell).isPresent();
    }

    /** {@return what a cell must be, for refusals} */
    public String allowed() {
      return values.allowed();
    }

    @Override
    public int width() {
      return values().size();
    }

    @Override
    public void write(String cell, float[] to, int at) {
      OptionalInt found = find(cell);
      if (found.isEmpty()) { // first, because the message takes longer than all the rest
        Check.that(false, name, allowed(), cell);
      }
      Arrays.fill(to, at, at + width(), 0);
      to[at + found.getAsInt()] = 1;
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      fields.put("values", hasOther ? values().subList(0, width() - 1) : values());
      other().ifPresent(each -> fields.put("other", each));
      fields.putAll(marks().fields());
      return fields;
    }

    @Override
    public String text() {
      return other().isEmpty()
          ? name + "=" + String.join("|", values())
          : name
              + "="
              + String.join("|", values().subList(0, width() - 1))
              + ",other="
              + other().get();
    }

    @Override
    public <T> T match(
        Function<Number, T> number,
        Function<Category, T> category,
        Function<Ordered, T> ordered,
        Function<DateColumn, T> date,
        Function<HashedText, T> text,
        Function<TokenText, T> tokens,
        Function<Missing, T> missing) {
      return category.apply(this);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Category that
          && that.text().equals(text())
          && that.marks().equals(marks());
    }

    @Override
    public int hashCode() {
      return text().hashCode();
    }

    @Override
    public String toString() {
      return text();
    }
  }

  /**
   * One of several values that have an order. It becomes an input for each value but the first,
   * which is 1 where the cell is that value or a later one: what a network learns of a value holds
   * for those after it too.
   */
  final class Ordered implements InputColumn {
    private final String name;
    private final Vocabulary values;

    /**
     * Checks the values.
     *
     * @param name of the column
     * @param values two or more, all different, from the lowest to the highest
     */
    public Ordered(String name, List<String> values) {
      this.name = name;
      this.values = new Vocabulary(name, values);
      ColumnSyntax.checkValues(name, values, "<");
    }

    private Ordered(String name, Vocabulary values) {
      this.name = name;
      this.values = values;
    }

    @Override
    public NumberMarks marks() {
      return values.marks();
    }

    @Override
    public Ordered marked(NumberMarks marks) {
      return new Ordered(name, values.marked(marks));
    }

    @Override
    public String name() {
      return name;
    }

    /** {@return the values, from the lowest to the highest} */
    public List<String> values() {
      return values.names();
    }

    /** {@return whether each value is a number of its own, so that 1.0 is 1} */
    public boolean areNumbers() {
      return values.areNumbers();
    }

    /** Whether a cell is one of the values. */
    boolean names(String cell) {
      return values.find(cell).isPresent();
    }

    @Override
    public int width() {
      return values().size() - 1;
    }

    @Override
    public void write(String cell, float[] to, int at) {
      OptionalInt found = values.find(cell);
      if (found.isEmpty()) {
        Check.that(false, name, values.allowed(), cell);
      }
      Arrays.fill(to, at, at + found.getAsInt(), 1);
      Arrays.fill(to, at + found.getAsInt(), at + width(), 0);
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      fields.put("ordered", values());
      fields.putAll(marks().fields());
      return fields;
    }

    @Override
    public String text() {
      return name + "=" + String.join("<", values());
    }

    @Override
    public <T> T match(
        Function<Number, T> number,
        Function<Category, T> category,
        Function<Ordered, T> ordered,
        Function<DateColumn, T> date,
        Function<HashedText, T> text,
        Function<TokenText, T> tokens,
        Function<Missing, T> missing) {
      return ordered.apply(this);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Ordered that
          && that.text().equals(text())
          && that.marks().equals(marks());
    }

    @Override
    public int hashCode() {
      return text().hashCode();
    }

    @Override
    public String toString() {
      return text();
    }
  }

  /**
   * A column of which some cells are missing: the empty one, and those that are declared. What they
   * become is declared too; nothing is taken from other rows.
   */
  final class Missing implements InputColumn {
    private final InputColumn column;
    private final MissingCells policy;
    private final Set<String> texts;
    private final Set<Double> numbers;
    private final float[] inputs;

    /**
     * Checks that the column can hold the constant, and that no value of it is missing.
     *
     * @param column of the cells that are there
     * @param policy which cells are missing, and what they become
     */
    public Missing(InputColumn column, MissingCells policy) {
      this.column = column;
      this.policy = policy;
      this.texts = Set.copyOf(policy.cells());
      this.numbers = policy.numbers(column);
      this.inputs = policy.inputs(column);
    }

    private Missing(Missing plain, NumberMarks marks) {
      column = plain.column.marked(marks);
      policy = plain.policy;
      texts = plain.texts;
      numbers = plain.numbers;
      inputs = plain.inputs;
    }

    @Override
    public NumberMarks marks() {
      return column.marks();
    }

    @Override
    public Missing marked(NumberMarks marks) {
      return new Missing(this, marks);
    }

    @Override
    public String name() {
      return column.name();
    }

    /** {@return of the cells that are there} */
    public InputColumn column() {
      return column;
    }

    /** {@return which cells are missing, and what they become} */
    public MissingCells policy() {
      return policy;
    }

    /**
     * Whether a cell is declared missing.
     *
     * @param cell as a table has it
     * @return whether what was declared of missing cells holds for it
     */
    public boolean isMissing(String cell) {
      String bare = cell.strip();
      return bare.isEmpty()
          ? !policy.refuses()
          : texts.contains(bare) || !numbers.isEmpty() && numbers.contains(marks().of(bare));
    }

    /**
     * Whether a number is declared missing.
     *
     * @param value as an array has it
     * @return whether what was declared of missing cells holds for it
     */
    public boolean isMissing(double value) {
      return numbers.contains(value + 0.0);
    }

    @Override
    public int width() {
      return column.width() + (policy.isIndicated() ? 1 : 0);
    }

    @Override
    public void write(String cell, float[] to, int at) {
      if (isMissing(cell)) {
        if (policy.refuses()) {
          Check.that(false, name(), "there, and not a missing cell", cell);
        }
        System.arraycopy(inputs, 0, to, at, inputs.length);
        return;
      }
      column.write(cell, to, at);
      if (policy.isIndicated()) {
        to[at + inputs.length - 1] = 0;
      }
    }

    /** {@return the inputs of a missing cell; none where its row counts as zero} */
    public float[] inputs() {
      return inputs.clone();
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>(column.fields());
      fields.put("missing", policy.text());
      fields.put("missingCells", policy.cells());
      return fields;
    }

    @Override
    public String text() {
      String cells = policy.cells().isEmpty() ? "" : ",missing-cells=" + policy.cellsText();
      return column.text() + ",missing=" + policy.text() + cells;
    }

    @Override
    public <T> T match(
        Function<Number, T> number,
        Function<Category, T> category,
        Function<Ordered, T> ordered,
        Function<DateColumn, T> date,
        Function<HashedText, T> text,
        Function<TokenText, T> tokens,
        Function<Missing, T> missing) {
      return missing.apply(this);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Missing that
          && that.text().equals(text())
          && that.marks().equals(marks());
    }

    @Override
    public int hashCode() {
      return text().hashCode();
    }

    @Override
    public String toString() {
      return text();
    }
  }
}
