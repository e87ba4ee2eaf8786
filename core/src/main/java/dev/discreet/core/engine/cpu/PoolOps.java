package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.Arrays;

/** Pooling: the same walk over windows, with two things to do in each. */
abstract class PoolOps extends Op {
  final Kernels kernels;
  final Shape input;
  final Shape output;
  final Tables.Taps taps;

  private PoolOps(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
    super(in, dIn, buffer(tile, node.output().size()), buffer(tile, node.output().size()));
    this.kernels = kernels;
    this.input = node.input();
    this.output = node.output();
    this.taps = Tables.Taps.of(window, input, output);
  }

  /** One output position: {@code from} to {@code to} are its taps. */
  abstract void position(int inAt, int from, int to, int outAt);

  abstract void positionBack(int inAt, int from, int to, int outAt);

  @Override
  void forward(int n, Pass pass) {
    for (int e = 0; e < n; e++) {
      for (int p = 0; p < output.positions(); p++) {
        position(
            e * input.size(),
            taps.start()[p],
            taps.start()[p + 1],
            e * output.size() + p * output.channels());
      }
    }
  }

  @Override
  void backward(int n, Pass pass) {
    if (dIn == null) {
      return;
    }
    Arrays.fill(dIn, 0, n * input.size(), 0);
    for (int e = 0; e < n; e++) {
      for (int p = 0; p < output.positions(); p++) {
        positionBack(
            e * input.size(),
            taps.start()[p],
            taps.start()[p + 1],
            e * output.size() + p * output.channels());
      }
    }
  }

  static final class Max extends PoolOps {
    /** Which tap won, as a float so that vectors can compare it. */
    private final float[] winner;

    Max(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
      super(kernels, node, window, tile, in, dIn);
      this.winner = buffer(tile, output.size());
    }

    @Override
    void position(int inAt, int from, int to, int outAt) {
      kernels.maxTaps(in, inAt, taps.places(), from, to, output.channels(), out, winner, outAt);
    }

    @Override
    void positionBack(int inAt, int from, int to, int outAt) {
      kernels.maxTapsBack(
          dIn, inAt, taps.places(), from, to, output.channels(), dOut, winner, outAt);
    }
  }

  static final class Average extends PoolOps {
    private final float share;

    Average(Kernels kernels, Node node, Window window, int tile, float[] in, float[] dIn) {
      super(kernels, node, window, tile, in, dIn);
      this.share = 1f / window.size();
    }

    @Override
    void position(int inAt, int from, int to, int outAt) {
      int channels = output.channels();
      Arrays.fill(out, outAt, outAt + channels, 0);
      for (int t = from; t < to; t++) {
        kernels.addScaled(share, in, inAt + taps.places()[t], out, outAt, channels);
      }
    }

    @Override
    void positionBack(int inAt, int from, int to, int outAt) {
      for (int t = from; t < to; t++) {
        kernels.addScaled(share, dOut, outAt, dIn, inAt + taps.places()[t], output.channels());
      }
    }
  }
}
