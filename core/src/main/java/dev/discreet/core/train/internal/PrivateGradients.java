package dev.discreet.core.train.internal;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.StepClock;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.parallel.ParallelBlocks;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;

/**
 * The clipped sum of a lot, through the session, divided by the expected lot size. An empty lot is
 * a step like any other: noise only.
 */
public final class PrivateGradients implements MeanGradients {
  private final GradientSource source;
  private final PrivacySession session;
  private final ResolvedPlan plan;
  private final double noiseBeforeClipping;
  private final Thresholds thresholds;
  private final long[] noisy;
  private StepClock clock = new StepClock();

  /**
   * @param thresholds of the steps; adaptive ones are moved by each
   * @param trainable how many parameters the sum has coordinates for
   */
  public PrivateGradients(
      GradientSource source,
      PrivacySession session,
      ResolvedPlan plan,
      double noiseBeforeClipping,
      Thresholds thresholds,
      int trainable) {
    this.source = source;
    this.session = session;
    this.plan = plan;
    this.noiseBeforeClipping = noiseBeforeClipping;
    this.thresholds = thresholds;
    this.noisy = new long[trainable + plan.counts()];
  }

  @Override
  public void at(long step, float[] theta, float[] gradient, double[] variances) {
    NoisyValue released =
        session.release(
            plan,
            step,
            id -> {
              clock.spent(StepPhase.CHARGE);
              ClippedSum sum =
                  source.clippedSum(
                      new StepRequest(
                          id,
                          theta,
                          thresholds.at(step),
                          session.samplingKey(),
                          noiseBeforeClipping));
              clock.spent(StepPhase.GRADIENTS);
              return sum;
            },
            noisy);
    clock.spent(StepPhase.NOISE);
    int[] places = source.coordinates().places();
    long[] integers = released.integers();
    double scale = released.step() / plan.expectedLot();
    ParallelBlocks.each(
        0,
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            gradient[places[i]] = (float) (integers[i] * scale);
          }
        });
    double[] deviations = plan.deviations(step);
    for (int g = 0; g < deviations.length; g++) {
      double deviation = deviations[g] * released.sensitivities()[g] / plan.expectedLot();
      variances[g] = deviation * deviation;
    }
    thresholds.move(integers, places.length);
    clock.spent(StepPhase.MEAN);
  }

  @Override
  public void timedBy(StepClock stepClock) {
    this.clock = stepClock;
    source.timedBy(stepClock);
  }

  @Override
  public long refusedUnits() {
    return source.refusedUnits();
  }

  @Override
  public void close() {
    source.close();
  }
}
