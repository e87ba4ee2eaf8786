package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.nn.Layer;
import java.util.Arrays;

/**
 * Standardised weights of a convolution, u = gain·w with w = (v − mean)/length per output channel,
 * and the way back through them: dgain = ⟨w, du⟩ and dv = gain·(du − mean(du) − w⟨w, du⟩)/length.
 */
final class StandardisedWeights {
  /** What inputs are multiplied by, u. */
  final float[] weights;

  private final float[] unit;
  private final float[] gain;
  private final int depth;
  private final int outputs;
  private final double[] length;

  StandardisedWeights(int depth, int outputs) {
    this.depth = depth;
    this.outputs = outputs;
    this.weights = new float[depth * outputs];
    this.unit = new float[depth * outputs];
    this.gain = new float[outputs];
    this.length = new double[outputs];
  }

  void load(float[] parameters, int at, int gainAt) {
    System.arraycopy(parameters, gainAt, gain, 0, outputs);
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
        int i = k * outputs + o;
        unit[i] = (float) ((parameters[at + i] - mean) / length[o]);
        weights[i] = gain[o] * unit[i];
      }
    }
  }

  /** A gradient by what inputs are multiplied by into one by the parameters, in place. */
  void back(float[] gradient, int at, int gainAt) {
    through(gradient, at, gainAt);
  }

  /**
   * How what inputs are multiplied by moves as the parameters do, in place: du = gain·(dv −
   * mean(dv) − w⟨w, dv⟩)/length + w·dgain. The first part is a symmetric matrix, the same as on the
   * way back.
   */
  void along(float[] moving, int at, int gainAt) {
    float[] gains = Arrays.copyOfRange(moving, gainAt, gainAt + outputs);
    through(moving, at, gainAt);
    for (int i = 0; i < unit.length; i++) {
      moving[at + i] += unit[i] * gains[i % outputs];
    }
    System.arraycopy(gains, 0, moving, gainAt, outputs);
  }

  private void through(float[] gradient, int at, int gainAt) {
    for (int o = 0; o < outputs; o++) {
      double mean = 0;
      double along = 0;
      for (int k = 0; k < depth; k++) {
        double g = gradient[at + k * outputs + o];
        mean += g;
        along += g * unit[k * outputs + o];
      }
      mean /= depth;
      gradient[gainAt + o] = (float) along;
      for (int k = 0; k < depth; k++) {
        int i = at + k * outputs + o;
        double g = gradient[i] - mean - unit[k * outputs + o] * along;
        gradient[i] = (float) (gain[o] * g / length[o]);
      }
    }
  }
}
