package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.SamplingKey;

/**
 * One step's question to a gradient source.
 *
 * @param release the release id: never used twice with one key
 * @param parameters θ, not copied
 * @param thresholds the threshold of each clipping group in this step
 * @param key decides the lot
 * @param noiseBeforeClipping standard deviation of Gaussian noise added to each unit's gradient
 *     before it is clipped; it corrects clipping's bias and protects nothing
 */
public record StepRequest(
    long release,
    float[] parameters,
    double[] thresholds,
    SamplingKey key,
    double noiseBeforeClipping) {
  public StepRequest {
    for (double threshold : thresholds) {
      Check.that(
          threshold > 0 && Double.isFinite(threshold),
          "threshold",
          "finite and greater than 0",
          threshold);
    }
    Check.nonNegative(noiseBeforeClipping, "noise before clipping");
  }

  public StepRequest(long release, float[] parameters, double threshold, SamplingKey key) {
    this(release, parameters, new double[] {threshold}, key, 0);
  }
}
