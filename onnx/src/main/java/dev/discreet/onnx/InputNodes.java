package dev.discreet.onnx;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import dev.discreet.accounting.Check;
import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.MissingCells;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * From what a caller gives to what the network takes. Scaling is computed with double precision, as
 * {@link RawInputs} does, so that the network gets the same bits.
 */
final class InputNodes {
  private final OnnxGraph graph;

  private InputNodes(OnnxGraph graph) {
    this.graph = graph;
  }

  static OnnxValue of(OnnxGraph graph, Layout layout, RawInputs inputs) {
    InputNodes nodes = new InputNodes(graph);
    return inputs.match(
        () -> nodes.asTheyAre(layout),
        () -> {
          throw new IllegalArgumentException(
              "scale of raw rows must be declared. Provided value: none, for this model");
        },
        columns -> nodes.columns(layout.input(), columns.columns()),
        pixels -> nodes.pixels(layout.input(), pixels));
  }

  private static List<Integer> dimensions(Shape shape) {
    return shape.positions() == 1
        ? List.of(shape.channels())
        : List.of(shape.height(), shape.width(), shape.channels());
  }

  private OnnxValue value(String name, Shape shape) {
    OnnxValue.Form form =
        shape.positions() == 1 ? OnnxValue.Form.ROWS : OnnxValue.Form.CHANNELS_LAST;
    return new OnnxValue(graph, name, form, shape);
  }

  private OnnxValue asTheyAre(Layout layout) {
    Shape shape = layout.input();
    if (layout.network().layers().get(0) instanceof Layer.Embedding) {
      String tokens =
          graph.input("tokens", DataType.INT64, List.of(shape.size()), "Numbers of tokens.");
      return new OnnxValue(
          graph, graph.cast("tokens", tokens, DataType.FLOAT), OnnxValue.Form.ROWS, shape);
    }
    return value(
        graph.input(
            "inputs", DataType.FLOAT, dimensions(shape), "Taken as they are, channels last."),
        shape);
  }

  private OnnxValue pixels(Shape shape, RawInputs.Pixels pixels) {
    String raw =
        graph.input(
            "pixels",
            DataType.FLOAT,
            dimensions(shape),
            "Raw values in "
                + OnnxExport.bounds(pixels.low(), pixels.high())
                + ", channels last; others are moved to the nearer bound.");
    String scaled =
        scaled(
            "pixels",
            graph.cast("pixels", raw, DataType.DOUBLE),
            new double[] {pixels.low()},
            new double[] {pixels.high()});
    if (!pixels.mean().isEmpty()) {
      int channels = shape.channels();
      String less =
          graph.node(
              "pixels",
              "Sub",
              scaled,
              graph.doubles("pixels/mean", array(pixels.mean()), channels));
      scaled =
          graph.node(
              "pixels",
              "Div",
              less,
              graph.doubles("pixels/deviation", array(pixels.deviation()), channels));
    }
    return value(graph.cast("pixels", scaled, DataType.FLOAT), shape);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** As {@code ValueBounds.scaled} computes it, one pair of bounds for each column or for all. */
  private String scaled(String label, String values, double[] low, double[] high) {
    int n = low.length;
    double[] lowHalf = new double[n];
    double[] span = new double[n];
    for (int i = 0; i < n; i++) {
      lowHalf[i] = low[i] / 2;
      span[i] = high[i] / 2 - low[i] / 2;
    }
    String above = graph.node(label, "Max", values, graph.doubles(label + "/low", low, n));
    String inside = graph.node(label, "Min", above, graph.doubles(label + "/high", high, n));
    String half =
        graph.node(label, "Mul", inside, graph.doubles(label + "/half", new double[] {0.5}, 1));
    String from = graph.node(label, "Sub", half, graph.doubles(label + "/from", lowHalf, n));
    return graph.node(label, "Div", from, graph.doubles(label + "/span", span, n));
  }

  private OnnxValue columns(Shape shape, List<InputColumn> columns) {
    refuseWithoutOperator(columns);
    List<String> parts = new ArrayList<>();
    List<InputColumn.Number> numbers = new ArrayList<>();
    List<String> cells = new ArrayList<>();
    for (InputColumn column : columns) {
      boolean plain =
          column.match(
              number -> {
                numbers.add(number);
                return cells.add(numberInput(number, ""));
              },
              category -> false,
              ordered -> false,
              date -> false,
              text -> false,
              tokens -> false,
              missing -> false);
      if (!plain) {
        takeNumbers(numbers, cells, parts);
        parts.add(part(column));
      }
    }
    takeNumbers(numbers, cells, parts);
    return new OnnxValue(graph, graph.beside("columns", parts), OnnxValue.Form.ROWS, shape);
  }

  /** The inputs of the network that a column of other than plain numbers becomes. */
  private String part(InputColumn column) {
    TextNodes texts = new TextNodes(graph);
    return column.match(
        number -> {
          throw new AssertionError(number);
        },
        texts::category,
        texts::ordered,
        InputNodes::refused,
        InputNodes::refused,
        InputNodes::refused,
        missing ->
            missing
                .column()
                .match(
                    number -> missing(missing, number),
                    category -> texts.missing(missing, category.values(), category.areNumbers()),
                    ordered -> texts.missing(missing, ordered.values(), ordered.areNumbers()),
                    InputNodes::refused,
                    InputNodes::refused,
                    InputNodes::refused,
                    inner -> {
                      throw new AssertionError(inner);
                    }));
  }

  /** None of ONNX reads a date, or hashes a text and cuts it as {@link InputColumn} does. */
  private static boolean hasOperator(InputColumn column) {
    return column.match(
        number -> true,
        category -> true,
        ordered -> true,
        date -> false,
        text -> false,
        tokens -> false,
        missing -> hasOperator(missing.column()));
  }

  private static void refuseWithoutOperator(List<InputColumn> columns) {
    List<InputColumn> without = columns.stream().filter(each -> !hasOperator(each)).toList();
    Check.that(
        without.isEmpty(),
        "columns of a model to export",
        "numbers or declared values, for no operator of ONNX reads dates or free text",
        without.stream().map(InputColumn::toString).collect(Collectors.joining(", ")));
  }

  private static String refused(InputColumn column) {
    throw new AssertionError(column);
  }

  private String numberInput(InputColumn.Number number, String more) {
    return graph.input(
        number.name(),
        DataType.DOUBLE,
        List.of(1),
        OnnxExport.bounds(number.low(), number.high())
            + "; a value outside is moved to the nearer bound"
            + more);
  }

  /** No number stands for the empty cell, and for declared ones that are texts. */
  private String missing(InputColumn.Missing column, InputColumn.Number number) {
    MissingCells policy = column.policy();
    String label = column.name();
    String given = numberInput(number, policy.refuses() ? "" : "; NaN where it is missing");
    String isMissing = graph.node(label, "IsNaN", given);
    for (String cell : policy.cells()) {
      double declared = CellNumber.of(cell);
      if (!Double.isNaN(declared)) {
        String same =
            graph.node(
                label,
                "Equal",
                given,
                graph.doubles(label + "/missing cell", new double[] {declared}, 1));
        isMissing = graph.node(label, "Or", isMissing, same);
      }
    }
    if (policy.refuses()) {
      String zeros =
          graph.refuse(
              label + " must be there, and not a missing cell",
              graph.cast(label, isMissing, DataType.INT64),
              1,
              true);
      return scaled(label, graph.node(label, "Add", given, zeros), List.of(number));
    }
    // Any number in bounds will do: what it becomes is not used.
    String there =
        graph.node(
            label,
            "Where",
            isMissing,
            graph.doubles(label + "/any", new double[] {number.low()}, 1),
            given);
    float[] inputs = column.inputs();
    String value =
        graph.node(
            label,
            "Where",
            isMissing,
            graph.floats(label + "/missing", new float[] {inputs[0]}, 1),
            scaled(label, there, List.of(number)));
    return policy.isIndicated()
        ? graph.beside(label, List.of(value, graph.cast(label, isMissing, DataType.FLOAT)))
        : value;
  }

  /** Neighbouring numbers are scaled at once: a table may have very many. */
  private void takeNumbers(
      List<InputColumn.Number> numbers, List<String> cells, List<String> parts) {
    if (numbers.isEmpty()) {
      return;
    }
    String label = OnnxExport.listed(numbers.stream().map(InputColumn.Number::name).toList());
    parts.add(scaled(label, graph.beside(label, cells), numbers));
    numbers.clear();
    cells.clear();
  }

  /** Numbers in their bounds, as the network takes them; refuses what is no finite number. */
  private String scaled(String label, String given, List<InputColumn.Number> numbers) {
    String scaled =
        scaled(
            label,
            given,
            array(numbers, InputColumn.Number::low),
            array(numbers, InputColumn.Number::high));
    // x − x is not a number where x is infinite or none itself.
    String none = graph.node(label, "IsNaN", graph.node(label, "Sub", given, given));
    String zeros =
        graph.refuse(
            label + " must be a finite number", graph.cast(label, none, DataType.INT64), 1, true);
    return graph.cast(label, graph.node(label, "Add", scaled, zeros), DataType.FLOAT);
  }

  private static double[] array(
      List<InputColumn.Number> numbers, ToDoubleFunction<InputColumn.Number> of) {
    return numbers.stream().mapToDouble(of).toArray();
  }
}
