package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.ActivationVisitor;

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

  static Pointwise of(Activation activation) {
    return activation.accept(OF);
  }

  private static final ActivationVisitor<Pointwise> OF =
      new ActivationVisitor<>() {
        @Override
        public Pointwise relu(Activation.Relu activation) {
          return new Pointwise(Kind.LEAKY, 0, 0, 0);
        }

        @Override
        public Pointwise leakyRelu(Activation.LeakyRelu activation) {
          return new Pointwise(Kind.LEAKY, (float) activation.slope(), 0, 0);
        }

        @Override
        public Pointwise elu(Activation.Elu activation) {
          return new Pointwise(Kind.ELU, (float) activation.alpha(), 0, 0);
        }

        @Override
        public Pointwise gelu(Activation.Gelu activation) {
          return new Pointwise(Kind.GELU, 0, 0, 0);
        }

        @Override
        public Pointwise tanh(Activation.Tanh activation) {
          return new Pointwise(Kind.TANH, 0, 0, 0);
        }

        @Override
        public Pointwise sigmoid(Activation.Sigmoid activation) {
          return new Pointwise(Kind.SIGMOID, 1, 1, 0);
        }

        @Override
        public Pointwise temperedSigmoid(Activation.TemperedSigmoid activation) {
          return new Pointwise(
              Kind.SIGMOID,
              (float) activation.scale(),
              (float) activation.temperature(),
              (float) activation.offset());
        }
      };
}
