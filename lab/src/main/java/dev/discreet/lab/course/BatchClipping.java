package dev.discreet.lab.course;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.training.GradientChange;
import dev.discreet.lab.training.Training;
import java.util.SplittableRandom;

/**
 * What the code behind document 001's figures does with a lot's mean gradient: weights and biases
 * are each clipped to C, and noise of deviation σ is added. It is not DP-SGD: no example's gradient
 * is clipped, and the noise is that of the mean, not of the sum. Run without privacy, by name.
 */
record BatchClipping(double clip, double deviation) implements Training.Variation {
  @Override
  public Trainer of(Trainer trainer, Training training, Examples all) {
    return trainer.transform(change(all.input(), training.seed()));
  }

  GradientChange change(Shape input, long seed) {
    return new GradientChange(
        input,
        (step, layout, theta, gradient) ->
            change(layout, gradient, new SplittableRandom(seed * 1_000_003 + step)),
        "mean gradient clipped to " + clip + ", noise " + deviation + ", seed " + seed);
  }

  private void change(Layout layout, float[] gradient, SplittableRandom random) {
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
}
