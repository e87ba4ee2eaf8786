package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.files.Safetensors;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.TorchLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A network on its input with its parameters, what they cost, and how it is used.
 *
 * <pre>{@code
 * Model model = Model.load(Path.of("runs", "patients"));
 * Prediction says = model.predict(List.of("63", "male", "27.4"));
 * System.out.println(says.label() + " of " + model.probabilities(List.of("63", "male", "27.4")));
 * }</pre>
 *
 * <p>In files it is {@code model.safetensors}, with the names and layouts of a PyTorch {@code
 * nn.Sequential}, and {@code model.json}, which says what the network is and how it is used. The
 * few networks that mean something else in PyTorch are saved in our own layouts, so that no trained
 * model is lost; their file's format is then {@code discreet} rather than {@code pt}.
 *
 * @param layout the network on its input
 * @param parameters layer after layer, as the layout has them
 * @param promise what it promises about the people in its data, which both files carry
 * @param use what raw rows and outputs mean; empty where nobody said
 */
@PublicApi
public record Model(
    Layout layout, float[] parameters, ModelPrivacy promise, Optional<ModelUse> use) {
  /** The key of {@link #privacy} in files. */
  public static final String PRIVACY = "privacy";

  private static final String PROTECTS = "protects";

  /**
   * Checks that the parts fit each other.
   *
   * @param layout the network on its input
   * @param parameters in order of the layout
   * @param promise what it promises
   * @param use what raw rows and outputs mean
   */
  public Model {
    parameters = layout.check(parameters).clone();
    use.ifPresent(known -> known.check(layout));
  }

  /**
   * A model that nobody described the use of.
   *
   * @param layout the network on its input
   * @param parameters layer after layer
   * @param promise what it promises about the people in its data
   */
  public Model(Layout layout, float[] parameters, ModelPrivacy promise) {
    this(layout, parameters, promise, Optional.empty());
  }

  /**
   * What it promises about the people in its data, in one line.
   *
   * @return one line
   */
  public String privacy() {
    return promise.line();
  }

  /**
   * The same model, whose raw rows and outputs mean this.
   *
   * @param use what they mean
   * @return that model; this one stays as it is
   */
  public Model usedAs(ModelUse use) {
    return new Model(layout, parameters, promise, Optional.of(use));
  }

  /**
   * The same model, which takes the second of two classes from another probability on. To choose it
   * by what private rows show is outside the guarantee.
   *
   * @param threshold the second class is taken where its probability is above this
   * @return that model; this one stays as it is
   */
  public Model takingAbove(double threshold) {
    Loss loss = layout.network().loss();
    Network network =
        new Network(layout.network().layers(), loss.with(loss.balance().takingAbove(threshold)));
    return new Model(network.on(layout.input()), parameters, promise, use);
  }

  /**
   * What the outputs mean: as was said, or else numbered classes or a number.
   *
   * @return the task
   */
  public Task task() {
    return known().task();
  }

  private ModelUse known() {
    return use.orElseGet(() -> ModelUse.plain(layout));
  }

  /**
   * What it says of a raw row of numbers. A prediction depends on its row: it is outside every
   * guarantee.
   *
   * @param row one number for each input, before any scaling
   * @return a class or a number
   */
  public Prediction predict(double... row) {
    return says(List.of(known().inputs().inputs(layout.input(), row))).get(0);
  }

  /**
   * What it says of a raw row of a table, whose cells are in the order of the declared columns.
   *
   * @param row the cells as text
   * @return a class or a number
   */
  public Prediction predict(List<String> row) {
    return says(List.of(known().inputs().inputs(layout.input(), row))).get(0);
  }

  /**
   * What it says of each of many raw rows of numbers; faster than one at a time.
   *
   * @param rows each as {@link #predict(double...)} takes it
   * @return one prediction for each row
   */
  public List<Prediction> predictAll(double[][] rows) {
    return says(
        Arrays.stream(rows).map(row -> known().inputs().inputs(layout.input(), row)).toList());
  }

  /**
   * The probability of each class for a raw row of numbers; empty where a number is predicted.
   *
   * @param row as {@link #predict(double...)} takes it
   * @return the probabilities, by the names of the classes
   */
  public Map<String, Double> probabilities(double... row) {
    return predict(row).probabilities();
  }

  /**
   * The probability of each class for a raw row of a table; empty where a number is predicted.
   *
   * @param row as {@link #predict(List)} takes it
   * @return the probabilities, by the names of the classes
   */
  public Map<String, Double> probabilities(List<String> row) {
    return predict(row).probabilities();
  }

  private List<Prediction> says(List<float[]> rows) {
    ModelUse known = known();
    Check.that(
        known.task().match(classes -> true, number -> layout.outputs() == 1),
        "outputs of a model that predicts a number",
        "1",
        layout.outputs());
    int size = layout.input().size();
    float[] inputs = new float[rows.size() * size];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, inputs, i * size, size);
    }
    Examples examples = Examples.of(layout.input(), inputs, 1, new float[rows.size()]);
    List<Prediction> said = new ArrayList<>();
    Predictions.of(
        Engine.standard(),
        this,
        examples,
        (example, outputs, taken) -> said.add(known.prediction(outputs, taken)));
    return said;
  }

  /**
   * A copy of the flat parameter vector.
   *
   * @return the parameters, layer after layer
   */
  @Override
  public float[] parameters() {
    return parameters.clone();
  }

  /**
   * Writes both files.
   *
   * @param folder is made where it is missing
   * @throws IOException where they cannot be written
   */
  public void save(Path folder) throws IOException {
    Files.createDirectories(folder);
    Optional<TorchLayout> torch = torch(layout);
    Map<String, Safetensors.Tensor> tensors = new LinkedHashMap<>();
    for (TorchLayout.Tensor tensor : torch.orElseGet(() -> own(layout)).tensors()) {
      tensors.put(
          tensor.name(), new Safetensors.Tensor(tensor.dimensions(), tensor.toTorch(parameters)));
    }
    String format = torch.isPresent() ? "pt" : "discreet";
    String protects = promise.protection().label();
    new Safetensors(tensors, Map.of(PRIVACY, privacy(), PROTECTS, protects, "format", format))
        .write(folder.resolve(RunFiles.WEIGHTS));
    Shape input = layout.input();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(PRIVACY, privacy());
    fields.put(PROTECTS, protects);
    fields.put("network", layout.network().toString());
    fields.put("input", List.of(input.height(), input.width(), input.channels()));
    use.ifPresent(known -> fields.put("use", known.fields()));
    AtomicFile.write(folder.resolve(RunFiles.MODEL), JsonFields.write(fields));
  }

  /**
   * Reads what {@link #save} wrote.
   *
   * @param folder has both files
   * @return the model
   * @throws IOException where they cannot be read
   */
  public static Model load(Path folder) throws IOException {
    Path description = folder.resolve(RunFiles.MODEL);
    JsonFields fields = JsonFields.parse(description.toString(), TextFile.read(description));
    int[] shape = fields.smalls("input");
    Check.that(shape.length == 3, "input of " + description, "3 numbers", shape.length);
    Layout layout =
        Network.parse(fields.text("network")).on(new Shape(shape[0], shape[1], shape[2]));
    Path weights = folder.resolve(RunFiles.WEIGHTS);
    Safetensors file = Safetensors.read(weights);
    ModelPrivacy promise = promise(fields.text(PRIVACY), fields.map().get(PROTECTS));
    String carried = file.metadata().get(PRIVACY);
    // Weights of one run beside the description of another must not pass for private.
    Check.that(
        carried != null && promise.equals(promise(carried, file.metadata().get(PROTECTS))),
        "privacy of " + weights,
        "that of " + description + ", " + promise.line(),
        carried);
    Optional<ModelUse> use =
        Optional.ofNullable(fields.map().get("use"))
            .map(known -> ModelUse.read(JsonFields.of("use in " + description, known)));
    return new Model(layout, parameters(layout, weights, file), promise, use);
  }

  /**
   * A model from safetensors alone, such as PyTorch writes them for the same {@code nn.Sequential}.
   *
   * @param weights the file
   * @param network what the weights are of
   * @param input the shape of one example
   * @param privacy what is known of it; a file that says so itself is believed
   * @return the model
   * @throws IOException where the file cannot be read
   */
  public static Model read(Path weights, Network network, Shape input, ModelPrivacy privacy)
      throws IOException {
    Layout layout = network.on(input);
    Safetensors file = Safetensors.read(weights);
    String said = file.metadata().get(PRIVACY);
    return new Model(
        layout,
        parameters(layout, weights, file),
        said == null ? privacy : promise(said, file.metadata().get(PROTECTS)));
  }

  /**
   * @param protection null in files of older versions
   */
  private static ModelPrivacy promise(String line, Object protection) {
    return protection == null
        ? ModelPrivacy.ofOldLine(line)
        : new ModelPrivacy(line, ProtectedPeople.of(String.valueOf(protection)));
  }

  private static float[] parameters(Layout layout, Path weights, Safetensors file) {
    long size = file.tensors().values().stream().mapToLong(tensor -> tensor.values().length).sum();
    // Before anything of the network's size is reserved: a forged text cannot ask for more.
    Check.that(
        size == layout.parameters(),
        "numbers in " + weights,
        "as many as the network has parameters, " + layout.parameters(),
        size);
    boolean own = "discreet".equals(file.metadata().get("format"));
    List<TorchLayout.Tensor> tensors = (own ? own(layout) : TorchLayout.of(layout)).tensors();
    Check.that(
        file.tensors().size() == tensors.size(),
        "tensors of " + weights,
        "those of the network, " + tensors.stream().map(TorchLayout.Tensor::name).toList(),
        file.tensors().keySet());
    float[] parameters = new float[layout.parameters()];
    for (TorchLayout.Tensor tensor : tensors) {
      Safetensors.Tensor found = file.tensor(tensor.name());
      Check.that(
          found.shape().equals(tensor.dimensions()),
          "shape of " + tensor.name() + " in " + weights,
          tensor.dimensions().toString(),
          found.shape());
      tensor.fromTorch(found.values(), parameters);
    }
    return parameters;
  }

  private static Optional<TorchLayout> torch(Layout layout) {
    try {
      return Optional.of(TorchLayout.of(layout));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static TorchLayout own(Layout layout) {
    return new TorchLayout(
        layout.slices().stream()
            .map(
                slice ->
                    new TorchLayout.Tensor(
                        slice.name(),
                        slice.parameter().dimensions(),
                        IntStream.range(slice.offset(), slice.end()).toArray()))
            .toList());
  }
}
