package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sums of large dense layers, of which no thread has its own: threads first leave a row for
 * each unit ({@link LayerRows}), and then each makes some parameters' sums of all chunks. A sum for
 * every thread would take longer to add up than the gradients take to make.
 *
 * <p>Chunks are added up as elsewhere: the units of a chunk in their order by fused multiply-adds,
 * from 0, then the decay, then the rounding to the grid. So it makes no difference to any bit which
 * layers are summed like this.
 */
public final class SpreadSums {
  /** Inputs that a part of the sums has at most. */
  private static final int INPUTS = 24;

  /**
   * Some parameters: {@code depth} inputs by one part of a layer's outputs.
   *
   * @param at where the first of them lies
   */
  private record Part(Layer layer, int slice, int input, int depth, int outputs, int at) {}

  /** What a thread needs for the sums of a part. */
  private static final class Scratch {
    final int[] high = new int[INPUTS * LayerRows.COLUMNS + Kernels.SLACK];
    final int[] low = new int[high.length];
    final float[] parameters = new float[high.length];
  }

  /** A dense layer; its weights' slice, and that of its biases or −1. */
  private record Layer(Node node, int weights, int biases, LayerRows rows) {
    int size() {
      return node.slices().get(0).size();
    }
  }

  private final List<Layer> layers = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final boolean[] spread;
  private final boolean everything;
  private final Scratch[] scratch;
  private final int capacity;

  /** For each group, the factor of each row. */
  private final float[][] factors;

  /**
   * @param large how many weights a layer must have
   * @param room for the floats of all rows that are kept at a time
   * @param threads that make sums
   */
  public SpreadSums(Layout layout, UnitRule rule, int large, int room, int threads) {
    List<Slice> slices = layout.slices();
    this.spread = new boolean[slices.size()];
    List<Layer> dense = new ArrayList<>();
    boolean others = false;
    for (Node node : layout.allNodes()) {
      int[] own =
          node.slices().stream()
              .mapToInt(slices::indexOf)
              .filter(s -> rule.group()[s] >= 0)
              .toArray();
      boolean together =
          ParameterForm.of(node) == ParameterForm.DENSE
              && own.length == node.slices().size()
              && Arrays.stream(own).allMatch(s -> rule.group()[s] == rule.group()[own[0]]);
      if (together) {
        dense.add(new Layer(node, own[0], own.length > 1 ? own[1] : -1, new LayerRows(node)));
      } else {
        others |= own.length > 0;
      }
    }
    boolean any = dense.stream().anyMatch(layer -> layer.size() >= large);
    this.everything = any && !others;
    for (Layer layer : dense) {
      if (everything || layer.size() >= large) {
        layers.add(layer);
        spread[layer.weights] = true;
        if (layer.biases >= 0) {
          spread[layer.biases] = true;
        }
        cut(layer, slices);
      }
    }
    this.scratch = new Scratch[layers.isEmpty() ? 0 : threads];
    Arrays.setAll(scratch, thread -> new Scratch());
    this.factors = new float[rule.groups()][0];
    int width = layers.stream().mapToInt(layer -> layer.rows.width()).sum();
    this.capacity = room / Math.max(1, width);
  }

  private void cut(Layer layer, List<Slice> slices) {
    int inputs = layer.node.input().size();
    int outputs = layer.node.output().size();
    for (int part = 0; part < layer.rows.parts(); part++) {
      for (int i = 0; i < inputs; i += INPUTS) {
        int at = slices.get(layer.weights).offset() + i * outputs + part * LayerRows.COLUMNS;
        parts.add(new Part(layer, layer.weights, i, Math.min(INPUTS, inputs - i), part, at));
      }
      if (layer.biases >= 0) {
        int at = slices.get(layer.biases).offset() + part * LayerRows.COLUMNS;
        parts.add(new Part(layer, layer.biases, inputs, 1, part, at));
      }
    }
  }

  /** Whether there is any layer that is summed like this. */
  public boolean isUsed() {
    return !layers.isEmpty();
  }

  /** Whether all parameters that are trained are summed like this. */
  public boolean isEverything() {
    return everything;
  }

  public boolean has(int slice) {
    return spread[slice];
  }

  /** How many units' rows there is room for, but for a chunk that is larger by itself. */
  public int capacity() {
    return capacity;
  }

  /** Makes room for so many units. */
  public void reserve(int units) {
    layers.forEach(layer -> layer.rows.reserve(units));
    for (int g = 0; g < factors.length; g++) {
      factors[g] = factors[g].length < units ? new float[units] : factors[g];
    }
  }

  /** The unit of this row adds nothing. */
  public void clear(int row) {
    layers.forEach(layer -> layer.rows.clear(row));
    for (float[] each : factors) {
      each[row] = 0;
    }
  }

  /**
   * Keeps what the units of a tile add.
   *
   * @param owner of each slice
   * @param group of each slice
   * @param by which each unit's gradient is multiplied, for each group
   * @param rows of each unit of the tile
   */
  public void keep(int n, ParameterOp[] owner, int[] group, float[][] by, int[] rows) {
    for (int g = 0; g < by.length; g++) {
      for (int e = 0; e < n; e++) {
        factors[g][rows[e]] = by[g][e];
      }
    }
    for (Layer layer : layers) {
      DenseOp op = (DenseOp) owner[layer.weights];
      op.keep(n, by[group[layer.weights]], rows, layer.rows);
    }
  }

  /**
   * For each slice and chunk, the share λΣc of the parameters that the decay adds to the sum.
   *
   * @param ends where the rows of each chunk end
   * @return null for none
   */
  public float[][] shares(UnitRule rule, int[] ends) {
    if (rule.decay() == 0) {
      return null;
    }
    float[][] shares = new float[spread.length][ends.length];
    for (int s = 0; s < spread.length; s++) {
      int from = 0;
      for (int c = 0; spread[s] && rule.decayed()[s] && c < ends.length; c++) {
        double sum = 0;
        for (int row = from; row < ends[c]; row++) {
          sum += factors[rule.group()[s]][row];
        }
        shares[s][c] = (float) (rule.decay() * sum);
        from = ends[c];
      }
    }
    return shares;
  }

  /** How many parts the sums have, which threads can make apart. */
  public int parts() {
    return parts.size();
  }

  /**
   * Makes one part of the chunks' sums.
   *
   * @param ends where the rows of each chunk end
   * @param shares for each slice and chunk, the share of the parameters that is added; null for
   *     none
   * @param integers of all parameters that are trained
   * @param places for each parameter its place among them; null if in order
   * @param first whether these chunks are the lot's first, and what the integers were goes
   */
  public void sum(
      int part,
      int thread,
      Kernels kernels,
      int[] ends,
      float[][] shares,
      float[] parameters,
      float scale,
      long[] integers,
      int[] places,
      boolean first) {
    Part of = parts.get(part);
    Scratch own = scratch[thread];
    int columns = of.layer.rows.columns(of.outputs);
    int width = of.layer.node.output().size();
    for (int k = 0; shares != null && k < of.depth; k++) {
      System.arraycopy(parameters, of.at + k * width, own.parameters, k * columns, columns);
    }
    Arrays.fill(own.high, 0, of.depth * columns, 0);
    Arrays.fill(own.low, 0, of.depth * columns, 0);
    int from = 0;
    for (int c = 0; c < ends.length; c++) {
      if (from < ends[c]) {
        of.layer.rows.sum(
            kernels,
            from,
            ends[c],
            of.input,
            of.depth,
            of.outputs,
            shares == null ? 0 : shares[of.slice][c],
            own.parameters,
            scale,
            own.high,
            own.low);
      }
      from = ends[c];
    }
    for (int k = 0; k < of.depth; k++) {
      int at = of.at + k * width;
      for (int j = 0; j < columns; j++) {
        int place = places == null ? at + j : places[at + j];
        long sum = ((long) own.high[k * columns + j] << 16) + own.low[k * columns + j];
        integers[place] = first ? sum : integers[place] + sum;
      }
    }
  }
}
