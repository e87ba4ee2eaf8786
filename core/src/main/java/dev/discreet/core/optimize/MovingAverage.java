package dev.discreet.core.optimize;

import dev.discreet.accounting.Check;
import dev.discreet.core.parallel.ParallelBlocks;

/**
 * The exponential moving average of the parameters after each step. It is computed from released
 * values only, so it is free; with large noise it is a better model than the last iterate.
 *
 * <p>It is corrected for its start as Adam's moments are: after step t the iterate of step s has
 * weight dᵗ⁻ˢ(1−d)/(1−dᵗ). So the initial parameters have none, and a short run gets the plain mean
 * of its iterates rather than something near the start.
 */
public final class MovingAverage {
  private final double decay;
  private final float[] mean;
  private long steps;

  /**
   * @param decay d, in [0, 1); 0.999 remembers about the last thousand steps
   */
  public MovingAverage(double decay, float[] start) {
    this.decay = checkDecay(decay);
    this.mean = start.clone();
  }

  public static double checkDecay(double decay) {
    Check.that(decay >= 0 && decay < 1, "decay of the moving average", "in [0, 1)", decay);
    return decay;
  }

  public void add(float[] theta) {
    steps++;
    float share = (float) ((1 - decay) / (1 - Math.pow(decay, steps)));
    float[] mean = this.mean;
    ParallelBlocks.each(
        0,
        mean.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            mean[i] += share * (theta[i] - mean[i]);
          }
        });
  }

  /** The average itself, not a copy; the start where nothing was added. */
  public float[] mean() {
    return mean;
  }

  public long steps() {
    return steps;
  }

  public void restore(long steps, float[] mean) {
    Check.that(
        mean.length == this.mean.length, "average", this.mean.length + " numbers", mean.length);
    Check.that(steps >= 0, "averaged steps", "at least 0", steps);
    System.arraycopy(mean, 0, this.mean, 0, mean.length);
    this.steps = steps;
  }
}
