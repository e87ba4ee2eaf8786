package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout.Node;

/**
 * Group norm and layer norm. Both cut an example's values into blocks (channels of a group at all
 * positions; all channels of a position), bring each to mean 0 and variance 1, and scale and shift
 * by channel. Sums are in double: blocks are small and cancel.
 */
public final class NormOp extends MaterialisedOp {
  private final StepWeights shared;
  private final int positions;
  private final int channels;
  private final int groups;
  private final boolean perPosition;
  private final int size;
  private final float[] normal;
  private final float[] inverse;

  /**
   * @param groups blocks that the channels are cut into
   * @param perPosition whether each position is normalised by itself, or all of them together
   */
  public NormOp(
      Kernels kernels,
      StepWeights shared,
      Node node,
      int groups,
      boolean perPosition,
      int tile,
      float[] in,
      float[] dIn) {
    super(
        kernels,
        node.slices(),
        tile,
        in,
        dIn,
        buffer(tile, node.output().size()),
        buffer(tile, node.output().size()));
    this.shared = shared;
    this.positions = node.input().positions();
    this.channels = node.input().channels();
    this.size = node.input().size();
    this.perPosition = perPosition;
    this.groups = groups;
    this.normal = buffer(tile, size);
    this.inverse = buffer(tile, blocks());
  }

  private int blocks() {
    return perPosition ? positions : groups;
  }

  /** Channels and positions of a block. */
  private int width() {
    return channels / groups;
  }

  private int height() {
    return perPosition ? 1 : positions;
  }

  private int start(int example, int block) {
    return example * size + block * (perPosition ? channels : width());
  }

  @Override
  public void forward(int n, TileContext context) {
    float[] theta = shared.parameters();
    int scale = slices.get(0).offset();
    int shift = slices.get(1).offset();
    int count = width() * height();
    for (int e = 0; e < n; e++) {
      for (int b = 0; b < blocks(); b++) {
        int start = start(e, b);
        double sum = 0;
        for (int p = 0; p < height(); p++) {
          for (int c = 0; c < width(); c++) {
            sum += in[start + p * channels + c];
          }
        }
        double mean = sum / count;
        double square = 0;
        for (int p = 0; p < height(); p++) {
          for (int c = 0; c < width(); c++) {
            double d = in[start + p * channels + c] - mean;
            square += d * d;
          }
        }
        double factor = 1 / Math.sqrt(square / count + Layer.EPSILON);
        inverse[e * blocks() + b] = (float) factor;
        for (int p = 0; p < height(); p++) {
          for (int c = 0; c < width(); c++) {
            int i = start + p * channels + c;
            int channel = (i - e * size) % channels;
            normal[i] = (float) ((in[i] - mean) * factor);
            out[i] = Math.fma(normal[i], theta[scale + channel], theta[shift + channel]);
          }
        }
      }
    }
  }

  @Override
  public void tangent(int n, Tangents tangents) {
    float[] theta = shared.parameters();
    float[] v = tangents.direction.values();
    float[] moving = tangents.of(in);
    float[] moved = tangents.of(out);
    int scale = slices.get(0).offset();
    int shift = slices.get(1).offset();
    int count = width() * height();
    for (int e = 0; e < n; e++) {
      for (int b = 0; b < blocks(); b++) {
        int start = start(e, b);
        double sum = 0;
        double along = 0;
        for (int p = 0; p < height(); p++) {
          for (int c = 0; c < width(); c++) {
            int i = start + p * channels + c;
            sum += moving[i];
            along += (double) moving[i] * normal[i];
          }
        }
        for (int p = 0; p < height(); p++) {
          for (int c = 0; c < width(); c++) {
            int i = start + p * channels + c;
            int channel = (i - e * size) % channels;
            double d =
                inverse[e * blocks() + b] * (moving[i] - sum / count - normal[i] * along / count);
            moved[i] =
                (float) (theta[scale + channel] * d + v[scale + channel] * normal[i])
                    + v[shift + channel];
          }
        }
      }
    }
  }

  @Override
  public void backward(int n, TileContext context) {
    float[] theta = shared.parameters();
    int scale = slices.get(0).offset();
    int count = width() * height();
    for (int e = 0; e < n; e++) {
      int own = e * 2 * channels;
      for (int c = 0; c < channels; c++) {
        double byScale = 0;
        double byShift = 0;
        for (int p = 0; p < positions; p++) {
          int i = e * size + p * channels + c;
          byScale += (double) dOut[i] * normal[i];
          byShift += dOut[i];
        }
        gradients[own + c] = (float) byScale;
        gradients[own + channels + c] = (float) byShift;
      }
      for (int b = 0; dIn != null && b < blocks(); b++) {
        int start = start(e, b);
        double sum = 0;
        double along = 0;
        for (int p = 0; p < height(); p++) {
          for (int c = 0; c < width(); c++) {
            int i = start + p * channels + c;
            double d = (double) dOut[i] * theta[scale + (i - e * size) % channels];
            sum += d;
            along += d * normal[i];
          }
        }
        for (int p = 0; p < height(); p++) {
          for (int c = 0; c < width(); c++) {
            int i = start + p * channels + c;
            double d = (double) dOut[i] * theta[scale + (i - e * size) % channels];
            dIn[i] =
                (float) (inverse[e * blocks() + b] * (d - sum / count - normal[i] * along / count));
          }
        }
      }
    }
  }
}
