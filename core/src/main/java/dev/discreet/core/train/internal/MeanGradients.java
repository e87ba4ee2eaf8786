package dev.discreet.core.train.internal;

import dev.discreet.core.engine.StepClock;

/**
 * Where the mean gradient of each step comes from. A private run and a plain one differ here and
 * nowhere else.
 */
public interface MeanGradients extends AutoCloseable {

  /**
   * Takes a step.
   *
   * @param gradient receives the mean gradient at its places in the parameter vector; what is
   *     frozen is left as it is
   * @param variances receives the variance of the noise in a coordinate, for each clipping group
   */
  void at(long step, float[] theta, float[] gradient, double[] variances);

  /** Units that counted as zero so far; outside the guarantee. */
  long refusedUnits();

  /** From now on says how long the parts of a step took. */
  void timedBy(StepClock clock);

  @Override
  void close();
}
