package dev.discreet.fuzz;

import dev.discreet.core.files.Safetensors;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.TorchLayout;
import dev.discreet.core.train.CheckpointReading;
import dev.discreet.onnx.OnnxExport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Readers of weights, of models, of checkpoints and of networks as text. */
final class ModelParsers {
  private static final List<HostileFiles> MODELS =
      List.of(
          HostileFiles.written(
              folder ->
                  model("dense(4) relu dense(2)", Shape.vector(3))
                      .usedAs(
                          new ModelUse(
                              new RawInputs.Columns(
                                  List.of(
                                      new InputColumn.Number("age", 0, 120),
                                      new InputColumn.Category("sex", List.of("f", "m")))),
                              new Task.Classes(List.of("no", "yes"))))
                      .save(folder)),
          HostileFiles.written(
              folder ->
                  model("conv(2,3,pad=1) groupnorm(1) relu flatten dense(3)", new Shape(4, 4, 1))
                      .usedAs(
                          new ModelUse(
                              new RawInputs.Pixels(0, 255, List.of(0.1), List.of(0.3)),
                              new Task.Classes(List.of("0", "1", "2"))))
                      .save(folder)),
          HostileFiles.written(
              folder -> model("flatten dense(1) loss=squared", new Shape(2, 2, 1)).save(folder)),
          HostileFiles.written(folder -> ofEveryKind().save(folder)),
          HostileFiles.written(
              folder ->
                  model("embedding(4,2) globalavgpool dense(2)", new Shape(1, 8, 1))
                      .usedAs(
                          new ModelUse(
                              new RawInputs.Columns(
                                  List.of(
                                      InputColumn.parse(
                                          "note=tokens,length=8,vocabulary=fever|cough"))),
                              new Task.Classes(List.of("no", "yes"))))
                      .save(folder)));
  private static final List<String> CELLS =
      List.of("1.234,5", "n", "mid", "29.02.2024", "high fever", "");
  private static final HostileFiles CHECKPOINT =
      HostileFiles.written(folder -> CheckpointReading.write(folder.resolve("c.safetensors")));
  private static final List<String> NETWORKS =
      List.of(
          "conv(16,8,stride=2,pad=3) relu maxpool(2,stride=1) flatten dense(10)",
          "embedding(100,8) layernorm globalavgpool dense(2)",
          "residual(conv(4,3,pad=1,groups=1) relu) projected(conv(8,3x1,pad=1x0)) avgpool(2)"
              + " dropout(0.5) flatten dense(3,bias=false) loss=logistic",
          "dense(5) elu(1) gelu leakyrelu(0.01) tanh temperedsigmoid(1,2,3) dense(1) loss=huber(2)",
          "mlp(500,200)",
          "mnist-cnn",
          "cifar-cnn",
          "scattering(2,8,together=3) flatten dense(10)",
          "logistic(classes=3)",
          "linear");

  private ModelParsers() {}

  /** A regression on columns of all kinds. */
  private static Model ofEveryKind() {
    NumberMarks comma = new NumberMarks(NumberMarks.Decimal.COMMA, NumberMarks.Thousands.POINT);
    List<InputColumn> columns =
        List.of(
            InputColumn.parse("income=0..9000,missing=indicator(40),missing-cells=NA|99")
                .marked(comma),
            InputColumn.parse("town=n|s,other=else,missing=own"),
            InputColumn.parse("size=low<mid<high,missing=mid,missing-cells=?"),
            InputColumn.parse("seen=2015-01-01..2024-12-31+month,pattern=dd.MM.yyyy"),
            InputColumn.parse("note=text,hash=64,words=1..2,letters=3..4,missing=none"),
            InputColumn.parse("day=weekday"));
    int inputs = columns.stream().mapToInt(InputColumn::width).sum();
    return model("dense(1) loss=squared", Shape.vector(inputs))
        .usedAs(new ModelUse(new RawInputs.Columns(columns), new Task.Number("age", 0, 120)));
  }

  private static Model model(String network, Shape input) {
    Layout layout = Network.parse(network).on(input);
    return new Model(
        layout,
        layout.initial(Initialiser.values()[0], 1),
        ModelPrivacy.none("NOT PRIVATE: a test."));
  }

  static List<HostileParser> all() {
    return List.of(
        HostileParser.ofFiles(
            "safetensors",
            random ->
                HostileFiles.of(
                    "w.safetensors",
                    tensors(random, Mutations.pick(random, MODELS).get("model.safetensors"))),
            ModelParsers::readTensors),
        HostileParser.ofFiles("model", ModelParsers::folder, ModelParsers::readModel),
        HostileParser.ofFiles("checkpoint", ModelParsers::checkpoint, ModelParsers::readCheckpoint),
        HostileParser.ofText("network", ModelParsers::network, ModelParsers::readNetwork));
  }

  /** Changes the header and gives it its right length, or changes any bytes. */
  private static byte[] tensors(SplittableRandom random, byte[] file) {
    if (Mutations.chance(random, 4)) {
      return Mutations.bytes(random, file);
    }
    int length = (int) ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong();
    String header = new String(file, 8, length, StandardCharsets.UTF_8);
    return tensors(
        JsonMutations.json(random, header), Arrays.copyOfRange(file, 8 + length, file.length));
  }

  private static byte[] tensors(String header, byte[] data) {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    byte[] length =
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(text.length).array();
    return HostileFiles.joined(length, text, data);
  }

  private static Path scratch(Path folder, String name) throws IOException {
    return Files.createDirectories(folder.resolveSibling("scratch")).resolve(name);
  }

  private static void readTensors(Path folder, HostileFiles files) throws IOException {
    Safetensors read = Safetensors.read(folder.resolve("w.safetensors"));
    Path copy = scratch(folder, "copy.safetensors");
    read.write(copy);
    Safetensors again = Safetensors.read(copy);
    TableParsers.same(read.metadata(), again.metadata());
    TableParsers.same(read.tensors().keySet(), again.tensors().keySet());
    read.tensors()
        .forEach(
            (name, tensor) -> {
              TableParsers.same(tensor.shape(), again.tensor(name).shape());
              boolean equal = Arrays.equals(tensor.values(), again.tensor(name).values());
              TableParsers.same(equal, true);
            });
  }

  /** A model that nothing is wrong with, with or without what it predicts. */
  static HostileFiles saved(SplittableRandom random) {
    return Mutations.pick(random, MODELS);
  }

  private static HostileFiles folder(SplittableRandom random) {
    HostileFiles model = Mutations.pick(random, MODELS);
    byte[] weights = model.get("model.safetensors");
    return Mutations.chance(random, 4)
        ? model.with("model.safetensors", tensors(random, weights))
        : model.with(
            "model.json",
            JsonMutations.json(random, new String(model.get("model.json"), StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8));
  }

  private static void readModel(Path folder, HostileFiles files) throws IOException {
    Model model = Model.load(folder);
    Path copy = scratch(folder, "model");
    model.save(copy);
    Model again = Model.load(copy);
    TableParsers.same(model.layout(), again.layout());
    TableParsers.same(model.promise(), again.promise());
    TableParsers.same(model.use(), again.use());
    TableParsers.same(Arrays.equals(model.parameters(), again.parameters()), true);
    if (model.layout().allNodes().stream().allMatch(node -> node.output().size() < 1000)
        && model.layout().input().size() < 1000) {
      TableParsers.refusedOrNot(() -> model.predict(new double[model.layout().input().size()]));
      TableParsers.refusedOrNot(() -> model.predict(CELLS));
      TableParsers.refusedOrNot(() -> OnnxExport.of(model).bytes());
    }
  }

  private static HostileFiles checkpoint(SplittableRandom random) {
    byte[] file = CHECKPOINT.get("c.safetensors");
    if (Mutations.chance(random, 3)) {
      return HostileFiles.of("c.safetensors", tensors(random, file));
    }
    // What it says stands as a text in the header.
    int length = (int) ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong();
    @SuppressWarnings("unchecked")
    var root =
        (java.util.Map<String, Object>)
            JsonMutations.parse(new String(file, 8, length, StandardCharsets.UTF_8));
    @SuppressWarnings("unchecked")
    var metadata = (java.util.Map<String, Object>) root.get("__metadata__");
    metadata.put("checkpoint", JsonMutations.json(random, (String) metadata.get("checkpoint")));
    return HostileFiles.of(
        "c.safetensors",
        tensors(JsonMutations.written(root), Arrays.copyOfRange(file, 8 + length, file.length)));
  }

  private static void readCheckpoint(Path folder, HostileFiles files) throws IOException {
    CheckpointReading.readTwice(folder.resolve("c.safetensors"), scratch(folder, "c.safetensors"));
  }

  private static HostileFiles network(SplittableRandom random) {
    return HostileFiles.of("network", Mutations.text(random, Mutations.pick(random, NETWORKS)));
  }

  private static void readNetwork(Path folder, HostileFiles files) {
    Network network = Network.named(files.text(), 3);
    TableParsers.same(network, Network.parse(network.toString()));
    Layout layout = network.on(new Shape(28, 28, 3));
    if (layout.parameters() < 100_000) {
      TableParsers.refusedOrNot(() -> TorchLayout.of(layout));
      layout.initial(Initialiser.values()[0], 1);
    }
  }
}
