package dev.discreet.core.train;

import dev.discreet.accounting.Check;

/**
 * The exponential moving average of the parameters after each step. It is computed from released
 * values only, so it is free; with large noise it is a better model than the last iterate.
 *
 * <p>It is corrected for its start as Adam's moments are: after step t the iterate of step s has
 * weight dᵗ⁻ˢ(1−d)/(1−dᵗ). So the initial parameters have none, and a short run gets the plain mean
 * of its iterates rather than something near the start.
 */
final class MovingAverage {
  private final double decay;
  private final float[] mean;
  private long steps;

  /**
   * @param decay d, in [0, 1); 0.999 remembers about the last thousand steps
   */
  MovingAverage(double decay, float[] start) {
    this.decay = checkDecay(decay);
    this.mean = start.clone();
  }

  static double checkDecay(double decay) {
    Check.that(decay >= 0 && decay < 1, "decay of the moving average", "in [0, 1)", decay);
    return decay;
  }

  void add(float[] theta) {
    steps++;
    float share = (float) ((1 - decay) / (1 - Math.pow(decay, steps)));
    float[] mean = this.mean;
    Blocks.each(
        0,
        mean.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            mean[i] += share * (theta[i] - mean[i]);
          }
        });
  }

  /** The average itself, not a copy; the start where nothing was added. */
  float[] mean() {
    return mean;
  }

  long steps() {
    return steps;
  }

  void restore(long steps, float[] mean) {
    Check.that(
        mean.length == this.mean.length, "average", this.mean.length + " numbers", mean.length);
    Check.that(steps >= 0, "averaged steps", "at least 0", steps);
    System.arraycopy(mean, 0, this.mean, 0, mean.length);
    this.steps = steps;
  }
}
