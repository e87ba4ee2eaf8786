package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layer.Activation;
import org.apache.commons.numbers.gamma.Erfc;

/** A function of each value by itself. At a kink the derivative is that from below. */
record ActivationLayer(Activation activation) implements ReferenceLayer {

  @Override
  public double[] forward(Point at, double[] x) {
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = value(x[i]);
    }
    return y;
  }

  @Override
  public double[] backward(Point at, double[] x, double[] dy, double[] gradient) {
    double[] dx = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      dx[i] = slope(x[i]) * dy[i];
    }
    return dx;
  }

  @Override
  public double[] tangent(Point at, double[] x, double[] v, double[] dx) {
    return backward(at, x, dx, null); // A diagonal matrix is its own transpose.
  }

  private double value(double x) {
    if (activation instanceof Layer.Relu) {
      return x <= 0 ? 0 : x;
    } else if (activation instanceof Layer.LeakyRelu leaky) {
      return x <= 0 ? leaky.slope() * x : x;
    } else if (activation instanceof Layer.Elu elu) {
      return x <= 0 ? elu.alpha() * Math.expm1(x) : x;
    } else if (activation instanceof Layer.Gelu) {
      return x * normalDistribution(x);
    } else if (activation instanceof Layer.Tanh) {
      return Math.tanh(x);
    } else if (activation instanceof Layer.Sigmoid) {
      return sigmoid(x);
    } else if (activation instanceof Layer.TemperedSigmoid tempered) {
      return tempered.scale() * sigmoid(tempered.temperature() * x) - tempered.offset();
    }
    throw new IllegalStateException("no reference for " + activation);
  }

  private double slope(double x) {
    if (activation instanceof Layer.Relu) {
      return x <= 0 ? 0 : 1;
    } else if (activation instanceof Layer.LeakyRelu leaky) {
      return x <= 0 ? leaky.slope() : 1;
    } else if (activation instanceof Layer.Elu elu) {
      return x <= 0 ? elu.alpha() * Math.exp(x) : 1;
    } else if (activation instanceof Layer.Gelu) {
      return normalDistribution(x) + x * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    } else if (activation instanceof Layer.Tanh) {
      return 1 - Math.tanh(x) * Math.tanh(x);
    } else if (activation instanceof Layer.Sigmoid) {
      return sigmoid(x) * sigmoid(-x);
    } else if (activation instanceof Layer.TemperedSigmoid tempered) {
      double z = tempered.temperature() * x;
      return tempered.scale() * tempered.temperature() * sigmoid(z) * sigmoid(-z);
    }
    throw new IllegalStateException("no reference for " + activation);
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  /** Φ. */
  private static double normalDistribution(double x) {
    return 0.5 * Erfc.value(-x / Math.sqrt(2));
  }
}
