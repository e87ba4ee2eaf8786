package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How raw rows become the inputs that a network was trained on. Everything in it was declared or
 * public before training.
 *
 * <pre>{@code
 * RawInputs pixels = new RawInputs.Pixels(0, 255, List.of(0.1307), List.of(0.3081));
 * }</pre>
 */
@PublicApi
public sealed interface RawInputs {

  /**
   * The inputs of a row of numbers.
   *
   * @param shape what the network takes
   * @param row its raw numbers
   * @return what the network is given
   */
  float[] inputs(Shape shape, double... row);

  /**
   * The inputs of a row of cells, as a table has them.
   *
   * @param shape what the network takes
   * @param row its cells
   * @return what the network is given
   */
  float[] inputs(Shape shape, List<String> row);

  /**
   * Refuses a network of another shape.
   *
   * @param shape what the network takes
   */
  void check(Shape shape);

  /**
   * Refuses a network that could not take such inputs: an embedding takes tokens and nothing else,
   * and no other layer takes tokens.
   *
   * @param layout the network on its input
   */
  default void check(Layout layout) {
    check(layout.input());
  }

  /**
   * As {@code model.json} has it.
   *
   * @return its fields; none for inputs as they are
   */
  Map<String, Object> fields();

  /**
   * What there is to say of those kinds that a caller can declare again: columns and pixels.
   *
   * @param <T> what is said
   * @param columns for the columns of a table
   * @param pixels for values of one kind
   * @return empty for the others
   */
  default <T> Optional<T> declared(Function<Columns, T> columns, Function<Pixels, T> pixels) {
    return match(
        Optional::empty,
        Optional::empty,
        columns.andThen(Optional::of),
        pixels.andThen(Optional::of));
  }

  /**
   * What there is to say of each kind. A new kind is a further parameter, so that every caller
   * fails to compile until it knows it.
   *
   * @param <T> what is said
   * @param asTheyAre for numbers that the network takes as they are
   * @param unknown for numbers whose scale nobody declared
   * @param columns for the columns of a table
   * @param pixels for values of one kind
   * @return what the function of this kind gives
   */
  <T> T match(
      Supplier<T> asTheyAre,
      Supplier<T> unknown,
      Function<Columns, T> columns,
      Function<Pixels, T> pixels);

  /** Numbers that the network takes as they are. */
  record AsTheyAre() implements RawInputs {
    @Override
    public float[] inputs(Shape shape, double... row) {
      checkSize(shape, row.length);
      float[] inputs = new float[row.length];
      for (int i = 0; i < row.length; i++) {
        inputs[i] = (float) row[i];
      }
      return inputs;
    }

    @Override
    public float[] inputs(Shape shape, List<String> row) {
      return inputs(shape, numbers(row));
    }

    @Override
    public void check(Shape shape) {}

    @Override
    public <T> T match(
        Supplier<T> asTheyAre,
        Supplier<T> unknown,
        Function<Columns, T> columns,
        Function<Pixels, T> pixels) {
      return asTheyAre.get();
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of();
    }
  }

  /** Numbers whose scale nobody declared: raw rows are refused. */
  record Unknown() implements RawInputs {
    private static IllegalArgumentException refused() {
      return new IllegalArgumentException(
          "scale of raw rows must be declared. Provided value: none, for this model");
    }

    @Override
    public float[] inputs(Shape shape, double... row) {
      throw refused();
    }

    @Override
    public float[] inputs(Shape shape, List<String> row) {
      throw refused();
    }

    @Override
    public void check(Shape shape) {}

    @Override
    public <T> T match(
        Supplier<T> asTheyAre,
        Supplier<T> unknown,
        Function<Columns, T> columns,
        Function<Pixels, T> pixels) {
      return unknown.get();
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("scale", "unknown");
    }
  }

  /**
   * The columns of a table, in order.
   *
   * @param columns one or more
   */
  record Columns(List<InputColumn> columns) implements RawInputs {
    /**
     * Copies the columns.
     *
     * @param columns one or more
     */
    public Columns {
      columns = List.copyOf(columns);
    }

    @Override
    public float[] inputs(Shape shape, double... row) {
      // Numbers have no marks, whatever those of the table are.
      List<InputColumn> plain =
          columns.stream().map(column -> column.marked(NumberMarks.PLAIN)).toList();
      return inputs(plain, shape, Arrays.stream(row).mapToObj(Columns::text).toList());
    }

    /** A category may be a whole number, which has no decimal point there. */
    private static String text(double value) {
      return value == Math.rint(value) && Math.abs(value) < 1e15
          ? Long.toString((long) value)
          : Digits.shortest(value);
    }

    @Override
    public float[] inputs(Shape shape, List<String> row) {
      return inputs(columns, shape, row);
    }

    private static float[] inputs(List<InputColumn> columns, Shape shape, List<String> row) {
      Check.that(
          row.size() == columns.size(),
          "cells of a row",
          "one for each of the columns " + columns.stream().map(InputColumn::name).toList(),
          row.size());
      float[] inputs = new float[shape.size()];
      int at = 0;
      for (int i = 0; i < row.size(); i++) {
        columns.get(i).write(row.get(i), inputs, at);
        at += columns.get(i).width();
      }
      return inputs;
    }

    @Override
    public void check(Shape shape) {
      int width = columns.stream().mapToInt(InputColumn::width).sum();
      Check.that(width == shape.size(), "inputs of the columns", "as many as " + shape, width);
    }

    @Override
    public void check(Layout layout) {
      check(layout.input());
      List<InputColumn> tokens = columns.stream().filter(each -> tokens(each) > 0).toList();
      if (tokens.isEmpty()) {
        return;
      }
      int most = tokens.stream().mapToInt(Columns::tokens).max().getAsInt();
      Check.that(
          tokens.size() == columns.size(),
          "columns beside tokens",
          "tokens too, for an embedding takes nothing else",
          columns.stream().map(InputColumn::name).toList());
      Layer first = layout.network().layers().get(0);
      Check.that(
          first instanceof Layer.Embedding table && table.vocabulary() >= most,
          "first layer of a network that takes the tokens of column " + tokens.get(0).name(),
          "an embedding with a vocabulary of at least " + most + " (two more than the words)",
          first);
    }

    /** How many tokens a column has; 0 for one of another kind. */
    private static int tokens(InputColumn column) {
      return column.match(
          number -> 0,
          category -> 0,
          ordered -> 0,
          date -> 0,
          text -> 0,
          TokenText::tokens,
          missing -> tokens(missing.column()));
    }

    @Override
    public <T> T match(
        Supplier<T> asTheyAre,
        Supplier<T> unknown,
        Function<Columns, T> columns,
        Function<Pixels, T> pixels) {
      return columns.apply(this);
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("columns", columns.stream().map(InputColumn::fields).toList());
    }
  }

  /**
   * Values of one kind, such as pixels, channels last: each is moved into bounds, then to [0, 1],
   * and then less its channel's mean and divided by its deviation.
   *
   * @param low the lower bound
   * @param high the upper bound
   * @param mean one a channel; empty to leave values in [0, 1]
   * @param deviation beside the mean
   */
  record Pixels(double low, double high, List<Double> mean, List<Double> deviation)
      implements RawInputs {
    /**
     * Checks bounds and figures.
     *
     * @param low finite
     * @param high finite and above the other
     * @param mean one a channel, or none
     * @param deviation as many as means
     */
    public Pixels {
      mean = List.copyOf(mean);
      deviation = List.copyOf(deviation);
      ValueBounds.check("pixels", low, high);
      Check.that(mean.size() == deviation.size(), "deviations", "one a mean", deviation.size());
    }

    @Override
    public float[] inputs(Shape shape, double... row) {
      checkSize(shape, row.length);
      float[] inputs = new float[row.length];
      for (int i = 0; i < row.length; i++) {
        double scaled = ValueBounds.scaled(row[i], low, high);
        int channel = i % shape.channels();
        inputs[i] =
            (float)
                (mean.isEmpty() ? scaled : (scaled - mean.get(channel)) / deviation.get(channel));
      }
      return inputs;
    }

    @Override
    public float[] inputs(Shape shape, List<String> row) {
      return inputs(shape, numbers(row));
    }

    @Override
    public void check(Shape shape) {
      Check.that(
          mean.isEmpty() || mean.size() == shape.channels(),
          "means of pixels",
          "one for each of " + shape.channels() + " channels",
          mean.size());
    }

    @Override
    public <T> T match(
        Supplier<T> asTheyAre,
        Supplier<T> unknown,
        Function<Columns, T> columns,
        Function<Pixels, T> pixels) {
      return pixels.apply(this);
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("low", low);
      fields.put("high", high);
      fields.put("mean", mean);
      fields.put("deviation", deviation);
      return Map.of("pixels", fields);
    }
  }

  /**
   * Reads what {@link #fields} wrote.
   *
   * @param fields of the use of a model
   * @return the inputs
   */
  static RawInputs read(JsonFields fields) {
    if (fields.map().containsKey("columns")) {
      List<InputColumn> columns = new ArrayList<>();
      for (Object each : fields.list("columns")) {
        columns.add(InputColumn.read(JsonFields.of("column of " + fields.owner(), each)));
      }
      return new Columns(columns);
    }
    if (fields.map().containsKey("pixels")) {
      JsonFields pixels = JsonFields.of("pixels of " + fields.owner(), fields.get("pixels"));
      return new Pixels(
          pixels.number("low"),
          pixels.number("high"),
          Arrays.stream(pixels.numbers("mean")).boxed().toList(),
          Arrays.stream(pixels.numbers("deviation")).boxed().toList());
    }
    return fields.map().containsKey("scale") ? new Unknown() : new AsTheyAre();
  }

  private static void checkSize(Shape shape, int size) {
    Check.that(size == shape.size(), "numbers in a row", "as many as " + shape + " has", size);
  }

  private static double[] numbers(List<String> row) {
    return row.stream()
        .mapToDouble(
            cell -> {
              double value = CellNumber.of(cell);
              Check.that(!Double.isNaN(value), "cell of a row", "a number", cell);
              return value;
            })
        .toArray();
  }
}
