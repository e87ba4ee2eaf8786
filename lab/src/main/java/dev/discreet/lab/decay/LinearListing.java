package dev.discreet.lab.decay;

import dev.discreet.core.engine.Examples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Listings B.2 and B.3 of document 000, with what is wrong in them: PyTorch's {@code backward} adds
 * to the gradient that is there, and nothing clears it between the examples of a lot, so what is
 * clipped is the running sum; and noise of deviation σR is added to θ itself, scaled neither by the
 * rate nor by the lot.
 *
 * @param before whether it is the document's method
 * @param livePenalty whether the penalty has a gradient. As printed it has none, being taken of
 *     {@code theta.data}; the published losses are those of a live one.
 */
record LinearListing(
    double clip,
    double decay,
    double rate,
    int epochs,
    double noise,
    int lot,
    boolean before,
    boolean livePenalty) {
  /** Test losses after each epoch, and the last parameters, the bias last. */
  record Course(List<Double> errors, List<Double> penalties, double[] theta) {}

  /** Rows as the listing has them: inputs, then the target. */
  static double[][] rows(Examples examples) {
    int d = examples.input().size();
    double[][] rows = new double[examples.size()][d + 1];
    float[] values = new float[d + 1];
    for (int i = 0; i < rows.length; i++) {
      examples.input(i, values, 0);
      examples.target(i, values, d);
      for (int j = 0; j <= d; j++) {
        rows[i][j] = values[j];
      }
    }
    return rows;
  }

  Course run(double[][] train, double[][] test, RandomGenerator random) {
    int d = train[0].length - 1;
    double[] theta = new double[d + 1];
    // As torch.nn.Linear begins.
    Arrays.setAll(theta, i -> random.nextDouble(-1, 1) / Math.sqrt(d));
    List<Double> errors = new ArrayList<>();
    List<Double> penalties = new ArrayList<>();
    double[][] shuffled = train.clone();
    for (int epoch = 0; epoch < epochs; epoch++) {
      shuffle(shuffled, random);
      for (int at = 0; at + lot <= shuffled.length; at += lot) {
        step(theta, Arrays.copyOfRange(shuffled, at, at + lot), random);
      }
      errors.add(error(theta, test));
      penalties.add(penalty(decay, theta));
    }
    return new Course(errors, penalties, theta);
  }

  static void shuffle(double[][] rows, RandomGenerator random) {
    for (int i = rows.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      double[] row = rows[i];
      rows[i] = rows[j];
      rows[j] = row;
    }
  }

  private void step(double[] theta, double[][] drawn, RandomGenerator random) {
    double[] mean = clippedSum(theta, drawn, true);
    for (int j = 0; j < theta.length; j++) {
      double kept = before ? theta[j] : (1 - rate * decay) * theta[j];
      theta[j] = kept - rate * mean[j] / drawn.length + noise * clip * random.nextGaussian();
    }
  }

  /**
   * The sum over a lot of what the listing clips.
   *
   * @param running false for what it should clip: each example's own gradient
   */
  double[] clippedSum(double[] theta, double[][] drawn, boolean running) {
    int d = theta.length - 1;
    double[] gradient = new double[d + 1];
    double[] sum = new double[d + 1];
    for (double[] row : drawn) {
      if (!running) {
        Arrays.fill(gradient, 0);
      }
      double residual = residual(theta, row);
      for (int j = 0; j <= d; j++) {
        gradient[j] += 2 * residual * (j < d ? row[j] : 1);
        if (before && livePenalty) {
          gradient[j] += decay * theta[j];
        }
      }
      double norm = Math.sqrt(squares(gradient));
      double factor = Math.min(clip / (1e-8 + norm), 1);
      for (int j = 0; j <= d; j++) {
        sum[j] += factor * gradient[j];
      }
    }
    return sum;
  }

  static double error(double[] theta, double[][] rows) {
    return Arrays.stream(rows)
        .mapToDouble(row -> residual(theta, row) * residual(theta, row))
        .average()
        .orElseThrow();
  }

  static double penalty(double decay, double[] theta) {
    return decay / 2 * squares(theta);
  }

  private static double residual(double[] theta, double[] row) {
    int d = theta.length - 1;
    double out = theta[d] - row[d];
    for (int j = 0; j < d; j++) {
      out += theta[j] * row[j];
    }
    return out;
  }

  static double squares(double[] vector) {
    return Arrays.stream(vector).map(x -> x * x).sum();
  }
}
