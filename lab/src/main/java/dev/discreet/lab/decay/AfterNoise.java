package dev.discreet.lab.decay;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.GradientTransform;

/**
 * λθ added to the noisy gradient before the optimizer sees it, as PyTorch's SGD does: with momentum
 * m the decay is then about 1/(1 − m) times that of θ ← (1 − ηλ)θ − ηg, without it the same. It is
 * what document 000 compares with, since it ran on that optimizer.
 */
record AfterNoise(double rate, Shape input) implements GradientTransform {

  /** It learns from none. */
  @Override
  public Examples publicExamples() {
    return Examples.of(input, new float[0], 1, new float[0]);
  }

  @Override
  public Running open(Layout layout, boolean[] trainable, Engine engine) {
    return new Running() {
      @Override
      public void apply(long step, float[] theta, float[] gradient) {
        for (int i = 0; i < gradient.length; i++) {
          gradient[i] += (float) (rate * theta[i]);
        }
      }

      @Override
      public void close() {}
    };
  }

  /** Part of a run's provenance. */
  @Override
  public String toString() {
    return "weight decay " + rate + " added after noise";
  }
}
