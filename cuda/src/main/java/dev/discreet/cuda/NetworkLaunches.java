package dev.discreet.cuda;

import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.LayerVisitor;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The launches that take a part's examples through a network and back, and where that leaves each
 * example's gradients. A layer has its forward launches in its visitor's method, and what it does
 * on the way back in the function that the method returns.
 */
final class NetworkLaunches {
  /** The way back through a layer: takes the slope by its outputs, and gives that by its inputs. */
  private interface Back {
    /**
     * @param slopes the address of the slopes by the outputs
     * @param needed whether a layer before this one trains
     * @return the address of the slopes by the inputs; 0 where they are not needed
     */
    long through(long slopes, boolean needed);
  }

  private record Passed(Node node, Back back) {}

  private final PartBlock part;
  private final UnitRule rule;
  private final List<Slice> slices;
  private final int most;
  private final long theta;
  private final int stride;
  private final long written;
  private final LaunchList list;
  private final List<Gradients> gradients = new ArrayList<>();
  private final long tokens;

  /** What output positions of a convolution give to their windows: one layer's after another's. */
  private final long shares;

  // Where the next slice is written that is written out.
  private int nextWritten;

  // What the layer that was built last put out.
  private long out;

  /**
   * @param most examples of a part
   * @param theta the parameters on the device
   */
  NetworkLaunches(
      DeviceMemory memory,
      PartBlock part,
      Layout layout,
      UnitRule rule,
      RowStore rows,
      int targets,
      int most,
      long theta) {
    this.list = new LaunchList(memory, part, most);
    this.part = part;
    this.rule = rule;
    this.slices = layout.slices();
    this.most = most;
    this.theta = theta;
    this.stride = writtenSize(layout);
    this.written = memory.floats((long) most * stride);
    int inputs = layout.input().size();
    this.tokens = list.buffer(inputs);
    this.shares = memory.floats(most * shares(layout));
    list.value("gather", inputs, part.row(), rows.inputs(), inputs, tokens);
    List<Passed> passed = chain(layout.nodes(), tokens);
    long slopes = list.buffer(layout.outputs());
    list.loss(layout.network().loss(), rows, targets, out, slopes, layout.outputs());
    back(passed, slopes, false);
  }

  /** Floats of one example's gradients that are written out one by one. */
  private static int writtenSize(Layout layout) {
    return layout.allNodes().stream()
        .filter(node -> !(node.layer() instanceof Layer.Dense || isTable(node)))
        .flatMap(node -> node.slices().stream())
        .mapToInt(Slice::size)
        .sum();
  }

  /** Floats of the largest {@link #shares} of an example. */
  private static long shares(Layout layout) {
    return layout.allNodes().stream()
        .filter(node -> node.layer() instanceof Layer.Conv)
        .mapToLong(
            node -> {
              Layer.Conv conv = (Layer.Conv) node.layer();
              long all = (long) conv.window().size() * node.input().channels();
              return all * node.output().positions();
            })
        .max()
        .orElse(0);
  }

  private static boolean isTable(Node node) {
    return node.layer() instanceof Layer.Embedding;
  }

  /** Floats that one example takes on the device, at most. */
  static long floats(Layout layout) {
    long sum = layout.input().size() + writtenSize(layout) + layout.outputs() + shares(layout);
    for (Node node : layout.allNodes()) {
      boolean keepsOutputs = node.layer() instanceof Layer.MaxPool || isNorm(node);
      sum += (keepsOutputs ? 2L : 1L) * node.output().size() + node.input().size();
      sum += isTable(node) ? node.output().size() : node.input().positions();
    }
    return sum;
  }

  private static boolean isNorm(Node node) {
    return node.layer() instanceof Layer.GroupNorm || node.layer() instanceof Layer.LayerNorm;
  }

  /** What is done once a step, when the parameters are there. */
  List<Launch> weights() {
    return list.weights();
  }

  /** From rows to gradients. */
  List<Launch> launches() {
    return list.launches();
  }

  /** In the order of the slices; frozen ones are not there. */
  List<Gradients> gradients() {
    return gradients.stream()
        .sorted(java.util.Comparator.comparingInt((Gradients each) -> each.slice().offset()))
        .toList();
  }

  /** The inputs of a part's examples: a table's tokens. */
  long tokens() {
    return tokens;
  }

  private long parameters(Slice slice) {
    return theta + 4L * slice.offset();
  }

  /** Zero where a layer has no such slice. */
  private long parameters(Node node, int slice) {
    return slice < node.slices().size() ? parameters(node.slices().get(slice)) : 0L;
  }

  private int group(Slice slice) {
    return rule.group()[slices.indexOf(slice)];
  }

  private boolean trains(Node node) {
    return node.slices().stream().anyMatch(slice -> group(slice) >= 0)
        || node.body().stream().anyMatch(this::trains)
        || (node.projection() != null && trains(node.projection()));
  }

  private List<Passed> chain(List<Node> nodes, long in) {
    List<Passed> passed = new ArrayList<>();
    out = in;
    for (Node node : nodes) {
      passed.add(new Passed(node, node.layer().accept(new Forward(node, out))));
    }
    return passed;
  }

  private long back(List<Passed> passed, long slopes, boolean needed) {
    long at = slopes;
    for (int i = passed.size() - 1; i >= 0; i--) {
      boolean before =
          needed || passed.subList(0, i).stream().anyMatch(each -> trains(each.node()));
      if (!before && !trains(passed.get(i).node())) {
        return 0;
      }
      at = passed.get(i).back().through(at, before);
    }
    return at;
  }

  /** Where a slice's gradients are written out; they are known from here on. */
  private long writtenOut(Slice slice) {
    long at = written + 4L * nextWritten;
    nextWritten += slice.size();
    if (group(slice) >= 0) {
      gradients.add(
          new Gradients(slice, group(slice), Gradients.Kind.FLAT, at, stride, slice.size(), 0, 0));
    }
    return at;
  }

  /** Builds a layer's way forward; what comes back is its way back. */
  private final class Forward implements LayerVisitor<Back> {
    private final Node node;
    private final long in;
    private final int inputs;
    private final int outputs;

    Forward(Node node, long in) {
      this.node = node;
      this.in = in;
      this.inputs = node.input().size();
      this.outputs = node.output().size();
    }

    @Override
    public Back dense(Layer.Dense layer) {
      long to = list.buffer(outputs);
      long w = parameters(node, 0);
      list.product(
          "dense", most, outputs, 1, part.head(), in, w, parameters(node, 1), to, inputs, outputs);
      out = to;
      return (slopes, needed) -> {
        for (int i = 0; i < node.slices().size(); i++) {
          Slice slice = node.slices().get(i);
          if (group(slice) >= 0) {
            gradients.add(
                i == 0
                    ? new Gradients(
                        slice,
                        group(slice),
                        Gradients.Kind.PRODUCT,
                        in,
                        inputs,
                        inputs,
                        slopes,
                        outputs)
                    : new Gradients(
                        slice, group(slice), Gradients.Kind.FLAT, slopes, outputs, outputs, 0, 0));
          }
        }
        if (!needed) {
          return 0;
        }
        long dIn = list.buffer(inputs);
        long back = list.turned(w, inputs, outputs);
        list.product("dense", most, inputs, 1, part.head(), slopes, back, 0L, dIn, outputs, inputs);
        return dIn;
      };
    }

    @Override
    public Back conv(Layer.Conv layer) {
      Window window = layer.window();
      ByteBuffer sizes = Structures.conv(node, window, layer.groups());
      int depth = node.input().channels() / layer.groups();
      int each = layer.outputs() / layer.groups();
      long seen = list.constant(Structures.places(window, depth));
      int rows = window.size() * depth;
      long w = parameters(node, 0);
      long to = list.buffer(outputs);
      list.product(
          "conv",
          (long) most * node.output().positions(),
          each,
          layer.groups(),
          part.head(),
          sizes,
          in,
          w,
          parameters(node, 1),
          to,
          seen);
      out = to;
      return (slopes, needed) -> {
        convWeights(layer, sizes, slopes, rows, each, seen);
        if (!needed) {
          return 0;
        }
        long dIn = list.buffer(inputs);
        int positions = node.output().positions();
        list.product(
            "conv_shares",
            (long) most * positions,
            rows,
            layer.groups(),
            part.head(),
            sizes,
            slopes,
            list.turned(w, rows, layer.outputs()),
            shares);
        list.value("fold", inputs, sizes, shares, dIn);
        return dIn;
      };
    }

    private void convWeights(
        Layer.Conv layer, ByteBuffer sizes, long slopes, int rows, int each, long seen) {
      if (!trains(node)) {
        return;
      }
      long to = writtenOut(node.slices().get(0));
      int along = Math.min(most, 65_535 / layer.groups()) * layer.groups();
      long positions = list.constant(Structures.positions(node, layer.window()));
      list.product(
          "conv_weights",
          rows,
          each,
          along,
          part.head(),
          sizes,
          in,
          slopes,
          to,
          stride,
          seen,
          positions);
      if (node.slices().size() > 1) {
        list.add(
            new Launch(
                "column_sums",
                new int[] {most, Launch.blocks(layer.outputs(), 32)},
                new int[] {32, 8},
                part.head(),
                slopes,
                node.output().positions(),
                layer.outputs(),
                writtenOut(node.slices().get(1)),
                stride));
      }
    }

    @Override
    public Back maxPool(Layer.MaxPool layer) {
      ByteBuffer sizes = Structures.pool(node, layer.window());
      long winner = list.buffer(outputs);
      out = list.buffer(outputs);
      list.value("max_pool", outputs, sizes, in, out, winner);
      return poolBack(sizes, 0, winner);
    }

    @Override
    public Back averagePool(Layer.AveragePool layer) {
      return average(layer.window());
    }

    @Override
    public Back globalAveragePool(Layer.GlobalAveragePool layer) {
      Shape all = node.input();
      return average(new Window(all.height(), all.width(), 1, 1, 0, 0));
    }

    private Back average(Window window) {
      ByteBuffer sizes = Structures.pool(node, window);
      float share = 1f / window.size();
      out = list.buffer(outputs);
      list.value("average_pool", outputs, sizes, share, in, out);
      return poolBack(sizes, share, 0);
    }

    private Back poolBack(ByteBuffer sizes, float share, long winner) {
      return (slopes, needed) -> {
        long dIn = list.buffer(inputs);
        list.value("pool_back", inputs, sizes, share, slopes, winner, dIn);
        return dIn;
      };
    }

    @Override
    public Back activation(Activation layer) {
      ActivationNumbers numbers = ActivationNumbers.of(layer);
      long to = list.buffer(outputs);
      list.value(
          "activate",
          outputs,
          numbers.kind(),
          numbers.a(),
          numbers.b(),
          numbers.c(),
          in,
          to,
          outputs);
      out = to;
      return (slopes, needed) -> {
        long dIn = list.buffer(inputs);
        list.value(
            "activate_back",
            outputs,
            numbers.kind(),
            numbers.a(),
            numbers.b(),
            numbers.c(),
            in,
            to,
            slopes,
            dIn,
            outputs);
        return dIn;
      };
    }

    @Override
    public Back flatten(Layer.Flatten layer) {
      out = in;
      return (slopes, needed) -> slopes;
    }

    @Override
    public Back dropout(Layer.Dropout layer) {
      out = list.buffer(outputs);
      masked(layer, in, out);
      return (slopes, needed) -> {
        long dIn = list.buffer(inputs);
        masked(layer, slopes, dIn);
        return dIn;
      };
    }

    private void masked(Layer.Dropout layer, long from, long to) {
      list.value(
          "dropout",
          outputs,
          part.choice(),
          part.ordinal(),
          node.name().hashCode(),
          layer.rate(),
          (float) (1 / (1 - layer.rate())),
          from,
          to,
          outputs);
    }

    @Override
    public Back groupNorm(Layer.GroupNorm layer) {
      return norm(layer.groups(), false);
    }

    @Override
    public Back layerNorm(Layer.LayerNorm layer) {
      return norm(1, true);
    }

    private Back norm(int groups, boolean perPosition) {
      ByteBuffer sizes = Structures.norm(node.input(), groups, perPosition);
      int blocks = perPosition ? node.input().positions() : groups;
      int[] grid = {most, blocks};
      int[] threads = {128};
      long scale = parameters(node, 0);
      long normal = list.buffer(outputs);
      long inverse = list.buffer(blocks);
      out = list.buffer(outputs);
      list.add(
          new Launch(
              "norm_forward",
              grid,
              threads,
              part.head(),
              sizes,
              in,
              scale,
              parameters(node, 1),
              normal,
              inverse,
              out,
              Layer.EPSILON));
      return (slopes, needed) -> {
        if (trains(node)) {
          int channels = node.input().channels();
          list.value(
              "norm_parameters",
              channels,
              slopes,
              normal,
              node.input().positions(),
              channels,
              writtenOut(node.slices().get(0)),
              writtenOut(node.slices().get(1)),
              stride);
        }
        if (!needed) {
          return 0;
        }
        long dIn = list.buffer(inputs);
        list.add(
            new Launch(
                "norm_back",
                grid,
                threads,
                part.head(),
                sizes,
                slopes,
                normal,
                inverse,
                scale,
                dIn));
        return dIn;
      };
    }

    @Override
    public Back embedding(Layer.Embedding layer) {
      Slice table = node.slices().get(0);
      out = list.buffer(outputs);
      list.value("embed", outputs, in, parameters(table), out, inputs, layer.size());
      return (slopes, needed) -> {
        if (group(table) >= 0) {
          long rows = list.buffer(outputs);
          list.value("embed_rows", outputs, in, slopes, rows, inputs, layer.size());
          gradients.add(
              new Gradients(
                  table,
                  group(table),
                  Gradients.Kind.ROWS,
                  rows,
                  outputs,
                  outputs,
                  0,
                  layer.size()));
        }
        return 0;
      };
    }

    @Override
    public Back residual(Layer.Residual layer) {
      List<Passed> body = chain(node.body(), in);
      long end = out;
      List<Passed> shortcut =
          node.projection() == null ? List.of() : chain(List.of(node.projection()), in);
      long beside = shortcut.isEmpty() ? in : out;
      out = list.buffer(outputs);
      list.value("add", outputs, end, beside, out, outputs);
      return (slopes, needed) -> {
        long byBody = back(body, slopes, needed);
        long byShortcut = back(shortcut, slopes, needed);
        if (!needed) {
          return 0;
        }
        long dIn = list.buffer(inputs);
        list.value("add", inputs, byBody, byShortcut, dIn, inputs);
        return dIn;
      };
    }

    @Override
    public Back shift(Layer.Shift layer) {
      return notHere();
    }

    @Override
    public Back scattering(Scattering layer) {
      return notHere();
    }

    /** The engine has refused it. */
    private Back notHere() {
      throw new IllegalStateException("a layer that the engine refuses: " + node.layer());
    }
  }
}
