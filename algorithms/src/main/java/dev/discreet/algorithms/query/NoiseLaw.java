package dev.discreet.algorithms.query;

import dev.discreet.accounting.Mechanism.AddedNoise;
import dev.discreet.accounting.math.Normal;

/**
 * The law of the noise on one value: that of round(N) steps, with a Gaussian or Laplace N. Each
 * method is exact for N, and adds what the rounding can add; so intervals are never too narrow, and
 * too wide by less than two steps.
 *
 * @param scale of N, in the value's units: Laplace's scale, or the standard deviation
 * @param step what one step is worth
 */
public record NoiseLaw(AddedNoise.Law law, double scale, double step) {
  /** Wider than noise is made and doubles are rounded. */
  private static final double WIDER = 1 + 0x1p-38;

  /** The standard deviation of N. */
  public double deviation() {
    return law == AddedNoise.Law.LAPLACE ? Math.sqrt(2) * scale : scale;
  }

  /** The least number of whole steps that the noise keeps within with this probability. */
  public double reach(double confidence) {
    // |round(N)| ≤ h where |N| < h + 1/2.
    return step * Math.max(0, Math.ceil(WIDER * unrounded(confidence, 1, 0) / step - 0.5));
  }

  /** What |N| stays within, for each of {@code values} independent ones at once. */
  public double reachOfAll(double confidence, int values) {
    return reach(Math.exp(Math.log(confidence) / values));
  }

  /**
   * What |a·X − b·Y| stays within with this probability, of two independent noises.
   *
   * @param a at least 0
   * @param b at least 0, and not both 0
   */
  public double reach(double confidence, double a, double b) {
    return WIDER * unrounded(confidence, a, b) + (a + b) / 2 * step;
  }

  private double unrounded(double confidence, double a, double b) {
    if (law == AddedNoise.Law.GAUSSIAN) {
      return Math.hypot(a, b) * scale * Normal.tailQuantile((1 - confidence) / 2);
    }
    double larger = Math.max(a, b) * scale;
    double smaller = Math.min(a, b) * scale;
    double outside = 1 - confidence;
    if (smaller == 0) {
      return -larger * Math.log(outside);
    }
    double low = -larger * Math.log(outside);
    double high = 2 * low + 2 * larger;
    while (tail(high, larger, smaller) > outside) {
      high *= 2;
    }
    for (int i = 0; i < 80 && high > low; i++) {
      double middle = (low + high) / 2;
      if (tail(middle, larger, smaller) > outside) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** P(|X − Y| &gt; t) of Laplace noises of two scales; at nearly equal ones, of equal ones. */
  private static double tail(double t, double larger, double smaller) {
    double ratio = smaller / larger;
    if (ratio > 1 - 1e-6) {
      return (1 + t / (2 * larger)) * Math.exp(-t / larger);
    }
    double squared = ratio * ratio;
    return (Math.exp(-t / larger) - squared * Math.exp(-t / smaller)) / (1 - squared);
  }
}
