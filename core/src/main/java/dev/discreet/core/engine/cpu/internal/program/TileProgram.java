package dev.discreet.core.engine.cpu.internal.program;

import dev.discreet.core.engine.ExampleReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.layers.ActivationOp;
import dev.discreet.core.engine.cpu.internal.layers.ConvOp;
import dev.discreet.core.engine.cpu.internal.layers.ConvWeights;
import dev.discreet.core.engine.cpu.internal.layers.DenseOp;
import dev.discreet.core.engine.cpu.internal.layers.DropoutOp;
import dev.discreet.core.engine.cpu.internal.layers.EmbeddingOp;
import dev.discreet.core.engine.cpu.internal.layers.LayerOp;
import dev.discreet.core.engine.cpu.internal.layers.NormOp;
import dev.discreet.core.engine.cpu.internal.layers.ParameterForm;
import dev.discreet.core.engine.cpu.internal.layers.ParameterOp;
import dev.discreet.core.engine.cpu.internal.layers.PoolOp;
import dev.discreet.core.engine.cpu.internal.layers.ResidualOp;
import dev.discreet.core.engine.cpu.internal.layers.ScatteringOp;
import dev.discreet.core.engine.cpu.internal.layers.ShiftOp;
import dev.discreet.core.engine.cpu.internal.layers.StepWeights;
import dev.discreet.core.engine.cpu.internal.layers.Tangents;
import dev.discreet.core.engine.cpu.internal.layers.TileContext;
import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.LayerVisitor;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Window;
import java.util.ArrayList;
import java.util.List;

/** A network ready to run tiles: one worker's ops and buffers over the shared weights. */
public final class TileProgram {
  public final List<ParameterOp> withParameters = new ArrayList<>();
  public final int tile;
  private final Kernels kernels;
  private final StepWeights shared;
  private final List<String> frozen;
  // Whether an op so far has parameters that get a gradient.
  private boolean trainable;
  private final List<LayerOp> ops;
  private final float[] input;
  private final int inputs;
  private final int outputs;
  private final Loss loss;
  private final LayerOp last;
  private final double[] output;
  private final double[] slope;
  private final double[][] targets;
  private final float[] targetValues;

  /**
   * @param frozen names of the slices that get no gradient
   */
  public TileProgram(
      Kernels kernels,
      StepWeights shared,
      Layout layout,
      int targets,
      int tile,
      List<String> frozen) {
    this.kernels = kernels;
    this.shared = shared;
    this.frozen = frozen;
    this.tile = tile;
    this.inputs = layout.input().size();
    this.outputs = layout.outputs();
    this.loss = layout.network().loss();
    this.input = LayerOp.buffer(tile, inputs);
    this.ops = build(layout.nodes(), input, null);
    this.last = ops.get(ops.size() - 1);
    this.output = new double[outputs];
    this.slope = new double[outputs];
    this.targets = new double[tile][targets];
    this.targetValues = new float[targets];
  }

  /**
   * Ops in order; each but the first sends its gradient to the one before.
   *
   * @param dIn where the first one sends its, or null
   */
  private List<LayerOp> build(List<Node> nodes, float[] in, float[] dIn) {
    List<LayerOp> list = new ArrayList<>();
    float[] from = in;
    float[] back = dIn;
    for (Node node : nodes) {
      LayerOp op = op(node, from, back, list.isEmpty() ? null : list.get(list.size() - 1));
      if (op == null) {
        continue;
      }
      list.add(op);
      if (op instanceof ParameterOp own) {
        withParameters.add(own);
      }
      from = op.out;
      // Before the first parameters that are not frozen no one needs a gradient.
      trainable |= trains(node);
      back = trainable ? op.dOut : null;
    }
    if (list.isEmpty()) {
      throw new IllegalArgumentException(
          "layers must be more than flatten. Provided value: " + nodes);
    }
    return list;
  }

  /** Whether any parameter of a layer, or inside it, gets a gradient. */
  private boolean trains(Node node) {
    return node.slices().stream().anyMatch(slice -> !frozen.contains(slice.name()))
        || node.body().stream().anyMatch(this::trains)
        || (node.projection() != null && trains(node.projection()));
  }

  /**
   * @param before the op whose output this one takes, or null if others may take it too
   */
  private LayerOp op(Node node, float[] in, float[] dIn, LayerOp before) {
    return node.layer().accept(new OpOf(node, in, dIn, before));
  }

  /** The op that runs a layer; null for one that changes nothing. */
  private final class OpOf implements LayerVisitor<LayerOp> {
    private final Node node;
    private final float[] in;
    private final float[] dIn;
    private final LayerOp before;

    OpOf(Node node, float[] in, float[] dIn, LayerOp before) {
      this.node = node;
      this.in = in;
      this.dIn = dIn;
      this.before = before;
    }

    @Override
    public LayerOp dense(Layer.Dense layer) {
      return new DenseOp(kernels, shared, node, tile, in, dIn);
    }

    @Override
    public LayerOp conv(Layer.Conv layer) {
      boolean still = node.slices().stream().allMatch(slice -> frozen.contains(slice.name()));
      return new ConvOp(kernels, (ConvWeights) shared.of(node), tile, still, in, dIn);
    }

    @Override
    public LayerOp maxPool(Layer.MaxPool layer) {
      return new PoolOp.Max(kernels, node, layer.window(), tile, in, dIn);
    }

    @Override
    public LayerOp averagePool(Layer.AveragePool layer) {
      return new PoolOp.Average(kernels, node, layer.window(), tile, in, dIn);
    }

    @Override
    public LayerOp globalAveragePool(Layer.GlobalAveragePool layer) {
      Window all = new Window(node.input().height(), node.input().width(), 1, 1, 0, 0);
      return new PoolOp.Average(kernels, node, all, tile, in, dIn);
    }

    @Override
    public LayerOp activation(Activation layer) {
      return ActivationOp.of(kernels, node, layer, tile, in, dIn, before);
    }

    @Override
    public LayerOp flatten(Layer.Flatten layer) {
      return null;
    }

    @Override
    public LayerOp dropout(Layer.Dropout layer) {
      return new DropoutOp(node, tile, in, dIn);
    }

    @Override
    public LayerOp groupNorm(Layer.GroupNorm layer) {
      return new NormOp(kernels, shared, node, layer.groups(), false, tile, in, dIn);
    }

    @Override
    public LayerOp layerNorm(Layer.LayerNorm layer) {
      return new NormOp(kernels, shared, node, 1, true, tile, in, dIn);
    }

    @Override
    public LayerOp shift(Layer.Shift layer) {
      return new ShiftOp(kernels, shared, node, tile, in, dIn);
    }

    @Override
    public LayerOp embedding(Layer.Embedding layer) {
      return new EmbeddingOp(kernels, shared, node, tile, in);
    }

    @Override
    public LayerOp scattering(Scattering layer) {
      return new ScatteringOp(kernels, node, layer, tile, in);
    }

    @Override
    public LayerOp residual(Layer.Residual layer) {
      int size = node.input().size();
      float[] bodyDIn = dIn == null ? null : LayerOp.buffer(tile, size);
      // Its end gets a gradient also where only the projection, or a later op of the body, trains.
      trainable |= trains(node);
      List<LayerOp> body = build(node.body(), in, bodyDIn);
      LayerOp projection = null;
      if (node.projection() != null) {
        projection =
            op(node.projection(), in, dIn == null ? null : LayerOp.buffer(tile, size), null);
        withParameters.add((ParameterOp) projection);
      }
      return new ResidualOp(body, projection, in, dIn, bodyDIn, tile, size, node.output().size());
    }
  }

  /** Reads the inputs of a public example into a place of the tile. */
  public void read(Examples examples, int example, int place) {
    examples.input(example, input, place * inputs);
  }

  /** Reads a private example into a place of the tile; false where it cannot be used. */
  public boolean read(ExampleReader reader, int example, int place) {
    boolean usable = reader.read(example, input, place * inputs);
    System.arraycopy(reader.target(), 0, targets[place], 0, targetValues.length);
    return usable;
  }

  /**
   * Writes a view of the example that was read last into a place of the tile.
   *
   * @param choice the unit's secret bits in this release
   * @param ordinal which of the unit's examples it is, from 0
   * @param view 0 for the example itself
   */
  public void view(ExampleReader reader, long choice, int ordinal, int view, int place) {
    reader.view(choice, ordinal, view, input, place * inputs);
    System.arraycopy(reader.target(), 0, targets[place], 0, targetValues.length);
  }

  public void forward(int n, TileContext context) {
    for (LayerOp op : ops) {
      op.forward(n, context);
    }
  }

  public float[] outputs() {
    return last.out;
  }

  /** The loss of a public example of the tile. */
  public double loss(Examples examples, int example, int place) {
    examples.target(example, targetValues, 0);
    for (int i = 0; i < targetValues.length; i++) {
      targets[place][i] = targetValues[i];
    }
    return loss(place);
  }

  /**
   * The loss of one example of the tile whose target was read; its derivative goes where backward
   * starts from.
   */
  public double loss(int place) {
    for (int i = 0; i < outputs; i++) {
      output[i] = last.out[place * outputs + i];
    }
    double value = loss.value(output, targets[place], slope);
    for (int i = 0; i < outputs; i++) {
      last.dOut[place * outputs + i] = (float) slope[i];
    }
    return value;
  }

  /** Forward mode, after {@link #forward}. */
  public void tangent(int n, Tangents tangents) {
    for (LayerOp op : ops) {
      op.tangent(n, tangents);
    }
  }

  /** After {@link #loss} and {@link #tangent}: how the loss of one example of the tile moves. */
  public double directional(Tangents tangents, int place) {
    float[] moved = tangents.of(last.out);
    double sum = 0;
    for (int i = place * outputs; i < (place + 1) * outputs; i++) {
      sum += (double) last.dOut[i] * moved[i];
    }
    return sum;
  }

  /** Down to the lowest layer that trains: below it no op sends a gradient on. */
  public void backward(int n, TileContext context) {
    for (int i = ops.size() - 1; i >= 0; i--) {
      ops.get(i).backward(n, context);
      if (ops.get(i).dIn == null) {
        return;
      }
    }
  }

  /** Floats that one example's way through the network touches: what decides the tile. */
  public static int footprint(Layout layout) {
    return footprint(layout.nodes());
  }

  private static int footprint(List<Node> nodes) {
    int sum = 0;
    for (Node node : nodes) {
      sum += 2 * node.output().size() + footprint(node.body());
      sum += ParameterForm.of(node).touched(node);
    }
    return sum;
  }
}
