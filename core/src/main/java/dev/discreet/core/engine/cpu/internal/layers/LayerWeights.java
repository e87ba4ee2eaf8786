package dev.discreet.core.engine.cpu.internal.layers;

/** A layer's parameters in the form that its kernels read, shared by all workers of a step. */
interface LayerWeights {
  /** One thread's share of taking over new parameters: part {@code part} of {@code parts}. */
  void load(float[] parameters, int part, int parts);

  /** As {@link #load}, of weights that are to be used as they are, not standardised. */
  default void loadUsed(float[] weights, int part, int parts) {
    load(weights, part, parts);
  }
}
