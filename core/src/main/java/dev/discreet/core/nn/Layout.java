package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Layer.Embedding;
import dev.discreet.core.nn.Layer.Residual;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * A network on an input shape: every layer with its shapes, every parameter with its place in the
 * one flat vector. Names are those of a PyTorch {@code nn.Sequential}: {@code 3.weight}, and inside
 * a residual block {@code 3.body.0.weight} and {@code 3.projection.weight}.
 *
 * @param network the layers and the loss
 * @param input the shape of one example
 * @param nodes the layers in their places
 */
public record Layout(Network network, Shape input, List<Node> nodes) implements Serializable {

  /**
   * A layer in its place.
   *
   * @param name where it stands, such as {@code 3}, {@code 3.body.0} or {@code 3.projection}
   * @param layer the layer itself
   * @param input the shape that goes in
   * @param output the shape that comes out
   * @param slices its own parameters in their places
   * @param body the layers of a residual block; empty for every other layer
   * @param projection the convolution of a residual block's shortcut, or null
   */
  public record Node(
      String name,
      Layer layer,
      Shape input,
      Shape output,
      List<Slice> slices,
      List<Node> body,
      Node projection)
      implements Serializable {
    /** Takes copies of the lists. */
    public Node {
      slices = List.copyOf(slices);
      body = List.copyOf(body);
    }
  }

  /**
   * Where a parameter lives.
   *
   * @param layer whose parameter it is
   * @param parameter what lives there
   * @param offset its first index in the flat vector
   */
  public record Slice(LayerName layer, Parameter parameter, int offset) implements Serializable {
    /** {@return the name of its layer and its own, such as {@code 3.weight}} */
    public String name() {
      return layer + "." + parameter.name();
    }

    /** {@return how many numbers it has} */
    public int size() {
      return parameter.size();
    }

    /** {@return the index after its last one} */
    public int end() {
      return offset + size();
    }
  }

  /** Takes a copy of the list. */
  public Layout {
    nodes = List.copyOf(nodes);
  }

  static Layout of(Network network, Shape input) {
    List<Node> nodes = nodes(LayerName::of, network.layers(), input, 0);
    Layout layout = new Layout(network, input, nodes);
    network.loss().check(layout.outputs());
    return layout;
  }

  private static List<Node> nodes(
      IntFunction<LayerName> names, List<Layer> layers, Shape input, int offset) {
    List<Node> nodes = new ArrayList<>();
    Shape shape = input;
    int next = offset;
    for (int i = 0; i < layers.size(); i++) {
      Node node = node(names.apply(i), layers.get(i), shape, next);
      nodes.add(node);
      next = Math.max(next, end(List.of(node)));
      shape = node.output();
    }
    return nodes;
  }

  private static Node node(LayerName name, Layer layer, Shape input, int offset) {
    // The body first, so that an error inside it names the inner layer.
    List<Node> body =
        layer instanceof Residual residual
            ? nodes(name::body, residual.body(), input, offset)
            : List.of();
    Shape output;
    try {
      output = layer.output(input);
      if (layer instanceof Embedding || layer instanceof Scattering) {
        Check.that(
            name.equals(LayerName.of(0)),
            layer.toString(),
            "the first layer, for it reads " + (layer instanceof Embedding ? "tokens" : "images"),
            "layer " + name);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("layer " + name + ": " + e.getMessage(), e);
    }
    if (layer instanceof Residual residual) {
      Node projection =
          residual.projected()
              ? node(
                  name.projection(),
                  residual.projection(input, output),
                  input,
                  Math.max(offset, end(body)))
              : null;
      return new Node(name.toString(), layer, input, output, List.of(), body, projection);
    }
    List<Slice> slices = new ArrayList<>();
    int next = offset;
    for (Parameter parameter : layer.parameters(input)) {
      Slice slice = new Slice(name, parameter, next);
      slices.add(slice);
      try {
        next = Math.addExact(next, slice.size());
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "layer "
                + name
                + ": parameters must be fewer than 2^31 in all. Provided value: "
                + layer
                + " on "
                + input,
            e);
      }
    }
    return new Node(name.toString(), layer, input, output, slices, List.of(), null);
  }

  /** {@return whether a layer drops some of its inputs at random} */
  public boolean hasDropout() {
    return allNodes().stream().anyMatch(node -> node.layer() instanceof Layer.Dropout);
  }

  /**
   * What comes after features that nobody trains, with every layer and parameter in the place that
   * it has here.
   *
   * @return this layout where there are no such features
   */
  public Layout afterFeatures() {
    return nodes.get(0).layer() instanceof Scattering
        ? new Layout(
            new Network(network.layers().subList(1, nodes.size()), network.loss()),
            nodes.get(0).output(),
            nodes.subList(1, nodes.size()))
        : this;
  }

  /** {@return every node, those inside of residual blocks too} */
  public List<Node> allNodes() {
    return nodes.stream().flatMap(Layout::withInner).toList();
  }

  private static Stream<Node> withInner(Node node) {
    Stream<Node> inner = node.body().stream().flatMap(Layout::withInner);
    Stream<Node> own = Stream.concat(Stream.of(node), inner);
    return node.projection() == null ? own : Stream.concat(own, Stream.of(node.projection()));
  }

  private static int end(List<Node> nodes) {
    return slices(nodes).stream().mapToInt(Slice::end).max().orElse(0);
  }

  private static List<Slice> slices(List<Node> nodes) {
    List<Slice> slices = new ArrayList<>();
    for (Node node : nodes) {
      slices.addAll(node.slices());
      slices.addAll(slices(node.body()));
      if (node.projection() != null) {
        slices.addAll(node.projection().slices());
      }
    }
    return slices;
  }

  /** {@return every parameter in the order of the flat vector} */
  public List<Slice> slices() {
    return slices(nodes);
  }

  /** {@return how many numbers the flat vector has} */
  public int parameters() {
    return end(nodes);
  }

  /** {@return the shape that the last layer puts out} */
  public Shape output() {
    return nodes.isEmpty() ? input : nodes.get(nodes.size() - 1).output();
  }

  /** {@return how many numbers the network puts out for one example} */
  public int outputs() {
    return output().size();
  }

  /**
   * Parameters to begin with: the same for the same seed on every machine.
   *
   * @param initialiser how weights begin
   * @param seed public; initial weights tell nothing of data
   * @return a new flat vector
   */
  public float[] initial(Initialiser initialiser, long seed) {
    float[] parameters = new float[parameters()];
    initialise(nodes, initialiser, new SplittableRandom(seed), parameters);
    return parameters;
  }

  private static void initialise(
      List<Node> nodes, Initialiser initialiser, SplittableRandom random, float[] parameters) {
    for (Node node : nodes) {
      boolean embedding = node.layer() instanceof Embedding;
      node.slices().forEach(slice -> initialiser.fill(slice, embedding, random, parameters));
      initialise(node.body(), initialiser, random, parameters);
      if (node.projection() != null) {
        initialise(List.of(node.projection()), initialiser, random, parameters);
      }
    }
  }

  /**
   * Refuses a parameter vector of another length.
   *
   * @param parameters a flat vector
   * @return the same vector
   */
  public float[] check(float[] parameters) {
    Check.that(
        parameters.length == parameters(),
        "parameters",
        "as many as the network has, " + parameters(),
        parameters.length);
    return parameters;
  }
}
