package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layer;

/**
 * A function of one value, as the kernels know it. All transcendental ones are made of one
 * exponential by fused multiply-adds, so that plain and vector code agree to the bit.
 */
record Pointwise(Kind kind, float a, float b, float c) {
  enum Kind {
    LEAKY,
    ELU,
    GELU,
    TANH,
    /** a·sigmoid(b·x) − c. */
    SIGMOID
  }

  /** Whether the value is enough to tell the slope, as if it were what went in. */
  boolean slopeFollowsFromValue() {
    return switch (kind) {
      case LEAKY, ELU -> a >= 0;
      case TANH, SIGMOID -> true;
      case GELU -> false;
    };
  }

  static Pointwise of(Layer.Activation activation) {
    if (activation instanceof Layer.Relu) {
      return new Pointwise(Kind.LEAKY, 0, 0, 0);
    } else if (activation instanceof Layer.LeakyRelu leaky) {
      return new Pointwise(Kind.LEAKY, (float) leaky.slope(), 0, 0);
    } else if (activation instanceof Layer.Elu elu) {
      return new Pointwise(Kind.ELU, (float) elu.alpha(), 0, 0);
    } else if (activation instanceof Layer.Gelu) {
      return new Pointwise(Kind.GELU, 0, 0, 0);
    } else if (activation instanceof Layer.Tanh) {
      return new Pointwise(Kind.TANH, 0, 0, 0);
    } else if (activation instanceof Layer.Sigmoid) {
      return new Pointwise(Kind.SIGMOID, 1, 1, 0);
    } else if (activation instanceof Layer.TemperedSigmoid s) {
      return new Pointwise(
          Kind.SIGMOID, (float) s.scale(), (float) s.temperature(), (float) s.offset());
    }
    throw new IllegalArgumentException("no kernel for " + activation);
  }
}
