package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.WindowTables;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.Arrays;

/** Pooling: the same walk over examples, with two things to do in each. */
public abstract class PoolOp extends LayerOp {
  final Kernels kernels;
  final WindowTables.Taps taps;
  final int channels;
  final int inputs;
  private final int outputs;

  private PoolOp(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
    super(in, dIn, buffer(tile, node.output().size()), buffer(tile, node.output().size()));
    Shape input = node.input();
    this.kernels = kernels;
    this.taps = WindowTables.Taps.of(window, input, node.output());
    this.channels = input.channels();
    this.inputs = input.size();
    this.outputs = node.output().size();
  }

  abstract void example(int inAt, int outAt);

  abstract void exampleBack(int inAt, int outAt);

  abstract void exampleTangent(float[] moving, int inAt, float[] moved, int outAt);

  @Override
  public void tangent(int n, Tangents tangents) {
    for (int e = 0; e < n; e++) {
      exampleTangent(tangents.of(in), e * inputs, tangents.of(out), e * outputs);
    }
  }

  @Override
  public void forward(int n, TileContext context) {
    for (int e = 0; e < n; e++) {
      example(e * inputs, e * outputs);
    }
  }

  @Override
  public void backward(int n, TileContext context) {
    if (dIn == null) {
      return;
    }
    for (int e = 0; e < n; e++) {
      exampleBack(e * inputs, e * outputs);
    }
  }

  public static final class Max extends PoolOp {
    /** Which tap won. */
    private final int[] winner;

    private final WindowTables.Seen seen;

    public Max(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
      super(kernels, node, window, tile, in, dIn);
      this.winner = new int[tile * node.output().size() + Kernels.SLACK];
      this.seen = WindowTables.Seen.of(taps, node.input().positions(), channels);
    }

    @Override
    void example(int inAt, int outAt) {
      kernels.maxPool(in, inAt, taps, channels, out, winner, outAt);
    }

    @Override
    void exampleTangent(float[] moving, int inAt, float[] moved, int outAt) {
      for (int p = 0; p < taps.positions(); p++) {
        for (int c = 0; c < channels; c++) {
          int i = outAt + p * channels + c;
          moved[i] = moving[inAt + taps.places()[taps.start()[p] + winner[i]] + c];
        }
      }
    }

    @Override
    void exampleBack(int inAt, int outAt) {
      kernels.maxPoolBack(dIn, inAt, seen, channels, dOut, winner, outAt);
    }
  }

  public static final class Average extends PoolOp {
    private final float share;

    public Average(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
      super(kernels, node, window, tile, in, dIn);
      this.share = 1f / window.size();
    }

    @Override
    void example(int inAt, int outAt) {
      kernels.averagePool(in, inAt, taps, channels, share, out, outAt);
    }

    @Override
    void exampleTangent(float[] moving, int inAt, float[] moved, int outAt) {
      kernels.averagePool(moving, inAt, taps, channels, share, moved, outAt);
    }

    @Override
    void exampleBack(int inAt, int outAt) {
      Arrays.fill(dIn, inAt, inAt + inputs, 0);
      kernels.averagePoolBack(dIn, inAt, taps, channels, share, dOut, outAt);
    }
  }
}
