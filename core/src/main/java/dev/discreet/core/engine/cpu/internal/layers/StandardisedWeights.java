package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.nn.Layer;

/**
 * Standardised weights of a convolution, w = (v − mean)/length per output channel, and the way back
 * through them: dv = (dw − mean(dw) − w⟨w, dw⟩)/length.
 */
final class StandardisedWeights {
  final float[] weights;
  private final int depth;
  private final int outputs;
  private final double[] length;

  StandardisedWeights(int depth, int outputs) {
    this.depth = depth;
    this.outputs = outputs;
    this.weights = new float[depth * outputs];
    this.length = new double[outputs];
  }

  void load(float[] parameters, int at) {
    for (int o = 0; o < outputs; o++) {
      double mean = 0;
      for (int k = 0; k < depth; k++) {
        mean += parameters[at + k * outputs + o];
      }
      mean /= depth;
      double square = Layer.EPSILON;
      for (int k = 0; k < depth; k++) {
        double d = parameters[at + k * outputs + o] - mean;
        square += d * d;
      }
      length[o] = Math.sqrt(square);
      for (int k = 0; k < depth; k++) {
        weights[k * outputs + o] = (float) ((parameters[at + k * outputs + o] - mean) / length[o]);
      }
    }
  }

  /** In place. */
  void back(float[] gradient, int at) {
    for (int o = 0; o < outputs; o++) {
      double mean = 0;
      double along = 0;
      for (int k = 0; k < depth; k++) {
        double g = gradient[at + k * outputs + o];
        mean += g;
        along += g * weights[k * outputs + o];
      }
      mean /= depth;
      for (int k = 0; k < depth; k++) {
        int i = at + k * outputs + o;
        double g = gradient[i] - mean - weights[k * outputs + o] * along;
        gradient[i] = (float) (g / length[o]);
      }
    }
  }
}
