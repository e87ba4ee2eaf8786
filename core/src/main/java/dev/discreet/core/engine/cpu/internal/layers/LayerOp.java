package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;

/**
 * One layer at work on a tile, with its buffers: one worker's own, never shared. Examples follow
 * one another in every buffer. An op reads {@code dOut} and never changes it, unless it works in
 * place and {@code dIn} is the same.
 */
public abstract class LayerOp {
  /** What comes in: the buffer of the op before. */
  final float[] in;

  /** Where the gradient by the input goes; null where no one needs it. */
  public final float[] dIn;

  public final float[] out;
  public final float[] dOut;

  LayerOp(float[] in, float[] dIn, float[] out, float[] dOut) {
    this.in = in;
    this.dIn = dIn;
    this.out = out;
    this.dOut = dOut;
  }

  /** Runs the first {@code n} examples. */
  public abstract void forward(int n, TileContext context);

  /** Takes the gradient back; an op with parameters also prepares those of its own. */
  public abstract void backward(int n, TileContext context);

  /** Forward mode, after {@link #forward}: how what came out moves. */
  public abstract void tangent(int n, Tangents tangents);

  /** A buffer for a tile, with the slack that kernels need. */
  public static float[] buffer(int tile, int size) {
    return new float[Math.addExact(Math.multiplyExact(tile, size), Kernels.SLACK)];
  }
}
