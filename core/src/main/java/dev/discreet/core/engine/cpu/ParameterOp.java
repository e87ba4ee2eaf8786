package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layout.Slice;
import java.util.List;

/** An op whose layer has parameters. After a tile's backward it can say and add each gradient. */
abstract class ParameterOp extends Op {
  final List<Slice> slices;

  ParameterOp(List<Slice> slices, float[] in, float[] dIn, float[] out, float[] dOut) {
    super(in, dIn, out, dOut);
    this.slices = slices;
  }

  /**
   * An upper bound, within a relative 2⁻¹⁶, of ‖g + λθ‖² of one example over one slice.
   *
   * @param decay λ, 0 for none
   */
  abstract double square(int example, int slice, double decay, float[] parameters);

  /**
   * Adds factor·g of each example to the sum by one fused multiply-add a coordinate, in order.
   *
   * @param factor of each example
   */
  abstract void accumulate(int n, int slice, float[] factor, float[] sum);

  /** Whether {@link #square} put λθ into the gradient; else the chunk adds λΣcθ at its end. */
  abstract boolean addsDecay();

  /** Adds one example's gradient to a whole parameter vector. */
  abstract void addTo(int example, float[] gradient);

  /** Adds the whole tile's gradients, unclipped, to a sum. */
  abstract void addAll(int n, float[] sum);

  /**
   * Adds ⟨gradient, direction⟩ over the op's slices to what each example of the tile has, and to
   * its error what rounding can have done to that.
   */
  abstract void project(
      int n, Estimates estimates, int direction, double[] projected, double[] error);

  /** Makes one example's gradient zero, whatever it held. */
  abstract void erase(int example);
}
