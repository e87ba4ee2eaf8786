package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.nn.Layout.Slice;
import java.util.Arrays;
import java.util.List;

/** An op that writes each example's gradient out in the worker's scratch. */
abstract class MaterialisedOp extends ParameterOp {
  final Kernels kernels;

  /** One example's gradients after another, slices in order. */
  final float[] gradients;

  final int size;
  private final int first;

  MaterialisedOp(
      Kernels kernels,
      List<Slice> slices,
      int tile,
      float[] in,
      float[] dIn,
      float[] out,
      float[] dOut) {
    super(slices, in, dIn, out, dOut);
    this.kernels = kernels;
    this.size = slices.stream().mapToInt(Slice::size).sum();
    this.first = slices.get(0).offset();
    this.gradients = buffer(tile, size);
  }

  private int at(int example, int slice) {
    return example * size + slices.get(slice).offset() - first;
  }

  @Override
  public double square(int example, int slice, double decay, float[] parameters) {
    Slice s = slices.get(slice);
    int at = at(example, slice);
    if (decay > 0) {
      kernels.addScaled((float) decay, parameters, s.offset(), gradients, at, s.size());
    }
    return kernels.sumOfSquares(gradients, at, at + s.size());
  }

  @Override
  public void accumulate(int n, int slice, float[] factor, float[] sum) {
    Slice s = slices.get(slice);
    kernels.addScaledRows(factor, n, gradients, at(0, slice), size, sum, s.offset(), s.size());
  }

  /** {@link #square} has put it into the gradient already. */
  @Override
  public boolean addsDecay() {
    return true;
  }

  @Override
  public void addTo(int from, int to, float[] gradient) {
    for (int e = from; e < to; e++) {
      kernels.addScaled(1, gradients, e * size, gradient, first, size);
    }
  }

  /** The gradient is there, so that is one product, and exact but for what all products lose. */
  @Override
  public void project(
      int n, RandomDirections directions, int direction, double[] projected, double[] error) {
    for (int e = 0; e < n; e++) {
      projected[e] += directions.product(direction, first, gradients, e * size, size);
    }
  }

  @Override
  public void erase(int example) {
    Arrays.fill(gradients, example * size, (example + 1) * size, 0);
  }
}
