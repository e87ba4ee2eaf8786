package dev.discreet.onnx;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.onnx.OnnxGraph.Attributes;
import java.util.List;
import java.util.Map;

/** From the outputs of a network to what they mean. */
record OutputNodes(OnnxGraph graph, Layout layout, String raw) {
  static final String LABEL = "label";
  static final String PROBABILITIES = "probabilities";
  static final String SCORES = "scores";
  static final String VALUE = "value";

  /** Names that no input may take. */
  static final List<String> NAMES = List.of(LABEL, PROBABILITIES, SCORES, VALUE);

  static void check(Layout layout, Task task) {
    task.match(
        classes -> true,
        number -> {
          Check.that(
              layout.outputs() == 1,
              "outputs of a model that predicts a number",
              "1",
              layout.outputs());
          Loss loss = layout.network().loss();
          Check.that(
              loss.link() == Loss.Link.IDENTITY,
              "loss of a model that predicts a number, to be exported,",
              "squared or huber",
              loss);
          return true;
        });
  }

  static void add(OnnxGraph graph, Layout layout, Task task, OnnxValue out) {
    OutputNodes nodes = new OutputNodes(graph, layout, out.rows("outputs"));
    task.match(
        classes -> {
          nodes.classes(classes.names());
          return true;
        },
        number -> {
          nodes.number(number);
          return true;
        });
  }

  private void classes(List<String> names) {
    boolean one = layout.outputs() == 1;
    double threshold = layout.network().loss().balance().threshold();
    String told =
        switch (layout.network().loss().link()) {
          case SOFTMAX ->
              graph.node(PROBABILITIES, "Softmax", List.of(raw), Attributes.of("axis", 1));
          case LOGISTIC -> {
            String second = graph.node(PROBABILITIES, "Sigmoid", raw);
            // Not 1 − p, which loses the digits of a small rest.
            yield one
                ? graph.beside(
                    PROBABILITIES,
                    List.of(
                        graph.node(PROBABILITIES, "Sigmoid", graph.node(PROBABILITIES, "Neg", raw)),
                        second))
                : second;
          }
          case IDENTITY -> raw;
        };
    graph.output(
        graph.node(
            LABEL,
            "Gather",
            graph.texts("classes", names),
            one ? secondAbove(raw) : threshold == 0.5 ? largest() : secondAbove(difference())),
        LABEL,
        DataType.STRING,
        List.of(),
        threshold == 0.5
            ? "The class."
            : "The class: "
                + names.get(1)
                + " where its probability is above "
                + Digits.exact(threshold)
                + ".");
    boolean shares = layout.network().loss().link() != Loss.Link.IDENTITY;
    graph.output(
        told,
        shares ? PROBABILITIES : SCORES,
        DataType.FLOAT,
        List.of(names.size()),
        (shares ? "The probability of each class: " : "A number for each class, no probability: ")
            + OnnxExport.listed(names));
  }

  /** How much larger the second output is than the first. */
  private String difference() {
    return graph.node(
        LABEL, "MatMul", raw, graph.floats(LABEL + "/difference", new float[] {-1, 1}, 2, 1));
  }

  private String secondAbove(String logOdds) {
    double least = layout.network().loss().balance().leastLogOdds();
    String above = graph.node(LABEL, "Greater", logOdds, graph.number("least", (float) least));
    return graph.reshape(LABEL, graph.cast(LABEL, above, DataType.INT64), -1);
  }

  /** The first of the largest, of the raw outputs: there fewer are rounded to the same. */
  private String largest() {
    return graph.node(
        LABEL, "ArgMax", List.of(raw), new Attributes(Map.of("axis", 1, "keepdims", 0)));
  }

  private void number(Task.Number number) {
    String wide = graph.cast(VALUE, graph.reshape(VALUE, raw, -1), DataType.DOUBLE);
    String span = graph.doubles(VALUE + "/span", new double[] {number.high() - number.low()}, 1);
    String low = graph.doubles(VALUE + "/low", new double[] {number.low()}, 1);
    graph.output(
        graph.node(VALUE, "Add", low, graph.node(VALUE, "Mul", wide, span)),
        VALUE,
        DataType.DOUBLE,
        List.of(),
        number.name()
            + " in its own unit; trained on "
            + OnnxExport.bounds(number.low(), number.high()));
  }
}
