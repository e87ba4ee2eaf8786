package dev.discreet.core.optimize;

import dev.discreet.accounting.Check;
import dev.discreet.core.parallel.ParallelBlocks;
import java.util.List;

/** What an optimizer remembers between updates. */
public final class OptimizerState {
  private final Optimizer optimizer;
  private final double decay;
  private final List<ParameterRange> ranges;

  /** Momentum, or Adam's first moment; empty where the optimizer has none. */
  public final float[] first;

  /** Adam's second moment, or empty. */
  public final float[] second;

  /** For each group, the average of the noise variances that went into the second moment. */
  public final double[] noise;

  private long steps;

  /**
   * @param decay λ of weight decay at updates, beside the optimizer's own
   */
  public OptimizerState(
      Optimizer optimizer, double decay, int parameters, int groups, List<ParameterRange> ranges) {
    this.optimizer = optimizer;
    this.decay = decay + optimizer.ownDecay();
    this.ranges = List.copyOf(ranges);
    this.first = new float[optimizer.moments() > 0 ? parameters : 0];
    this.second = new float[optimizer.moments() > 1 ? parameters : 0];
    this.noise = new double[groups];
  }

  /** Updates made so far: the t of Adam's bias correction. */
  public long steps() {
    return steps;
  }

  /** Goes on from where a checkpoint stopped. */
  public void restore(long steps, float[] first, float[] second, double[] noise) {
    Check.that(
        first.length == this.first.length
            && second.length == this.second.length
            && noise.length == this.noise.length,
        "optimizer state",
        "that of " + optimizer + " over " + this.first.length + " parameters",
        first.length + " and " + second.length + " numbers");
    Check.that(steps >= 0, "optimizer steps", "at least 0", steps);
    System.arraycopy(first, 0, this.first, 0, first.length);
    System.arraycopy(second, 0, this.second, 0, second.length);
    System.arraycopy(noise, 0, this.noise, 0, noise.length);
    this.steps = steps;
  }

  /** One update at the step after the last. */
  public void update(float[] theta, float[] gradient, double rate, double[] variances) {
    update(steps, theta, gradient, rate, variances);
  }

  /**
   * One update in place.
   *
   * @param step of the run, which may be ahead of the updates: steps can be lost
   * @param rate the learning rate η
   * @param variances for each clipping group, the variance of the noise in a coordinate of the
   *     gradient
   */
  public void update(long step, float[] theta, float[] gradient, double rate, double[] variances) {
    steps++;
    for (int g = 0; g < noise.length; g++) {
      noise[g] = optimizer.rememberedNoise(noise[g], variances[g]);
    }
    for (ParameterRange range : ranges) {
      ParallelBlocks.each(
          range.from(),
          range.to(),
          (from, to) -> {
            UpdateBlock block =
                new UpdateBlock(
                    theta,
                    gradient,
                    first,
                    second,
                    steps,
                    step,
                    rate * range.factor(),
                    noise[range.group()],
                    from,
                    to);
            if (decay != 0 && range.decayed()) {
              block.shrink(decay);
            }
            optimizer.move(block);
          });
    }
  }
}
