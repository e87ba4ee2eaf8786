package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.Arrays;

/** Pooling: the same walk over examples, with two things to do in each. */
abstract class PoolOps extends Op {
  final Kernels kernels;
  final Tables.Taps taps;
  final int channels;
  final int inputs;
  private final int outputs;

  private PoolOps(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
    super(in, dIn, buffer(tile, node.output().size()), buffer(tile, node.output().size()));
    Shape input = node.input();
    this.kernels = kernels;
    this.taps = Tables.Taps.of(window, input, node.output());
    this.channels = input.channels();
    this.inputs = input.size();
    this.outputs = node.output().size();
  }

  abstract void example(int inAt, int outAt);

  abstract void exampleBack(int inAt, int outAt);

  abstract void exampleTangent(float[] moving, int inAt, float[] moved, int outAt);

  @Override
  void tangent(int n, Tangents tangents) {
    for (int e = 0; e < n; e++) {
      exampleTangent(tangents.of(in), e * inputs, tangents.of(out), e * outputs);
    }
  }

  @Override
  void forward(int n, Pass pass) {
    for (int e = 0; e < n; e++) {
      example(e * inputs, e * outputs);
    }
  }

  @Override
  void backward(int n, Pass pass) {
    if (dIn == null) {
      return;
    }
    for (int e = 0; e < n; e++) {
      exampleBack(e * inputs, e * outputs);
    }
  }

  static final class Max extends PoolOps {
    /** Which tap won. */
    private final int[] winner;

    private final Tables.Seen seen;

    Max(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
      super(kernels, node, window, tile, in, dIn);
      this.winner = new int[tile * node.output().size() + Kernels.SLACK];
      this.seen = Tables.Seen.of(taps, node.input().positions(), channels);
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

  static final class Average extends PoolOps {
    private final float share;

    Average(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
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
