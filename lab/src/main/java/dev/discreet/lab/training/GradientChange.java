package dev.discreet.lab.training;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.GradientTransform;

/**
 * Changes or looks at the released gradient of each step, and learns from no public examples.
 *
 * @param input the shape of the run's examples
 * @param words part of a run's provenance
 */
public record GradientChange(Shape input, Change change, String words)
    implements GradientTransform {

  /** What is done before a step. */
  public interface Change {
    /**
     * @param step from 0
     * @param theta not to be kept or changed
     * @param gradient as it was released; may be changed
     */
    void apply(long step, Layout layout, float[] theta, float[] gradient);
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
        change.apply(step, layout, theta, gradient);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public String toString() {
    return words;
  }
}
