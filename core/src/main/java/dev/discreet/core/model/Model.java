package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.Safetensors;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.TorchLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A network on its input with its parameters and what they cost. In files it is {@code
 * model.safetensors}, with the names and layouts of a PyTorch {@code nn.Sequential}, and {@code
 * model.json}, which says what the network is. The few networks that mean something else in PyTorch
 * are saved in our own layouts, so that no trained model is lost; their file's format is then
 * {@code discreet} rather than {@code pt}.
 *
 * <pre>{@code
 * Model model = Model.load(Path.of("runs", "mnist"));
 * System.out.println(model.privacy());
 * }</pre>
 *
 * @param privacy what it promises about the people in its data, in one line that both files carry
 */
@PublicApi
public record Model(Layout layout, float[] parameters, String privacy) {
  /** The key of {@link #privacy} in files. */
  public static final String PRIVACY = "privacy";

  private static final String WEIGHTS = "model.safetensors";
  private static final String DESCRIPTION = "model.json";

  /** Refuses parameters that do not fit the network, and a line of several. */
  public Model {
    parameters = layout.check(parameters).clone();
    Check.that(
        !privacy.isBlank() && privacy.lines().count() == 1,
        "privacy of a model",
        "one line",
        privacy);
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
    new Safetensors(tensors, Map.of(PRIVACY, privacy, "format", format))
        .write(folder.resolve(WEIGHTS));
    Shape input = layout.input();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(PRIVACY, privacy);
    fields.put("network", layout.network().toString());
    fields.put("input", List.of(input.height(), input.width(), input.channels()));
    AtomicFile.write(folder.resolve(DESCRIPTION), JsonFields.write(fields));
  }

  /**
   * Reads what {@link #save} wrote.
   *
   * @param folder has both files
   * @return the model
   * @throws IOException where they cannot be read
   */
  public static Model load(Path folder) throws IOException {
    Path description = folder.resolve(DESCRIPTION);
    JsonFields fields = JsonFields.parse(description.toString(), Files.readString(description));
    int[] shape = fields.smalls("input");
    Check.that(shape.length == 3, "input of " + description, "3 numbers", shape.length);
    Layout layout =
        Network.parse(fields.text("network")).on(new Shape(shape[0], shape[1], shape[2]));
    Path weights = folder.resolve(WEIGHTS);
    Safetensors file = Safetensors.read(weights);
    String privacy = fields.text(PRIVACY);
    // Weights of one run beside the description of another must not pass for private.
    Check.that(
        privacy.equals(file.metadata().get(PRIVACY)),
        "privacy of " + weights,
        "that of " + description + ", " + privacy,
        file.metadata().get(PRIVACY));
    return new Model(layout, parameters(layout, weights, file), privacy);
  }

  /**
   * A model from safetensors alone, such as PyTorch writes them for the same {@code nn.Sequential}.
   *
   * @param weights the file
   * @param network what the weights are of
   * @param input the shape of one example
   * @param privacy what is known of it, in one line; a file that says so itself is believed
   * @return the model
   * @throws IOException where the file cannot be read
   */
  public static Model read(Path weights, Network network, Shape input, String privacy)
      throws IOException {
    Layout layout = network.on(input);
    Safetensors file = Safetensors.read(weights);
    return new Model(
        layout, parameters(layout, weights, file), file.metadata().getOrDefault(PRIVACY, privacy));
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
