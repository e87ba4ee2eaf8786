package dev.discreet.lab.course;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.GradientTransform;
import java.util.SplittableRandom;

/**
 * What the code behind document 001's figures does with a lot's mean gradient: weights and biases
 * are each clipped to C, and noise of deviation σ is added. It is not DP-SGD: no example's gradient
 * is clipped, and the noise is that of the mean, not of the sum. Run without privacy, by name.
 */
record BatchClipping(double clip, double deviation, long seed, Shape input)
    implements GradientTransform {

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
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + step);
        for (Layout.Slice slice : layout.slices()) {
          double squares = 0;
          for (int i = slice.offset(); i < slice.end(); i++) {
            squares += gradient[i] * gradient[i];
          }
          double factor = 1 / Math.max(1, Math.sqrt(squares) / clip);
          for (int i = slice.offset(); i < slice.end(); i++) {
            gradient[i] = (float) (factor * gradient[i] + deviation * random.nextGaussian());
          }
        }
      }

      @Override
      public void close() {}
    };
  }

  /** Part of a run's provenance. */
  @Override
  public String toString() {
    return "mean gradient clipped to " + clip + ", noise " + deviation + ", seed " + seed;
  }
}
