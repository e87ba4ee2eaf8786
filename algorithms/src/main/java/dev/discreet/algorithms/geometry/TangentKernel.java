package dev.discreet.algorithms.geometry;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.LayerName;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.ClippingRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The neural tangent kernel H = J·Jᵀ of a small network on public examples, and what clipping does
 * to it. J has the derivatives of all outputs by all parameters. With c the clipping factors,
 * outputs move as ḟ = −H·diag(c)·r and the loss as −rᵀ·H·diag(c)·r, where r is the loss's
 * derivative by the outputs. A layer that is clipped by itself has its own H and c, and these
 * products add up. Rows are in the order of examples, and of outputs within an example.
 */
public final class TangentKernel {
  private final double[][] jacobian;
  private final double[] residual;
  private final int outputs;
  private final List<int[]> layers;

  private TangentKernel(double[][] jacobian, double[] residual, int outputs, List<int[]> layers) {
    this.jacobian = jacobian;
    this.residual = residual;
    this.outputs = outputs;
    this.layers = layers;
  }

  /**
   * The kernel at the given parameters. It needs memory for examples × outputs × parameters
   * doubles, so keep these small.
   */
  public static TangentKernel of(
      Layout layout, float[] theta, TestSet.Public declaredPublic, Engine engine) {
    Examples examples = declaredPublic.examples();
    int n = examples.size();
    int k = layout.outputs();
    Check.that(n >= 1, "public examples", "at least 1", n);
    double[] residual = new double[n * k];
    float[] predicted;
    int[] all = IntStream.range(0, n).toArray();
    try (PublicGradients gradients = engine.open(layout, examples)) {
      predicted = gradients.predict(theta, all);
    }
    float[] target = new float[examples.targets()];
    for (int i = 0; i < n; i++) {
      examples.target(i, target, 0);
      double[] slope = new double[k];
      layout
          .network()
          .loss()
          .value(doubles(predicted, i * k, k), doubles(target, 0, target.length), slope);
      System.arraycopy(slope, 0, residual, i * k, k);
    }
    return new TangentKernel(
        jacobian(layout, theta, examples, predicted, engine), residual, k, layers(layout));
  }

  /** The gradient of ½‖f − t‖² with t = f − eₒ is the derivative of output o. */
  private static double[][] jacobian(
      Layout layout, float[] theta, Examples examples, float[] predicted, Engine engine) {
    int k = layout.outputs();
    int size = examples.input().size();
    int rows = predicted.length;
    float[] inputs = new float[rows * size];
    float[] targets = new float[rows * k];
    for (int row = 0; row < rows; row++) {
      examples.input(row / k, inputs, row * size);
      System.arraycopy(predicted, row / k * k, targets, row * k, k);
      targets[row * k + row % k] -= 1;
    }
    Layout squared =
        new Network(layout.network().layers(), new Loss.SquaredError()).on(layout.input());
    try (PublicGradients gradients =
        engine.open(squared, Examples.of(layout.input(), inputs, k, targets))) {
      return Arrays.stream(gradients.perExampleGradients(theta, IntStream.range(0, rows).toArray()))
          .map(row -> doubles(row, 0, row.length))
          .toArray(double[][]::new);
    }
  }

  private static double[] doubles(float[] from, int at, int count) {
    return IntStream.range(at, at + count).mapToDouble(i -> from[i]).toArray();
  }

  /** Where each layer's parameters begin and end. */
  private static List<int[]> layers(Layout layout) {
    List<int[]> layers = new ArrayList<>();
    LayerName last = null;
    for (Layout.Slice slice : layout.slices()) {
      if (slice.layer().equals(last)) {
        layers.get(layers.size() - 1)[1] = slice.end();
      } else {
        layers.add(new int[] {slice.offset(), slice.end()});
      }
      last = slice.layer();
    }
    return layers;
  }

  /** H itself. */
  double[][] matrix() {
    return product(0, jacobian[0].length);
  }

  /** The loss's derivative by each output. */
  double[] residual() {
    return residual.clone();
  }

  /** The norm of each example's gradient, which decides how it is clipped. */
  public double[] gradientNorms() {
    return norms(0, jacobian[0].length);
  }

  /** H·diag(c), with one threshold for the whole gradient. */
  public ClippedKernel clipped(ClippingRule rule, double threshold) {
    int all = jacobian[0].length;
    return clipped(List.of(new int[] {0, all}), rule, threshold);
  }

  /**
   * Each layer clipped by itself, at threshold/√layers: together they bound the whole gradient by
   * the threshold.
   */
  public ClippedKernel clippedByLayer(ClippingRule rule, double threshold) {
    return clipped(layers, rule, threshold / Math.sqrt(layers.size()));
  }

  private ClippedKernel clipped(List<int[]> groups, ClippingRule rule, double threshold) {
    Check.positive(threshold, "threshold");
    double[][] kernel = new double[jacobian.length][jacobian.length];
    for (int[] group : groups) {
      double[] norms = norms(group[0], group[1]);
      double[][] part = product(group[0], group[1]);
      for (int i = 0; i < kernel.length; i++) {
        for (int j = 0; j < kernel.length; j++) {
          kernel[i][j] += part[i][j] * rule.factor(norms[j / outputs], threshold);
        }
      }
    }
    return ClippedKernel.of(kernel, residual);
  }

  private double[][] product(int from, int to) {
    int n = jacobian.length;
    double[][] product = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int p = from; p < to; p++) {
          sum += jacobian[i][p] * jacobian[j][p];
        }
        product[i][j] = sum;
        product[j][i] = sum;
      }
    }
    return product;
  }

  private double[] norms(int from, int to) {
    double[] norms = new double[jacobian.length / outputs];
    for (int example = 0; example < norms.length; example++) {
      double square = 0;
      for (int p = from; p < to; p++) {
        double slope = 0;
        for (int o = 0; o < outputs; o++) {
          int row = example * outputs + o;
          slope += residual[row] * jacobian[row][p];
        }
        square += slope * slope;
      }
      norms[example] = Math.sqrt(square);
    }
    return norms;
  }
}
