package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The parameters as PyTorch has them: dense weights out×in, convolutions out×in×height×width, and
 * where an image was flattened, its values in PyTorch's order, channels first.
 *
 * <p>A few networks compute something that no PyTorch {@code nn.Sequential} of the same layers
 * does, such as a group norm with several groups right after an image was flattened. They are
 * refused here, so whoever means to save a model makes this before training it.
 *
 * @param tensors every array of the state dictionary
 */
public record TorchLayout(List<Tensor> tensors) {

  /**
   * One named array of a PyTorch state dictionary.
   *
   * @param name such as {@code 3.weight}
   * @param dimensions as PyTorch has them
   * @param places for each element in PyTorch's order, its place in our parameter vector
   */
  public record Tensor(String name, List<Integer> dimensions, int[] places) {
    /** Takes a copy of the dimensions. */
    public Tensor {
      dimensions = List.copyOf(dimensions);
    }

    /**
     * This array in PyTorch's order.
     *
     * @param parameters our flat vector
     * @return a new array
     */
    public float[] toTorch(float[] parameters) {
      float[] values = new float[places.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = parameters[places[i]];
      }
      return values;
    }

    /**
     * Puts this array in its places of our flat vector.
     *
     * @param values in PyTorch's order
     * @param parameters our flat vector, which is changed
     */
    public void fromTorch(float[] values, float[] parameters) {
      Check.that(values.length == places.length, name, places.length + " values", values.length);
      for (int i = 0; i < values.length; i++) {
        parameters[places[i]] = values[i];
      }
    }
  }

  /**
   * How the values between two layers lie in PyTorch.
   *
   * @param image the image that these values were before they were flattened, or null
   * @param sequence whether they are an embedding's rows, which PyTorch has position by position as
   *     we do
   */
  private record Order(Shape image, boolean sequence) {
    static final Order PLAIN = new Order(null, false);

    /** Our index of the value that PyTorch has at index i. */
    int ours(int i) {
      return image == null ? i : i % image.positions() * image.channels() + i / image.positions();
    }

    /** What these values of that shape are as one vector. */
    Order flat(Shape shape) {
      boolean moves = !sequence && image == null && shape.positions() > 1 && shape.channels() > 1;
      return moves ? new Order(shape, false) : new Order(image, false);
    }
  }

  /** Takes a copy of the list. */
  public TorchLayout {
    tensors = List.copyOf(tensors);
  }

  /**
   * Where PyTorch has the parameters of a network.
   *
   * @param layout the network on its input
   * @return the arrays; a network without a twin in PyTorch is refused
   */
  public static TorchLayout of(Layout layout) {
    List<Tensor> tensors = new ArrayList<>();
    walk(layout.nodes(), Order.PLAIN, tensors);
    return new TorchLayout(tensors);
  }

  private static Order walk(List<Layout.Node> nodes, Order order, List<Tensor> tensors) {
    Order now = order;
    for (Layout.Node node : nodes) {
      now = walk(node, now, tensors);
    }
    return now;
  }

  private static Order walk(Layout.Node node, Order order, List<Tensor> tensors) {
    return node.layer().accept(new Walk(node, order, tensors));
  }

  /**
   * Adds the tensors of one layer; the answer is how the values that come out of it lie.
   *
   * @param order how the values that go in lie
   */
  private record Walk(Layout.Node node, Order order, List<Tensor> tensors)
      implements LayerVisitor<Order> {

    @Override
    public Order dense(Layer.Dense layer) {
      add(node, TorchLayout.dense(node, layer.outputs(), order.flat(node.input())), tensors);
      return Order.PLAIN;
    }

    @Override
    public Order conv(Layer.Conv layer) {
      twin(order.image() == null || layer.groups() == 1, node, "1 group after an image's flatten");
      twin(!layer.standardised(), node, "another: PyTorch has no layer of standardised weights");
      add(node, TorchLayout.conv(node, layer, order), tensors);
      return Order.PLAIN;
    }

    @Override
    public Order maxPool(Layer.MaxPool layer) {
      return pool();
    }

    @Override
    public Order averagePool(Layer.AveragePool layer) {
      return pool();
    }

    @Override
    public Order globalAveragePool(Layer.GlobalAveragePool layer) {
      return pool();
    }

    private Order pool() {
      twin(order.image() == null || node.output().positions() == 1, node, "before flatten");
      return new Order(order.image(), false);
    }

    @Override
    public Order activation(Activation layer) {
      return order;
    }

    @Override
    public Order flatten(Layer.Flatten layer) {
      return order.flat(node.input());
    }

    @Override
    public Order dropout(Layer.Dropout layer) {
      return order;
    }

    @Override
    public Order groupNorm(Layer.GroupNorm layer) {
      twin(order.image() == null || layer.groups() == 1, node, "1 group after an image's flatten");
      norm(node, order, tensors);
      return new Order(order.image(), false);
    }

    @Override
    public Order layerNorm(Layer.LayerNorm layer) {
      norm(node, order, tensors);
      return order;
    }

    @Override
    public Order shift(Layer.Shift layer) {
      twin(false, node, "another: PyTorch has no such layer");
      return order;
    }

    @Override
    public Order embedding(Layer.Embedding layer) {
      tensors.add(asItIs(node.slices().get(0)));
      return new Order(null, true);
    }

    @Override
    public Order scattering(Scattering layer) {
      twin(
          false,
          node,
          "another: PyTorch has no such layer (--features none trains a model without it)");
      return order;
    }

    @Override
    public Order residual(Layer.Residual layer) {
      Order body = walk(node.body(), order, tensors);
      Order beside = node.projection() == null ? order : walk(node.projection(), order, tensors);
      twin(
          Objects.equals(body.image(), beside.image()),
          node,
          "before flatten, or both its ways in one order");
      return new Order(body.image(), body.sequence() && beside.sequence());
    }
  }

  private static void twin(boolean exists, Layout.Node node, String range) {
    Check.that(
        exists,
        "layer " + node.name() + ", to have the same meaning in PyTorch,",
        range,
        node.layer());
  }

  private static Tensor dense(Layout.Node node, int outputs, Order order) {
    Layout.Slice weight = node.slices().get(0);
    int inputs = node.input().size();
    int[] places = new int[weight.size()];
    for (int o = 0, at = 0; o < outputs; o++) {
      for (int i = 0; i < inputs; i++) {
        places[at++] = weight.offset() + order.ours(i) * outputs + o;
      }
    }
    return new Tensor(weight.name(), List.of(outputs, inputs), places);
  }

  private static Tensor conv(Layout.Node node, Layer.Conv conv, Order order) {
    Layout.Slice weight = node.slices().get(0);
    int height = conv.window().height();
    int width = conv.window().width();
    int inputs = node.input().channels() / conv.groups();
    int outputs = conv.outputs();
    int[] places = new int[weight.size()];
    int at = 0;
    for (int o = 0; o < outputs; o++) {
      for (int i = 0; i < inputs; i++) {
        for (int w = 0; w < height * width; w++) {
          places[at++] = weight.offset() + (w * inputs + order.ours(i)) * outputs + o;
        }
      }
    }
    return new Tensor(weight.name(), List.of(outputs, inputs, height, width), places);
  }

  private static void norm(Layout.Node node, Order order, List<Tensor> tensors) {
    for (Layout.Slice slice : node.slices()) {
      int[] places =
          IntStream.range(0, slice.size()).map(i -> slice.offset() + order.ours(i)).toArray();
      tensors.add(new Tensor(slice.name(), slice.parameter().dimensions(), places));
    }
  }

  /** The weight, and the layer's bias as it is. */
  private static void add(Layout.Node node, Tensor weight, List<Tensor> tensors) {
    tensors.add(weight);
    for (Layout.Slice bias : node.slices().subList(1, node.slices().size())) {
      tensors.add(asItIs(bias));
    }
  }

  /** A tensor that PyTorch has in the same order as we do. */
  private static Tensor asItIs(Layout.Slice slice) {
    int[] places = IntStream.range(slice.offset(), slice.end()).toArray();
    return new Tensor(slice.name(), slice.parameter().dimensions(), places);
  }
}
