package dev.discreet.audit.canary;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.GradientTransform;

/**
 * Sees everything that a run releases step by step, and changes none of it.
 *
 * @param input the shape of the run's examples
 * @param watcher is told each release
 */
public record ReleaseTap(Shape input, Watcher watcher) implements GradientTransform {

  /** Hears of a step. The arrays are the run's own: they must be read at once, and not changed. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * @param step from 0
     * @param theta the parameters that the step began with
     * @param gradient what the session released, divided by the expected lot
     */
    void released(long step, float[] theta, float[] gradient);
  }

  @Override
  public Examples publicExamples() {
    return Examples.of(input, new float[0], 1, new float[0]);
  }

  @Override
  public Running open(Layout layout, boolean[] trainable, Engine engine) {
    return new Running() {
      @Override
      public void apply(long step, float[] theta, float[] gradient) {
        watcher.released(step, theta, gradient);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public String toString() {
    return "a tap that changes nothing";
  }
}
