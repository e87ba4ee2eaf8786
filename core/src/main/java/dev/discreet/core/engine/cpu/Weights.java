package dev.discreet.core.engine.cpu;

/** A layer's parameters in the form that its kernels read, shared by all workers of a step. */
interface Weights {
  /** Takes over new parameters. */
  void load(float[] parameters);
}
