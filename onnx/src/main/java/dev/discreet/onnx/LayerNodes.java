package dev.discreet.onnx;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.LayerVisitor;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import dev.discreet.onnx.OnnxGraph.Attributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The operators of one layer; the answer is what comes out of it. */
record LayerNodes(OnnxGraph graph, Layout.Node node, float[] parameters, OnnxValue in)
    implements LayerVisitor<OnnxValue> {

  static OnnxValue of(OnnxGraph graph, Layout.Node node, float[] parameters, OnnxValue in) {
    return node.layer().accept(new LayerNodes(graph, node, parameters, in));
  }

  static OnnxValue of(
      OnnxGraph graph, List<Layout.Node> nodes, float[] parameters, OnnxValue input) {
    OnnxValue value = input;
    for (Layout.Node node : nodes) {
      value = of(graph, node, parameters, value);
    }
    return value;
  }

  private String label() {
    return node.name();
  }

  private OnnxValue out(String value, OnnxValue.Form form) {
    return new OnnxValue(graph, value, form, node.output());
  }

  /** The parameter at that place of the layer, and its first number in the flat vector. */
  private float[] values(int slice) {
    Layout.Slice from = node.slices().get(slice);
    float[] values = new float[from.size()];
    System.arraycopy(parameters, from.offset(), values, 0, values.length);
    return values;
  }

  private String constant(int slice, float[] values, int... dimensions) {
    return graph.floats(node.slices().get(slice).name(), values, dimensions);
  }

  @Override
  public OnnxValue dense(Layer.Dense layer) {
    String rows = in.rows(label());
    String weight = constant(0, values(0), node.input().size(), layer.outputs());
    return out(
        layer.bias()
            ? graph.node(label(), "Gemm", rows, weight, constant(1, values(1), layer.outputs()))
            : graph.node(label(), "MatMul", rows, weight),
        OnnxValue.Form.ROWS);
  }

  @Override
  public OnnxValue conv(Layer.Conv layer) {
    int positions = layer.window().size();
    int channels = node.input().channels() / layer.groups();
    float[] ours = values(0);
    if (layer.standardised()) {
      standardise(ours, values(node.slices().size() - 1), layer.outputs());
    }
    float[] weight = new float[ours.length];
    int at = 0;
    for (int o = 0; o < layer.outputs(); o++) {
      for (int c = 0; c < channels; c++) {
        for (int p = 0; p < positions; p++) {
          weight[at++] = ours[(p * channels + c) * layer.outputs() + o];
        }
      }
    }
    Window window = layer.window();
    List<String> inputs =
        new ArrayList<>(
            List.of(
                in.channelsFirst(label()),
                constant(0, weight, layer.outputs(), channels, window.height(), window.width())));
    if (layer.bias()) {
      inputs.add(constant(1, values(1), layer.outputs()));
    }
    Map<String, Object> attributes = windowed(window);
    attributes.put("group", layer.groups());
    return out(
        graph.node(label(), "Conv", inputs, new Attributes(attributes)),
        OnnxValue.Form.CHANNELS_FIRST);
  }

  /** The weights that are used in place of those that were trained, which are needed no more. */
  private static void standardise(float[] weights, float[] gains, int outputs) {
    int fanIn = weights.length / outputs;
    for (int o = 0; o < outputs; o++) {
      double sum = 0;
      for (int i = 0; i < fanIn; i++) {
        sum += weights[i * outputs + o];
      }
      double mean = sum / fanIn;
      double squares = 0;
      for (int i = 0; i < fanIn; i++) {
        double off = weights[i * outputs + o] - mean;
        squares += off * off;
      }
      double length = Math.sqrt(squares + Layer.EPSILON);
      for (int i = 0; i < fanIn; i++) {
        double used = gains[o] * (weights[i * outputs + o] - mean) / length;
        weights[i * outputs + o] = (float) used;
      }
    }
  }

  private static Map<String, Object> windowed(Window window) {
    return new HashMap<>(
        Map.of(
            "kernel_shape",
            new int[] {window.height(), window.width()},
            "strides",
            new int[] {window.strideY(), window.strideX()},
            "pads",
            new int[] {window.padY(), window.padX(), window.padY(), window.padX()}));
  }

  @Override
  public OnnxValue maxPool(Layer.MaxPool layer) {
    return pool("MaxPool", windowed(layer.window()));
  }

  @Override
  public OnnxValue averagePool(Layer.AveragePool layer) {
    Map<String, Object> attributes = windowed(layer.window());
    attributes.put("count_include_pad", 1);
    return pool("AveragePool", attributes);
  }

  private OnnxValue pool(String operator, Map<String, Object> attributes) {
    return out(
        graph.node(
            label(), operator, List.of(in.channelsFirst(label())), new Attributes(attributes)),
        OnnxValue.Form.CHANNELS_FIRST);
  }

  @Override
  public OnnxValue globalAveragePool(Layer.GlobalAveragePool layer) {
    return out(
        graph.node(label(), "GlobalAveragePool", in.channelsFirst(label())),
        OnnxValue.Form.CHANNELS_FIRST);
  }

  @Override
  public OnnxValue activation(Activation layer) {
    return out(layer.accept(new ActivationNodes(graph, label(), in.name())), in.form());
  }

  @Override
  public OnnxValue flatten(Layer.Flatten layer) {
    return out(in.rows(label()), OnnxValue.Form.ROWS);
  }

  /** Nothing is dropped once a model is trained. */
  @Override
  public OnnxValue dropout(Layer.Dropout layer) {
    return in;
  }

  @Override
  public OnnxValue groupNorm(Layer.GroupNorm layer) {
    Shape shape = node.input();
    int groups = layer.groups();
    String grouped = graph.reshape(label(), in.channelsFirst(label()), 0, groups, -1);
    float[] ones = new float[groups];
    Arrays.fill(ones, 1);
    String normal =
        graph.node(
            label(),
            "InstanceNormalization",
            List.of(
                grouped,
                graph.floats(label() + "/ones", ones, groups),
                graph.floats(label() + "/zeros", new float[groups], groups)),
            Attributes.of("epsilon", (float) Layer.EPSILON));
    String back =
        graph.reshape(label(), normal, 0, shape.channels(), shape.height(), shape.width());
    String scaled =
        graph.node(label(), "Mul", back, constant(0, values(0), shape.channels(), 1, 1));
    return out(
        graph.node(label(), "Add", scaled, constant(1, values(1), shape.channels(), 1, 1)),
        OnnxValue.Form.CHANNELS_FIRST);
  }

  @Override
  public OnnxValue layerNorm(Layer.LayerNorm layer) {
    int channels = node.input().channels();
    return out(
        graph.node(
            label(),
            "LayerNormalization",
            List.of(
                in.channelsLast(label()),
                constant(0, values(0), channels),
                constant(1, values(1), channels)),
            new Attributes(Map.of("axis", -1, "epsilon", (float) Layer.EPSILON))),
        OnnxValue.Form.CHANNELS_LAST);
  }

  @Override
  public OnnxValue shift(Layer.Shift layer) {
    return out(
        graph.node(
            label(), "Add", in.rows(label()), constant(0, values(0), 1, node.input().size())),
        OnnxValue.Form.ROWS);
  }

  /** A token that is none has a place after the last, where the runtime refuses it. */
  @Override
  public OnnxValue embedding(Layer.Embedding layer) {
    String given = in.rows(label());
    String token = graph.cast(label(), given, DataType.INT64);
    String whole =
        graph.node(label(), "Equal", given, graph.cast(label() + "/whole", token, DataType.FLOAT));
    String notBelow =
        graph.node(label(), "GreaterOrEqual", given, graph.number(label() + "/least", 0));
    String place =
        graph.node(
            label(),
            "Where",
            graph.node(label(), "And", whole, notBelow),
            token,
            graph.wholes(label() + "/none", new long[] {layer.vocabulary()}));
    String table = constant(0, values(0), layer.vocabulary(), layer.size());
    String rows =
        graph.node(
            label() + ": a token must be a whole number in [0, " + (layer.vocabulary() - 1) + "]",
            "Gather",
            table,
            place);
    return out(
        graph.reshape(label(), rows, 0, 1, node.output().width(), layer.size()),
        OnnxValue.Form.CHANNELS_LAST);
  }

  @Override
  public OnnxValue scattering(Scattering layer) {
    throw new IllegalArgumentException(
        "layer "
            + label()
            + " of an exported network must be one that ONNX has (--features none trains a model"
            + " without it). Provided value: "
            + layer);
  }

  @Override
  public OnnxValue residual(Layer.Residual layer) {
    OnnxValue body = of(graph, node.body(), parameters, in);
    OnnxValue beside =
        node.projection() == null ? in : of(graph, node.projection(), parameters, in);
    return out(
        graph.node(label(), "Add", body.name(), beside.as(body.form(), label())), body.form());
  }
}
