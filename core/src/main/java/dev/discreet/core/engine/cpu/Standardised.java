package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.WeightStandardisation;

/** Standardised weights of a convolution and the way back through them, per output channel. */
final class Standardised {
  final float[] weights;
  private final int depth;
  private final int outputs;
  private final double[] inverse;

  Standardised(int depth, int outputs) {
    this.depth = depth;
    this.outputs = outputs;
    this.weights = new float[depth * outputs];
    this.inverse = new double[outputs];
  }

  void load(float[] parameters, int at) {
    for (int o = 0; o < outputs; o++) {
      double sum = 0;
      for (int k = 0; k < depth; k++) {
        sum += parameters[at + k * outputs + o];
      }
      double mean = sum / depth;
      double square = 0;
      for (int k = 0; k < depth; k++) {
        double d = parameters[at + k * outputs + o] - mean;
        square += d * d;
      }
      inverse[o] = 1 / Math.sqrt(square / depth + WeightStandardisation.EPSILON);
      double scale = inverse[o] / Math.sqrt(depth);
      for (int k = 0; k < depth; k++) {
        weights[k * outputs + o] = (float) ((parameters[at + k * outputs + o] - mean) * scale);
      }
    }
  }

  void back(float[] gradient, int at) {
    double root = Math.sqrt(depth);
    for (int o = 0; o < outputs; o++) {
      double sum = 0;
      double along = 0;
      for (int k = 0; k < depth; k++) {
        double g = gradient[at + k * outputs + o];
        sum += g;
        along += g * weights[k * outputs + o] * root;
      }
      for (int k = 0; k < depth; k++) {
        int i = at + k * outputs + o;
        double unit = weights[k * outputs + o] * root;
        gradient[i] =
            (float) ((gradient[i] - sum / depth - unit * along / depth) * inverse[o] / root);
      }
    }
  }
}
