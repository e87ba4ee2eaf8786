package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.ActivationVisitor;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.Erfc;

/** A function of each value by itself. At a kink the derivative is that from below. */
record ActivationLayer(DoubleUnaryOperator value, DoubleUnaryOperator slope)
    implements ReferenceLayer {

  static ActivationLayer of(Activation activation) {
    return activation.accept(OF);
  }

  @Override
  public double[] forward(Point at, double[] x) {
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = value.applyAsDouble(x[i]);
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    double[] dx = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      dx[i] = slope.applyAsDouble(x[i]) * dy[i];
    }
    return dx;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    return backward(at, x, dx, null); // A diagonal matrix is its own transpose.
  }

  private static final ActivationVisitor<ActivationLayer> OF =
      new ActivationVisitor<>() {
        @Override
        public ActivationLayer relu(Activation.Relu layer) {
          return new ActivationLayer(x -> x <= 0 ? 0 : x, x -> x <= 0 ? 0 : 1);
        }

        @Override
        public ActivationLayer leakyRelu(Activation.LeakyRelu layer) {
          return new ActivationLayer(
              x -> x <= 0 ? layer.slope() * x : x, x -> x <= 0 ? layer.slope() : 1);
        }

        @Override
        public ActivationLayer elu(Activation.Elu layer) {
          return new ActivationLayer(
              x -> x <= 0 ? layer.alpha() * Math.expm1(x) : x,
              x -> x <= 0 ? layer.alpha() * Math.exp(x) : 1);
        }

        @Override
        public ActivationLayer gelu(Activation.Gelu layer) {
          return new ActivationLayer(
              x -> x * normalDistribution(x),
              x -> normalDistribution(x) + x * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI));
        }

        @Override
        public ActivationLayer tanh(Activation.Tanh layer) {
          return new ActivationLayer(Math::tanh, x -> 1 - Math.tanh(x) * Math.tanh(x));
        }

        @Override
        public ActivationLayer sigmoid(Activation.Sigmoid layer) {
          return new ActivationLayer(ActivationLayer::logistic, x -> logistic(x) * logistic(-x));
        }

        @Override
        public ActivationLayer temperedSigmoid(Activation.TemperedSigmoid layer) {
          double scale = layer.scale();
          double temperature = layer.temperature();
          return new ActivationLayer(
              x -> scale * logistic(temperature * x) - layer.offset(),
              x -> scale * temperature * logistic(temperature * x) * logistic(-temperature * x));
        }
      };

  private static double logistic(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  /** Φ. */
  private static double normalDistribution(double x) {
    return 0.5 * Erfc.value(-x / Math.sqrt(2));
  }
}
