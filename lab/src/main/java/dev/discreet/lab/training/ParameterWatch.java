package dev.discreet.lab.training;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.GradientTransform;

/**
 * Shows a trial the parameters before each step, and leaves the gradient as it is.
 *
 * @param input the shape of the run's examples
 */
public record ParameterWatch(Shape input, Watcher watcher) implements GradientTransform {

  /** Who looks. */
  public interface Watcher {
    /**
     * @param step from 0
     * @param theta not to be kept or changed
     */
    void see(long step, float[] theta);
  }

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
        watcher.see(step, theta);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public String toString() {
    return "looked at";
  }
}
