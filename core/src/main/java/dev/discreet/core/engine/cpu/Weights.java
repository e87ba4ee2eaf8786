package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layout.Slice;

/** A layer's parameters in the form that its kernels read, shared by all workers of a step. */
interface Weights {
  /** Takes over new parameters. */
  void load(float[] parameters);

  /** Takes the norms that weight decay needs. */
  void measure(float[] parameters);

  static double square(float[] parameters, Slice slice) {
    double sum = 0;
    for (int i = slice.offset(); i < slice.end(); i++) {
      sum += (double) parameters[i] * parameters[i];
    }
    return sum;
  }
}
