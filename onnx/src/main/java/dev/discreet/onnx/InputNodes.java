package dev.discreet.onnx;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import dev.discreet.accounting.Digits;
import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.onnx.OnnxGraph.Attributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

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
    List<String> parts = new ArrayList<>();
    List<InputColumn.Number> numbers = new ArrayList<>();
    List<String> cells = new ArrayList<>();
    for (InputColumn column : columns) {
      column.match(
          number -> {
            numbers.add(number);
            return cells.add(
                graph.input(
                    number.name(),
                    DataType.DOUBLE,
                    List.of(1),
                    OnnxExport.bounds(number.low(), number.high())
                        + "; a value outside is moved to the nearer bound"));
          },
          category -> {
            takeNumbers(numbers, cells, parts);
            return parts.add(category(category));
          },
          ordered -> {
            throw notYet(ordered);
          },
          date -> {
            throw notYet(date);
          },
          missing -> {
            throw notYet(missing);
          });
    }
    takeNumbers(numbers, cells, parts);
    return new OnnxValue(graph, graph.beside("columns", parts), OnnxValue.Form.ROWS, shape);
  }

  private static IllegalArgumentException notYet(InputColumn column) {
    return new IllegalArgumentException(
        "columns of a model for ONNX must be numbers in bounds or categories. Provided value: "
            + column.text());
  }

  /** Neighbouring numbers are scaled at once: a table may have very many. */
  private void takeNumbers(
      List<InputColumn.Number> numbers, List<String> cells, List<String> parts) {
    if (numbers.isEmpty()) {
      return;
    }
    String label = OnnxExport.listed(numbers.stream().map(InputColumn.Number::name).toList());
    String given = graph.beside(label, cells);
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
    parts.add(graph.cast(label, graph.node(label, "Add", scaled, zeros), DataType.FLOAT));
    numbers.clear();
    cells.clear();
  }

  private static double[] array(
      List<InputColumn.Number> numbers, ToDoubleFunction<InputColumn.Number> of) {
    return numbers.stream().mapToDouble(of).toArray();
  }

  private String category(InputColumn.Category column) {
    String label = column.name();
    int count = column.values().size();
    String cell =
        graph.input(
            label, DataType.STRING, List.of(1), "one of " + OnnxExport.listed(column.values()));
    Map<String, Integer> codes = codes(column);
    codes.put("", column.values().size()); // never one of the others
    String code =
        graph.learningNode(
            label,
            "LabelEncoder",
            cell,
            new Attributes(
                Map.of(
                    "keys_strings",
                    List.copyOf(codes.keySet()),
                    "values_int64s",
                    codes.values().stream().mapToInt(Integer::intValue).toArray(),
                    "default_int64",
                    column.other().isPresent() ? count - 1 : count)));
    String refusal = label + " must be one of " + OnnxExport.listed(column.values());
    String allowed = graph.node(label, "Add", code, graph.refuse(refusal, code, count, false));
    String hot =
        graph.node(
            label,
            "OneHot",
            allowed,
            graph.wholes(label + "/count", new long[] {count}),
            graph.floats(label + "/cold and hot", new float[] {0, 1}, 2));
    return graph.reshape(label, hot, 0, count);
  }

  /**
   * Each category's place by its text; and where each is a number of its own, by how other programs
   * write that number. ONNX's own reading of numbers takes {@code 1x} for 1, so it is not used.
   */
  private static Map<String, Integer> codes(InputColumn.Category column) {
    Map<String, Integer> codes = new LinkedHashMap<>();
    column.values().forEach(text -> codes.put(text, codes.size()));
    if (column.areNumbers()) {
      for (String text : column.values()) {
        double value = CellNumber.of(text);
        int place = codes.get(text);
        codes.putIfAbsent(Digits.shortest(value), place);
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
          codes.putIfAbsent(Long.toString((long) value), place);
          codes.putIfAbsent((long) value + ".0", place);
        }
      }
    }
    return codes;
  }
}
