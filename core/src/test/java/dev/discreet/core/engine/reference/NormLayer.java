package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Shape;
import java.util.stream.IntStream;

/**
 * Values in blocks, each block to mean 0 and variance 1, then times a scale and plus a shift for
 * each channel.
 *
 * @param block for each value, the block it is in
 */
record NormLayer(Node node, int[] block, int blocks) implements ReferenceLayer {

  /** Blocks of neighbouring channels, each over all positions. */
  static NormLayer group(Node node, int groups) {
    int channels = node.input().channels();
    int[] block =
        IntStream.range(0, node.input().size())
            .map(i -> i % channels / (channels / groups))
            .toArray();
    return new NormLayer(node, block, groups);
  }

  /** Each position a block. */
  static NormLayer position(Node node) {
    Shape shape = node.input();
    int[] block = IntStream.range(0, shape.size()).map(i -> i / shape.channels()).toArray();
    return new NormLayer(node, block, shape.positions());
  }

  @Override
  public double[] forward(Point at, double[] x) {
    double[] y = new double[x.length];
    double[] normalised = normalised(x);
    for (int i = 0; i < x.length; i++) {
      int channel = i % node.input().channels();
      y[i] =
          at.parameters()[scale() + channel] * normalised[i] + at.parameters()[shift() + channel];
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    double[] normalised = normalised(x);
    double[] d = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      int channel = i % node.input().channels();
      gradient[scale() + channel] += dy[i] * normalised[i];
      gradient[shift() + channel] += dy[i];
      d[i] = dy[i] * at.parameters()[scale() + channel];
    }
    return normalisedTangent(x, normalised, d);
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    double[] normalised = normalised(x);
    double[] moved = normalisedTangent(x, normalised, dx);
    double[] dy = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      int channel = i % node.input().channels();
      dy[i] =
          at.parameters()[scale() + channel] * moved[i]
              + v[scale() + channel] * normalised[i]
              + v[shift() + channel];
    }
    return dy;
  }

  /** (d − mean(d) − n·mean(n·d))/deviation: a symmetric matrix, so forwards and backwards alike. */
  private double[] normalisedTangent(double[] x, double[] normalised, double[] d) {
    double[] deviation = deviations(x, means(x));
    double[] mean = means(d);
    double[] product = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      product[i] = d[i] * normalised[i];
    }
    double[] along = means(product);
    double[] moved = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      moved[i] = (d[i] - mean[block[i]] - normalised[i] * along[block[i]]) / deviation[block[i]];
    }
    return moved;
  }

  private double[] normalised(double[] x) {
    double[] mean = means(x);
    double[] deviation = deviations(x, mean);
    double[] normalised = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      normalised[i] = (x[i] - mean[block[i]]) / deviation[block[i]];
    }
    return normalised;
  }

  private double[] means(double[] values) {
    double[] mean = new double[blocks];
    for (int i = 0; i < values.length; i++) {
      mean[block[i]] += values[i] / (values.length / blocks);
    }
    return mean;
  }

  /** √(variance + ε) of each block. */
  private double[] deviations(double[] x, double[] mean) {
    double[] squares = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      squares[i] = (x[i] - mean[block[i]]) * (x[i] - mean[block[i]]);
    }
    double[] variance = means(squares);
    double[] deviation = new double[blocks];
    for (int b = 0; b < blocks; b++) {
      deviation[b] = Math.sqrt(variance[b] + Layer.EPSILON);
    }
    return deviation;
  }

  private int scale() {
    return node.slices().get(0).offset();
  }

  private int shift() {
    return node.slices().get(1).offset();
  }
}
