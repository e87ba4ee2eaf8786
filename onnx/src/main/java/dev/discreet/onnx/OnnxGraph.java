package dev.discreet.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A graph while it grows. Values are told by their names; every operator puts out one value, and
 * every name is given once.
 */
final class OnnxGraph {
  /** The number of rows in a call, which is not known before. */
  private static final String ROWS = "N";

  private static final Attributes NONE = new Attributes(Map.of());

  private final GraphProto.Builder graph = GraphProto.newBuilder();
  private final Set<String> names = new HashSet<>();

  /** Whole numbers, lists of them, decimal numbers and lists of texts, by their names. */
  record Attributes(Map<String, Object> values) {
    static Attributes of(String name, Object value) {
      return new Attributes(Map.of(name, value));
    }
  }

  OnnxGraph(String name, String description) {
    graph.setName(name).setDocString(description);
  }

  GraphProto build() {
    return graph.build();
  }

  /** A name that no value has yet: this one, or one that begins with it. */
  private String free(String wanted) {
    String name = wanted;
    while (!names.add(name)) {
      name += "_";
    }
    return name;
  }

  /** Keeps a name for an output. */
  void reserve(String name) {
    names.add(name);
  }

  /**
   * A value that the caller of the model gives.
   *
   * @param dimensions after the number of rows
   */
  String input(String wanted, TensorProto.DataType type, List<Integer> dimensions, String says) {
    String name = free(wanted);
    graph.addInput(value(name, type, dimensions, says));
    return name;
  }

  /** A value that the caller gets, under a name that was reserved. */
  void output(
      String from, String name, TensorProto.DataType type, List<Integer> dimensions, String says) {
    graph.addNode(
        NodeProto.newBuilder().setOpType("Identity").setName(name).addInput(from).addOutput(name));
    graph.addOutput(value(name, type, dimensions, says));
  }

  private static ValueInfoProto value(
      String name, TensorProto.DataType type, List<Integer> dimensions, String says) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    shape.addDimBuilder().setDimParam(ROWS);
    dimensions.forEach(size -> shape.addDimBuilder().setDimValue(size));
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setDocString(says)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape)))
        .build();
  }

  /**
   * An operator of the standard set.
   *
   * @param label where it stands, for people and for errors of a runtime
   * @return the name of what it puts out
   */
  String node(String label, String operator, List<String> inputs, Attributes attributes) {
    return node(label, "", operator, inputs, attributes);
  }

  String node(String label, String operator, String... inputs) {
    return node(label, operator, List.of(inputs), NONE);
  }

  /** An operator of the set for classical machine learning. */
  String learningNode(String label, String operator, String input, Attributes attributes) {
    return node(label, OnnxExport.LEARNING, operator, List.of(input), attributes);
  }

  private String node(
      String label, String domain, String operator, List<String> inputs, Attributes attributes) {
    String out = free("/" + label + "/" + operator);
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setName(out)
            .setDomain(domain)
            .setOpType(operator)
            .addAllInput(inputs)
            .addOutput(out);
    // In one order, for the same bytes of the same model.
    attributes.values().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> node.addAttribute(attribute(each.getKey(), each.getValue())));
    graph.addNode(node);
    return out;
  }

  private static AttributeProto attribute(String name, Object value) {
    AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name);
    if (value instanceof Integer whole) {
      return attribute.setType(AttributeProto.AttributeType.INT).setI(whole).build();
    }
    if (value instanceof Float number) {
      return attribute.setType(AttributeProto.AttributeType.FLOAT).setF(number).build();
    }
    if (value instanceof int[] wholes) {
      attribute.setType(AttributeProto.AttributeType.INTS);
      Arrays.stream(wholes).forEach(attribute::addInts);
      return attribute.build();
    }
    attribute.setType(AttributeProto.AttributeType.STRINGS);
    ((List<?>) value).forEach(text -> attribute.addStrings(utf8((String) text)));
    return attribute.build();
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFrom(text, StandardCharsets.UTF_8);
  }

  /** Constants: all numbers in the order of a file, whatever this machine's is. */
  String floats(String label, float[] values, int... dimensions) {
    ByteBuffer bytes = bytes(values.length, Float.BYTES);
    for (float each : values) {
      bytes.putFloat(each);
    }
    return constant(label, TensorProto.DataType.FLOAT, bytes, dimensions);
  }

  String doubles(String label, double[] values, int... dimensions) {
    ByteBuffer bytes = bytes(values.length, Double.BYTES);
    for (double each : values) {
      bytes.putDouble(each);
    }
    return constant(label, TensorProto.DataType.DOUBLE, bytes, dimensions);
  }

  /** One number without dimensions. */
  String number(String label, float value) {
    return floats(label, new float[] {value});
  }

  String wholes(String label, long[] values, int... dimensions) {
    ByteBuffer bytes = bytes(values.length, Long.BYTES);
    for (long each : values) {
      bytes.putLong(each);
    }
    return constant(label, TensorProto.DataType.INT64, bytes, dimensions);
  }

  String texts(String label, List<String> values) {
    String name = free("/" + label);
    TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).addDims(values.size());
    values.forEach(text -> tensor.addStringData(utf8(text)));
    graph.addInitializer(tensor.setDataType(TensorProto.DataType.STRING.getNumber()));
    return name;
  }

  private static ByteBuffer bytes(int count, int size) {
    return ByteBuffer.allocate(Math.multiplyExact(count, size)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private String constant(
      String label, TensorProto.DataType type, ByteBuffer bytes, int... dimensions) {
    String name = free("/" + label);
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name).setDataType(type.getNumber());
    Arrays.stream(dimensions).forEach(tensor::addDims);
    graph.addInitializer(tensor.setRawData(ByteString.copyFrom(bytes.flip())));
    return name;
  }

  /** The same numbers in another shape; 0 keeps a dimension of the input. */
  String reshape(String label, String value, long... dimensions) {
    return node(label, "Reshape", value, wholes(label + "/shape", dimensions, dimensions.length));
  }

  String transpose(String label, String value, int... order) {
    return node(label, "Transpose", List.of(value), Attributes.of("perm", order));
  }

  String cast(String label, String value, TensorProto.DataType to) {
    return node(label, "Cast", List.of(value), Attributes.of("to", to.getNumber()));
  }

  /** Side by side: the second dimension adds up. */
  String beside(String label, List<String> values) {
    return values.size() == 1
        ? values.get(0)
        : node(label, "Concat", values, Attributes.of("axis", 1));
  }

  /**
   * Ends a call whose values are not all allowed, by an element beyond the end of a list: an error
   * by ONNX's own definition of {@code Gather}. A runtime names the node in its message.
   *
   * @param refusal what is not so, as the message has it
   * @param places a whole number for each value: below {@code count} where it is allowed
   * @param count how many places there are
   * @return zeros in the shape of the places, to be used where the values are
   */
  String refuse(String refusal, String places, int count, boolean wide) {
    String zeros =
        wide
            ? doubles(refusal + "/zeros", new double[count], count)
            : wholes(refusal + "/zeros", new long[count], count);
    return node(refusal, "Gather", zeros, places);
  }
}
