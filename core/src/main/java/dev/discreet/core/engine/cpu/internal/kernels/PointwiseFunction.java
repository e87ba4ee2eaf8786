package dev.discreet.core.engine.cpu.internal.kernels;

import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.ActivationVisitor;

/**
 * A function of one value, as the kernels know it. All transcendental ones are made of one
 * exponential by fused multiply-adds, so that plain and vector code agree to the bit.
 */
public record PointwiseFunction(Kind kind, float a, float b, float c) {
  enum Kind {
    LEAKY,
    ELU,
    GELU,
    TANH,
    /** a·sigmoid(b·x) − c. */
    SIGMOID
  }

  /** Whether the value is enough to tell the slope, as if it were what went in. */
  public boolean slopeFollowsFromValue() {
    return switch (kind) {
      case LEAKY, ELU -> a >= 0;
      case TANH, SIGMOID -> true;
      case GELU -> false;
    };
  }

  public static PointwiseFunction of(Activation activation) {
    return activation.accept(OF);
  }

  private static final ActivationVisitor<PointwiseFunction> OF =
      new ActivationVisitor<>() {
        @Override
        public PointwiseFunction relu(Activation.Relu activation) {
          return new PointwiseFunction(Kind.LEAKY, 0, 0, 0);
        }

        @Override
        public PointwiseFunction leakyRelu(Activation.LeakyRelu activation) {
          return new PointwiseFunction(Kind.LEAKY, (float) activation.slope(), 0, 0);
        }

        @Override
        public PointwiseFunction elu(Activation.Elu activation) {
          return new PointwiseFunction(Kind.ELU, (float) activation.alpha(), 0, 0);
        }

        @Override
        public PointwiseFunction gelu(Activation.Gelu activation) {
          return new PointwiseFunction(Kind.GELU, 0, 0, 0);
        }

        @Override
        public PointwiseFunction tanh(Activation.Tanh activation) {
          return new PointwiseFunction(Kind.TANH, 0, 0, 0);
        }

        @Override
        public PointwiseFunction sigmoid(Activation.Sigmoid activation) {
          return new PointwiseFunction(Kind.SIGMOID, 1, 1, 0);
        }

        @Override
        public PointwiseFunction temperedSigmoid(Activation.TemperedSigmoid activation) {
          return new PointwiseFunction(
              Kind.SIGMOID,
              (float) activation.scale(),
              (float) activation.temperature(),
              (float) activation.offset());
        }
      };
}
