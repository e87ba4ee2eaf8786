package dev.discreet.onnx;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.nn.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A model as an ONNX file that takes raw rows: scaling, categories and class names are in it, and
 * what the model promises about the people in its data.
 *
 * <pre>{@code
 * Model model = Model.load(Path.of("runs", "patients"));
 * OnnxExport.of(model).write(Path.of("patients.onnx"));
 * }</pre>
 */
@PublicApi
public final class OnnxExport {
  /** What every key of ours begins with. */
  public static final String PREFIX = "discreet.";

  /** The domain of the operators for classical machine learning. */
  static final String LEARNING = "ai.onnx.ml";

  /** Of 2022 and 2021: the first with layer norms, and the first that encodes texts. */
  private static final int OPERATORS = 17;

  private static final int LEARNING_OPERATORS = 2;

  /** The version of the file format that belongs to those operators. */
  private static final int FORMAT = 8;

  /** A protobuf message has less than 2³¹ bytes; what is no parameter takes far less than this. */
  private static final int MOST_PARAMETERS = 500_000_000;

  private final Model model;
  private final GraphProto graph;
  private final SortedMap<String, String> metadata;

  private OnnxExport(Model model, GraphProto graph, Map<String, String> metadata) {
    this.model = model;
    this.graph = graph;
    this.metadata = new TreeMap<>(metadata);
  }

  /**
   * A value that goes into the file's graph, or comes out.
   *
   * @param name of the tensor
   * @param type of its elements and its size, {@code N} the number of rows
   * @param says what it means
   */
  public record Tensor(String name, String type, String says) {}

  /**
   * A model as it is. One that cannot be written is refused.
   *
   * @param model what is to be written
   * @return what writes it
   */
  public static OnnxExport of(Model model) {
    Layout layout = model.layout();
    Check.that(
        layout.parameters() <= MOST_PARAMETERS,
        "parameters of a model to export",
        "at most " + MOST_PARAMETERS,
        layout.parameters());
    ModelUse use =
        model.use().orElseGet(() -> new ModelUse(new RawInputs.AsTheyAre(), model.task()));
    OutputNodes.check(layout, use.task());
    OnnxGraph graph = new OnnxGraph("discreet", layout.network().toString());
    OutputNodes.NAMES.forEach(graph::reserve);
    OnnxValue input = InputNodes.of(graph, layout, use.inputs());
    OnnxValue out = LayerNodes.of(graph, layout.nodes(), model.parameters(), input);
    OutputNodes.add(graph, layout, use.task(), out);
    Map<String, String> says =
        Map.of(
            PREFIX + Model.PRIVACY,
            model.privacy(),
            PREFIX + "protects",
            model.promise().protection().label(),
            PREFIX + "network",
            layout.network().toString());
    return new OnnxExport(model, graph.build(), says);
  }

  /**
   * The same with one thing more that the file says of itself.
   *
   * @param key to which the prefix {@code discreet.} is added; none of the model's own
   * @param value any text
   * @return that export; this one stays as it is
   */
  public OnnxExport saying(String key, String value) {
    Map<String, String> more = new TreeMap<>(metadata);
    Check.that(
        more.putIfAbsent(PREFIX + key, value) == null,
        "key of an ONNX file",
        "one that it does not have yet",
        key);
    return new OnnxExport(model, graph, more);
  }

  /**
   * What is written.
   *
   * @return the model
   */
  public Model model() {
    return model;
  }

  /**
   * What the caller of the file gives.
   *
   * @return a tensor for each column of a table, else one
   */
  public List<Tensor> inputs() {
    return graph.getInputList().stream().map(OnnxExport::tensor).toList();
  }

  /**
   * What the caller of the file gets.
   *
   * @return the label and a number for each class, or the value
   */
  public List<Tensor> outputs() {
    return graph.getOutputList().stream().map(OnnxExport::tensor).toList();
  }

  private static Tensor tensor(ValueInfoProto value) {
    TypeProto.Tensor type = value.getType().getTensorType();
    String size =
        type.getShape().getDimList().stream()
            .map(
                each -> each.hasDimParam() ? each.getDimParam() : Long.toString(each.getDimValue()))
            .collect(Collectors.joining(", "));
    return new Tensor(
        value.getName(),
        TensorProto.DataType.forNumber(type.getElemType()).name().toLowerCase(Locale.ROOT)
            + "["
            + size
            + "]",
        value.getDocString());
  }

  /**
   * The file as bytes: the same for the same model.
   *
   * @return a serialized {@code ModelProto}
   */
  public byte[] bytes() {
    ModelProto.Builder file =
        ModelProto.newBuilder()
            .setIrVersion(FORMAT)
            .setProducerName("discreet")
            .setProducerVersion(version())
            .setDomain("dev.discreet")
            .setModelVersion(1)
            .setDocString(model.privacy())
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPERATORS))
            .addOpsetImport(
                OperatorSetIdProto.newBuilder().setDomain(LEARNING).setVersion(LEARNING_OPERATORS))
            .setGraph(graph);
    metadata.forEach(
        (key, value) ->
            file.addMetadataProps(StringStringEntryProto.newBuilder().setKey(key).setValue(value)));
    return file.build().toByteArray();
  }

  /**
   * Writes the file, whole or not at all. An existing one is replaced.
   *
   * @param file where to
   * @throws IOException where it cannot be written
   */
  public void write(Path file) throws IOException {
    AtomicFile.write(file, bytes());
  }

  private static String version() {
    String version = OnnxExport.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  static String bounds(double low, double high) {
    return Digits.exact(low) + ".." + Digits.exact(high);
  }

  static String listed(List<String> names) {
    int most = 20;
    return names.size() <= most
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, most)) + ", …";
  }
}
