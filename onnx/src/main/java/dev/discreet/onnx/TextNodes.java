package dev.discreet.onnx;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.InputColumn;
import dev.discreet.onnx.OnnxGraph.Attributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The inputs of the network that cells of declared values become. Such cells go in as texts. */
record TextNodes(OnnxGraph graph) {
  /** The numbers of a table that has the inputs of each value: 16 megabytes. */
  private static final int MOST = 1 << 22;

  /** One of the inputs is 1: no table is needed, which would be the square of the values. */
  String category(InputColumn.Category column) {
    String label = column.name();
    int count = column.width();
    Map<String, Integer> codes = codes(column.values(), column.areNumbers());
    codes.put("", count); // never one of the others
    String code = code(label, says(column.values()), codes, other(column, count));
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

  String ordered(InputColumn.Ordered column) {
    List<String> values = column.values();
    Map<String, Integer> codes = codes(values, column.areNumbers());
    return table(column, values, codes, says(values), values.size());
  }

  /** A missing cell is one value more, with the inputs that were declared for it. */
  String missing(InputColumn.Missing column, List<String> values, boolean areNumbers) {
    int refused = values.size() + 1;
    int missing = column.policy().refuses() ? refused : values.size();
    Map<String, Integer> codes = codes(values, areNumbers);
    codes.put("", missing);
    for (String cell : column.policy().cells()) {
      spellings(cell, areNumbers).forEach(text -> codes.put(text, missing));
    }
    int other =
        column
            .column()
            .match(
                number -> refused,
                category -> other(category, refused),
                ordered -> refused,
                date -> refused,
                text -> refused,
                tokens -> refused,
                inner -> refused);
    return table(
        column,
        values,
        codes,
        says(values) + (column.policy().refuses() ? "" : ", or an empty text where it is missing"),
        other);
  }

  private static int other(InputColumn.Category column, int refused) {
    return column.other().isPresent() ? column.width() - 1 : refused;
  }

  private static String says(List<String> values) {
    return "one of " + OnnxExport.listed(values);
  }

  /** A place for each text, and that of all other texts. */
  private String code(String label, String says, Map<String, Integer> codes, int others) {
    return graph.learningNode(
        label,
        "LabelEncoder",
        graph.input(label, DataType.STRING, List.of(1), says),
        new Attributes(
            Map.of(
                "keys_strings",
                List.copyOf(codes.keySet()),
                "values_int64s",
                codes.values().stream().mapToInt(Integer::intValue).toArray(),
                "default_int64",
                others)));
  }

  /** A row of inputs for each place; a place after the last row is refused by the runtime. */
  private String table(
      InputColumn column,
      List<String> values,
      Map<String, Integer> codes,
      String says,
      int others) {
    String label = column.name();
    int width = column.width();
    boolean hasMissing = codes.getOrDefault("", -1) == values.size();
    int rows = values.size() + (hasMissing ? 1 : 0);
    Check.that(
        (long) rows * width <= MOST,
        "values of column " + label + ", to be exported,",
        "so few that a table of their inputs has at most " + MOST + " numbers",
        rows);
    float[] inputs = new float[rows * width];
    for (int row = 0; row < rows; row++) {
      column.write(row < values.size() ? values.get(row) : "", inputs, row * width);
    }
    String code = code(label, says, codes, others);
    String found =
        graph.node(
            label + " must be " + says,
            "Gather",
            graph.floats(label + "/inputs", inputs, rows, width),
            code);
    return graph.reshape(label, found, 0, width);
  }

  /**
   * Each value's place by its text; and where each is a number of its own, by how other programs
   * write that number. ONNX's own reading of numbers takes {@code 1x} for 1, so it is not used.
   */
  private static Map<String, Integer> codes(List<String> values, boolean areNumbers) {
    Map<String, Integer> codes = new LinkedHashMap<>();
    values.forEach(text -> codes.put(text, codes.size()));
    for (String text : values) {
      spellings(text, areNumbers).forEach(each -> codes.putIfAbsent(each, codes.get(text)));
    }
    return codes;
  }

  private static List<String> spellings(String text, boolean areNumbers) {
    double value = CellNumber.of(text);
    if (!areNumbers || Double.isNaN(value)) {
      return List.of(text);
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? List.of(text, Long.toString((long) value), (long) value + ".0", Digits.shortest(value))
        : List.of(text, Digits.shortest(value));
  }
}
