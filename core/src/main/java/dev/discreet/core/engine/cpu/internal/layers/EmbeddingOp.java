package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.nn.Layer.Embedding;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import java.util.Arrays;

/**
 * A table of rows. An example's gradient is zero but for the rows that it used; those are summed
 * here, one row for each different token, so that a token that comes twice counts once in the norm.
 */
public final class EmbeddingOp extends ParameterOp {
  private final Kernels kernels;
  private final StepWeights shared;
  private final int vocabulary;
  private final int width;
  private final int length;
  private final Slice table;

  /** For each example, its different tokens (−1 after the last) and their summed gradients. */
  private final int[] tokens;

  private final float[] rows;

  public EmbeddingOp(Kernels kernels, StepWeights shared, Node node, int tile, float[] in) {
    super(
        node.slices(),
        in,
        null,
        buffer(tile, node.output().size()),
        buffer(tile, node.output().size()));
    Embedding embedding = (Embedding) node.layer();
    this.kernels = kernels;
    this.shared = shared;
    this.vocabulary = embedding.vocabulary();
    this.width = embedding.size();
    this.length = node.input().size();
    this.table = node.slices().get(0);
    this.tokens = new int[tile * length];
    this.rows = buffer(tile, length * width);
  }

  /** The token at a place of the tile. */
  private int token(int i) {
    return (int) in[i];
  }

  @Override
  public void forward(int n, TileContext context) {
    for (int i = 0; i < n * length; i++) {
      // Private examples with other tokens were left out before.
      Check.that(
          in[i] >= 0 && in[i] < vocabulary && in[i] == Math.rint(in[i]),
          "token",
          "a whole number in [0, " + (vocabulary - 1) + "]",
          in[i]);
      int from = table.offset() + token(i) * width;
      System.arraycopy(shared.parameters(), from, out, i * width, width);
    }
  }

  @Override
  public void tangent(int n, Tangents tangents) {
    float[] moved = tangents.of(out);
    for (int i = 0; i < n * length; i++) {
      int from = table.offset() + token(i) * width;
      System.arraycopy(tangents.direction.values(), from, moved, i * width, width);
    }
  }

  @Override
  public void backward(int n, TileContext context) {
    Arrays.fill(tokens, 0, n * length, -1);
    for (int i = 0; i < n * length; i++) {
      int token = token(i);
      int slot = i / length * length;
      while (tokens[slot] >= 0 && tokens[slot] != token) {
        slot++;
      }
      if (tokens[slot] < 0) {
        tokens[slot] = token;
        Arrays.fill(rows, slot * width, (slot + 1) * width, 0);
      }
      kernels.addScaled(1, dOut, i * width, rows, slot * width, width);
    }
  }

  @Override
  public double square(int example, int slice, double decay, float[] parameters) {
    double rest = decay == 0 ? 0 : shared.square(table);
    double used = 0;
    for (int slot = example * length; slot < (example + 1) * length; slot++) {
      if (tokens[slot] < 0) {
        break;
      }
      for (int c = 0; c < width; c++) {
        double theta = decay == 0 ? 0 : parameters[table.offset() + tokens[slot] * width + c];
        double g = rows[slot * width + c] + decay * theta;
        used += g * g;
        rest -= theta * theta;
      }
    }
    return used + decay * decay * Math.max(0, rest);
  }

  @Override
  public void accumulate(int n, int slice, float[] factor, float[] sum) {
    for (int e = 0; e < n; e++) {
      add(e, factor[e], sum);
    }
  }

  private void add(int example, float factor, float[] sum) {
    for (int slot = example * length; slot < (example + 1) * length; slot++) {
      if (tokens[slot] < 0) {
        break;
      }
      kernels.addScaled(
          factor, rows, slot * width, sum, table.offset() + tokens[slot] * width, width);
    }
  }

  @Override
  public boolean addsDecay() {
    return false;
  }

  @Override
  public void addTo(int from, int to, float[] gradient) {
    for (int e = from; e < to; e++) {
      add(e, 1, gradient);
    }
  }

  @Override
  public void project(
      int n, RandomDirections directions, int direction, double[] projected, double[] error) {
    for (int e = 0; e < n; e++) {
      for (int slot = e * length; slot < (e + 1) * length && tokens[slot] >= 0; slot++) {
        int at = table.offset() + tokens[slot] * width;
        projected[e] += directions.product(direction, at, rows, slot * width, width);
      }
    }
  }

  @Override
  public void erase(int example) {
    Arrays.fill(tokens, example * length, (example + 1) * length, -1);
  }
}
