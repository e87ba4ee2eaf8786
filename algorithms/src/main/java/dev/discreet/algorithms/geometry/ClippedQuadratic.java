package dev.discreet.algorithms.geometry;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.math.Normal;
import java.util.Arrays;

/**
 * Seed 002's loss of one number, f(x) = mean of ½(x − sᵢ)². Its clipped gradients can be followed
 * by hand.
 *
 * @param samples s
 */
public record ClippedQuadratic(double... samples) {
  /** Two samples at −3 and one at 9: clipping moves the point where descent ends from 1 to −2½. */
  public static ClippedQuadratic badExample1() {
    return new ClippedQuadratic(-3, -3, 9);
  }

  /** Samples at 3 and −3: with C = 1, descent does not move anywhere in [−2, 2]. */
  public static ClippedQuadratic badExample2() {
    return new ClippedQuadratic(3, -3);
  }

  public ClippedQuadratic {
    Check.that(samples.length >= 1, "samples", "at least 1", samples.length);
    samples = samples.clone();
  }

  public double optimum() {
    return Arrays.stream(samples).average().orElseThrow();
  }

  public double gradient(double x) {
    return x - optimum();
  }

  /** The mean of the clipped gradients. */
  public double clippedGradient(double x, double threshold) {
    Check.positive(threshold, "threshold");
    return Arrays.stream(samples)
        .map(s -> Math.max(-threshold, Math.min(threshold, x - s)))
        .average()
        .orElseThrow();
  }

  /** The lowest and the highest point where the clipped gradients cancel. */
  public double[] clippedOptima(double threshold) {
    return new double[] {edge(threshold, false), edge(threshold, true)};
  }

  /** The clipped gradient rises with x, so the interval is halved until doubles cannot halve it. */
  private double edge(double threshold, boolean highest) {
    double low = Arrays.stream(samples).min().orElseThrow();
    double high = Arrays.stream(samples).max().orElseThrow();
    double middle = low + (high - low) / 2;
    while (low < middle && middle < high) {
      double gradient = clippedGradient(middle, threshold);
      if (gradient < -1e-15 * threshold || (highest && gradient <= 1e-15 * threshold)) {
        low = middle;
      } else {
        high = middle;
      }
      middle = low + (high - low) / 2;
    }
    return highest ? low : high;
  }

  /**
   * E clip(x − a) for a ~ N(0, 1): the slope that clipped descent on ½E(x − a)² sees. At x = 0.5
   * and C = 1 it is 0.33151, a third below the true 0.5.
   */
  public static double ofGaussian(double x, double threshold) {
    Check.positive(threshold, "threshold");
    double above = Normal.tail(threshold - x);
    double below = Normal.tail(threshold + x);
    double edges =
        Math.exp(Normal.logDensity(threshold + x)) - Math.exp(Normal.logDensity(threshold - x));
    return threshold * (above - below) + x * (1 - above - below) + edges;
  }
}
