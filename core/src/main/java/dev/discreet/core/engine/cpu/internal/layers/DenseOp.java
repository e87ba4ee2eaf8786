package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.PackedMatrix;
import dev.discreet.core.engine.cpu.internal.kernels.WindowTables;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import java.util.Arrays;

/**
 * A dense layer. An example's weight gradient is δaᵀ and is never written out: its norm is ‖a‖·‖δ‖,
 * and the clipped sum over a tile is one product of scaled δ with a.
 */
public final class DenseOp extends ParameterOp {
  private final Kernels kernels;
  private final StepWeights shared;
  private final Node node;
  private final DenseWeights weights;
  private final int inputs;
  private final int outputs;
  private final int[] inBase;
  private final int[] outBase;
  private final int[] along;
  private final int[] across;
  private final float[] scaled;
  private final float[] ones;

  public DenseOp(
      Kernels kernels, StepWeights shared, Node node, int tile, float[] in, float[] dIn) {
    super(
        node.slices(),
        in,
        dIn,
        buffer(tile, node.output().size()),
        buffer(tile, node.output().size()));
    this.kernels = kernels;
    this.shared = shared;
    this.node = node;
    this.weights = (DenseWeights) shared.of(node);
    this.inputs = node.input().size();
    this.outputs = node.output().size();
    this.inBase = WindowTables.steps(tile, inputs);
    this.outBase = WindowTables.steps(tile, outputs);
    this.along = WindowTables.steps(inputs, 1);
    this.across = WindowTables.steps(outputs, 1);
    this.scaled = buffer(tile, outputs);
    this.ones = new float[tile];
    Arrays.fill(ones, 1);
  }

  @Override
  public void forward(int n, TileContext context) {
    kernels.multiply(in, inBase, n, along, weights.forward, out, outBase, 0);
  }

  /** aV + b′ + a′W. */
  @Override
  public void tangent(int n, Tangents tangents) {
    PackedMatrix own = ((DenseWeights) tangents.direction.along(node)).forward;
    PackedMatrix linear = ((DenseWeights) tangents.direction.linear(node)).forward;
    float[] moved = tangents.of(out);
    kernels.multiply(in, inBase, n, along, own, moved, outBase, 0);
    kernels.multiply(tangents.of(in), inBase, n, along, linear, scaled, outBase, 0);
    kernels.addScaled(1, scaled, 0, moved, 0, n * outputs);
  }

  @Override
  public void backward(int n, TileContext context) {
    if (dIn != null) {
      kernels.multiply(dOut, outBase, n, across, weights.backward, dIn, inBase, 0);
    }
  }

  private double inputSquare(int example) {
    return kernels.sumOfSquares(in, example * inputs, (example + 1) * inputs);
  }

  private double deltaSquare(int example) {
    return kernels.sumOfSquares(dOut, example * outputs, (example + 1) * outputs);
  }

  private boolean isWeight(int slice) {
    return slice == 0;
  }

  @Override
  public double square(int example, int slice, double decay, float[] parameters) {
    double delta = deltaSquare(example);
    double gradient = isWeight(slice) ? inputSquare(example) * delta : delta;
    if (decay == 0 || !Double.isFinite(gradient)) {
      return gradient;
    }
    // ⟨∇W, W⟩ = Σδ·(z − b), ⟨∇b, b⟩ = Σδ·b: the layer's own output has the product ready.
    double cross = 0;
    Slice bias = slices.size() > 1 ? slices.get(1) : null;
    for (int o = 0; o < outputs; o++) {
      double b = bias == null ? 0 : parameters[bias.offset() + o];
      double z = out[example * outputs + o];
      cross += dOut[example * outputs + o] * (isWeight(slice) ? z - b : b);
    }
    double theta = shared.square(slices.get(slice));
    double estimate = gradient + 2 * decay * cross + decay * decay * theta;
    // z is a chain of inputs + 1 roundings, each at most 2⁻²⁴ of what it sums over.
    double chain = isWeight(slice) ? (inputs + 2) * 0x1p-24 : 0x1p-50;
    double carried = Math.sqrt(delta) * (bias == null ? 0 : Math.sqrt(shared.square(bias)));
    double error =
        2 * decay * chain * (Math.sqrt(gradient * theta) + carried)
            + 0x1p-17 * gradient
            + 0x1p-48 * (gradient + decay * decay * theta);
    return error < 0x1p-13 * estimate
        ? estimate + error
        : direct(example, slice, decay, parameters);
  }

  /** Σ(g + λθ)² term by term, for the rare example whose terms cancel. */
  private double direct(int example, int slice, double decay, float[] parameters) {
    int at = slices.get(slice).offset();
    double sum = 0;
    for (int k = 0; k < (isWeight(slice) ? inputs : 1); k++) {
      double a = isWeight(slice) ? in[example * inputs + k] : 1;
      for (int o = 0; o < outputs; o++) {
        double g = a * dOut[example * outputs + o] + decay * parameters[at + k * outputs + o];
        sum += g * g;
      }
    }
    return sum;
  }

  @Override
  public void accumulate(int n, int slice, float[] factor, float[] sum) {
    int at = slices.get(slice).offset();
    System.arraycopy(dOut, 0, scaled, 0, n * outputs);
    for (int e = 0; e < n; e++) {
      kernels.scale(factor[e], scaled, e * outputs, outputs);
    }
    if (isWeight(slice)) {
      kernels.outer(in, inBase, along, scaled, outBase, 0, outputs, 0, n, sum, at, outputs, true);
    } else {
      kernels.addScaledRows(ones, n, scaled, 0, outputs, sum, at, outputs);
    }
  }

  /** Keeps what {@link #accumulate} would add of each example, in its row. */
  void keep(int n, float[] factor, int[] row, LayerRows rows) {
    for (int e = 0; e < n; e++) {
      rows.set(row[e], in, e * inputs, dOut, e * outputs, factor[e]);
    }
  }

  @Override
  public boolean addsDecay() {
    return false;
  }

  @Override
  public void addTo(int from, int to, float[] sum) {
    kernels.outer(
        in,
        inBase,
        along,
        dOut,
        outBase,
        0,
        outputs,
        from,
        to,
        sum,
        slices.get(0).offset(),
        outputs,
        true);
    for (int e = from; slices.size() > 1 && e < to; e++) {
      kernels.addScaled(1, dOut, e * outputs, sum, slices.get(1).offset(), outputs);
    }
  }

  /**
   * ⟨δaᵀ, V⟩ = ⟨δ, Vᵀa⟩. Each of Vᵀa is a chain of fused multiply-adds in single precision over a
   * column of V, and so off by at most γ‖column‖·‖(a, 1)‖, and where it underflows by half the
   * smallest float each time.
   */
  @Override
  public void project(
      int n, RandomDirections directions, int direction, double[] projected, double[] error) {
    kernels.multiply(in, inBase, n, along, directions.panels(direction, node), scaled, outBase, 0);
    double roundings = (inputs + 2) * 0x1p-24;
    double gamma = roundings < 0.5 ? roundings / (1 - roundings) + outputs * 0x1p-50 : Double.NaN;
    double perInput = 1.001 * gamma * directions.longest(direction, node);
    for (int e = 0; e < n; e++) {
      double sum = 0;
      double size = 0;
      for (int i = e * outputs; i < (e + 1) * outputs; i++) {
        sum += (double) dOut[i] * scaled[i];
        size += Math.abs(dOut[i]);
      }
      projected[e] += sum;
      double off = perInput * Math.sqrt(inputSquare(e) + 1) + inputs * (double) Float.MIN_VALUE;
      error[e] += size * off;
    }
  }

  @Override
  public void erase(int example) {
    Arrays.fill(in, example * inputs, (example + 1) * inputs, 0);
    Arrays.fill(dOut, example * outputs, (example + 1) * outputs, 0);
  }
}
