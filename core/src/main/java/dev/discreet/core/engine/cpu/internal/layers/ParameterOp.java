package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.nn.Layout.Slice;
import java.util.List;

/** An op whose layer has parameters. After a tile's backward it can say and add each gradient. */
public abstract class ParameterOp extends LayerOp {
  public final List<Slice> slices;

  ParameterOp(List<Slice> slices, float[] in, float[] dIn, float[] out, float[] dOut) {
    super(in, dIn, out, dOut);
    this.slices = slices;
  }

  /**
   * An upper bound, within a relative 2⁻¹⁶, of ‖g + λθ‖² of one example over one slice.
   *
   * @param decay λ, 0 for none
   */
  public abstract double square(int example, int slice, double decay, float[] parameters);

  /**
   * Adds factor·g of each example to the sum by one fused multiply-add a coordinate, in order.
   *
   * @param factor of each example
   */
  public abstract void accumulate(int n, int slice, float[] factor, float[] sum);

  /** Whether {@link #square} put λθ into the gradient; else the chunk adds λΣcθ at its end. */
  public abstract boolean addsDecay();

  /**
   * Adds the gradients of examples {@code [from..to)} to a whole parameter vector, in order: the
   * same bits as one after another.
   */
  public abstract void addTo(int from, int to, float[] gradient);

  /**
   * Adds ⟨gradient, direction⟩ over the op's slices to what each example of the tile has, and to
   * its error what rounding can have done to that.
   */
  public abstract void project(
      int n, RandomDirections directions, int direction, double[] projected, double[] error);

  /** Makes one example's gradient zero, whatever it held. */
  public abstract void erase(int example);
}
