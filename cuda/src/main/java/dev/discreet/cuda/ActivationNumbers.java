package dev.discreet.cuda;

import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.ActivationVisitor;

/**
 * A function of one value as {@code activate} of step.cu knows it.
 *
 * @param kind its place among LEAKY, ELU, GELU, TANH and SIGMOID
 */
record ActivationNumbers(int kind, float a, float b, float c) {
  private static final ActivationVisitor<ActivationNumbers> OF =
      new ActivationVisitor<>() {
        @Override
        public ActivationNumbers relu(Activation.Relu activation) {
          return new ActivationNumbers(0, 0, 0, 0);
        }

        @Override
        public ActivationNumbers leakyRelu(Activation.LeakyRelu activation) {
          return new ActivationNumbers(0, (float) activation.slope(), 0, 0);
        }

        @Override
        public ActivationNumbers elu(Activation.Elu activation) {
          return new ActivationNumbers(1, (float) activation.alpha(), 0, 0);
        }

        @Override
        public ActivationNumbers gelu(Activation.Gelu activation) {
          return new ActivationNumbers(2, 0, 0, 0);
        }

        @Override
        public ActivationNumbers tanh(Activation.Tanh activation) {
          return new ActivationNumbers(3, 0, 0, 0);
        }

        @Override
        public ActivationNumbers sigmoid(Activation.Sigmoid activation) {
          return new ActivationNumbers(4, 1, 1, 0);
        }

        @Override
        public ActivationNumbers temperedSigmoid(Activation.TemperedSigmoid activation) {
          return new ActivationNumbers(
              4,
              (float) activation.scale(),
              (float) activation.temperature(),
              (float) activation.offset());
        }
      };

  static ActivationNumbers of(Activation activation) {
    return activation.accept(OF);
  }
}
